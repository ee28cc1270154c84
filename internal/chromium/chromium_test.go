package chromium

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// TestOutsideIsNoted: what a page asks of other machines is a problem, also if its
// worker does; what it asks of its own server is none.
func TestOutsideIsNoted(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/worker.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte(`fetch("http://one.example/x").catch(() => 0).then(() => fetch("here")).then(() => postMessage(1))`))
		case "/":
			_, _ = w.Write([]byte(`<script>new Worker("worker.js").onmessage = () => document.title = "asked"</script>`))
		}
	}))
	defer s.Close()
	p := Open(t, 300, 300)
	p.Go(s.URL)
	p.Wait(`document.title === "asked"`)
	noted := p.Forgive()
	if !slices.ContainsFunc(noted, func(s string) bool { return strings.Contains(s, "asked for one.example") }) {
		t.Errorf("noted %q, want one.example", noted)
	}
	if slices.ContainsFunc(noted, func(s string) bool { return strings.Contains(s, "asked for") && !strings.Contains(s, "one.example") }) {
		t.Errorf("noted %q, want one.example alone", noted)
	}
}
