package positions

import (
	"fmt"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/player/alphabeta"
	"github.com/ludozero/ludozero/selfplay/record"
)

// Shards reads positions of recorded games of one family, under whatever rules. T is what
// a caller needs for each ruleset. Not safe for concurrent use.
type Shards[T any] struct {
	library record.Library
	game    string
	purpose string
	seed    uint64
	open    func(engine.Game) (T, error)
	rulings map[string]*Ruling[T]
	games   int
}

// Ruling is a ruleset that positions were read of.
type Ruling[T any] struct {
	// State is the position, turned by a symmetry that was drawn. It is overwritten by the next.
	State engine.State
	// Own is what the caller opened for the ruleset.
	Own    T
	engine *alphabeta.Engine
}

// Calm tells whether no loud action changes what the position is worth, by the judge that
// the game brings.
func (r *Ruling[T]) Calm() bool { return r.engine.Calm(r.State) }

// NewShards returns a reader of games of family f that draws positions by seed, from a
// stream of its own for each purpose. It calls open once for each ruleset.
func NewShards[T any](f *engine.Family, purpose string, seed uint64, open func(engine.Game) (T, error)) *Shards[T] {
	return &Shards[T]{
		library: record.Library{Families: engine.Families{f}}, game: f.Name, purpose: purpose, seed: seed,
		open: open, rulings: map[string]*Ruling[T]{},
	}
}

// Games is the number of games read.
func (m *Shards[T]) Games() int { return m.games }

// Read calls take for the decisions recorded in the shard at path that begin a turn, one
// drawn of every. Games counts the game that a decision is of.
func (m *Shards[T]) Read(path string, every int, take func(row *record.Row, x *Ruling[T])) error {
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
			rng = rand.New(seed.Stream(m.seed, m.purpose, uint64(game)))
			m.games++
		}
		x, err := m.ruling(r.Rules)
		if err != nil {
			return fmt.Errorf("shard %s: row %d: %w", path, i+1, err)
		}
		if err := x.State.Unpack(r.Packed); err != nil {
			return fmt.Errorf("shard %s: row %d: %w", path, i+1, err)
		}
		begins := alphabeta.BeginsTurn(x.State, last)
		last = int(r.Turn)
		if !begins || rng.IntN(every) > 0 {
			continue
		}
		turn(x.State, rng)
		take(r, x)
	}
	return nil
}

func (m *Shards[T]) ruling(rules string) (*Ruling[T], error) {
	if x := m.rulings[rules]; x != nil {
		return x, nil
	}
	g, err := m.library.Game(m.game, rules)
	if err != nil {
		return nil, err
	}
	own, err := m.open(g)
	if err != nil {
		return nil, err
	}
	x := &Ruling[T]{State: g.NewState(), Own: own, engine: alphabeta.New(g)}
	m.rulings[rules] = x
	return x, nil
}
