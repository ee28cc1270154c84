package ugi

import (
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/player"
)

// level is a network that finds all moves equal.
type level struct{}

func (level) Forward(_, _ []float32, _, _ []int32, logits, wdl, turns []float32) error {
	clear(logits)
	clear(wdl)
	clear(turns)
	return nil
}

// threaded is an engine whose player searches with a network. made are its players.
func threaded(t *testing.T, text string, made *[]match.Player) Config {
	cfg := configure(t, "konreh", "", "random")
	spec, err := player.Parse(text, map[string]player.Kind{"net": player.NetKind(func(string, precision.Precision, int, engine.Game) (*player.Opened, error) {
		return &player.Opened{New: func() (mcts.Network, error) { return level{}, nil }}, nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	cfg.Player = playing(t, func(g engine.Game) (match.Player, error) {
		p, err := spec.New(g)
		*made = append(*made, p)
		return p, err
	})
	return cfg
}

// TestThreads: the option is listed with what the description says, changes the player's
// threads and no counted search, and stays when the rules change.
func TestThreads(t *testing.T) {
	var made []match.Player
	const form = "option name Threads type spin default 2 min 1 max 256"
	searches := map[string]bool{}
	for _, value := range []string{"", "1", "5"} {
		lines := []string{"go nodes 150"}
		if value != "" {
			lines = append([]string{"setoption name threads value " + value, "ugi"}, lines...)
		}
		said := all(t, threaded(t, "net:x,time=clock,threads=2,leaves=20", &made), lines...)
		if value != "" && !slices.Contains(said, form) {
			t.Errorf("no %q in %q", form, said)
		}
		last := said[len(said)-2:]
		if _, what, _ := strings.Cut(last[0], " pv "); what == "" || !strings.Contains(last[0], "nodes 150 ") || !strings.HasPrefix(last[1], "bestmove") {
			t.Errorf("%s threads: %q", value, last)
		} else {
			searches[what+last[1]] = true
		}
	}
	if len(searches) != 1 {
		t.Errorf("searches of 1, 2 and 5 threads: %v", searches)
	}

	made = nil
	said := all(t, threaded(t, "net:x,time=clock", &made), "setoption name Threads value 3", "setoption name Rules value micro", "setoption name Threads value 257",
		"setoption name Threads value 0", "ugi")
	for i, p := range made {
		if got := p.(player.Threaded).Threads(); got != 3 || len(made) != 2 {
			t.Errorf("player %d of %d has %d threads, want 3 of 2", i, len(made), got)
		}
	}
	if refused := strings.Join(said, "\n"); strings.Count(refused, "want a whole number from 1 to 256") != 2 || !strings.Contains(refused, "option name Threads type spin default 1 ") {
		t.Errorf("%q", said)
	}
	if said := all(t, configure(t, "connect4", "", "mcts:sims=5"), "setoption name Threads value 2"); !strings.Contains(said[0], "this player searches with one thread") {
		t.Errorf("%q", said)
	}
}
