package sets

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/study/yardstick"
)

//go:embed testdata/races.jsonl
var races []byte

// Races are Reforge races of Kon'reh.
func Races() (*yardstick.Set, error) {
	return yardstick.Read(yardstick.Set{
		Game: "konreh", Rules: "standard", PerStage: 1,
		Counts: "Turns that keep a Reforge race won or a countdown from running out", Of: "turns left to plant",
		Kinds: []string{"racer", "hunter", "both"},
	}, races, race)
}

// raceRow is a line of the set of races.
type raceRow struct {
	Position string `json:"pos"`
	// Kind says who counts down: racer, the side to move; hunter, the opponent of
	// the side to move; both.
	Kind string `json:"kind"`
	// Left is how many own turns the side has left whose countdown is run out or
	// stopped.
	Left int `json:"left"`
	// Worth is w if the side to move runs it out, d if it keeps its own from
	// running out.
	Worth string `json:"worth"`
	// Depth is how many player turns the proof is deep.
	Depth int      `json:"depth"`
	Turns int      `json:"turns"`
	Keeps []string `json:"keeps"`
}

// race makes a position of a line of Kon'reh's.
func race(s *yardstick.Set, r *raceRow) (yardstick.Position, error) {
	p := yardstick.Position{Line: r.Position, Kind: slices.Index(s.Kinds, r.Kind), Stage: r.Left, Turns: r.Turns, Keeps: r.Keeps}
	switch {
	case p.Kind < 0:
		return p, fmt.Errorf("%s: kind %q: want one of %s", r.Position, r.Kind, strings.Join(s.Kinds, ", "))
	case len(p.Keeps) == 0 || len(p.Keeps) >= p.Turns:
		return p, fmt.Errorf("%s: %d of %d turns are right, which leaves no choice", r.Position, len(p.Keeps), p.Turns)
	}
	return p, nil
}
