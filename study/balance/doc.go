// Package balance compares variants of a game's rules by how even they are for the
// two players.
//
// In each variant every player plays itself, equally often from every position in which
// the start is settled (Starts): where the rules compensate for moving second, that is the
// table of all ways to do so, and where they do not it is the initial position. From
// there players draw their first decisions from their own policy (player.Sampling).
//
// A variant's score is what players get who choose well: at each decision that settles the
// start, who makes it takes what is best by the table. The games that choose are not those
// that score; see Starts.choices. So what is estimated is the score at the start that is
// chosen by a table of this many games, not by a perfect one.
//
// Three things are not the same and are counted apart: the first player, who made
// the first decision of the game; the side, A or B, which the players may have
// exchanged; and the contestant, which is the same in both seats here.
//
// Declared before any game: δ is the first player's score less one half, and the
// smallest difference that matters is Config.Matters. A variant is fairer than the
// baseline if its |δ| is smaller by at least that, not fairer if it is not, and
// otherwise the games cannot tell; verdicts are corrected for being several (see
// [Comparison]). Networks are clusters; package resample has the intervals, and what they
// are about if there are fewer than three.
//
// The package plays no games itself and reads no clock and no file.
package balance

// EloCondition is how much stronger than the network that plays all variants one may
// be that was trained further on a single one, for that variant to get a verdict.
const EloCondition = 30
