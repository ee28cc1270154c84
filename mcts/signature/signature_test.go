package signature

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/mcts"
)

// covered are the games of the command.
var covered = engine.Families{&konreh.Family, &connect4.Family, &tictactoe.Family}

var update = flag.Bool("update", false, "rewrite the golden signature")

func (s *Signature) text() string {
	var b strings.Builder
	for _, p := range s.Parts {
		fmt.Fprintf(&b, "%v %s, %s\n", p.Sum, p.Game, p.Method)
	}
	fmt.Fprintf(&b, "%v\n", s.Sum)
	return b.String()
}

func must(t *testing.T, change func(*mcts.Config)) *Signature {
	t.Helper()
	s, err := compute(covered, change)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSignatureIsGolden: whoever changes what the search does runs the test with
// -update and gives both numbers in the commit.
func TestSignatureIsGolden(t *testing.T) {
	s, err := Compute(covered)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "signature.txt")
	if *update {
		if err := os.WriteFile(path, []byte(s.text()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.text(); got != string(want) {
		t.Errorf("signature\n%swant\n%s", got, want)
	}
}

// TestSignatureMovesWithTheSearch changes one thing at a time, by little, and
// demands that the parts that it concerns change, and no other.
func TestSignatureMovesWithTheSearch(t *testing.T) {
	base := must(t, func(*mcts.Config) {})
	for name, c := range map[string]struct {
		change   func(*mcts.Config)
		concerns func(method string) bool
	}{
		"exploration": {func(c *mcts.Config) { c.CPuct *= 1.05 }, puct},
		"first play":  {func(c *mcts.Config) { c.FPUReduction += 0.02 }, puct},
		"virtual loss": {func(c *mcts.Config) { c.VirtualLoss += 0.1 }, func(m string) bool {
			return m == "puct, 8 pending"
		}},
		"forced playouts": {func(c *mcts.Config) { c.ForcedPlayouts *= 1.5 }, func(m string) bool {
			return m == "puct, self-play"
		}},
		"sigma":        {func(c *mcts.Config) { c.GumbelCScale *= 0.9 }, func(m string) bool { return !puct(m) }},
		"gumbel noise": {func(c *mcts.Config) { c.GumbelScale *= 0.9 }, func(m string) bool { return m == "gumbel, self-play" }},
		"the budget":   {func(c *mcts.Config) { c.Simulations-- }, func(string) bool { return true }},
	} {
		s := must(t, c.change)
		moved := map[string]bool{}
		for i, p := range s.Parts {
			if p.Sum == base.Parts[i].Sum {
				continue
			}
			moved[p.Method] = true
			if !c.concerns(p.Method) {
				t.Errorf("%s moves %s, %s", name, p.Game, p.Method)
			}
		}
		for _, m := range methods {
			if c.concerns(m.name) && !moved[m.name] {
				t.Errorf("%s does not move %s in any game", name, m.name)
			}
		}
		if s.Sum == base.Sum {
			t.Errorf("%s does not move the signature", name)
		}
	}
}

func puct(method string) bool { return strings.HasPrefix(method, "puct") }

// TestSignatureCoversMoves: positions are not so near the end of their games
// that little is searched.
func TestSignatureCoversMoves(t *testing.T) {
	for _, p := range must(t, func(*mcts.Config) {}).Parts {
		if p.Searches < 8 || p.Simulations < p.Searches*10 {
			t.Errorf("%s, %s: %d searches of %d simulations together", p.Game, p.Method, p.Searches, p.Simulations)
		}
	}
}
