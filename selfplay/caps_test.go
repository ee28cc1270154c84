package selfplay

import (
	"reflect"
	"testing"

	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/selfplay/record"
)

// TestFastSearchesHaveNoPolicyTarget plays with capped searches and demands
// that each row says which kind it is, that the shares are as configured, and
// that workers still make no difference.
func TestFastSearchesHaveNoPolicyTarget(t *testing.T) {
	g := parse(t, &connect4.Family, "")
	cfg := quick()
	cfg.FullShare, cfg.Search.Simulations, cfg.FastSimulations = 0.3, 24, 6
	games := play(t, cfg, job(g, 3, 30))
	rows, full := 0, 0
	for _, f := range games {
		for _, r := range f.Rows {
			rows++
			sum := 0
			for _, v := range r.Visits {
				sum += int(v)
			}
			if r.Full {
				full++
				if r.PolicyKind != record.PolicyVisits || len(r.Policy) != len(r.Legal) || sum < 23 {
					t.Fatalf("a full search has a target of kind %q with %d entries and %d visits", r.PolicyKind, len(r.Policy), sum)
				}
				continue
			}
			// The root of a fresh tree takes one simulation, and reuse may
			// leave more visits than were asked for.
			if r.PolicyKind != record.PolicyNone || r.Policy != nil || sum < 5 {
				t.Fatalf("a fast search has a target of kind %q with %d entries and %d visits", r.PolicyKind, len(r.Policy), sum)
			}
		}
	}
	if share := float64(full) / float64(rows); share < 0.24 || share > 0.36 {
		t.Errorf("%d of %d searches are full, want about 30 %%", full, rows)
	}
	if again := play(t, cfg, job(g, 1, 30)); !reflect.DeepEqual(games, again) {
		t.Error("one worker plays other games than three")
	}
}

func TestRecordsNameTheTarget(t *testing.T) {
	g := parse(t, &connect4.Family, "")
	for kind, set := range map[string]func(*mcts.Config){
		record.PolicyVisits: func(*mcts.Config) {},
		record.PolicyPruned: func(c *mcts.Config) { c.NoiseFraction, c.ForcedPlayouts = 0.25, 2 },
		record.PolicyImproved: func(c *mcts.Config) {
			c.Search, c.GumbelScale = mcts.SearchGumbel, 1
		},
	} {
		cfg := quick()
		set(&cfg.Search)
		for _, f := range play(t, cfg, job(g, 2, 4)) {
			for _, r := range f.Rows {
				if r.PolicyKind != kind {
					t.Fatalf("the target is called %q, want %q", r.PolicyKind, kind)
				}
			}
			if _, _, err := record.Marshal(g.Info(), record.Head{Run: f.Rows[0].Run, Generation: f.Rows[0].Generation}, f.Rows); err != nil {
				t.Fatal(err)
			}
		}
	}
}
