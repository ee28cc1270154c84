//go:build unix

package watch

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipesAreNotWaitedAt: a file that is none would keep a reader forever.
func TestPipesAreNotWaitedAt(t *testing.T) {
	dir := folder(t)
	for _, name := range []string{"night/events.jsonl", "night/report.html", "some/day/lock"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, r, h := watcher(t, dir)
	for _, name := range []string{"night", "some/day"} {
		if v := fetch[View](t, h, "/api/run?name="+name); v.State != stateDamaged || !strings.Contains(v.Problem, "not a regular file") {
			t.Errorf("%s: %+v", name, v.Row)
		}
	}
	if n := fetch[Now](t, h, "/api/run/now?name=night"); !strings.Contains(n.Problem, "not a regular file") {
		t.Errorf("now: %+v", n)
	}
	if rec := get(h, "/report?path=night%2Freport.html"); rec.Code != http.StatusNotFound {
		t.Errorf("report: %d", rec.Code)
	}
	if len(r.calls) > 0 {
		t.Errorf("read were %q", r.calls)
	}
}
