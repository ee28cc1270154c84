package nnue

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/model/nnue"
	"github.com/ludozero/ludozero/player/alphabeta"
)

// Judge is an engine.Judge by an evaluation.
type Judge struct {
	inputs *Inputs
	view   *View
	e      *nnue.Evaluator
	scale  int64
}

const (
	// turnSlots is how many first layers are kept for each seat: positions that a search
	// judges in a row mostly lie as many turns ahead, or one more or less, and differ by the
	// last moves alone.
	turnSlots = 8
	// mostJudged bounds what is no win or loss: see engine.Judge.
	mostJudged = 900_000
)

// NewJudge returns a judge of positions of the game of in by w, whose card must fit.
func NewJudge(in *Inputs, w *nnue.Whole) *Judge {
	return &Judge{inputs: in, view: in.NewView(), e: w.NewEvaluator(2 * turnSlots), scale: w.Scale()}
}

// Judge implements engine.Judge: a nat of the expected score is alphabeta.Nat hundredths.
func (j *Judge) Judge(s engine.State, extra int32) (value int32, danger bool) {
	v := j.view
	j.inputs.Look(s, v)
	slot, side := 2*(s.Turn()&(turnSlots-1)), int(s.Side()&1)
	x := j.e.Value(slot+side, v.Own, slot+1-side, v.Other, v.Terms)*alphabeta.Nat/j.scale + int64(extra)
	return int32(max(-mostJudged, min(mostJudged, x))), v.Danger
}

// Changes is the mean number of bits by which a view differed from the one before in its
// slot.
func (j *Judge) Changes() float64 { return j.e.Changes() }

// Evaluation is an evaluation that was read from a file.
type Evaluation struct {
	Card    *nnue.Card
	Network *nnue.Network
	whole   *nnue.Whole
}

// Read reads the evaluation at path.
func Read(path string) (*Evaluation, error) {
	data, err := input.Read(path, input.Large)
	if err != nil {
		return nil, err
	}
	n, card, err := nnue.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	w, err := nnue.Quantize(n)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Evaluation{card, n, w}, nil
}

// Judge returns a judge of positions of g by the evaluation, or why there can be none.
func (e *Evaluation) Judge(g engine.Game) (*Judge, error) {
	in, err := InputsOf(g)
	if err != nil {
		return nil, err
	}
	if err := e.Card.Fits(g.Info().Name, g.Info().Version, in.FileInputs(), in.Terms); err != nil {
		return nil, err
	}
	return NewJudge(in, e.whole), nil
}
