package alphabeta

import (
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/knaw"
)

// TestPruningAtChanceKeepsValuesAndMoves, for own and enemy decisions behind a roll, proven
// ones and judged ones, and saves most positions where there are many replies.
func TestPruningAtChanceKeepsValuesAndMoves(t *testing.T) {
	for _, c := range []struct {
		f                        *engine.Family
		rules                    string
		depth, searches, actions int // of at most that many actions at the root
		probed                   int
		saved                    float64 // the least ratio of positions
	}{
		{&racegame.Family, "standard,track=6,turns=20", 5, 60, 2, 1, .5}, // probes look at half of all replies
		{&racegame.Family, "standard,track=4,turns=6", 6, 30, 2, 1, .5},
		{&racegame.Family, "standard,track=6,turns=20", 5, 20, 2, probedReplies, .9},
		{&knaw.Family, "standard", 2, 15, 200, probedReplies, 3},
		{&knaw.Family, "standard,max_turns=12,conserve_randomness=true,errand_tie=mover", 2, 15, 200, probedReplies, 3},
		{&knaw.Family, "standard,locked_out=all-contention,solipsist_through=contention-only", 3, 1, 12, probedReplies, 5},
		{&knaw.Family, "symmetric", 2, 1, 12, 1, 1},
	} {
		g, err := c.f.Parse(c.rules)
		if err != nil {
			t.Fatal(err)
		}
		pruned, whole := New(g), New(g)
		pruned.plain, whole.plain, whole.whole, pruned.probed = true, true, true, c.probed
		s, h := g.NewState(), g.NewHistory()
		s.Start(h)
		rng := rand.New(rand.NewPCG(11, 1))
		var nodes, all int64
		for n := 0; n < c.searches; {
			list := engine.AppendPossible(nil, new([]engine.Weighted), s, h)
			if len(list) == 0 {
				s.Start(h)
				continue
			}
			if s.Actor() <= engine.Second && len(list) > 1 && len(list) <= c.actions && rng.IntN(3) == 0 {
				n++
				pruned.NewGame()
				whole.NewGame()
				got, want := pruned.Search(s, h, list, c.depth, nil), whole.Search(s, h, list, c.depth, nil)
				if got.Value != want.Value || got.Action != want.Action || got.Depth != want.Depth {
					t.Errorf("%s %s: %s: %+v, want %+v", c.f.Name, c.rules, s.AppendPosition(nil), got, want)
				}
				nodes, all = nodes+got.Nodes, all+want.Nodes
			}
			s.Apply(list[rng.IntN(len(list))], h)
		}
		t.Logf("%s %s, depth %d: %d of %d positions", c.f.Name, c.rules, c.depth, nodes, all)
		if float64(all) < c.saved*float64(nodes) {
			t.Errorf("%s %s, depth %d: %d of %d positions, want %g times fewer", c.f.Name, c.rules, c.depth, nodes, all, c.saved)
		}
	}
}

// TestMeansAreOfOdds: a win counts for its chance, not for a lead of thousands; means are
// proven only if all outcomes are, and stay exact where odds are far from even.
func TestMeansAreOfOdds(t *testing.T) {
	won, lost := win-3, 5-win
	for _, c := range []struct {
		values [2]int32 // the first with probability 1/4
		want   int32    // Nat·ln(odds)
	}{
		{[2]int32{won, won - 4}, won - 3},
		{[2]int32{lost, lost}, lost},
		{[2]int32{won, 0}, 204}, // 5 : 3
		{[2]int32{lost, 0}, -204},
		{[2]int32{lost, won}, 439}, // 3 : 1
		{[2]int32{won, lost}, -439},
		{[2]int32{won, 12_000}, 12_115}, // 4/3 of the odds
		{[2]int32{400, -400}, -188},
		{[2]int32{-250_000, -250_000}, -250_000},
	} {
		l := level{outcomes: []engine.Weighted{{Prob: .25}, {Prob: .75}}}
		for _, v := range c.values {
			l.spans = append(l.spans, exactly(v))
		}
		if got := l.mean(func(x *span) end { return x.least }); got != c.want {
			t.Errorf("the mean of %v is %d, want %d", c.values, got, c.want)
		}
	}
}
