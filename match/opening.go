package match

import (
	"context"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match/opening"
)

// Opening is the beginning that both games of a pair share.
type Opening = opening.Opening

// Openings are where the pairs of a series begin.
type Openings = opening.Set

// RandomOpenings draws up to count openings of at least turns player turns that
// lead to different positions and leave a player to decide; there are fewer if no
// new ones can be found. See opening.Spec about games that balance the start.
func RandomOpenings(ctx context.Context, g engine.Game, count, turns int, run uint64) (*Openings, error) {
	return opening.Make(ctx, opening.Request{Game: g, Spec: opening.Spec{Kind: opening.Random, Turns: turns}, Count: count, Seed: run})
}
