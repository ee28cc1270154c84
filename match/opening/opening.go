// Package opening says where pairs of games begin: at positions drawn at random,
// read from a file, or all that the first turns lead to, on request only those
// that a player judges to be balanced.
//
// A [Set] of openings is a function of the game, its rules, the [Spec], the
// balance asked for and the seed; how many workers judge changes nothing.
// Openings lead to different positions. In games that make up for moving second
// (engine.Settler) openings that are made here end after that is settled; see
// Spec.
package opening

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// Opening is the beginning that both games of a pair share. After it a player is
// to decide.
type Opening struct {
	// Position is the position line where the games begin; empty for the start.
	Position string
	// Actions are every decision from there, of players and of chance, before the
	// players take over.
	Actions []engine.Action
	// Turn is State.Turn after them.
	Turn int
}

// Begin puts s, with its history, where o begins, before its actions. h may be
// nil.
func (o *Opening) Begin(s engine.State, h *engine.History) error {
	return engine.SetUp(s, h, o.Position)
}

// play puts s, with its history, where o ends.
func (o *Opening) play(s engine.State, h *engine.History) error {
	if err := o.Begin(s, h); err != nil {
		return err
	}
	for _, a := range o.Actions {
		s.Apply(a, h)
	}
	return nil
}

// Set is different openings in the order in which they are used.
type Set struct {
	// Source names what the set was made from, in a form that determines it
	// together with game, rules and seed (and, for a file, what the file holds):
	// "random:turns=4", "first:turns=2, within 0.2 by alphabeta:depth=4".
	Source string
	// Spec is the part of Source that was asked for in one word; the zero value
	// if the set was not made by Make.
	Spec Spec
	// List are the openings. Where more are needed they are used again in this
	// order.
	List []Opening
	// Refused counts openings that were not balanced, Doubles lines of a file
	// that lead where an earlier one does.
	Refused, Doubles int
	// Unsettled counts openings after which the start balance is still for the
	// players to settle.
	Unsettled int
}

// Hash identifies the openings and their order, for one game with its rules: 16
// hexadecimal digits.
func (s *Set) Hash() string {
	sum := sha256.New()
	for i := range s.List {
		fmt.Fprintf(sum, "%s %d\n", s.List[i].Position, s.List[i].Actions)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// Text writes o as a line of a file of openings and leaves s and h after it.
func (o *Opening) Text(s engine.State, h *engine.History) (string, error) {
	if err := o.Begin(s, h); err != nil {
		return "", err
	}
	var words []string
	if o.Position != "" {
		words = append(words, positionWord, o.Position)
		if len(o.Actions) > 0 {
			words = append(words, movesWord)
		}
	}
	if o.Position == "" && len(o.Actions) == 0 { // an empty line would be none
		words = append(words, positionWord, string(s.AppendPosition(nil)))
	}
	for _, a := range o.Actions {
		words = append(words, string(s.AppendAction(nil, a)))
		s.Apply(a, h)
	}
	return strings.Join(words, " "), nil
}

// String describes the set for people, for example "random:turns=4: 200
// different, list 8c1f03d2a4b59e67".
func (s *Set) String() string {
	return fmt.Sprintf("%s: %d different, list %s%s", s.Source, len(s.List), s.Hash(), s.Notes())
}

// Notes says what has to be known about the set besides, "" or beginning with a
// comma.
func (s *Set) Notes() string {
	text := ""
	note := func(n int, format string) {
		if n > 0 {
			text += fmt.Sprintf(", "+format, n)
		}
	}
	note(s.Doubles, "%d more lead to the same positions")
	note(s.Refused, "%d refused as not balanced")
	note(s.Unsettled, "%d with the start balance left to the players")
	return text
}
