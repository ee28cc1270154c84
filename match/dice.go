package match

import (
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
)

// PairDice says of a series that the two games of a pair have the same dice: Result.Dice
// of every game in which chance decides.
const PairDice = "pair"

// diceOf is PairDice for a game with chance, else empty.
func diceOf(g engine.Game) string {
	if g.Info().NumChance == 0 {
		return ""
	}
	return PairDice
}

// dice are the random numbers of one game's chance decisions: a function of the pair, of
// the player turn, and of how many chance decisions the turn has had. So a lucky seat is
// lucky in both games of its pair, once for each player, and games that have gone apart
// still roll alike in every turn that begins by a roll.
type dice struct {
	pair uint64 // seed of the pair
	turn int    // that pcg is for; -1 at first
	pcg  rand.PCG
}

// newDice returns the dice of the pair at a place of the schedule.
func newDice(run uint64, place int) *dice {
	return &dice{pair: seed.Number(run, "match dice", uint64(place)), turn: -1}
}

// roll draws an outcome of the chance decision in s. Outcomes are drawn in the order of
// their codes, so that equal numbers roll alike where the same outcomes are possible, and
// nearly alike where one of them is missing.
func (d *dice) roll(s engine.State, outcomes []engine.Weighted) engine.Action {
	if turn := s.Turn(); turn != d.turn {
		d.turn = turn
		d.pcg.Seed(seed.State(d.pair, "turn", uint64(turn)))
	}
	return engine.Draw(outcomes, float64(d.pcg.Uint64()>>11)/(1<<53))
}
