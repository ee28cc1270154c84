package race

import (
	"strings"
	"testing"
)

// TestCheckWantsStalemateToDraw: the search takes a side that is stuck for safe.
func TestCheckWantsStalemateToDraw(t *testing.T) {
	const line = "8/8/8/8/2b5/8/2R5/4R3 A m HD,r0,s0,x0,c3,n-,h0,k0 HD,r0,s0,x0,c0,n-,h1,k0 0 40"
	for rules, want := range map[string]string{"standard": "", "standard,stalemate=loss": "stalemate=loss: races are solved where it is a draw"} {
		g := game(t, rules)
		s := position(t, g, line)
		err := New(g, 1<<16).Check(s)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", rules, err, want)
		}
	}
}
