// Package lab says what a change of the rules does to a game.
//
// Players of up to four strengths, from a beginner to the best there is, play themselves
// under one ruleset or under two. What their games were like is counted by measures
// ([Measures]), each with a definition, a source, an interval and the number of games, and
// the difference between the two rulesets is tested.
//
// Games of one player differ because it draws its first decisions from its policy, and a
// few of them from all legal moves ([player.Sampling]): otherwise a search without chance
// plays one game again and again. Games without dice that repeat another move by move are
// counted and are no evidence.
//
// Some measures need to know how a game stood at each turn. One player, the judge, says that
// for the games of all strengths and both rulesets, after they were played: a beginner does
// not know how it stands, and two judges could not be compared.
//
// The unit of evidence is the pair of games with the same dice. Intervals and tests are about
// further games of these players under these rules; other networks may play otherwise. The
// tests of a sheet are corrected by Holm's method: whatever depends on what, and much does
// (who wins more draws less), the probability of any false claim in the sheet is at most
// [Significance]. Methods that bound the share of false claims instead allow more claims, but
// assume more of how they depend, and a single row taken from the sheet would mean less.
package lab

// Significance is the probability, at most, that a sheet claims any difference where there
// is none.
const Significance = 0.05
