package nnue

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"

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
	// Identity says which evaluation it is: IdentityPrefix and a digest of the file.
	Identity string
	whole    *nnue.Whole
}

// IdentityPrefix begins the identity of an evaluation.
const IdentityPrefix = "evaluation "

// Parse reads an evaluation from the contents of a file.
func Parse(data []byte) (*Evaluation, error) {
	n, card, err := nnue.Decode(data)
	if err != nil {
		return nil, err
	}
	w, err := nnue.Quantize(n)
	if err != nil {
		return nil, err
	}
	return &Evaluation{card, n, fmt.Sprintf("%s%.8x", IdentityPrefix, sha256.Sum256(data)), w}, nil
}

// TrainedRules are the rulesets that it learned from, the most frequent first.
func (e *Evaluation) TrainedRules() (list []string) {
	shares := slices.Clone(e.Card.Rules)
	slices.SortStableFunc(shares, func(a, b nnue.RulesShare) int { return cmp.Compare(b.Share, a.Share) })
	for _, r := range shares {
		list = append(list, r.Rules)
	}
	return list
}

// Read reads the evaluation at path.
func Read(path string) (*Evaluation, error) {
	data, err := input.Read(path, input.Large)
	if err != nil {
		return nil, err
	}
	e, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return e, nil
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

// Engines returns what makes engines that play g by the evaluation, or why there can be none.
func (e *Evaluation) Engines(g engine.Game) (open func() *alphabeta.Engine, err error) {
	if _, err := e.Judge(g); err != nil {
		return nil, err
	}
	return func() *alphabeta.Engine {
		judge, err := e.Judge(g)
		if err != nil {
			panic("BUG: " + err.Error()) // there was one
		}
		return alphabeta.NewPruning(g, judge)
	}, nil
}
