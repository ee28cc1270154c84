// Package plan is what a training run is to do: its configuration with the rules
// that the values must keep, and the arithmetic that follows from them: which
// network a generation has, how many positions the replay window holds, which
// games lie in which shard, how many samples new positions earn and how the
// learning rate falls. It computes nothing on networks and links neither gorgonia
// nor the kernels, so that readers of a run can use it.
package plan
