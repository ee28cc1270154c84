package evaluation

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
)

// Opening is the beginning that both games of a pair share.
type Opening struct {
	// Position is the position line where the games begin; empty for the start.
	Position string
	// Actions are every decision from there, of players and of chance, before
	// the players take over.
	Actions []engine.Action
}

// Openings are where the pairs of a series begin.
type Openings struct {
	// Source says where they come from, in words for people that determine them
	// together with game, rules and seed.
	Source string
	// List are the openings, different from each other. Where more are needed
	// they are used again in this order.
	List []Opening
}

// Hash identifies the list: 16 hexadecimal digits.
func (o *Openings) Hash() string {
	h := sha256.New()
	for i := range o.List {
		fmt.Fprintf(h, "%s %d\n", o.List[i].Position, o.List[i].Actions)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// openingTries is how often in a row a random opening may fail to be new before
// openings are taken to have run out.
const openingTries = 200

// RandomOpenings draws up to count openings of at least turns player turns, after
// which a player is to decide. They lead to different positions; there are fewer
// if no new ones can be found. At least one is returned or an error.
func RandomOpenings(ctx context.Context, g engine.Game, count, turns int, run uint64) (*Openings, error) {
	s, h := g.NewState(), g.NewHistory()
	seen := map[string]bool{}
	var key []byte
	var list []Opening
	for attempt, failed := uint64(0), 0; len(list) < count && failed < openingTries; attempt++ {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
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
		return nil, fmt.Errorf("no opening of %d turns leaves a game to play in %s %s", turns, g.Info().Name, g.Rules())
	}
	return &Openings{Source: fmt.Sprintf("openings of %d random turns", turns), List: list}, nil
}

// randomOpening plays s at random for turns player turns, or to its end, and
// leaves it there.
func randomOpening(s engine.State, h *engine.History, turns int, rng *rand.Rand) Opening {
	s.Start(h)
	var o Opening
	var legal []engine.Action
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
			legal = s.Legal(legal[:0], h)
			a = legal[rng.IntN(len(legal))]
		}
		s.Apply(a, h)
		o.Actions = append(o.Actions, a)
	}
}
