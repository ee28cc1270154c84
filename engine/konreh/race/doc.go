// Package race solves Reforge races of Kon'reh: positions in which a side without
// Blue counts down the turns in which it must plant. It finds whether the countdown
// can be run out against any defence or stopped against any attack.
//
// A running countdown ends after a known number of player turns, at most ten with five
// turns to reforge, and a countdown that begins later cannot end before it. So a race is
// a search of all moves to that turn with two results: the countdown ran out, or it did
// not, because its side planted, the game was drawn or the other side's countdown ended
// first. If both sides count down there are two such questions. What follows the race
// does not matter.
//
// The search is depth first over all decisions of every turn, with a table of
// proven positions under their exact keys. Two bounds cut it short, both proven:
// a runner that goes onward N squares at most needs at least
//
//	ceil(da/N) + ceil(db/N)
//
// turns to an Apex da and db squares away; and where no runner is near enough the
// countdown runs out, unless a side gets stuck, which is a draw: see steady.
//
// The package has no clock and no source of random numbers. The value of a
// position does not depend on the table or on what was solved before.
package race
