package fit

import (
	"context"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/player/alphabeta"
	"github.com/ludozero/ludozero/player/alphabeta/positions"
)

// Tally counts results of games.
type Tally struct {
	// First and Second count wins: of the players in games that are learned from, of the
	// new weights and the old ones in a comparison.
	First  int `json:"first"`
	Second int `json:"second"`
	Drawn  int `json:"drawn"`
}

// Games is how many games were counted.
func (t Tally) Games() int { return t.First + t.Second + t.Drawn }

func (t *Tally) add(winner engine.Player) {
	switch winner {
	case engine.First:
		t.First++
	case engine.Second:
		t.Second++
	default:
		t.Drawn++
	}
}

// arena plays games of one ruleset.
type arena struct {
	positions.Play
	terms alphabeta.Terms
	step  func(done int, text string)
}

// engine returns an engine by weights; without any, one that counts material.
func (a *arena) engine(weights []int32) *alphabeta.Engine {
	if weights == nil {
		return alphabeta.NewPlain(a.Game)
	}
	return alphabeta.NewWith(a.Game, a.terms.Judge(weights))
}

// share calls do for the numbers below n on all cores, each with engines of its own by
// weights.
func (a *arena) share(ctx context.Context, n int, weights [][]int32, do func(ctx context.Context, number int, e []*alphabeta.Engine) error) error {
	open := func() (engines []*alphabeta.Engine) {
		for _, w := range weights {
			engines = append(engines, a.engine(w))
		}
		return engines
	}
	return positions.Share(ctx, n, open, func(done int) { a.step(done, "") }, do)
}

// play plays the games with weights and returns their samples in order.
func (a *arena) play(ctx context.Context, games int, weights []int32) (all []Sample, tally Tally, err error) {
	lists, winners := make([][]Sample, games), make([]engine.Player, games)
	err = a.share(ctx, games, [][]int32{weights}, func(ctx context.Context, n int, e []*alphabeta.Engine) error {
		rng, m, image := a.Stream("fit-terms games", n), newSampler(a.Game, a.terms), a.Game.NewState()
		var deciders []engine.Player
		winner, err := a.Run(ctx, rng, a.Opening(rng), func(s engine.State, begins bool) (*alphabeta.Engine, func(alphabeta.Result)) {
			if begins && rng.IntN(sparse) == 0 {
				positions.Image(image, s, rng)
				if x, ok := m.sample(image); ok && e[0].Calm(s) {
					x.Game = n
					lists[n], deciders = append(lists[n], x), append(deciders, s.Actor())
				}
			}
			return e[0], nil
		})
		winners[n] = winner
		for i, p := range deciders {
			lists[n][i].Result = result(engine.Outcome{Over: true, Winner: winner}.Value(p))
		}
		return err
	})
	if err != nil {
		return nil, tally, err
	}
	for n, list := range lists {
		all = append(all, list...)
		tally.add(winners[n])
	}
	return all, tally, nil
}

// compare plays weights against others in pairs of games from the same random opening
// with seats swapped. First counts wins of weights.
func (a *arena) compare(ctx context.Context, pairs int, weights, others []int32) (tally Tally, err error) {
	winners := make([]engine.Player, 2*pairs)
	even := *a
	even.Blunder = 0
	err = a.share(ctx, len(winners), [][]int32{weights, others}, func(ctx context.Context, n int, e []*alphabeta.Engine) error {
		winner, err := even.Run(ctx, a.Stream("fit-terms compare", n/2), a.RandomTurns/4, func(s engine.State, _ bool) (*alphabeta.Engine, func(alphabeta.Result)) {
			return e[(int(s.Actor())+n)%2], nil
		})
		if winner != engine.Nobody && n%2 == 1 {
			winner = winner.Other()
		}
		winners[n] = winner
		return err
	})
	if err != nil {
		return tally, err
	}
	for _, w := range winners {
		tally.add(w)
	}
	return tally, nil
}
