package fit

import (
	"fmt"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/player/alphabeta"
	"github.com/ludozero/ludozero/selfplay/record"
)

// Shards makes samples of recorded games of one family, under whatever rules. Not safe
// for concurrent use.
type Shards struct {
	library record.Library
	game    string
	seed    uint64
	rulings map[string]*ruling
	games   int
	list    []Sample
}

// ruling is what samples of one ruleset need.
type ruling struct {
	sampler *sampler
	engine  *alphabeta.Engine
	state   engine.State
}

// NewShards returns a reader of games of family f that draws positions by seed.
func NewShards(f *engine.Family, seed uint64) *Shards {
	return &Shards{library: record.Library{Families: engine.Families{f}}, game: f.Name, seed: seed, rulings: map[string]*ruling{}}
}

// Samples holds the positions of the shards added, in order, and Games counts their games.
func (m *Shards) Samples() []Sample { return m.list }

// Games counts the games of the shards added.
func (m *Shards) Games() int { return m.games }

// Add takes the quiet positions of the shard at path: of searched decisions that begin a
// turn, one in four.
func (m *Shards) Add(path string) error {
	shard, err := record.OpenAny(path, func(game string) (*engine.Info, error) {
		if game != m.game {
			return nil, fmt.Errorf("its games are of %s: want %s", game, m.game)
		}
		return m.library.Info(game)
	})
	if err != nil {
		return err
	}
	rows, err := shard.Rows()
	if err != nil {
		return err
	}
	var rng *rand.Rand
	game, last := int64(-1), -1
	for i := range rows {
		r := &rows[i]
		if r.GameNumber != game {
			game, last = r.GameNumber, -1
			rng = rand.New(seed.Stream(m.seed, "fit-terms rows", uint64(game)))
			m.games++
		}
		x, err := m.ruling(r.Rules)
		if err != nil {
			return fmt.Errorf("shard %s: row %d: %w", path, i+1, err)
		}
		if err := x.state.Unpack(r.Packed); err != nil {
			return fmt.Errorf("shard %s: row %d: %w", path, i+1, err)
		}
		begins := alphabeta.BeginsTurn(x.state, last)
		last = int(r.Turn)
		if !begins || rng.IntN(sparse) > 0 {
			continue
		}
		if s, ok := x.sampler.sample(x.state, rng); ok && x.engine.Calm(x.state) {
			s.Game, s.Result = m.games-1, result(float32(r.Outcome))
			m.list = append(m.list, s)
		}
	}
	return nil
}

func (m *Shards) ruling(rules string) (*ruling, error) {
	if x := m.rulings[rules]; x != nil {
		return x, nil
	}
	g, err := m.library.Game(m.game, rules)
	if err != nil {
		return nil, err
	}
	x := &ruling{newSampler(g, alphabeta.TermsOf(g)), alphabeta.New(g), g.NewState()}
	m.rulings[rules] = x
	return x, nil
}
