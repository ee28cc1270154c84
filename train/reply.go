package train

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
)

// setReply gives s the policy target of the opponent's next searched decision
// after row i, or none. A reply that was searched cheaply has no target; the
// action that was played there would be one, but of a policy that the rows of
// cheap searches are kept from on purpose.
func (w *windowShard) setReply(i int, s *Sample) {
	s.ReplyActions, s.Reply, s.ReplyTurned = s.ReplyActions[:0], s.Reply[:0], false
	if w.replies == nil || w.replies[i].Rows() == 0 {
		return
	}
	j := i + w.replies[i].Rows()
	policy := w.columns.PolicyOf(j)
	if len(policy) == 0 {
		return
	}
	for k, a := range w.columns.LegalOf(j) {
		s.ReplyActions = append(s.ReplyActions, engine.Action(a))
		s.Reply = append(s.Reply, float32(policy[k])/record.PolicyOne)
	}
	s.ReplyTurned = w.replies[i].OtherSide()
}

// reply appends the head cells and targets of a row's reply, as the side of the
// row sees them. A symmetry of the row is one of the reply too, and commutes
// with turning the board (engine.Turner).
func (b *Batch) reply(s *Sample, y *engine.Symmetry) error {
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
