// Package replay is the replay window over the shards of a run: which of the recorded
// positions are drawn, how often, and with which targets. It knows no network and draws
// from generators that it is given; package train makes batches of its samples.
package replay
