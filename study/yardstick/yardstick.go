// Package yardstick asks players for decisions in positions whose truth is known
// and counts how many keep it. It needs no opponent, so that its numbers can be
// compared between players, runs and months, as long as the set of positions is
// the same.
//
// A game brings its own set; package sets has those of the games of this module.
package yardstick

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
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

func (p *Position) name() string {
	if p.Line != "" {
		return p.Line
	}
	return p.Moves
}

// Kept tells whether a turn keeps what p is worth.
func (p *Position) Kept(turn string) bool { return slices.Contains(p.Keeps, turn) }

// Read completes s with the positions of its file, one a line, which parse makes of a
// value of type row. Errors name the game and the line.
func Read[row any](s Set, file []byte, parse func(s *Set, r *row) (Position, error)) (*Set, error) {
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

// Place puts p on s, with its history.
func (p *Position) Place(s engine.State, h *engine.History) error {
	if p.Line != "" {
		return engine.SetUp(s, h, p.Line)
	}
	s.Start(h)
	if err := engine.PlayWords(s, h, strings.Split(p.Moves, "")); err != nil {
		return fmt.Errorf("position %s: %w", p.Moves, err)
	}
	return nil
}
