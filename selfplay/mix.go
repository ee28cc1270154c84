package selfplay

import (
	"math/rand/v2"
	"sort"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
)

// Mix is a set of rulesets of one family, of which each game draws its own. It
// is immutable and safe for concurrent use.
type Mix struct {
	games []engine.Game
	upTo  []float64 // sums of the weights; the last is the whole
}

// NewMix returns the mix of games with these weights, > 0, one for each. A ruleset that
// occurs twice gets the sum of its weights. There must be at least one game.
func NewMix(games []engine.Game, weights []float64) *Mix {
	m := &Mix{}
	at := map[string]int{}
	sums := []float64{}
	for i, g := range games {
		k, ok := at[g.Rules()]
		if !ok {
			k = len(m.games)
			at[g.Rules()] = k
			m.games, sums = append(m.games, g), append(sums, 0)
		}
		sums[k] += weights[i]
	}
	total := 0.0
	for _, w := range sums {
		total += w
		m.upTo = append(m.upTo, total)
	}
	return m
}

// Games lists the rulesets, each once, in the order they were given in. It
// belongs to m.
func (m *Mix) Games() []engine.Game { return m.games }

// draw returns each ruleset with a probability in proportion to its weight.
func (m *Mix) draw(r *rand.Rand) engine.Game {
	u := r.Float64() * m.upTo[len(m.upTo)-1]
	k := sort.Search(len(m.upTo)-1, func(i int) bool { return u < m.upTo[i] })
	return m.games[k]
}

// ruleset draws the ruleset of the game with this seed, from another stream than the
// game's moves.
func (j *Job) ruleset(gameSeed uint64) engine.Game {
	if j.Mix == nil {
		return j.Game
	}
	return j.Mix.draw(rand.New(seed.Stream(gameSeed, "rules", 0)))
}

// Begins returns the seed of game n and the ruleset that it is played by.
func (j *Job) Begins(n int64) (gameSeed uint64, rules engine.Game) {
	if j.SeedOf != nil {
		gameSeed = j.SeedOf(n)
	} else {
		gameSeed = seed.Number(j.Seed, "game", uint64(n))
	}
	return gameSeed, j.ruleset(gameSeed)
}
