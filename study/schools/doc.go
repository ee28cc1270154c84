// Package schools compares schools of Kon'reh (package player/school) by games: how
// strong they are, what a doctrine does at several weights, and whether the ways they
// play differ as the rulebook's table says.
//
// There are three parts, each a series of pairs of games with seats exchanged. In the
// round robin every two schools meet, the control too; each round has one opening for
// all pairs. In the second part each school meets the control at each weight of its
// doctrine, and the control meets itself, again with one opening a round: what a school
// does there less what the control does in the same round is the doctrine's effect. In
// the third each school meets networks of several strengths.
//
// Rounds are the clusters of all statistics: openings are drawn independently, and
// nothing else is shared between rounds. Differences that the table names are declared
// in the code (declared.go), before any game; their p-values come from exchanging school
// and control within rounds, and are corrected for their number after Holm.
//
// The package plays no games itself and reads no clock and no file.
package schools
