package ugi

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/player"
)

// TestChoiceOfPlayers: who plays follows from the time of a decision, however it is said, or from the
// option, and is said when it changes.
func TestChoiceOfPlayers(t *testing.T) {
	cfg := configure(t, "connect4", "", "random")
	var asked []Choice
	cfg.Choices = func(engine.Game) []string { return []string{"mcts:time=clock", "alphabeta:time=clock"} }
	cfg.Player = func(_ engine.Game, by Choice) (*player.Spec, string, error) {
		asked = append(asked, by)
		text, note := by.Named, ""
		if text == "" {
			if text, note = "mcts:time=clock", "slow"; by.Decision > 0 && by.Decision < 20*time.Millisecond {
				text, note = "alphabeta:time=clock", "quick"
			}
		}
		spec, err := player.Parse(text, nil)
		return spec, note, err
	}
	const nodes, quick, slow = "nodes 1", "quick", "slow"
	e := talk(t, cfg)
	e.say("ugi")
	if listed := e.hear("ugiok"); !slices.Contains(listed, "option name Player type combo default auto var auto var mcts:time=clock var alphabeta:time=clock") {
		t.Errorf("%q", listed)
	}
	for _, c := range []struct{ before, limit, says string }{
		{"isready", nodes, ""},
		{"isready", "movetime 5", quick},
		{"isready", "movetime 6", ""},
		{"isready", "p1time 60 p2time 1 p1inc 1", ""},
		{"isready", "p1time 600 p2time 1", slow},
		{"isready", "movetime 5 nodes 1", quick},
		{"isready", nodes, slow},
		{"setoption name MoveTime value 5", nodes, quick},
		{"setoption name MoveTime value 0", nodes, slow}, // by setoption, before go
		{"setoption name Player value alphabeta:time=clock", "nodes 64", ""},
		{"isready", "movetime 30", ""},
		{"setoption name Player value nobody", nodes, "error: setoption: Player \"nobody\": want one of auto, mcts:time=clock, alphabeta:time=clock"},
		{"setoption name Player value auto", nodes, slow},
	} {
		e.say(c.before, "go "+c.limit)
		var notes []string
		for _, line := range e.hear("bestmove") {
			if note, ok := strings.CutPrefix(line, "info string "); ok {
				notes = append(notes, note)
			}
		}
		if got := strings.Join(notes, "; "); got != c.says {
			t.Errorf("%s, go %s: says %q, want %q", c.before, c.limit, got, c.says)
		}
	}
	if want := (Choice{Decision: 3 * time.Millisecond}); !slices.Contains(asked, want) {
		t.Errorf("asked for %v, want %v among them", asked, want)
	}
}

// TestChoiceEndsWithItsRules: by rules that a named player was not made for, whoever plays
// them does, which is said; the player is back with its rules.
func TestChoiceEndsWithItsRules(t *testing.T) {
	cfg := configure(t, "konreh", "", "random")
	cfg.Choices = func(g engine.Game) []string {
		if g.Rules() == "standard" {
			return []string{"mcts:time=clock", "alphabeta:time=clock"}
		}
		return nil
	}
	cfg.Player = func(g engine.Game, by Choice) (*player.Spec, string, error) {
		text, note := by.Named, ""
		if text == "" {
			text, note = "mcts:time=clock", "nobody knows "+g.Rules()
		}
		spec, err := player.Parse(text, nil)
		return spec, note, err
	}
	e := talk(t, cfg)
	e.say("setoption name Player value alphabeta:time=clock")
	for _, c := range []struct {
		rules string
		says  []string
	}{
		{"standard", nil},
		{"micro", []string{"info string nobody knows micro", "info string error: go: depth: this player counts none: want nodes, movetime, clocks or infinite"}},
		{"standard", nil},
	} {
		e.say("setoption name Rules value "+c.rules, "go depth 1")
		var got []string
		for _, line := range e.hear("bestmove") {
			if strings.HasPrefix(line, "info string ") {
				got = append(got, line)
			}
		}
		if !slices.Equal(got, c.says) {
			t.Errorf("rules %s: says %q, want %q", c.rules, got, c.says)
		}
	}
}
