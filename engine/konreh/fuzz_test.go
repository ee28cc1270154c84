package konreh

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/ludozero/ludozero/engine"
)

const stateBytes = unsafe.Sizeof(State{})

// fuzzLines seeds the fuzzers with a position of each phase.
var fuzzLines = []string{
	startLine,
	"4rrob/5rgo/6rr/R6r/8/RR6/OGR5/BORR4 B dh5 " + fresh + " " + fresh + " 1 1",
	"7b/8/8/8/8/8/3Br3/R7 A fd2OL HD,r0,s0,x0,c0,n-,h1,k0 " + fresh + " 0 8",
	"7b/8/8/8/8/8/8/2R4B A sh1 HD,r0,s0,x0,c0,n-,h1,k0 " + fresh + " 0 8",
	"Rb6/8/8/8/8/8/8/6GR A pR " + counting + " " + fresh + " 0+ 8",
	"Rb6/8/8/8/8/8/8/R5G1 A g " + counting + " " + fresh + " 0 8",
	"7b/8/8/8/8/8/8/B1G5 A bH D,r0,s0,x0,c0,n-,h0,k0 " + fresh + " 0 8",
	"7b/8/8/8/8/8/8/B1R5 A m " + fresh + " " + fresh + " 0 8/s",
	"3rob/4rr/5r/R5/RR4/BOR3 A m " + fresh + " " + fresh + " 0 0",
}

// playOn plays the first, last and middle legal actions in turn for a while,
// and fails if a position cannot be printed, read and packed on the way.
func playOn(t *testing.T, s State) {
	h := s.game.NewHistory()
	s.Begin(h)
	other := State{game: s.game}
	for i := range 12 {
		legal := s.Legal(nil, h)
		if (len(legal) == 0) != (s.phase == phaseOver) || len(legal) != s.CountLegal() || len(legal) > maxLegal {
			t.Fatalf("%s: %d legal actions, counted %d", s.line(), len(legal), s.CountLegal())
		}
		if err := other.ParsePosition(s.line()); err != nil {
			t.Fatalf("%s: %v", s.line(), err)
		}
		if err := other.Unpack(s.Pack(nil)); err != nil || other != s {
			t.Fatalf("%s: unpacked as %s, %v", s.line(), other.line(), err)
		}
		if len(legal) == 0 {
			return
		}
		s.Apply(legal[[3]int{0, len(legal) - 1, len(legal) / 2}[i%3]], h)
	}
}

func FuzzParsePosition(f *testing.F) {
	for i := range allRules {
		for _, line := range fuzzLines {
			f.Add(uint8(i), line)
		}
	}
	f.Fuzz(func(t *testing.T, i uint8, line string) {
		g := mustGame(t, allRules[int(i)%len(allRules)])
		s := g.newState()
		if err := s.ParsePosition(line); err != nil {
			if *s != *g.newState() {
				t.Fatalf("refused %q, yet changed the state", line)
			}
			return
		}
		if s.line() != line {
			t.Fatalf("%q printed as %q", line, s.line())
		}
		playOn(t, *s)
	})
}

func FuzzParseAction(f *testing.F) {
	for i := range fuzzLines {
		for _, word := range []string{"a4a6", "d2*e2", "d2^f2", "none", "seed", "apex", "-g1", "hold", "buyH", "h8g8", ""} {
			f.Add(uint8(i), word)
		}
	}
	f.Fuzz(func(t *testing.T, i uint8, word string) {
		line := fuzzLines[int(i)%len(fuzzLines)]
		rules := "standard,balance=pie-double,buyback=true"
		if strings.HasPrefix(line, "3rob/") {
			rules = "micro"
		}
		s := mustPosition(t, mustGame(t, rules), line)
		a, err := s.ParseAction(word, nil)
		if err == nil && string(s.AppendAction(nil, a)) != word {
			t.Fatalf("%q printed as %q", word, s.AppendAction(nil, a))
		}
	})
}

func FuzzRules(f *testing.F) {
	for _, rules := range allRules {
		f.Add(rules)
	}
	f.Fuzz(func(t *testing.T, rules string) {
		g, err := Family.Parse(rules)
		if err != nil {
			return
		}
		again, err := Family.Parse(g.Rules())
		if err != nil || again.Rules() != g.Rules() || again.(*Game).rules != g.(*Game).rules {
			t.Fatalf("%q is %q, read back as %v, %v", rules, g.Rules(), again, err)
		}
	})
}

func FuzzUnpack(f *testing.F) {
	for i, rules := range allRules {
		n := 0
		randomGame(mustGame(f, rules), 7, func(s *State, _ *engine.History) {
			if n++; n%40 == 0 || s.phase > phaseMove && n < 400 {
				f.Add(uint8(i), s.Pack(nil))
			}
		})
	}
	f.Fuzz(func(t *testing.T, i uint8, src []byte) {
		g := mustGame(t, allRules[int(i)%len(allRules)])
		s := g.newState()
		if err := s.Unpack(src); err != nil {
			if *s != *g.newState() {
				t.Fatalf("refused %x, yet changed the state", src)
			}
			return
		}
		if string(s.Pack(nil)) != string(src) {
			t.Fatalf("%x packed as %x", src, s.Pack(nil))
		}
		playOn(t, *s)
	})
}
