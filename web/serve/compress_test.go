package serve

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestAnswersAreCompressed for those who take gzip, and say so to caches.
func TestAnswersAreCompressed(t *testing.T) {
	s := New(testConfig())
	for _, path := range []string{"/", "/play.js", "/manifest.webmanifest", "/sw.js", "/api/catalog", "/api/rules?game=konreh"} {
		plain := ask(s, "GET", path, "", nil)
		if plain.Code != 200 || plain.Header().Get("Content-Encoding") != "" || plain.Header().Get("Vary") != "Accept-Encoding" {
			t.Fatalf("%s: %d %v", path, plain.Code, plain.Header())
		}
		for accept, want := range map[string]string{"br, gzip;q=0.5": "gzip", "gzip": "gzip", "gzip;q=0": "", "br": ""} {
			w := ask(s, "GET", path, "", func(r *http.Request) {
				r.Header.Set("Accept-Encoding", accept)
				r.Header.Set("Range", "bytes=0-9")
			})
			if got := w.Header().Get("Content-Encoding"); got != want {
				t.Errorf("%s, %s: encoding %q, want %q", path, accept, got, want)
			}
			if want == "" {
				continue
			}
			z, err := gzip.NewReader(w.Body)
			if err != nil {
				t.Fatal(err)
			}
			if data, err := io.ReadAll(z); err != nil || string(data) != plain.Body.String() || w.Header().Get("Content-Type") != plain.Header().Get("Content-Type") {
				t.Errorf("%s: %d bytes of %s, %v, want %d of %s", path, len(data), w.Header().Get("Content-Type"), err, plain.Body.Len(), plain.Header().Get("Content-Type"))
			}
		}
	}
	tag := ask(s, "GET", "/play.js", "", nil).Header().Get("Etag")
	again := ask(s, "GET", "/play.js", "", func(r *http.Request) {
		r.Header.Set("Accept-Encoding", "gzip")
		r.Header.Set("If-None-Match", tag)
	})
	if again.Code != 304 || again.Body.Len() > 0 || again.Header().Get("Content-Encoding") != "" {
		t.Errorf("again: %d, %d bytes, %v", again.Code, again.Body.Len(), again.Header())
	}
}

// TestPastOverHTTP: a page can look back.
func TestPastOverHTTP(t *testing.T) {
	s := New(testConfig())
	id := opened(t, s, `{"game":"tictactoe","seats":["you","you"],"moves":"b2 a1"}`)
	for at, want := range map[string]string{"0": `"steps":0`, "2": `"steps":2`} {
		if w := ask(s, "GET", "/api/tables/"+id+"?at="+at, "", nil); w.Code != 200 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %.200s", at, w.Code, w.Body)
		}
	}
	for at, code := range map[string]int{"3": 422, "-1": 422, "x": 400} {
		if w := ask(s, "GET", "/api/tables/"+id+"?at="+at, "", nil); w.Code != code {
			t.Errorf("%s: %d %s, want %d", at, w.Code, w.Body, code)
		}
	}
}

func opened(t *testing.T, s *Server, setup string) string {
	t.Helper()
	w := ask(s, "POST", "/api/tables", setup, nil)
	_, rest, _ := strings.Cut(w.Body.String(), `"id":"`)
	id, _, ok := strings.Cut(rest, `"`)
	if w.Code != 200 || !ok {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return id
}
