package cli

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/ludozero/ludozero/internal/chromium"
)

// serveRuns runs `ludozero web` on a folder until the test ends and returns its
// address.
func serveRuns(t *testing.T, dir string) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := execute(ctx, []string{"web", "--addr", "127.0.0.1:0", "--run", dir}, strings.NewReader(""), in, io.Discard)
		in.CloseWithError(err)
		ended <- err
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("web ends with %v", err)
		}
	})
	r := bufio.NewReader(out)
	address, err := r.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, r)
	return strings.TrimSpace(address)
}

// TestWatchARunInTheBrowser: a run appears while the page is open, its curves grow
// when it goes on, and a game of it is stepped through by keys.
func TestWatchARunInTheBrowser(t *testing.T) {
	dir := t.TempDir()
	address := serveRuns(t, dir)
	p := chromium.Open(t, 1200, 900)
	p.Go(address + "runs")
	p.Wait("!document.querySelector('#none').hidden")
	night := filepath.Join(dir, "night")
	tinyRun(t, night)
	p.Wait("document.querySelector('#runs tbody tr')?.textContent.includes('finished')")
	p.Click("#runs tbody a")
	p.Wait("document.querySelectorAll('#charts svg.plot').length > 10")
	p.Wait("document.querySelector('#headline').textContent.startsWith('1 generation')")
	if got := chromium.Value[string](p, "getComputedStyle(document.querySelector('#figure-policy-loss svg text')).fontSize + getComputedStyle(document.querySelector('#figure-policy-loss svg path')).stroke"); !strings.HasPrefix(got, "10pxrgb(") {
		t.Errorf("the plot is drawn with %s: the policy of the page has taken its looks", got)
	}
	before := chromium.Value[string](p, "document.querySelector('#figure-policy-loss').textContent")

	mustCall(t, tiny(night, "--set", "generations=2")...)
	p.Wait("document.querySelector('#headline').textContent.startsWith('2 generations')")
	if after := chromium.Value[string](p, "document.querySelector('#figure-policy-loss').textContent"); after == before {
		t.Error("the curve of the loss has not changed")
	}
	if log := chromium.Value[string](p, "document.querySelector('#log').textContent"); !strings.Contains(log, "Training of generation 2") || !strings.Contains(log, "was measured") {
		t.Errorf("lately: %q", log)
	}

	p.Wait("document.querySelector('#list tbody button')")
	p.Click("#list tbody button")
	p.Wait("document.querySelector('#board svg')")
	empty := chromium.Value[string](p, "document.querySelector('#board').innerHTML")
	p.Wait("document.querySelector('#at').textContent.startsWith('At the start.')")
	p.Wait("document.querySelectorAll('#search tbody tr').length > 1") // what the search thought
	p.Press(kb.ArrowRight)
	p.Wait("document.querySelector('#at').textContent.includes('move 1 of ')")
	p.Wait("document.querySelector('#board svg').querySelector('desc').textContent.length > 0")
	moves := chromium.Value[int](p, "document.querySelectorAll('#moves tbody tr').length")
	p.Press(kb.End)
	p.Wait("document.querySelector('#moves tbody tr:last-child').classList.contains('here') && document.querySelector('#forth').disabled")
	p.Wait("document.querySelector('#search').textContent === 'The game is over.'")
	if last := chromium.Value[string](p, "document.querySelector('#board').innerHTML"); last == empty || moves < 5 {
		t.Errorf("after %d moves the board is as it was", moves)
	}
	p.Press(kb.Home)
	p.Wait("document.querySelector('#at').textContent.startsWith('At the start.')")
	if path := os.Getenv("SCREENSHOTS"); path != "" {
		p.Screenshot(filepath.Join(path, "run.png"))
	}
	// Elsewhere on the page keys are not the game's.
	chromium.Value[bool](p, "(document.querySelector('#charts summary').focus(), true)")
	p.Press(kb.ArrowRight)
	if at := p.Text("#at"); !strings.HasPrefix(at, "At the start.") {
		t.Errorf("a key that was meant for a curve steps: %s", at)
	}
	// Another run's curves can be laid over this one's, also by the address alone.
	mustCall(t, tiny(filepath.Join(dir, "day"), "--set", "seed=5")...)
	p.Go(address + "run?name=night&with=day")
	p.Wait("document.querySelectorAll('#figure-policy-loss .overlay polyline').length >= 2")
	p.Wait("document.querySelector('.differ')?.textContent.includes('seed')")
	chromium.Value[bool](p, "(document.querySelector('#with').value = '', document.querySelector('#with').dispatchEvent(new Event('change')), true)")
	p.Wait("!document.querySelector('.overlay') && !document.querySelector('.differ') && !location.search.includes('with')")
	p.Go(address + "run?name=night")
	p.Wait("document.querySelectorAll('#lead svg.plot').length > 0 && document.querySelectorAll('#list tbody button').length > 0")
	if tall := chromium.Value[int](p, "document.documentElement.scrollHeight"); tall > 2000 {
		t.Errorf("the page of a run is %d pixels tall, want at most 2000", tall)
	}
	p.Wait("document.querySelector('#list tbody button')")
	p.Click("#list tbody button")
	p.Wait("document.querySelector('#at').textContent.startsWith('At the start.')")

	// What is wrong with a game stays said, though the rest of the page is well.
	if err := os.RemoveAll(filepath.Join(night, "shards")); err != nil {
		t.Fatal(err)
	}
	p.Click("#list tbody tr:nth-child(2) button")
	p.Wait("document.querySelector('#games-problem').textContent.includes('no such game')")
	p.ForgiveError("/api/run/game?") // not that of a position which was loaded ahead

	p.Click("#report a")
	p.Wait("document.querySelector('h1')?.textContent === 'night'")
	for path, want := range map[string]string{"metrics": `ludozero_run_generation{run="night"} 2`, "api/run?name=../night": "no such run"} {
		resp, err := http.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || !strings.Contains(string(body), want) {
			t.Errorf("%s: %s, %v, without %q", path, body, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(night, "report.html")); err != nil {
		t.Error("no report")
	}
}

func TestWebNeedsAFolderOfRuns(t *testing.T) {
	mustFail(t, 2, []string{"web", "--run", filepath.Join(t.TempDir(), "nothing")}, "--run: ")
	file := filepath.Join(t.TempDir(), "file")
	writeFile(t, file, "")
	mustFail(t, 2, []string{"web", "--run", file}, "want a folder")
}
