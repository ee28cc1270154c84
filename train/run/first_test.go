package run

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestRunBeginsWithANetwork takes the trained network of one run for the first of
// another, plays and trains with it, and has others refused.
func TestRunBeginsWithANetwork(t *testing.T) {
	last, _, err := model.Load(rundir.WeightsPath(wholeDir, 2))
	if err != nil {
		t.Fatal(err)
	}
	dir, cfg := newDir(t), tiny()
	opt := Options{Games: games.All(), Resolved: []byte(resolved), First: &First{Name: "last", Weights: last}}
	for _, do := range []func() error{
		func() error { return SelfPlay(t.Context(), dir, cfg, opt) },
		func() error { return Fit(t.Context(), dir, cfg, opt) },
		func() error { return Run(t.Context(), dir, cfg, opt) },
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	for g := range 3 {
		w, card, err := model.Load(rundir.WeightsPath(dir, g))
		if err != nil || card.Generation != g || w.Equal(last) != (g == 0) {
			t.Errorf("generation %d: card of %d, the first network: %t, %v", g, card.Generation, w.Equal(last), err)
		}
		if s, err := rundir.ReadState(dir, g); err != nil || (s.First == "last") != (g == 0) {
			t.Errorf("generation %d began with %q, %v", g, s.First, err)
		}
	}
	for _, r := range again(t, dir, cfg, recordedGames(t, dir, cfg)) {
		if len(r.Differ) > 0 {
			t.Errorf("%+v", r)
		}
	}
	opt.First = &First{Name: "other", Weights: last.Clone()}
	opt.First.Weights.All()[0]++
	if err := Run(t.Context(), dir, cfg, opt); err == nil || !strings.Contains(err.Error(), "began with another network than other") {
		t.Errorf("with another network: %v", err)
	}
	cfg.Model.Blocks = 2
	if err := Run(t.Context(), newDir(t), cfg, opt); err == nil || !strings.Contains(err.Error(), "the first network, other, is of {Blocks:1") {
		t.Errorf("with a network of another size: %v", err)
	}
}
