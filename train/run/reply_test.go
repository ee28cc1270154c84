package run

import (
	"context"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestReplyHeadThroughTheLoop: a run with the head plays, tells its loss, and
// has the same first weights and games as one without; interrupted between
// generations it ends with the same network.
func TestReplyHeadThroughTheLoop(t *testing.T) {
	cfg := tiny()
	cfg.Model.Reply = true
	whole, halves := newDir(t), newDir(t)
	mustWork(t, whole, cfg)
	first := cfg
	first.Generations = 1
	mustWork(t, halves, first)
	if err := work(context.Background(), halves, cfg); err != nil {
		t.Fatal(err)
	}
	a, b := loadWeights(t, whole, 2), loadWeights(t, halves, 2)
	if !a.Equal(b) {
		t.Error("a run in two halves ends with another network")
	}
	fresh, plain := loadWeights(t, whole, 0), loadWeights(t, wholeDir, 0)
	for i, s := range plain.Specs() {
		if !slices.Equal(fresh.Tensor(s.Name), plain.Data(i)) {
			t.Errorf("%s begins with other values than without the head", s.Name)
		}
	}
	events, err := rundir.ReadEvents(whole)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, e := range events {
		if l := e.Training; l != nil {
			seen++
			if !(l.ReplyLoss > 0.1 && l.ReplyLoss < 3) { // a uniform guess among eight moves: 2.1
				t.Errorf("reply loss %g", l.ReplyLoss)
			}
		}
	}
	if seen != 2 {
		t.Errorf("%d trainings, want 2", seen)
	}
	metrics, err := rundir.ReadMetrics(whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range metrics {
		if !(m.ReplyFloor > 0 && m.ReplyFloor < m.ReplyLoss) {
			t.Errorf("generation %d: reply loss %g, floor %g", m.Generation, m.ReplyLoss, m.ReplyFloor)
		}
	}
	if len(metrics) != 2 {
		t.Errorf("%d rows of metrics, want 2", len(metrics))
	}
	without, err := rundir.ReadEvents(wholeDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range without {
		if e.Training != nil && e.Training.ReplyLoss != 0 {
			t.Errorf("reply loss %g without the head", e.Training.ReplyLoss)
		}
	}
}

func loadWeights(t *testing.T, dir string, generation int) *model.Weights {
	t.Helper()
	w, _, err := model.Load(rundir.WeightsPath(dir, generation))
	if err != nil {
		t.Fatal(err)
	}
	return w
}
