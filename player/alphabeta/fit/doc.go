// Package fit fits the weights that package alphabeta judges positions by to the
// results of games (Texel tuning, Österlund 2014): logistic regression of results on the
// terms of quiet positions, held back from wandering by a penalty that is chosen by the
// loss on games which are held out.
//
// The engine plays the games against itself, in rounds, each with the weights of the
// round before, or they are read from a run's shards. The same configuration gives the same
// weights on any number of cores.
package fit
