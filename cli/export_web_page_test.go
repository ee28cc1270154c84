package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ludozero/ludozero/internal/chromium"
)

// siteRace is a position in which both Blues are captured. A can plant at once, for a
// Green on the enemy Apex, seed from h1 two turns later, and wait until B's turns have
// run out, whatever B does.
const siteRace = "3r4/8/7R/8/8/1G6/R7/8 A m HD,r0,s0,x0,c5,n-,h0,k0 HD,r0,s0,x0,c5,n-,h0,k0 0 10"

// siteServer gives a site away from below a path that ends in a slash, as a web server
// does that knows nothing of WebAssembly and sends no headers of its own. It notes what
// it is asked, and gives the program away once free is closed.
func siteServer(t *testing.T, dir, below string, free <-chan struct{}, down *atomic.Bool) (address string, asked func() []string) {
	t.Helper()
	var mu sync.Mutex
	var paths []string
	files := http.StripPrefix(strings.TrimSuffix(below, "/"), http.FileServer(http.Dir(dir)))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down.Load() {
			panic(http.ErrAbortHandler)
		}
		mu.Lock()
		paths = append(paths, r.URL.Path)
		mu.Unlock()
		if path.Base(r.URL.Path) == "ludozero.wasm.gz" {
			select {
			case <-free:
			case <-t.Context().Done():
			}
		}
		if !slices.Contains([]string{"", ".html", ".js", ".css", ".svg"}, path.Ext(r.URL.Path)) {
			w.Header().Set("Content-Type", "application/octet-stream")
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL + below, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(paths)
	}
}

// siteInBrowser plays a whole game by clicks against a network, with a placement and
// a Seed, and loads the page again on the way.
func siteInBrowser(t *testing.T, dir string) {
	p := chromium.Open(t, 1280, 900)
	free := make(chan struct{})
	close(free)
	var down atomic.Bool
	address, asked := siteServer(t, dir, "/below/here/", free, &down)
	p.Go(address)
	p.Wait("document.querySelectorAll('.squares [data-cell]').length > 0")
	p.Click("#new")
	for id, value := range map[string]string{"setup-preset": "standard", "setup-position": siteRace, "setup-seat-1": "net:konreh"} {
		p.Wait(fmt.Sprintf("(() => { const e = document.getElementById(%q); e.value = %q; e.dispatchEvent(new Event('change')); return e.value === %q; })()", id, value, value))
	}
	p.Wait(`(() => {
		const [number, which] = document.querySelector("#setup-seat-1").closest(".field").querySelectorAll(".limits input, .limits select");
		which.value = "rating";
		which.dispatchEvent(new Event("change"));
		return number.value = 600;
	})()`)
	p.Click("#start")
	p.Wait("[...document.querySelectorAll('.player .entry')].filter((t) => t.title.startsWith('Blue, ')).length === 2")
	p.Wait("document.querySelector('#far').title.includes('net:konreh,rating=600')")

	turn := func() { p.Wait("document.querySelector('#prompt').textContent.startsWith('Your turn')") }
	decisions := func() int { return chromium.Value[int](p, "document.querySelectorAll('#log [data-step]').length") }
	decide := func(selectors ...string) {
		before := decisions()
		for _, s := range selectors {
			p.Click(s)
		}
		made := fmt.Sprintf("document.querySelectorAll('#log [data-step]').length > %d", before)
		if p.Wait(made + " || document.querySelector('#choices .main')"); !chromium.Value[bool](p, made) {
			p.Click("#choices .main") // it gives something up, and the page asks first
		}
		p.Wait(made)
	}
	cell := func(name string) string { return fmt.Sprintf("[data-cell=%q]", name) }
	decide(cell("h6"), cell("h8"))
	p.Wait("document.querySelector('#prompt').textContent.includes('where Blue is reforged')")
	decide(`#choices [data-word="apex"]`)
	decide(cell("b3"))
	turn()
	position, before := p.Text("#position"), decisions()

	where := chromium.Value[string](p, "location.href")
	p.Go("about:blank")
	p.Go(where)
	p.Wait(fmt.Sprintf("document.querySelector('#position').textContent === %q", position))
	if n := decisions(); n != before {
		t.Errorf("loaded again: %d decisions, want %d", n, before)
	}
	turn()
	decide(cell("h8"), cell("h4"))
	turn()
	decide(cell("h4"), cell("h1"))
	p.Wait(`document.querySelector('#choices [data-word="noseed"]')`)
	decide(cell("a8"))
	p.Wait("document.querySelector('#log [title*=\"[Seed]\"]')")
	turn() // or the answer would come to a position that is no more
	p.Click("#hint")
	p.Wait("document.querySelector('#advice').textContent.includes('would play')")
	for range 2 {
		turn()
		p.Click(cell(chromium.Value[string](p, "document.querySelector('.squares [aria-pressed]').dataset.cell")))
		decide(cell(chromium.Value[string](p, "document.querySelector('.squares .usable:not([aria-pressed])').dataset.cell")))
	}
	p.Wait("document.querySelector('#prompt').textContent.startsWith('You win: reforge')")

	paths := asked()
	for _, part := range []string{"networks/konreh.onnx.gz", "ort.wasm.gz", "ludozero.wasm.gz"} {
		if !slices.Contains(paths, "/below/here/"+part) {
			t.Errorf("%s was never asked for", part)
		}
	}
	for _, one := range paths {
		if !strings.HasPrefix(one, "/below/here/") || strings.Contains(one, ".safetensors") {
			t.Errorf("the page asked for %s", one)
		}
	}

	// Without a network all of it is there: rules, search and network.
	chromium.Value[bool](p, "navigator.serviceWorker.ready.then(() => true)")
	p.Wait("navigator.serviceWorker.controller")
	down.Store(true)
	p.Go("about:blank")
	p.Go(where)
	p.Wait("document.querySelector('#prompt').textContent.startsWith('You win: reforge')")
	p.Click("#takeback")
	turn()
	p.Click("#hint")
	p.Wait("document.querySelector('#advice').textContent.includes('would play')")
}

// siteOfRun is the page of a run, on a phone: it begins with a game by the rules that
// the network was trained on, and another page of the same server does not take its
// game away.
func siteOfRun(t *testing.T, other string) {
	root := t.TempDir()
	night, dir := filepath.Join(root, "_my night"), filepath.Join(root, "both", "night")
	mustCall(t, "train", "--config", "../configs/konreh/tiny.yaml", "--run", night, "--set", "generations=1", "--no-rating")
	mustCall(t, "export", "--web", dir, "--model", night)
	if err := os.CopyFS(filepath.Join(root, "both", "other"), os.DirFS(other)); err != nil {
		t.Fatal(err)
	}
	p := chromium.Open(t, 360, 740)
	free := make(chan struct{})
	address, asked := siteServer(t, filepath.Join(root, "both"), "/", free, new(atomic.Bool))
	p.Go(address + "night/")
	p.Wait("document.querySelector('#board').textContent === 'Loading…'")
	close(free)
	p.Wait("document.querySelector('#ruleset').textContent.includes('micro') && document.querySelector('#far').title.includes('net:my-night')")
	if notes := chromium.Value[int](p, "document.querySelectorAll('#status .note').length"); notes != 0 {
		t.Errorf("%s", p.Text("#status"))
	}
	for _, class := range []string{".usable", ".usable:not([aria-pressed])"} {
		p.Click(fmt.Sprintf("[data-cell=%q]", chromium.Value[string](p, "document.querySelector('.squares "+class+"').dataset.cell")))
	}
	p.Wait("document.querySelectorAll('#log [data-step]').length >= 2 && document.querySelector('.player.moves')?.textContent.includes('You')")
	position := p.Text("#position")
	if w := chromium.Value[int](p, "document.documentElement.scrollWidth"); w > 360 {
		t.Errorf("the page is %d wide on a screen of 360", w)
	}
	p.Go(address + "other/")
	p.Wait("document.querySelector('#far').title && !document.querySelector('#far').title.includes('my-night')")
	p.Go(address + "night/")
	p.Wait(fmt.Sprintf("document.querySelector('#position').textContent === %q", position))
	if !slices.Contains(asked(), "/night/networks/my-night.onnx.gz") {
		t.Errorf("the page asked for %q", asked())
	}
}
