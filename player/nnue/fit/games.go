package fit

import (
	"context"
	"math"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/player/alphabeta"
	"github.com/ludozero/ludozero/player/alphabeta/positions"
)

// ownRun stands for a run in the list of those that games are of.
const ownRun = "alphabeta"

// Play adds the positions of games that engines from open play against themselves. What a search
// there expects stands for the root value of a recorded one. step hears how many games are
// done. The same arguments add the same positions on any number of cores.
//
// These games teach a search by alpha-beta more than those of a network: the positions that
// it judges are mostly bad for one side, and only such games have them.
func (m *Samples) Play(ctx context.Context, p positions.Play, games int, open func() (*alphabeta.Engine, error), step func(done int)) error {
	if _, err := open(); err != nil {
		return err
	}
	parts := make([]*Samples, games)
	engines := func() []*alphabeta.Engine {
		// The second asks whether positions are quiet, without a trace in the first one's table.
		play, err := open()
		if err != nil {
			panic("BUG: " + err.Error()) // it could be opened before
		}
		return []*alphabeta.Engine{play, alphabeta.New(p.Game)}
	}
	err := positions.Share(ctx, games, engines, step, func(ctx context.Context, n int, e []*alphabeta.Engine) error {
		l, err := newLook(p.Game)
		if err != nil {
			return err
		}
		part, image, rng := &Samples{Choice: m.Choice}, p.Game.NewState(), p.Stream("fit-evaluation games", n)
		parts[n] = part
		var deciders []engine.Player
		var expected []float64
		winner, err := p.Run(ctx, rng, p.Opening(rng), func(s engine.State, begins bool) (*alphabeta.Engine, func(alphabeta.Result)) {
			if !begins || rng.IntN(m.Every) > 0 || m.Quiet && !e[1].Calm(s) {
				return e[0], nil
			}
			positions.Image(image, s, rng)
			if !part.add(l, image, n) {
				return e[0], nil
			}
			deciders = append(deciders, s.Actor())
			return e[0], func(r alphabeta.Result) {
				expected = append(expected, math.Tanh(float64(r.Value)/(2*alphabeta.Nat))) // ±1 if proven
			}
		})
		for i, who := range deciders {
			outcome := engine.Outcome{Over: true, Winner: winner}.Value(who)
			part.targets = append(part.targets, part.target(expected[i], float64(outcome)))
		}
		return err
	})
	if err != nil {
		return err
	}
	before := m.Len()
	for _, part := range parts {
		m.join(part)
	}
	m.runs[ownRun] = true
	m.rules[p.Game.Rules()] += m.Len() - before
	m.count += games
	return nil
}

// join adds the positions of part, whose games count from the number of those added before.
func (m *Samples) join(part *Samples) {
	begin := uint32(len(m.bits))
	m.bits = append(m.bits, part.bits...)
	for _, end := range part.ends {
		m.ends = append(m.ends, begin+end)
	}
	for _, game := range part.games {
		m.games = append(m.games, int32(m.count)+game)
	}
	m.terms, m.targets = append(m.terms, part.terms...), append(m.targets, part.targets...)
}
