// Package heuristics asks whether the rules of thumb in the rulebook of Kon'reh
// (Nicholas A. Gasper, 2025) hold, one by one and in three ways:
//
//   - on and off: games of the player school:none with one rule against the same
//     player without;
//   - regret: what a search expects after the best move that the rule speaks of, less
//     what it expects after the best one that it does not, with the two moves chosen by
//     one network and judged by another (see [Judge]);
//   - observation: how often games obey a rule where it applies, and how those fare who
//     do. Nothing follows from that alone: who obeys stands otherwise than who does not.
//
// What is tested is declared in [Rules] before any game; [Build] corrects for the number
// of tests. Which actions a rule speaks of is asked in the words of school files
// (school.Probe), so that all three ways mean the same, and a test holds the files to it.
//
// A [Study] plays and asks, by package study; [Build] and all that stands below it are
// functions of games. The package has also the drills of the book ([AskDrills]).
package heuristics
