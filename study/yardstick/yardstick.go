// Package yardstick asks players for decisions in positions whose truth is known
// and counts how many keep it. It needs no opponent, so that its numbers can be
// compared between players, runs and months, as long as the set of positions is
// the same.
//
// A set is part of the program. There are two for Connect Four, of which the fresh one
// was never used to choose anything, and one of Reforge races for Kon'reh; the command in
// the folder generate makes them and says how.
package yardstick

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

//go:generate go run ./generate -set connect4 -out testdata/connect4.jsonl
//go:generate go run ./generate -set connect4 -seed 20261123 -out testdata/connect4-fresh.jsonl
//go:generate go run ./generate -set races -out testdata/races.jsonl

var (
	//go:embed testdata/connect4.jsonl
	connect4 []byte
	//go:embed testdata/connect4-fresh.jsonl
	connect4Fresh []byte
	//go:embed testdata/races.jsonl
	races []byte
)

// Set is a set of positions of one game.
type Set struct {
	Game  string // its family
	Rules string // the ruleset that the values hold for
	ID    string // eight digits of the SHA-256 of the file
	// Counts says what is counted, Of what the stages count.
	Counts, Of string
	// Kinds names the kinds of positions, each with a share of its own.
	Kinds []string
	// PerStage is how many numbers make a stage.
	PerStage  int
	Positions []Position
}

// Position is a turn to be decided by whoever is to move.
type Position struct {
	// Line is the position as its game writes it; empty for one that Moves lead to
	// from the start, a letter or digit each.
	Line, Moves string
	// Kind is an index of Kinds, Stage what the stages count.
	Kind, Stage int
	// Turns is the number of legal turns, Keeps those that keep what the position
	// is worth: the words of their decisions, with spaces between.
	Turns int
	Keeps []string
}

// name says which position p is.
func (p *Position) name() string {
	if p.Line != "" {
		return p.Line
	}
	return p.Moves
}

// Kept tells whether a turn keeps what p is worth.
func (p *Position) Kept(turn string) bool { return slices.Contains(p.Keeps, turn) }

// Connect4 are positions of Connect Four of which each is won or drawn.
func Connect4() (*Set, error) { return readConnect4(connect4) }

// Connect4Fresh are positions of the same kind from a seed of their own. Networks, settings
// and code are never chosen by them, so that what they give is no best of many tries.
func Connect4Fresh() (*Set, error) { return readConnect4(connect4Fresh) }

func readConnect4(file []byte) (*Set, error) {
	return read(Set{
		Game: "connect4", Rules: "standard", PerStage: 4,
		Counts: "Decisions that keep the game value", Of: "moves played",
		Kinds: []string{"won", "drawn"},
	}, file, column)
}

// Races are Reforge races of Kon'reh.
func Races() (*Set, error) {
	return read(Set{
		Game: "konreh", Rules: "standard", PerStage: 1,
		Counts: "Turns that keep a Reforge race won or a countdown from running out", Of: "turns left to plant",
		Kinds: []string{"racer", "hunter", "both"},
	}, races, race)
}

// read completes s with the positions of its file, one a line, which parse makes
// of a value of type row.
func read[row any](s Set, file []byte, parse func(s *Set, r *row) (Position, error)) (*Set, error) {
	hash := sha256.Sum256(file)
	s.ID = hex.EncodeToString(hash[:4])
	in := bufio.NewScanner(bytes.NewReader(file))
	for in.Scan() {
		var r row
		err := json.Unmarshal(in.Bytes(), &r)
		var p Position
		if err == nil {
			p, err = parse(&s, &r)
		}
		if err != nil {
			return nil, fmt.Errorf("positions of %s, line %d: %w", s.Game, len(s.Positions)+1, err)
		}
		s.Positions = append(s.Positions, p)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("positions of %s: %w", s.Game, err)
	}
	return &s, nil
}

// place puts p on s, with its history.
func (p *Position) place(s engine.State, h *engine.History) error {
	if p.Line != "" {
		if err := s.ParsePosition(p.Line); err != nil {
			return fmt.Errorf("position %s: %w", p.Line, err)
		}
		s.Begin(h)
		return nil
	}
	s.Start(h)
	for i := range p.Moves {
		a, err := s.ParseAction(p.Moves[i:i+1], h)
		if err != nil {
			return fmt.Errorf("position %s: %w", p.Moves, err)
		}
		s.Apply(a, h)
	}
	return nil
}
