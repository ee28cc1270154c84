package fit

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/player/alphabeta"
	"github.com/ludozero/ludozero/player/alphabeta/positions"
	"github.com/ludozero/ludozero/selfplay/record"
)

// Shards makes samples of recorded games of one family, under whatever rules. Not safe
// for concurrent use.
type Shards struct {
	*positions.Shards[*sampler]
	list []Sample
}

// NewShards returns a reader of games of family f that draws positions by seed.
func NewShards(f *engine.Family, seed uint64) *Shards {
	return &Shards{Shards: positions.NewShards(f, "fit-terms rows", seed, func(g engine.Game) (*sampler, error) {
		return newSampler(g, alphabeta.TermsOf(g)), nil
	})}
}

// Samples holds the positions of the shards added, in order.
func (m *Shards) Samples() []Sample { return m.list }

// Add takes the quiet positions of the shard at path: of searched decisions that begin a
// turn, one in four.
func (m *Shards) Add(path string) error {
	return m.Read(path, sparse, func(r *record.Row, x *positions.Ruling[*sampler]) {
		if s, ok := x.Own.sample(x.State); ok && x.Calm() {
			s.Game, s.Result = m.Games()-1, result(float32(r.Outcome))
			m.list = append(m.list, s)
		}
	})
}
