package opening

import (
	"context"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
)

// source hands out openings one by one. They lead to different positions and
// leave a player to decide. ok is false when there are no more.
type source interface {
	next(ctx context.Context) (o Opening, ok bool, err error)
}

// table is what openings are played on, and the positions they have led to.
type table struct {
	state   engine.State
	history *engine.History
	image   engine.State // scratch
	game    engine.Game
	// symmetric takes positions that are images of each other for one.
	symmetric bool
	seen      map[string]bool
	key, best []byte
}

func newTable(g engine.Game, symmetric bool) *table {
	return &table{
		state: g.NewState(), history: g.NewHistory(), image: g.NewState(), game: g,
		symmetric: symmetric, seen: map[string]bool{},
	}
}

// isNew tells whether a state is the first of its position, and remembers it. The
// packed position tells apart what a hash might not.
func (t *table) isNew(s engine.State) bool {
	t.best = s.Pack(t.best[:0])
	if t.symmetric {
		mask := s.SymmetryMask()
		for i := 1; i < len(t.game.Info().Symmetries); i++ {
			if mask>>i&1 == 0 {
				continue
			}
			t.image.CopyFrom(s)
			t.image.Transform(i)
			if t.key = t.image.Pack(t.key[:0]); string(t.key) < string(t.best) {
				t.best, t.key = t.key, t.best
			}
		}
	}
	if t.seen[string(t.best)] {
		return false
	}
	t.seen[string(t.best)] = true
	return true
}

// randomTries is how often in a row a random opening may fail to be new before
// openings are taken to have run out.
const randomTries = 200

// randomSource draws openings.
type randomSource struct {
	*table
	spec    Spec
	seed    uint64
	attempt uint64
	legal   []engine.Action
}

func (r *randomSource) next(ctx context.Context) (Opening, bool, error) {
	for range randomTries {
		if ctx.Err() != nil {
			return Opening{}, false, context.Cause(ctx)
		}
		o := r.draw(rand.New(seed.Stream(r.seed, "match opening", r.attempt)))
		r.attempt++
		if r.state.Actor() != engine.Nobody && r.isNew(r.state) {
			return o, true, nil
		}
	}
	return Opening{}, false, nil
}

// draw plays at random until the opening is long enough and the start settled, or
// the game is over.
func (r *randomSource) draw(rng *rand.Rand) Opening {
	s, h := r.state, r.history
	s.Start(h)
	var o Opening
	l := length{spec: r.spec}
	for {
		var a engine.Action
		switch s.Actor() {
		case engine.Nobody:
			return o
		case engine.Chance:
			a = engine.Draw(s.Chance(nil), rng.Float64())
		default:
			if l.enough(s) {
				o.Turn = s.Turn()
				return o
			}
			var ok bool
			if a, ok = engine.Neutral(s); !ok {
				r.legal = s.Legal(r.legal[:0], h)
				a = r.legal[rng.IntN(len(r.legal))]
			}
		}
		s.Apply(a, h)
		o.Actions = append(o.Actions, a)
	}
}

// length measures an opening while it is played.
type length struct {
	spec    Spec
	settled bool
	since   int // State.Turn when the start was settled
}

// enough tells whether the opening may end at s, where a player is to decide. It
// must be asked at every decision of a player.
func (l *length) enough(s engine.State) bool {
	if !l.settled && engine.Settled(s) {
		l.settled, l.since = true, s.Turn()
	}
	switch {
	case l.spec.FromSettled:
		return l.settled && s.Turn()-l.since >= l.spec.Turns
	case l.spec.Turns == 0:
		return true
	}
	return l.settled && s.Turn() >= l.spec.Turns
}
