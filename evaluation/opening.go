package evaluation

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
)

// Opening is the beginning that both games of a pair share: every decision from
// the start, of players and of chance.
type Opening []engine.Action

// openingTries is how often in a row a random opening may fail to be new before
// openings are taken to have run out.
const openingTries = 200

// openings draws pairs openings of at least turns player turns, after which a
// player is to decide. They lead to different positions as long as new ones can
// be found; from then on they repeat in order. distinct says how many there are.
func openings(ctx context.Context, g engine.Game, pairs, turns int, run uint64) (list []Opening, distinct int, err error) {
	s, h := g.NewState(), g.NewHistory()
	seen := map[string]bool{}
	var key []byte
	for attempt, failed := uint64(0), 0; len(list) < pairs && failed < openingTries; attempt++ {
		if ctx.Err() != nil {
			return nil, 0, context.Cause(ctx)
		}
		o := randomOpening(s, h, turns, rand.New(seed.Stream(run, "match opening", attempt)))
		// The packed position tells openings apart that a hash might not.
		key = s.Pack(key[:0])
		if s.Actor() == engine.Nobody || seen[string(key)] {
			failed++
			continue
		}
		failed = 0
		seen[string(key)] = true
		list = append(list, o)
	}
	if len(list) == 0 {
		return nil, 0, fmt.Errorf("no opening of %d turns leaves a game to play in %s %s", turns, g.Info().Name, g.Rules())
	}
	distinct = len(list)
	for i := 0; len(list) < pairs; i++ {
		list = append(list, list[i])
	}
	return list, distinct, nil
}

// randomOpening plays s at random for turns player turns, or to its end, and
// leaves it there.
func randomOpening(s engine.State, h *engine.History, turns int, rng *rand.Rand) Opening {
	s.Start(h)
	var o Opening
	var actions []engine.Action
	for {
		var a engine.Action
		switch s.Actor() {
		case engine.Nobody:
			return o
		case engine.Chance:
			a = engine.Draw(s.Chance(nil), rng.Float64())
		default:
			if s.Turn() >= turns {
				return o
			}
			actions = s.Legal(actions[:0], h)
			a = actions[rng.IntN(len(actions))]
		}
		s.Apply(a, h)
		o = append(o, a)
	}
}
