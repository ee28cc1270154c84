package replay

import (
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
