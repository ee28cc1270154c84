package graph

import (
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/model/kernel"
)

// statistics is what one batch normalisation has seen while the graph gathers,
// and the running statistics that it belongs to.
type statistics struct {
	seen          *kernel.Moments
	running, vari []float32 // mean and variance
}

// RecomputeStatistics replaces the running statistics by the statistics of n >= 1
// batches, which next returns one after another; a batch is read before next is called
// again. The graph runs forward only, each layer normalised by the batch
// at hand as in training, and for each normalisation
//
//	mean = Σ x / N    var = Σ (x - mean)² / N
//
// over the N board cells of all the batches together, so the spread of the batch
// means is part of var, which a mean of the batches' variances would leave out.
// Sums are float32 within a position and float64 beyond, added in a fixed order:
// the same bits for any number of threads. After Izmailov et al. 2018
// (Averaging Weights Leads to Wider Optima and Better Generalization, section
// 3.2): weights that were averaged, not trained, need statistics of their own.
// A batch costs about a third of a training step. On error, also of next, the
// running statistics are as before.
func (g *Graph) RecomputeStatistics(n int, next func() (*Batch, error)) error {
	if n < 1 {
		return fmt.Errorf("graph: statistics of %d batches: want at least 1", n)
	}
	for _, s := range g.env.norms {
		s.seen.Reset()
	}
	for range n {
		b, err := next()
		if err != nil {
			return err
		}
		if _, err := g.run(b, gathering); err != nil {
			return err
		}
	}
	for _, s := range g.env.norms {
		if s.seen.Count == 0 {
			return errors.New("graph: statistics of batches without a board cell")
		}
	}
	for _, s := range g.env.norms {
		for j := range s.running {
			s.running[j] = float32(s.seen.Mean[j])
			s.vari[j] = float32(s.seen.M2[j] / s.seen.Count)
		}
	}
	return nil
}
