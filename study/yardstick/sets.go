package yardstick

import (
	"fmt"
	"slices"
	"strings"
)

// connect4Row is a line of the set of Connect Four.
type connect4Row struct {
	Moves string `json:"moves"` // columns played, from 1
	// Values has a letter for each column: w, d or l for what the position is
	// worth to the player to move once a stone is in it, win, draw or loss, and a
	// dot for a full one.
	Values string `json:"values"`
}

// column makes a position of a line of Connect Four's.
func column(_ *Set, r *connect4Row) (Position, error) {
	p := Position{Moves: r.Moves, Stage: len(r.Moves), Turns: len(r.Values) - strings.Count(r.Values, ".")}
	worth := byte('w')
	if strings.IndexByte(r.Values, worth) < 0 {
		worth, p.Kind = 'd', 1
	}
	for i, v := range []byte(r.Values) {
		if v == worth {
			p.Keeps = append(p.Keeps, string(byte('1'+i)))
		}
	}
	if len(p.Keeps) == 0 || len(p.Keeps) == p.Turns {
		return p, fmt.Errorf("%s: values %q leave no choice", r.Moves, r.Values)
	}
	return p, nil
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
func race(s *Set, r *raceRow) (Position, error) {
	p := Position{Line: r.Position, Kind: slices.Index(s.Kinds, r.Kind), Stage: r.Left, Turns: r.Turns, Keeps: r.Keeps}
	switch {
	case p.Kind < 0:
		return p, fmt.Errorf("%s: kind %q: want one of %s", r.Position, r.Kind, strings.Join(s.Kinds, ", "))
	case len(p.Keeps) == 0 || len(p.Keeps) >= p.Turns:
		return p, fmt.Errorf("%s: %d of %d turns are right, which leaves no choice", r.Position, len(p.Keeps), p.Turns)
	}
	return p, nil
}
