package konreh

import (
	_ "embed"

	"github.com/ludozero/ludozero/engine"
)

// A term is one thing that a position is judged by. It is counted for each side;
// the value of a position is the weighted sum of the differences.
type term int

// The terms. Distances are in steps along the lanes; a runner is any piece but
// Blue. Those from termCountdown to termSlack2 count while the side has no Blue.
const (
	termRed          term = iota // Reds
	termOrange                   // Oranges
	termGreen                    // Greens
	termBlue                     // 1 with Blue on the board
	termDominance                // share of the material (1, 2, 3 for the runners) in hundredths
	termHop                      // 1 with the Hop unspent
	termDisplacement             // 1 with the Displacement unspent
	termMobility                 // slides, as if to move
	termHitsRed                  // Reds of the other side that a slide or special may capture
	termHitsOrange               // Oranges
	termHitsGreen                // Greens
	termHitsBlue                 // Blue
	termStrikes                  // pieces that Blue's specials may capture
	termCross                    // 1 with Blue in the Cross
	termStay                     // turns stayed there
	termExcluded                 // 1 while the Cross is barred
	termRooted                   // 1 with Blue Rooted through the next turn
	termHome                     // 1 with Blue on its Home Apex
	termShield                   // own runners next to Blue
	termCrowd                    // enemy runners at distance up to 2 from Blue
	termChase                    // nearness to the enemy Blue: 8 less the distance, over runners
	termCountdown                // turns of the Reforge countdown that have passed
	termHopeless                 // 1 with T* beyond the turns left to plant
	termSlack0                   // 1 with T* equal to them
	termSlack1                   // 1 with a turn to spare
	termSlack2                   // 1 with two
	termReady                    // 6 less T* on an empty board, at least 0, with Blue on the board
	termRunners1                 // 1 with one
	termRunners2                 // 1 with two
	termGuard                    // own runners at distance up to 2 from the own Home Apex
	termRedRank                  // steps of all Reds away from Home
	termOrangeRank               // of all Oranges
	termGreenRank                // of all Greens
	termSeed                     // 1 with a slide to a Sanctum that may seed
	termCapLead                  // Greens if the cap is full: the lead cannot be made good
	termTempo                    // 1 for the side to move
	numTerms
)

var termNames = [numTerms]string{
	"red", "orange", "green", "blue", "dominance", "hop", "displacement", "mobility",
	"hits_red", "hits_orange", "hits_green", "hits_blue", "strikes",
	"cross", "stay", "excluded", "rooted", "home", "shield", "crowd", "chase",
	"countdown", "hopeless", "slack_0", "slack_1", "slack_2", "ready",
	"runners_1", "runners_2", "guard", "red_rank", "orange_rank", "green_rank",
	"seed", "cap_lead", "tempo",
}

//go:embed weights.txt
var weightsText string

// fitted are the weights that the handwritten search plays with: see weights.txt.
var fitted = engine.MustWeights(termNames[:], weightsText)
