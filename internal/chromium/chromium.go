// Package chromium has tests look at pages in a real browser: the Chromium or Chrome
// of the machine, without a window and with a profile of its own. Where there is none
// a test is skipped; scripts/chromium.sh installs one where that is possible.
package chromium

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is the timeout of every wait, long enough for a busy machine.
const patience = 60 * time.Second

// itsMakers are the addresses that the browser asks by itself, whatever the page.
var itsMakers = regexp.MustCompile(`(^|\.)(google|googleapis|gstatic|gvt1)\.com(:|$)`)

// Page is a page in a browser. Its methods end the test if something goes wrong.
type Page struct {
	t   testing.TB
	ctx context.Context

	mu       sync.Mutex
	problems []string
}

// browser is the program, empty if there is none.
func browser() string {
	if name := os.Getenv("LUDOZERO_CHROMIUM"); name != "" {
		return name
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// Open starts a browser with an empty page of that size in pixels. It ends with the
// test, which fails if a page has reported an error by then: of a script, a policy, a
// file that is missing; or if anything but this machine was asked for, by a page or a
// worker.
func Open(t testing.TB, width, height int) *Page {
	t.Helper()
	path := browser()
	if path == "" {
		t.Skip("this machine: no Chromium, and scripts/chromium.sh could not install one")
	}
	dir, err := os.MkdirTemp("", "ludozero-chromium-")
	if err != nil {
		t.Fatal(err)
	}
	p := &Page{t: t}
	outside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !itsMakers.MatchString(r.Host) {
			p.note("asked for " + r.Host)
		}
		w.WriteHeader(http.StatusBadGateway)
	}))
	t.Cleanup(outside.Close)
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(dir),
		chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.ProxyServer(outside.URL), // which loopback addresses do not go through
	)
	if os.Geteuid() == 0 { // the sandbox does not start for root
		opts = append(opts, chromedp.NoSandbox)
	}
	ctx, stopAll := context.WithTimeout(context.Background(), 5*time.Minute)
	ctx, stopBrowser := chromedp.NewExecAllocator(ctx, opts...)
	ctx, stop := chromedp.NewContext(ctx, chromedp.WithLogf(func(string, ...any) {}), chromedp.WithErrorf(t.Logf))
	p.ctx = ctx
	t.Cleanup(func() {
		p.mu.Lock()
		for _, x := range p.problems {
			t.Errorf("the page: %s", x)
		}
		p.mu.Unlock()
		_ = chromedp.Cancel(ctx)
		stop()
		stopBrowser()
		stopAll()
		_ = os.RemoveAll(dir)
	})
	p.must(chromedp.Do(ctx, chromedp.EmulateViewport(int64(width), int64(height))))
	p.must(chromedp.Listen(ctx, p.event))
	return p
}

// event records errors that a page reports.
func (p *Page) event(e any) {
	text := ""
	switch e := e.(type) {
	case *runtime.EventExceptionThrown:
		text = e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			text += " " + x.Description
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError {
			text = e.Entry.Text + " " + e.Entry.URL
		}
	}
	// What a page asks for while the test's servers are being closed has no answer.
	if text != "" && p.t.Context().Err() == nil {
		p.note(text)
	}
}

func (p *Page) note(problem string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.problems = append(p.problems, problem)
}

// Forgive clears the errors reported so far and returns them.
func (p *Page) Forgive() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	was := p.problems
	p.problems = nil
	return was
}

// ForgiveError waits for an error with this text, which the browser can report after the
// page shows it, and clears the errors reported so far.
func (p *Page) ForgiveError(text string) {
	p.t.Helper()
	for until := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		was := p.Forgive()
		if slices.ContainsFunc(was, func(problem string) bool { return strings.Contains(problem, text) }) {
			return
		}
		if time.Now().After(until) {
			p.t.Fatalf("browser: no error with %q was reported", text)
		}
	}
}

func (p *Page) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatalf("browser: %v", err)
	}
}

// Go opens an address.
func (p *Page) Go(url string) {
	p.t.Helper()
	p.must(chromedp.Do(p.ctx, chromedp.Navigate(url)))
}

// Value evaluates an expression, promises included, into a Go value.
func Value[T any](p *Page, expression string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("browser: %s: %v", expression, err)
	}
	return v
}

// Wait waits until an expression is true.
func (p *Page) Wait(expression string) {
	p.t.Helper()
	for until := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		v, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool]("Boolean("+expression+")"))
		if err == nil && v {
			return
		}
		if time.Now().After(until) {
			p.t.Fatalf("browser: never %s (%v); the page says: %.2000s", expression, err, Value[string](p, "document.body.innerText"))
		}
	}
}

// Text is the text of an element.
func (p *Page) Text(selector string) string {
	p.t.Helper()
	return Value[string](p, fmt.Sprintf("document.querySelector(%s).textContent", quote(selector)))
}

// Click clicks into the middle of an element once it exists. An element over it gets the
// click, as from a person.
func (p *Page) Click(selector string) {
	p.t.Helper()
	find := fmt.Sprintf("document.querySelector(%s)", quote(selector))
	p.Wait(find + "?.getBoundingClientRect().width > 0")
	at := Value[[2]float64](p, "(() => { const e = "+find+"; e.scrollIntoView({ block: 'center' }); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()")
	p.must(chromedp.Do(p.ctx, chromedp.MouseClickXY(at[0], at[1])))
}

// Press types keys one after the other: letters, or keys of package chromedp/kb such as
// kb.Enter.
func (p *Page) Press(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		p.must(chromedp.Do(p.ctx, chromedp.KeyEvent(k)))
	}
}

// Screenshot writes what is seen to a PNG file.
func (p *Page) Screenshot(path string) {
	p.t.Helper()
	png, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	p.must(err)
	p.must(os.WriteFile(path, png, 0o666))
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return string(b)
}
