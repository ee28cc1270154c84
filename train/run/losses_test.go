package run

import (
	"testing"

	"github.com/ludozero/ludozero/model/graph"
	"github.com/ludozero/ludozero/train"
)

// TestLossesAreOfBatchesWithTargets: a batch without a policy target has no policy loss,
// and does not make that of the others smaller.
func TestLossesAreOfBatchesWithTargets(t *testing.T) {
	var l losses
	l.add(&train.Progress{Losses: graph.Losses{Policy: 2, PolicyFloor: 1, PolicyKnown: true, Value: 1, Turns: 0.5, TurnsKnown: true}})
	l.add(&train.Progress{Losses: graph.Losses{Value: 3}})
	l.add(&train.Progress{Losses: graph.Losses{Policy: 4, PolicyFloor: 3, PolicyKnown: true, Value: 2, Reply: 3, ReplyKnown: true}})
	if e := l.event(); e.PolicyLoss != 3 || e.ValueLoss != 2 || e.TurnsLoss != 0.5 || e.ReplyLoss != 3 || meanOf(l.policyFloor, l.policies) != 2 {
		t.Errorf("%+v", e)
	}
	if e := new(losses).event(); e.PolicyLoss != 0 || e.ValueLoss != 0 {
		t.Errorf("without steps %+v", e)
	}
}
