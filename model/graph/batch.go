package graph

import (
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/model"
)

// Batch is the input of a training step: B positions with their targets. A row whose
// weight for a loss is 0 does not count in that loss, but its position counts in the
// statistics of batch normalisation, so every row must hold a position. All values are in the view of the player to act.
type Batch struct {
	// Planes is [B, H·W, Planes]: channels last, as the graph computes.
	Planes []float32
	// Globals is [B, Globals].
	Globals []float32
	// Offsets is [B+1]: row i's legal actions are Offsets[i] to Offsets[i+1] of
	// Cells and Policy. At least one each.
	Offsets []int32
	// Cells are the head cells of the legal actions, in any order. Several
	// actions of a row may share a cell, and with it a logit.
	Cells []int32
	// Policy is the target probability of each action. A row of policy weight 0
	// may hold anything finite here.
	Policy []float32
	// PolicyWeight is [B], >= 0.
	PolicyWeight []float32
	// Value is [B, 3]: the target probabilities of win, draw and loss.
	Value []float32
	// ValueWeight is [B], >= 0.
	ValueWeight []float32
	// Turns is [B]: the turns left in the game, in turns.
	Turns []float32
	// TurnsWeight is [B], >= 0.
	TurnsWeight []float32

	// The opponent's reply; read only if the network has a head for it. The
	// actions are those legal in the position of the reply: ReplyOffsets,
	// ReplyCells, ReplyPolicy and ReplyWeight are as Offsets, Cells, Policy and
	// PolicyWeight, but a row of weight 0 need not have any.
	ReplyOffsets []int32
	ReplyCells   []int32
	ReplyPolicy  []float32
	ReplyWeight  []float32
}

// NewBatch returns an empty batch with room for rows positions of up to
// maxLegal legal actions each; slices for replies grow on demand. Slices of fixed
// length have that length.
func NewBatch(s model.Shape, rows, maxLegal int) *Batch {
	return &Batch{
		Planes:       make([]float32, rows*s.Cells()*s.Planes),
		Globals:      make([]float32, rows*s.Globals),
		Offsets:      make([]int32, 1, rows+1),
		Cells:        make([]int32, 0, rows*maxLegal),
		Policy:       make([]float32, 0, rows*maxLegal),
		PolicyWeight: make([]float32, rows),
		Value:        make([]float32, rows*3),
		ValueWeight:  make([]float32, rows),
		Turns:        make([]float32, rows),
		TurnsWeight:  make([]float32, rows),
		ReplyOffsets: make([]int32, 1, rows+1),
		ReplyWeight:  make([]float32, rows),
	}
}

// check reports every wrong length and index.
func (b *Batch) check(net model.Network, rows int) error {
	s := net.Shape
	var errs []error
	length := func(name string, got, want int) {
		if got != want {
			errs = append(errs, fmt.Errorf("batch: %s has %d values, want %d", name, got, want))
		}
	}
	length("planes", len(b.Planes), rows*s.Cells()*s.Planes)
	length("globals", len(b.Globals), rows*s.Globals)
	length("value", len(b.Value), rows*3)
	length("value weight", len(b.ValueWeight), rows)
	length("turns", len(b.Turns), rows)
	length("turns weight", len(b.TurnsWeight), rows)
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	err := b.policyTargets().check(s, rows)
	if err == nil && net.Config.Reply {
		err = b.replyTargets().check(s, rows)
	}
	return err
}

// targets are the targets of one policy loss.
type targets struct {
	name           string // in errors, before the names of the fields
	every          bool   // every row has actions, also rows of weight 0
	offsets, cells []int32
	probs, weight  []float32
}

func (b *Batch) policyTargets() targets {
	return targets{"", true, b.Offsets, b.Cells, b.Policy, b.PolicyWeight}
}

func (b *Batch) replyTargets() targets {
	return targets{"reply ", false, b.ReplyOffsets, b.ReplyCells, b.ReplyPolicy, b.ReplyWeight}
}

// check reports the first wrong length or index.
func (t targets) check(s model.Shape, rows int) error {
	for _, l := range []struct {
		name      string
		got, want int
	}{{"offsets", len(t.offsets), rows + 1}, {"policy", len(t.probs), len(t.cells)}, {"policy weight", len(t.weight), rows}} {
		if l.got != l.want {
			return fmt.Errorf("batch: %s%s has %d values, want %d", t.name, l.name, l.got, l.want)
		}
	}
	if t.offsets[0] != 0 || int(t.offsets[rows]) != len(t.cells) {
		return fmt.Errorf("batch: %soffsets run from %d to %d, want 0 to %d", t.name, t.offsets[0], t.offsets[rows], len(t.cells))
	}
	for i := range rows {
		switch n := t.offsets[i+1] - t.offsets[i]; {
		case n < 0:
			return fmt.Errorf("batch: %soffset %d is %d, the one before %d", t.name, i+1, t.offsets[i+1], t.offsets[i])
		case n == 0 && (t.every || t.weight[i] != 0):
			return fmt.Errorf("batch: %srow %d has no legal action", t.name, i)
		}
	}
	for i, c := range t.cells {
		if c < 0 || int(c) >= s.HeadCells() {
			return fmt.Errorf("batch: %saction %d stands in head cell %d of %d", t.name, i, c, s.HeadCells())
		}
	}
	return nil
}

// Losses are the means of the losses over the rows that have a weight for them,
// each row counted by its weight; 0 if no row has.
type Losses struct {
	// Total is the sum of the losses times their weights in Options: what the
	// gradient is of.
	Total float64
	// Policy is the cross-entropy between the target and the softmax over the
	// legal actions, in nats; PolicyFloor the entropy of the target, below which
	// it cannot fall.
	Policy, PolicyFloor float64
	// Value is the cross-entropy of win, draw and loss, in nats; ValueFloor the
	// entropy of the target.
	Value, ValueFloor float64
	// Turns is the Huber loss of the turns left in units of model.TurnsUnit.
	Turns float64
	// Reply and ReplyFloor are Policy and PolicyFloor of the opponent's reply; 0
	// without a head for it.
	Reply, ReplyFloor float64
	// PolicyKnown, TurnsKnown and ReplyKnown say that some row has a weight for that loss,
	// which else is 0.
	PolicyKnown, TurnsKnown, ReplyKnown bool
}
