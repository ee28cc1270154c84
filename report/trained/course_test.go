package trained

import (
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestMilestonesOfAPack are what its metrics say, since it has no events.
func TestMilestonesOfAPack(t *testing.T) {
	rows := []rundir.Metrics{{Generation: 4, Step: 400, NewGames: 20, DrawRate: 0.25, MeanTurns: 50, Steps: 90, PolicyLoss: 2, SamplesPerSecond: 7}, {Generation: 8, Step: 900}}
	list := (&Run{rows: rows}).milestones()
	if p, l := list[0].SelfPlay, list[0].Training; p == nil || p.DrawRate != 0.25 || p.Games != 20 || l == nil || l.PolicyLoss != 2 || l.StepsDone != 90 {
		t.Errorf("games %+v, training %+v", p, l)
	}
	if list[1].SelfPlay != nil || list[1].Training != nil {
		t.Errorf("of a generation without games and steps: %+v", list[1])
	}
	killed := &Run{rows: rows, events: []rundir.Event{{Start: &rundir.StartEvent{}}}}
	if m := killed.milestones()[0]; m.SelfPlay != nil || m.Training != nil {
		t.Errorf("of a run whose process was killed: %+v", m)
	}
	for generation, want := range map[int]int64{0: 0, 2: 200, 4: 400, 6: 650, 8: 900, 9: 900} {
		if got := (&Run{rows: rows}).stepAt(generation); got != want {
			t.Errorf("step %d at generation %d, want %d", got, generation, want)
		}
	}
}

// TestStrengthHasOneNumberOfSimulations: what was measured with others is not named beside it.
func TestStrengthHasOneNumberOfSimulations(t *testing.T) {
	rated := func(opponent string, simulations int) rating {
		return rating{Generation: 4, Opponent: opponent, Simulations: simulations, Pairs: 20, Tally: match.Tally{Wins: 40}, Score: match.Estimate{Value: 1, Low: 0.9, High: 1}, Final: true}
	}
	r := &Run{Generation: 4, Elapsed: time.Minute, Ratings: []rating{rated("random", 16), rated("minimax:depth=1", 16), rated("random", 32)}}
	if got := r.strength(); !strings.HasPrefix(got, "40 games each at 32 simulations: random ") || strings.Contains(got, "minimax") {
		t.Errorf("strength %q", got)
	}
}
