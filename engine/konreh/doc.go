// Package konreh plays Kon'reh by the rules page of this project, with every
// preset and option.
//
// A turn is a chain of decisions, each a phase: a slide or special first, then
// whatever it asks of the same side (a special after Blue's slide, Seed, where
// to place a reforged Blue and with which Green to pay). Timers, repetition and
// draws are handled once, when the turn ends. Sides are A and B; the players own them and
// may swap them once, by the pie rule.
//
// Slides are computed for all pieces of a side at once, lane by lane and step
// by step on bitboards: no two pieces on the same lane at the same step share a
// square, so one mask holds them all.
package konreh
