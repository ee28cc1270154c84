package player

import "math"

// PipelineCost is what a leaf of a search costs, in seconds.
type PipelineCost struct {
	// Serial is for what the owner of the tree does alone: to collect the leaf and to back
	// it up.
	Serial float64
	// Batch[n-1] is for the evaluation of n leaves in one batch.
	Batch [groupLeaves]float64
}

// Rate is how many simulations a second a search of that many threads and pending leaves
// does, by a simulation of its pipeline, event by event: every thread has a core of its
// own, the tree always has another leaf, and threads neither slow down each other's
// memory nor take time to wake.
func (c *PipelineCost) Rate(threads, leaves int) float64 {
	const simulations = 20_000
	s := pipelineModel{cost: c, leaves: leaves, finish: make([]float64, leaves), workers: make([]float64, threads-1), idle: make([]bool, threads-1)}
	for i := range s.idle {
		s.idle[i] = true
	}
	for s.oldest < simulations {
		s.step()
	}
	return float64(s.oldest) / s.now
}

// pipelineModel is a pipeline in time. Leaves are numbered as there.
type pipelineModel struct {
	cost                *PipelineCost
	leaves              int
	oldest, taken, next int
	finish              []float64 // of leaf n at n modulo leaves, once it was taken
	now                 float64   // of the owner
	workers             []float64 // when each has done what it has
	idle                []bool    // workers that found nothing to do then
}

func (s *pipelineModel) step() {
	for pending := s.next - s.oldest; pending < s.leaves; pending = s.next - s.oldest {
		at := s.next % s.leaves
		n := min(s.leaves-pending, groupLeaves, s.leaves-at)
		s.pass(s.cost.Serial / 2 * float64(n))
		s.next += n
		for i, idle := range s.idle {
			if idle {
				s.workers[i], s.idle[i] = s.now, false
			}
		}
	}
	last := min(s.oldest+min(s.leaves, groupLeaves), s.next)
	for n := s.oldest; n < last; {
		s.pass(0)
		switch {
		case n < s.taken && s.finish[n%s.leaves] <= s.now:
			n++
		case s.taken < s.next:
			s.pass(s.take(s.now) - s.now)
		default:
			s.pass(s.finish[n%s.leaves] - s.now)
		}
	}
	s.pass(s.cost.Serial / 2 * float64(last-s.oldest))
	s.oldest = last
}

// pass lets time pass for the owner, in which workers take leaves.
func (s *pipelineModel) pass(time float64) {
	s.now += time
	for {
		first, at := -1, math.Inf(1)
		for i, free := range s.workers {
			if !s.idle[i] && free <= s.now && free < at {
				first, at = i, free
			}
		}
		switch {
		case first < 0:
			return
		case s.taken == s.next:
			s.idle[first] = true
		default:
			s.workers[first] = s.take(at)
		}
	}
}

// take is pipeline.evaluate: it takes leaves at a time and returns when they are
// evaluated.
func (s *pipelineModel) take(now float64) float64 {
	threads := 1 + len(s.workers)
	at := s.taken % s.leaves
	n := min((s.next-s.taken+threads-1)/threads, groupLeaves, s.leaves-at)
	end := now + s.cost.Batch[n-1]
	for k := range n {
		s.finish[at+k] = end
	}
	s.taken += n
	return end
}
