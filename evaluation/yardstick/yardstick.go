// Package yardstick asks players for decisions in positions whose truth is known
// and counts how many keep the value of the game. It needs no opponent, so that
// its numbers can be compared between players, runs and months, as long as the
// set of positions is the same.
//
// A set is part of the program. The one there is, for Connect Four, is made by
// the command in the folder generate, which says how.
package yardstick

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

//go:generate go run ./generate -out testdata/connect4.jsonl

//go:embed testdata/connect4.jsonl
var connect4 []byte

// Set is a set of positions of one game.
type Set struct {
	Game      string // its family
	ID        string // eight digits of the SHA-256 of the file
	Positions []Position
}

// Position is one decision. The actions of its game are single letters or digits
// and decide in turn.
type Position struct {
	// Moves lead there from the start, a letter each.
	Moves string `json:"moves"`
	// Values has a letter for each action by number: w, d or l for what the
	// position is worth to the player to move once it is played, win, draw or
	// loss, and a dot for an action that is not legal.
	Values string `json:"values"`
}

// Worth is what p is worth to the player to move: w, d or l.
func (p *Position) Worth() byte {
	for _, v := range []byte("wd") {
		if strings.IndexByte(p.Values, v) >= 0 {
			return v
		}
	}
	return 'l'
}

// Keeps tells whether action a keeps that worth.
func (p *Position) Keeps(a engine.Action) bool { return p.Values[a] == p.Worth() }

// ByGame returns the set for a game.
func ByGame(name string) (*Set, error) {
	if name != "connect4" {
		return nil, fmt.Errorf("there are no positions of known value for %s: want connect4", name)
	}
	return read(name, connect4)
}

// read reads a set from its file: one position a line.
func read(game string, file []byte) (*Set, error) {
	hash := sha256.Sum256(file)
	s := &Set{Game: game, ID: hex.EncodeToString(hash[:4])}
	for in := bufio.NewScanner(bytes.NewReader(file)); in.Scan(); {
		var p Position
		if err := json.Unmarshal(in.Bytes(), &p); err != nil {
			return nil, fmt.Errorf("positions of %s, line %d: %w", game, len(s.Positions)+1, err)
		}
		s.Positions = append(s.Positions, p)
	}
	return s, nil
}

// place puts p on s, with its history.
func (p *Position) place(s engine.State, h *engine.History) error {
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
