package serve

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/web/client"
	"github.com/ludozero/ludozero/web/table"
)

func testConfig() Config {
	return Config{
		MaxTables: 3, Idle: time.Hour,
		Tables: table.Config{
			Games: games.All(), Guides: games.Guides(),
			Offers: []table.Offer{{Name: "random", Label: "random"}}, MaxSteps: 300, Unwatched: time.Minute,
			New: func(text string, g engine.Game) (match.Player, error) {
				spec, err := player.Parse(text, nil)
				if err != nil {
					return nil, err
				}
				return spec.New(g)
			},
		},
	}
}

// ask sends a request as a browser on the page would, less what edit changes.
func ask(s *Server, method, path, body string, edit func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "127.0.0.1:8017"
	if method != http.MethodGet {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Origin", "http://127.0.0.1:8017")
	}
	if edit != nil {
		edit(r)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// TestPlayersOfNoGame name each reason once, not for every game.
func TestPlayersOfNoGame(t *testing.T) {
	_, err := NewPlayers(open.New(games.All()), games.Guides(), []string{"net:" + t.TempDir() + "/none,sims=4"})
	if err == nil || !strings.Contains(err.Error(), "plays none of the games") || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
}

// TestPagesAskNobodyElse: everything that pages name is served here.
func TestPagesAskNobodyElse(t *testing.T) {
	s := New(testConfig())
	w := ask(s, "GET", "/", "", nil)
	page := w.Body.String()
	if w.Code != 200 || !strings.Contains(page, `src="play.js"`) || !strings.Contains(page, `href="style.css"`) {
		t.Fatalf("%d %s", w.Code, page)
	}
	for _, sign := range []string{"http:", "https:", "//", " style=", "<style", "onclick"} {
		if strings.Contains(page, sign) {
			t.Errorf("the page has %q", sign)
		}
	}
	for _, name := range []string{"play.js", "board.js", "chart.js", "dom.js", "setup.js", "transport-http.js", "style.css", "icon.svg"} {
		w := ask(s, "GET", "/"+name, "", nil)
		if w.Code != 200 || w.Header().Get("Content-Type") == "" || w.Header().Get("Content-Security-Policy") != client.Policy {
			t.Errorf("%s: %d %v", name, w.Code, w.Header())
		}
		tag := w.Header().Get("Etag")
		if w := ask(s, "GET", "/"+name, "", func(r *http.Request) { r.Header.Set("If-None-Match", tag) }); w.Code != 304 || w.Body.Len() > 0 {
			t.Errorf("%s again: %d", name, w.Code)
		}
	}
	for _, path := range []string{"/nothing", "/../go.mod", "/%2e%2e/go.mod", "/pages/play.html", "/files/play.js", "/client.go"} {
		if w := ask(s, "GET", path, "", nil); w.Code == 200 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// TestGameOverHTTP opens a table, decides, and is told what the player did.
func TestGameOverHTTP(t *testing.T) {
	server := httptest.NewUnstartedServer(nil)
	s := New(testConfig())
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Run(ctx, server.Listener) }()
	url := "http://" + server.Listener.Addr().String()
	call := func(method, path, body string, into any) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		data, err := io.ReadAll(answer.Body)
		if err == nil {
			err = json.Unmarshal(data, into)
		}
		if err != nil {
			t.Fatalf("%s %s: %s: %v", method, path, data, err)
		}
		return answer.StatusCode
	}
	var made table.Opened
	if code := call("POST", "/api/tables", `{"game":"tictactoe","seats":["you","random"]}`, &made); code != 200 || made.ID == "" || made.View.Asked != "first" {
		t.Fatalf("%d %+v", code, made)
	}
	v := made.View
	for v.Result == nil {
		path := "/api/tables/" + made.ID
		if v.Asked == "" {
			v = &table.View{}
			call("GET", path+"?after=-1", "", v)
			continue
		}
		word := v.Legal[len(v.Legal)/2].Word
		v = &table.View{}
		if code := call("POST", path, `{"op":"act","word":"`+word+`"}`, v); code != 200 {
			t.Fatalf("%s: %d", word, code)
		}
		for v.Result == nil && v.Asked == "" {
			after, _ := json.Marshal(v.Version)
			v = &table.View{}
			call("GET", path+"?after="+string(after), "", v)
		}
	}
	var problem map[string]string
	if code := call("POST", "/api/tables/"+made.ID, `{"op":"act","word":"a1"}`, &problem); code != 409 || problem["error"] == "" {
		t.Errorf("after the end: %d %v", code, problem)
	}
	// A page that watches does not keep the server from ending.
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		answer, err := http.Get(url + "/api/tables/" + made.ID + "?after=" + itoa(v.Version))
		if err == nil {
			answer.Body.Close()
		}
	}()
	time.Sleep(50 * time.Millisecond)
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	<-gone
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

// TestWhoMayAsk: hosts, origins and types that a page elsewhere could use.
func TestWhoMayAsk(t *testing.T) {
	cfg := testConfig()
	cfg.Hosts = []string{"table.example"}
	const body = `{"game":"tictactoe"}`
	for _, c := range []struct {
		name string
		edit func(*http.Request)
		want int
	}{
		{"the page", nil, 200},
		{"no browser", func(r *http.Request) { r.Header.Del("Origin") }, 200},
		{"localhost", func(r *http.Request) {
			r.Host, r.Header = "localhost:1", http.Header{"Content-Type": {"application/json"}}
		}, 200},
		{"IPv6", func(r *http.Request) {
			r.Host, r.Header = "[::1]:8017", http.Header{"Content-Type": {"application/json"}}
		}, 200},
		{"a named host", func(r *http.Request) {
			r.Host = "TABLE.example:8017"
			r.Header.Set("Origin", "http://TABLE.example:8017")
		}, 200},
		{"a rebound name", func(r *http.Request) {
			r.Host = "evil.example:8017"
			r.Header.Set("Origin", "http://evil.example:8017")
		}, 403},
		{"a name like ours", func(r *http.Request) { r.Host = "localhost.evil.example" }, 403},
		{"no host", func(r *http.Request) { r.Host = "" }, 403},
		{"another origin", func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, 403},
		{"another port", func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:9") }, 403},
		{"another site", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		{"a form", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415},
	} {
		w := ask(New(cfg), "POST", "/api/tables", body, c.edit)
		if w.Code != c.want {
			t.Errorf("%s: %d %s, want %d", c.name, w.Code, w.Body, c.want)
		}
		if w.Header().Get("Content-Security-Policy") == "" || w.Header().Get("X-Content-Type-Options") == "" {
			t.Errorf("%s: answered without its headers", c.name)
		}
	}
}

// TestOtherPagesGetNothing, not even by what changes nothing; links are followed.
func TestOtherPagesGetNothing(t *testing.T) {
	s := New(testConfig())
	for dest, want := range map[string]int{"document": 200, "image": 403, "empty": 403, "iframe": 403} {
		for _, site := range []string{"cross-site", "same-site"} {
			w := ask(s, "GET", "/", "", func(r *http.Request) {
				r.Header = http.Header{"Sec-Fetch-Site": {site}, "Sec-Fetch-Dest": {dest}}
			})
			if w.Code != want {
				t.Errorf("%s, %s: %d, want %d", site, dest, w.Code, want)
			}
		}
	}
}

// TestStrangersUseNothingUp: who has no token cannot keep out who has it.
func TestStrangersUseNothingUp(t *testing.T) {
	cfg := testConfig()
	cfg.Token = "0123456789abcdef"
	s := New(cfg)
	for range 2 * requestBurst {
		if w := ask(s, "GET", "/", "", nil); w.Code != 401 {
			t.Fatalf("without the token: %d", w.Code)
		}
	}
	if w := ask(s, "GET", "/", "", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+cfg.Token) }); w.Code != 200 {
		t.Errorf("with the token: %d", w.Code)
	}
}

// TestRulesPage: a game that has one answers with it, others say so.
func TestRulesPage(t *testing.T) {
	s := New(testConfig())
	if w := ask(s, "GET", "/api/rules?game=konreh", "", nil); w.Code != 200 || !strings.Contains(w.Body.String(), `id=\"option-seed_limit\"`) || !strings.Contains(w.Body.String(), "<svg ") {
		t.Errorf("%d %.200s", w.Code, w.Body)
	}
	if w := ask(s, "GET", "/api/rules?game=nix", "", nil); w.Code != 404 || !strings.Contains(w.Body.String(), "nix") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestToken: nothing is answered without it, and it does not stay in the address.
func TestToken(t *testing.T) {
	cfg := testConfig()
	cfg.Token = "0123456789abcdef"
	s := New(cfg)
	for _, path := range []string{"/", "/play.js", "/api/catalog", "/?token=", "/?token=0123456789abcdeF", "/play.js?token=0123456789abcdef", "/nothing"} {
		if w := ask(s, "GET", path, "", nil); w.Code != 401 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	if w := ask(s, "GET", "/api/catalog", "", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+cfg.Token) }); w.Code != 200 {
		t.Errorf("with a header: %d", w.Code)
	}
	w := ask(s, "GET", "/?token="+cfg.Token, "", nil)
	cookies := w.Result().Cookies()
	if w.Code != 303 || w.Header().Get("Location") != "/" || len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteLaxMode {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	if w := ask(s, "GET", "/", "", func(r *http.Request) { r.AddCookie(cookies[0]) }); w.Code != 200 {
		t.Errorf("with the cookie: %d", w.Code)
	}
	// A browser keeps one cookie of a name for all ports of a machine.
	names := map[string]bool{}
	for _, host := range []string{"localhost", "localhost:8080", "localhost:8081", "[::1]:8082"} {
		w := ask(s, "GET", "/?token="+cfg.Token, "", func(r *http.Request) { r.Host = host })
		for _, c := range w.Result().Cookies() {
			names[c.Name] = true
			if w := ask(s, "GET", "/", "", func(r *http.Request) { r.Host = host; r.AddCookie(c) }); w.Code != 200 {
				t.Errorf("%s with its cookie %s: %d", host, c.Name, w.Code)
			}
		}
	}
	if len(names) != 4 {
		t.Errorf("servers on four ports have the cookies %v, want one each", names)
	}
}

// TestBadRequests are answered with what is wrong, and change nothing.
func TestBadRequests(t *testing.T) {
	s := New(testConfig())
	for _, c := range []struct {
		method, path, body string
		want               int
		text               string
	}{
		{"POST", "/api/tables", `{"game":"chess"}`, 422, "no game"},
		{"POST", "/api/tables", `{"game":"konreh","seats":["net:/etc/passwd,sims=1","you"]}`, 422, "want one of"},
		{"POST", "/api/tables", `{"game":`, 400, "request"},
		{"POST", "/api/tables", `{"gam":"konreh"}`, 400, "gam"},
		{"POST", "/api/tables", `{"game":"konreh"}{}`, 400, "there is more after it"},
		{"POST", "/api/tables", `{"game":"` + strings.Repeat("k", bodyBytes) + `"}`, 413, "longer"},
		{"POST", "/api/tables/NOBODY", `{"op":"hint"}`, 404, "no such game"},
		{"GET", "/api/tables/NOBODY", ``, 404, "no such game"},
		{"PUT", "/api/tables/NOBODY", ``, 405, ""},
	} {
		w := ask(s, c.method, c.path, c.body, nil)
		if w.Code != c.want || !strings.Contains(w.Body.String(), c.text) {
			t.Errorf("%s %s: %d %s, want %d %q", c.method, c.path, w.Code, w.Body, c.want, c.text)
		}
	}
	if len(s.tables) != 0 {
		t.Errorf("%d tables", len(s.tables))
	}
}

// TestTablesAreBounded, and one that nobody looks at makes room.
func TestTablesAreBounded(t *testing.T) {
	s := New(testConfig())
	for i := range 4 {
		w := ask(s, "POST", "/api/tables", `{"game":"tictactoe"}`, nil)
		if want := map[bool]int{true: 200, false: 503}[i < 3]; w.Code != want {
			t.Errorf("table %d: %d, want %d", i+1, w.Code, want)
		}
	}
	codes := map[int]int{}
	for range 40 {
		codes[ask(s, "POST", "/api/tables", `{"game":"tictactoe"}`, nil).Code]++
	}
	if codes[429] == 0 {
		t.Errorf("%v: nothing bounds how fast tables are opened", codes)
	}
	for range 2 * requestBurst {
		codes[ask(s, "GET", "/icon.svg", "", nil).Code]++
	}
	if codes[429] < requestBurst/2 {
		t.Errorf("%v: nothing bounds how fast is asked", codes)
	}
}

// FuzzServer asks whatever: the server answers something sensible.
func FuzzServer(f *testing.F) {
	f.Add("POST", "/api/tables", "127.0.0.1", `{"game":"konreh","seats":["you","random"],"moves":"d1f1"}`)
	f.Add("GET", "/api/tables/X?after=1", "localhost:1", "")
	f.Add("GET", "/../../etc/passwd", "[::1", "\x00")
	f.Fuzz(func(t *testing.T, method, path, host, body string) {
		r, err := http.NewRequestWithContext(t.Context(), method, "http://127.0.0.1/", strings.NewReader(body))
		if err != nil {
			return
		}
		if u, err := r.URL.Parse(path); err == nil {
			r.URL = u
		}
		r.Host = host
		r.Header.Set("Content-Type", "application/json")
		s := New(testConfig())
		ctx, stop := context.WithCancel(t.Context())
		s.ctx = ctx
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		stop()
		s.running.Wait()
		if w.Code >= 500 || w.Code < 200 {
			t.Errorf("%s %q: %d %s", method, path, w.Code, w.Body)
		}
		if name, _, err := net.SplitHostPort(host); err == nil && w.Code == 200 && !s.knownHost(name) {
			t.Errorf("answered by the name %q", host)
		}
	})
}
