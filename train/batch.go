package train

import (
	"fmt"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/model/graph"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/replay"
)

// Batch turns samples into the rows of a training batch. It keeps scratch
// memory, one scratch state for each ruleset it has met and, from the first
// sample with a reply on, room for replies, and allocates nothing more. Not safe
// for concurrent use.
type Batch struct {
	// Batch is what the graph reads once all rows are there.
	graph.Batch

	info    *engine.Info
	rows    int
	row     int
	scratch map[string]engine.State // by Game.Rules
	planes  []float32               // [Planes, H·W], as Encode writes
	globals []float32
	sample  replay.Sample // of Fill
	sum     int64         // of the generations of the rows
}

// NewBatch returns an empty batch of that many rows for games of one family.
func NewBatch(info *engine.Info, rows int) *Batch {
	f := &info.Features
	return &Batch{
		Batch: *graph.NewBatch(plan.Shape(info), rows, info.MaxLegal), info: info, rows: rows,
		scratch: map[string]engine.State{},
		planes:  make([]float32, f.Planes*f.Cells()), globals: make([]float32, f.Globals),
	}
}

// Reset empties the batch.
func (b *Batch) Reset() {
	b.row, b.sum = 0, 0
	b.Offsets, b.Cells, b.Policy = b.Offsets[:1], b.Cells[:0], b.Policy[:0]
	b.ReplyOffsets, b.ReplyCells, b.ReplyPolicy = b.ReplyOffsets[:1], b.ReplyCells[:0], b.ReplyPolicy[:0]
}

// Rows is the number of rows filled.
func (b *Batch) Rows() int { return b.row }

// MeanGeneration is the mean generation of the networks that played the rows; 0
// without rows.
func (b *Batch) MeanGeneration() float64 { return float64(b.sum) / float64(max(1, b.row)) }

// Full tells whether all rows are filled.
func (b *Batch) Full() bool { return b.row == b.rows }

// Append fills the next row with s, seen through Info.Symmetries[symmetry], or
// as it is if that symmetry does not hold in the position. Symmetry 0 is the
// identity. It keeps nothing of s. On error, which names the rule, the batch is
// unchanged.
func (b *Batch) Append(s *replay.Sample, symmetry int) error {
	if b.Full() {
		return fmt.Errorf("batch: all %d rows are filled", b.rows)
	}
	if symmetry < 0 || symmetry >= len(b.info.Symmetries) {
		return fmt.Errorf("batch: symmetry %d of %d", symmetry, len(b.info.Symmetries))
	}
	if err := s.Check(); err != nil {
		return fmt.Errorf("batch: sample: %w", err)
	}
	if s.Game.Info() != b.info {
		return fmt.Errorf("batch: sample of %s %s in a batch of %s", s.Game.Info().Name, s.Game.Rules(), b.info.Name)
	}
	rules := s.Game.Rules()
	state, ok := b.scratch[rules]
	if !ok {
		state = s.Game.NewState()
		b.scratch[rules] = state
	}
	if err := state.Unpack(s.Packed); err != nil {
		return fmt.Errorf("batch: sample of %s %s: %w", b.info.Name, rules, err)
	}
	if p := state.Actor(); p != engine.First && p != engine.Second {
		return fmt.Errorf("batch: sample of %s %s: %s acts, want a player", b.info.Name, rules, p)
	}
	if state.SymmetryMask()>>symmetry&1 == 0 {
		symmetry = 0
	}
	y := &b.info.Symmetries[symmetry]
	err := b.actions(s, y)
	if err == nil {
		err = b.reply(s, y)
	}
	if err != nil {
		from := b.Offsets[b.row]
		b.Cells, b.Policy = b.Cells[:from], b.Policy[:from]
		from = b.ReplyOffsets[b.row]
		b.ReplyCells, b.ReplyPolicy = b.ReplyCells[:from], b.ReplyPolicy[:from]
		return err
	}
	state.Encode(b.planes, b.globals)
	b.observation(y)
	b.Offsets = append(b.Offsets, int32(len(b.Cells)))
	b.ReplyOffsets = append(b.ReplyOffsets, int32(len(b.ReplyCells)))
	b.ReplyWeight[b.row] = 0
	if len(s.ReplyActions) > 0 {
		b.ReplyWeight[b.row] = s.Weight
	}
	b.PolicyWeight[b.row] = s.Weight
	if s.Policy == nil {
		b.PolicyWeight[b.row] = 0
	}
	copy(b.Value[b.row*3:], s.Value[:])
	b.ValueWeight[b.row] = s.Weight
	b.Turns[b.row] = s.TurnsLeft
	b.TurnsWeight[b.row] = s.Weight
	if s.TurnsUnknown {
		b.TurnsWeight[b.row] = 0
	}
	b.sum += int64(s.Generation)
	b.row++
	return nil
}

// actions appends the head cells and targets of a row.
func (b *Batch) actions(s *replay.Sample, y *engine.Symmetry) error {
	for i, a := range s.Actions {
		cell, err := b.cell(a, y)
		if err != nil {
			return err
		}
		b.Cells = append(b.Cells, cell)
		p := float32(0)
		if s.Policy != nil {
			p = s.Policy[i]
		}
		b.Policy = append(b.Policy, p)
	}
	return nil
}

// reply appends the head cells and targets of a row's reply, as the side of the
// row sees them. A symmetry of the row is one of the reply too, and commutes
// with turning the board (engine.Turner).
func (b *Batch) reply(s *replay.Sample, y *engine.Symmetry) error {
	if len(s.ReplyActions) == 0 {
		return nil
	}
	if most := b.rows * b.info.MaxLegal; cap(b.ReplyCells) < most {
		b.ReplyCells = append(make([]int32, 0, most), b.ReplyCells...)
		b.ReplyPolicy = append(make([]float32, 0, most), b.ReplyPolicy...)
	}
	var turned []int32
	if s.ReplyTurned {
		turned = engine.Turned(s.Game)
	}
	for _, a := range s.ReplyActions {
		cell, err := b.cell(a, y)
		if err != nil {
			return fmt.Errorf("%w, in the reply", err)
		}
		b.ReplyCells = append(b.ReplyCells, b.info.TurnedCell(cell, turned))
	}
	b.ReplyPolicy = append(b.ReplyPolicy, s.Reply...)
	return nil
}

// cell is the head cell of the image of an action.
func (b *Batch) cell(a engine.Action, y *engine.Symmetry) (int32, error) {
	table := b.info.Policy.Cells
	if a < 0 || int(a) >= len(table) {
		return 0, fmt.Errorf("batch: sample of %s: action %d of %d", b.info.Name, a, len(table))
	}
	cell := table[y.Action(a)]
	if cell < 0 {
		return 0, fmt.Errorf("batch: sample of %s: action %d is never legal", b.info.Name, a)
	}
	return cell, nil
}

// observation writes the encoded position, planes outermost, into the row,
// planes innermost, under a symmetry.
func (b *Batch) observation(y *engine.Symmetry) {
	f := &b.info.Features
	planes, cells := f.Planes, f.Cells()
	dst := b.Planes[b.row*cells*planes:][:cells*planes]
	for p := range planes {
		src, to := b.planes[p*cells:][:cells], p
		if y.Planes != nil {
			to = int(y.Planes[p])
		}
		if y.Cells == nil {
			for _, v := range src {
				dst[to] = v
				to += planes
			}
			continue
		}
		for c, v := range src {
			dst[int(y.Cells[c])*planes+to] = v
		}
	}
	globals := b.Globals[b.row*f.Globals:][:f.Globals]
	if y.Globals == nil {
		copy(globals, b.globals)
		return
	}
	for g, v := range b.globals {
		globals[y.Globals[g]] = v
	}
}

// Fill empties the batch and fills every row with a draw from w, each seen
// through a symmetry that r draws. w is not empty and of the same family.
func (b *Batch) Fill(w *replay.Window, r *rand.Rand) error {
	b.Reset()
	for !b.Full() {
		w.Draw(r, &b.sample)
		if err := b.Append(&b.sample, r.IntN(len(b.info.Symmetries))); err != nil {
			return err
		}
	}
	return nil
}
