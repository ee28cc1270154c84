package export

import "testing"

func TestSiteName(t *testing.T) {
	for name, want := range map[string]string{"night": "night", "best run": "best-run", ".": "network", "über,x": "ber-x", "_.hidden": "hidden", "a.b": "a.b"} {
		if got := siteName(name); got != want {
			t.Errorf("siteName(%q) = %q, want %q", name, got, want)
		}
	}
}
