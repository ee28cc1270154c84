package enginetest_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/diamondchess"
	"github.com/ludozero/ludozero/engine/enginetest"
)

// weakened is diamond chess in which no piece has a magical attack.
type weakened struct{ engine.Coded }

type weakenedState struct{ engine.State }

func (g weakened) NewState() engine.State { return weakenedState{g.Coded.NewState()} }

func (g weakened) Code(s engine.State, a engine.Action) int {
	return g.Coded.Code(s.(weakenedState).State, a)
}

func (s weakenedState) Legal(dst []engine.Action, h *engine.History) []engine.Action {
	begin := len(dst)
	dst = s.State.Legal(dst, h)
	kept := dst[:begin]
	for _, a := range dst[begin:] {
		if word := string(s.AppendAction(nil, a)); a < 4096 || a >= 5120 || (word[0] == word[3] || word[1] == word[4]) {
			kept = append(kept, a)
		}
	}
	return kept
}

// TestReferenceFindsMissingAttacks: an attack that is never generated breaks no contract,
// but other implementations know it.
func TestReferenceFindsMissingAttacks(t *testing.T) {
	packed, err := os.ReadFile("../diamondchess/testdata/diamond-chess-games.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	f := diamondchess.Family
	f.Build = func(s engine.Settings) (engine.Game, error) {
		g, err := diamondchess.Family.Build(s)
		if err != nil {
			return nil, err
		}
		return weakened{g.(engine.Coded)}, nil
	}
	n, err := enginetest.Reference(&f, bytes.NewReader(text))
	if err == nil || n != 40 || !strings.Contains(err.Error(), "legal") {
		t.Errorf("%d games, want 40 and faults of legal actions: %v", n, err)
	}
}
