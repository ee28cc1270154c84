package terms

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/player/alphabeta"
	"github.com/ludozero/ludozero/player/alphabeta/fit"
	"github.com/spf13/cobra"
)

// TestStoppedFitWritesItsBestWeights and fails, so that a script sees it.
func TestStoppedFitWritesItsBestWeights(t *testing.T) {
	g, err := tictactoe.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "weights.txt")
	o := options{out: file}
	weights := make([]int32, len(alphabeta.TermsOf(g).Names))
	weights[0] = 7
	finish := func(rounds ...fit.Round) (string, error) {
		var out bytes.Buffer
		c := &cobra.Command{}
		c.SetOut(&out)
		err := o.finish(c, g, nil, weights, rounds, context.Canceled)
		return out.String(), err
	}
	if out, err := finish(fit.Round{Stopped: true}); out != "" || !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "before there were better weights") {
		t.Errorf("nothing found: %q, %v", out, err)
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nothing found, yet %s: %v", file, err)
	}
	out, err := finish(fit.Round{Kept: true, Stopped: true})
	text, lost := os.ReadFile(file)
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "best so far") || !strings.Contains(out, "stopped before games") || lost != nil ||
		!strings.Contains(string(text), "\n# stopped before the end\n# round 1: ") || !strings.Contains(string(text), "own_stones.0           7 ") {
		t.Errorf("%v, %v: printed %q, wrote\n%s", err, lost, out, text)
	}
}
