package fit

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/player/alphabeta"
)

// One position in sparse is looked at: neighbours say the same.
const sparse = 4

// Sample is a quiet position with the result of its game.
type Sample struct {
	// Game numbers the game that it is from: games are held out as a whole.
	Game int
	// Terms are the terms that are not 0, ascending, and Counts their counts.
	Terms  []int32
	Counts []float32
	// Result is how the game ended for the player to decide: 1 won, ½ drawn, 0 lost.
	Result float64
}

// sampler makes samples of positions of one ruleset.
type sampler struct {
	judge  engine.TermJudge
	counts []float64
}

func newSampler(g engine.Game, t alphabeta.Terms) *sampler {
	return &sampler{judge: t.Judge(make([]int32, len(t.Names))), counts: make([]float64, len(t.Names))}
}

// sample counts the terms of s. ok is false for a position that says little.
func (m *sampler) sample(s engine.State) (x Sample, ok bool) {
	clear(m.counts)
	if !m.judge.Count(s, m.counts) {
		return x, false
	}
	for i, c := range m.counts {
		if c != 0 {
			x.Terms, x.Counts = append(x.Terms, int32(i)), append(x.Counts, float32(c))
		}
	}
	return x, true
}

// result is what value, of a game's end for a player, is as a share of a win.
func result(value float32) float64 { return 0.5 + 0.5*float64(value) }
