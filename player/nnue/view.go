// Package nnue judges positions for alpha-beta by a learned evaluation: the networks of
// package model/nnue, fed with the bits that a game shows ([engine.Bitwise]) and the counts
// of its terms ([engine.TermCounter]). Package alphabeta searches, unchanged.
package nnue

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/model/nnue"
)

// Inputs is what evaluations see of positions of one ruleset. It is used by one goroutine
// at a time.
type Inputs struct {
	// Bits describes the bits of a view, Terms names the counts.
	Bits  []engine.BitInput
	Terms []string

	counter engine.TermCounter // nil: no terms
	words   int
}

// InputsOf returns the inputs of a game, which must be engine.Bitwise. A game without terms
// that are whole numbers is judged by bits alone.
func InputsOf(g engine.Game) (*Inputs, error) {
	b, ok := g.(engine.Bitwise)
	if !ok {
		return nil, fmt.Errorf("%s does not show its positions as bits (engine.Bitwise), which learned evaluations see", g.Info().Name)
	}
	in := &Inputs{Bits: b.BitInputs()}
	in.words = engine.BitWords(in.Bits)
	if t, ok := g.(engine.Termed); ok {
		names := t.TermNames()
		if c, ok := t.NewTermJudge(make([]int32, len(names))).(engine.TermCounter); ok {
			in.Terms, in.counter = names, c
		}
	}
	return in, nil
}

// View is a position as evaluations see it.
type View struct {
	// Own and Other are the bits that the side to act and the other one see.
	Own, Other []uint64
	// Terms are counted in the view of the side to act.
	Terms []int32
	// Danger is as of engine.Judge; never set without terms.
	Danger bool
}

// NewView returns memory for Look.
func (in *Inputs) NewView() *View {
	return &View{Own: make([]uint64, in.words), Other: make([]uint64, in.words), Terms: make([]int32, len(in.Terms))}
}

// Look sets v to what is seen of s, in which a player decides or a turn begins.
func (in *Inputs) Look(s engine.State, v *View) {
	side := s.Side()
	b := s.(engine.BitState)
	b.ViewBits(side, v.Own)
	b.ViewBits(1-side, v.Other)
	if v.Danger = false; in.counter != nil {
		v.Danger = in.counter.CountTerms(s, v.Terms)
	}
}

// FileInputs are the bits as cards name them.
func (in *Inputs) FileInputs() (list []nnue.Input) {
	for _, b := range in.Bits {
		list = append(list, nnue.Input(b))
	}
	return list
}
