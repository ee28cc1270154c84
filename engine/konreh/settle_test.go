package konreh

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// TestSettledByBalance plays the same first moves under every balance and looks
// for the decision from which on the start is settled.
func TestSettledByBalance(t *testing.T) {
	for _, c := range []struct {
		balance string
		words   string // played up to where the start is settled
	}{
		{"single", ""},
		{"double-move", "d1f1 e8c8 h5f5"},
		{"pie", "d1f1 hold"},
		{"pie", "d1f1 swap"},
		{"pie-double", "d1f1 hold e8c8 h5f5"},
		{"double-pie", "d1f1 e8c8 h5f5 swap"},
	} {
		g, err := Family.Parse("balance=" + c.balance)
		if err != nil {
			t.Fatal(err)
		}
		s, h := g.NewState().(*State), g.NewHistory()
		s.Start(h)
		for _, word := range strings.Fields(c.words) {
			if s.Settled() {
				t.Errorf("%s: settled before %s of %q", c.balance, word, c.words)
			}
			neutral, asked := s.Neutral()
			if want := word == "hold" || word == "swap"; asked != want {
				t.Errorf("%s: before %s Neutral is ok: %v, want %v", c.balance, word, asked, want)
			}
			if asked && string(s.AppendAction(nil, neutral)) != "hold" {
				t.Errorf("%s: neutral is %s, want hold", c.balance, s.AppendAction(nil, neutral))
			}
			a, err := s.ParseAction(word, h)
			if err != nil {
				t.Fatalf("%s: %v", c.balance, err)
			}
			s.Apply(a, h)
		}
		if _, asked := s.Neutral(); !s.Settled() || asked {
			t.Errorf("%s: after %q settled is %v, hold or swap asked: %v", c.balance, c.words, s.Settled(), asked)
		}
	}
}

// TestSettledOfALoadedPosition looks at positions that were not reached by play.
func TestSettledOfALoadedPosition(t *testing.T) {
	for _, c := range []struct {
		rules, tail string
		want        bool
	}{
		{"balance=double-move", "B m HD,r0,s0,x0,c0,n-,h0,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 1", false},
		{"balance=single", "B m HD,r0,s0,x0,c0,n-,h0,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 1", true},
		{"balance=pie", "B pie HD,r0,s0,x0,c0,n-,h0,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 1", false},
		{"balance=pie", "B m HD,r0,s0,x0,c0,n-,h0,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 1/s", true},
		{"balance=double-pie", "A m HD,r0,s0,x0,c0,n-,h0,k0 HD,r0,s0,x0,c0,n-,h0,k0 0 40", true},
	} {
		g, err := Family.Parse(c.rules)
		if err != nil {
			t.Fatal(err)
		}
		s := g.NewState()
		if err := s.ParsePosition("4rrob/5rgo/6rr/7r/R7/RR6/OGR5/BORR4 " + c.tail); err != nil {
			t.Errorf("%s: %v", c.rules, err)
			continue
		}
		if got := engine.Settled(s); got != c.want {
			t.Errorf("%s: Settled(%s) = %v, want %v", c.rules, c.tail, got, c.want)
		}
	}
}
