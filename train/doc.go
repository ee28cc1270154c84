// Package train fits a network to recorded positions, which it draws from a window of
// package replay: batches with symmetries, losses and gradients from
// model/graph, and an optimizer whose state is saved bit for bit. It draws from
// generators that it is given and reads no clock. The loop around it, with
// self-play and checkpoints, is train/run.
package train
