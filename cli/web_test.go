package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/web/serve"
	webtable "github.com/ludozero/ludozero/web/table"
)

// webServer runs the command until the test ends, which fails if the command does,
// and returns the address that it prints.
func webServer(t *testing.T, args ...string) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	read, write := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := execute(ctx, append([]string{"web", "--addr", "127.0.0.1:0"}, args...), strings.NewReader(""), write, io.Discard)
		write.CloseWithError(err)
		ended <- err
	}()
	out := bufio.NewReader(read)
	line, err := out.ReadString('\n')
	go func() { _, _ = io.Copy(io.Discard, out) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("web %q: %v", args, err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// webAsk sends JSON and reads the answer.
func webAsk(t *testing.T, method, url, body string, into any) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	return answer.StatusCode
}

// TestWebBeginsWithAGame: the address that is printed names it.
func TestWebBeginsWithAGame(t *testing.T) {
	if address := webServer(t, "--game", "knaw"); !strings.HasSuffix(address, "/#new=knaw") {
		t.Errorf("%s: want it to end with #new=knaw", address)
	}
}

// TestWebServes the shipped network as an opponent, and ends when it is told to.
func TestWebServes(t *testing.T) {
	address := webServer(t)
	var made struct {
		ID   string         `json:"id"`
		View *webtable.View `json:"view"`
	}
	body := `{"game":"konreh","seats":["you","net:konreh,sims=8"],"moves":"d1f1"}`
	if code := webAsk(t, "POST", address+"api/tables", body, &made); code != 200 {
		t.Fatalf("%d %+v", code, made)
	}
	v := made.View
	for v.Asked == "" {
		version := v.Version
		v = &webtable.View{}
		webAsk(t, "GET", fmt.Sprintf("%sapi/tables/%s?after=%d", address, made.ID, version), "", v)
	}
	// Both moves of B's first turn were judged, in the view of the first player.
	if v.Steps != 3 || len(v.Values) != 2 || v.Values[0].By != "net:konreh,sims=8" || v.Problem != "" {
		t.Errorf("%+v", v)
	}
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if page, err := io.ReadAll(answer.Body); err != nil || !strings.Contains(string(page), "<title>ludozero: play</title>") {
		t.Errorf("%s, %v", page, err)
	}
}

// TestWebToken: with a token nothing is told without it.
func TestWebToken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("secret-of-the-table\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	address := webServer(t, "--token-file", file)
	bare, token, ok := strings.Cut(address, "?token=")
	if !ok || token != "secret-of-the-table" {
		t.Fatalf("the address is %s", address)
	}
	var problem map[string]string
	if code := webAsk(t, "GET", bare+"api/catalog", "", &problem); code != 401 || !strings.Contains(problem["error"], "token") {
		t.Errorf("without the token: %d %v", code, problem)
	}
}

// TestWebOffers: every offer sits down to each game that it is for, with the least and
// the most that a page may ask, also where one that is named begins like another, and
// every game has an opponent.
func TestWebOffers(t *testing.T) {
	players, err := serve.NewPlayers(builtinEnv().Players, games.Guides(), []string{"mcts:time=20ms,edges=4096", "school:none,depth=1", "net:konreh,sims=20000"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range games.All() {
		made := 0
		for _, o := range players.Offers {
			if len(o.Games) > 0 && !strings.Contains(strings.Join(o.Games, " "), f.Name) {
				continue
			}
			texts := []string{o.Name}
			if len(o.Limits) > 0 {
				texts = nil
			}
			for i := range o.Limits {
				l := &o.Limits[i]
				texts = append(texts, o.Text(l, l.Min), o.Text(l, l.Max), o.Text(l, l.Default))
			}
			for _, text := range texts {
				setup := webtable.Setup{Game: f.Name, Seats: [2]string{text, "you"}}
				if _, err := webtable.New(setup, webtable.Config{Games: games.All(), Offers: players.Offers, New: players.New}); err != nil {
					t.Errorf("%s: %s: %v", f.Name, text, err)
				}
				made++
			}
		}
		if made < 5 {
			t.Errorf("%s has %d opponents", f.Name, made)
		}
	}
}

// TestWebSolverBegins: no page can ask for the many minutes that the solver takes
// on an empty board, and from then on it plays without error.
func TestWebSolverBegins(t *testing.T) {
	g, err := games.All().ByName("connect4")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := g.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	players, err := serve.NewPlayers(builtinEnv().Players, games.Guides(), nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := players.New("solver", rules)
	if err != nil {
		t.Fatal(err)
	}
	p.NewGame(t.Context(), 1)
	s, h := rules.NewState(), rules.NewHistory()
	s.Start(h)
	for n, word := range strings.Fields("1 7 1 7 3 5 3 5 2 6 2 6") {
		a, err := p.Think(t.Context(), s, h, match.Bounds{Analyze: true})
		if err != nil {
			t.Fatal(err)
		}
		if a.Solved {
			t.Errorf("with %d stones it is solved", n)
		}
		move, err := s.ParseAction(word, h)
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(move, h)
	}
	// Column 4 makes four in a row.
	a, err := p.Think(t.Context(), s, h, match.Bounds{Analyze: true})
	if err != nil || !a.Solved || a.Value != 1 {
		t.Errorf("with 12 stones: %+v, %v", a, err)
	}
}
