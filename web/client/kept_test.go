package client

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/ludozero/ludozero/internal/chromium"
)

// TestPageIsKeptByBothNames, also where the host sends index.html on to its folder, as
// Cloudflare Pages and Firebase do, and where it cannot be reached.
func TestPageIsKeptByBothNames(t *testing.T) {
	var gone atomic.Bool
	mux := http.NewServeMux()
	mux.HandleFunc("GET /site/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>kept</title><link rel="icon" href="data:,"><p>the page</p><script src="page.js"></script>`)
	})
	mux.HandleFunc("GET /site/index.html", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/site/", http.StatusPermanentRedirect)
	})
	script := func(name, text string) {
		mux.HandleFunc("GET /site/"+name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, text)
		})
	}
	script("page.js", `navigator.serviceWorker.register("sw.js")`)
	script(ServiceWorkerFile, string(ServiceWorker("1", []string{"", "index.html", "page.js"}, false)))
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store") // by the service worker or not at all
		if gone.Load() {
			panic(http.ErrAbortHandler)
		}
		mux.ServeHTTP(w, r)
	}))
	defer host.Close()

	p := chromium.Open(t, 400, 300)
	p.Go(host.URL + "/site/")
	p.Wait("navigator.serviceWorker.controller")
	for _, away := range []bool{false, true} {
		gone.Store(away)
		for _, name := range []string{"", "index.html", "index.html?game=knaw"} {
			p.Go(host.URL + "/site/" + name)
			if text := p.Text("p"); text != "the page" {
				t.Errorf("%q, host gone: %v: the page has %q", name, away, text)
			}
		}
	}
	p.Forgive() // the browser asks the host whether the script of the service worker is new
}
