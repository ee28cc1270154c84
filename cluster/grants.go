package cluster

import (
	"slices"
	"time"
)

const (
	// leastPatience is how long a lease without a finished game is left alone, at least.
	// Where games take longer it is patienceGaps times the usual gap between them.
	leastPatience = time.Minute
	patienceGaps  = 8
	// spares is how many workers more than needed may play the same games, near a
	// generation's end.
	spares = 1
	// forgetAfter is how long a worker that says nothing is listed.
	forgetAfter = 10 * time.Minute
)

// renew notes the progress of the worker's leases and drops those that it should not
// have. A lease that is not known was granted by an earlier process, or ended: if its games
// are free, it goes on.
func (c *coordinator) renew(now time.Duration, r *Report, reply *Reply) {
	for i := range r.Holds {
		h := &r.Holds[i]
		g := c.leases[h.Fence]
		if g == nil && c.adoptable(h) {
			g = c.hold(now, r.Worker, h.Lease)
		}
		if g == nil || g.worker != r.Worker || c.complete(g) {
			c.release(h.Fence, r.Worker)
			reply.Drop = append(reply.Drop, h.Fence)
			continue
		}
		if h.Done > g.done {
			gap := (now - g.moved) / time.Duration(h.Done-g.done)
			if c.gap == 0 {
				c.gap = gap
			}
			c.gap += (gap - c.gap) / 16
			g.done, g.moved = h.Done, now
		}
	}
}

// adoptable tells whether an unknown lease is of this generation and all its missing
// games are free.
func (c *coordinator) adoptable(h *Hold) bool {
	if !c.open || h.Task != c.task || c.expired[h.Fence] || h.First < c.base || h.End > c.end || h.First >= h.End {
		return false
	}
	missing := false
	for n := max(h.First, c.first); n < h.End; n++ {
		s := &c.games[n-c.first]
		if len(s.holders) > 0 {
			return false
		}
		missing = missing || !s.done()
	}
	return missing
}

// hold enters a lease.
func (c *coordinator) hold(now time.Duration, worker string, l Lease) *grant {
	g := &grant{Lease: l, worker: worker, moved: now}
	c.leases[l.Fence] = g
	for n := max(l.First, c.first); n < l.End; n++ {
		s := &c.games[n-c.first]
		s.holders = append(s.holders, worker)
	}
	return g
}

// release ends a lease if that worker has it.
func (c *coordinator) release(fence uint64, worker string) {
	g := c.leases[fence]
	if g == nil || g.worker != worker {
		return
	}
	delete(c.leases, fence)
	for n := max(g.First, c.first); n < g.End; n++ {
		s := &c.games[n-c.first]
		if i := slices.Index(s.holders, worker); i >= 0 {
			s.holders = slices.Delete(s.holders, i, i+1)
		}
	}
}

// complete tells whether nothing of a lease is left to its worker.
func (c *coordinator) complete(g *grant) bool {
	for n := max(g.First, c.first); n < g.End; n++ {
		if s := &c.games[n-c.first]; !s.done() && !(s.arrived && s.worker == g.worker) {
			return false
		}
	}
	return true
}

// expire ends leases that nothing was heard of for too long: of their games, not of their
// worker.
func (c *coordinator) expire(now time.Duration) {
	for fence, g := range c.leases {
		if now-g.moved > max(leastPatience, patienceGaps*c.gap) {
			c.faults.Expired++
			c.expired[fence] = true
			c.release(fence, g.worker)
		}
	}
	for id, w := range c.workers {
		if now-w.heard > forgetAfter {
			delete(c.workers, id)
		}
	}
}

// grant gives a worker leases for as many games as it wants, and again those that it was
// given but does not seem to know of. When no game is free it gets those that another
// worker has had for longest.
func (c *coordinator) grant(now time.Duration, r *Report, reply *Reply) {
	if !c.open {
		return
	}
	for fence, g := range c.leases {
		if g.worker == r.Worker && !slices.ContainsFunc(r.Holds, func(h Hold) bool { return h.Fence == fence }) {
			reply.Leases = append(reply.Leases, g.Lease)
		}
	}
	slices.SortFunc(reply.Leases, func(a, b Lease) int { return int(a.First - b.First) })
	wants := int64(r.Wants)
	for _, l := range reply.Leases {
		wants -= l.End - l.First
	}
	for wants > 0 {
		first, end := c.free(r.Worker, min(wants, c.share()))
		if first == end {
			if first, end = c.spare(now, r.Worker, wants); first == end {
				return
			}
		}
		c.choose(r.Worker, first, end)
		c.fence++
		l := Lease{Task: c.task, First: first, End: end, Fence: c.fence}
		c.hold(now, r.Worker, l)
		reply.Leases = append(reply.Leases, l)
		wants -= end - first
	}
}

// share is how many games a lease has at most, so that all workers end together: half of
// an equal part of those that are free.
func (c *coordinator) share() int64 {
	free := int64(0)
	for i := range c.games {
		if s := &c.games[i]; !s.done() && s.players() < s.needs() {
			free++
		}
	}
	return max(1, free/int64(2*max(1, len(c.workers))))
}

// free returns the first games that want that worker, at most most of them: one kind, to
// be played or to be played a second time.
func (c *coordinator) free(worker string, most int64) (first, end int64) {
	for i := range c.games {
		n := c.first + int64(i)
		if s := &c.games[i]; !s.wants(worker, s.needs()) || end > first && s.audit != c.games[first-c.first].audit {
			if end > first {
				return first, end
			}
			continue
		}
		if end == first {
			first = n
		}
		if end = n + 1; end-first == most {
			break
		}
	}
	return first, end
}

// spare returns missing games, most of them, of the lease of another worker that has gone
// without progress for longest, and for longer than usual, and that only one worker has.
func (c *coordinator) spare(now time.Duration, worker string, most int64) (first, end int64) {
	var oldest *grant
	for _, g := range c.leases {
		if g.worker == worker || now-g.moved <= c.gap || oldest != nil && (g.moved > oldest.moved || g.moved == oldest.moved && g.Fence > oldest.Fence) {
			continue
		}
		if f, e := c.missing(&g.Lease, worker, most); e > f {
			oldest, first, end = g, f, e
		}
	}
	return first, end
}

// missing returns games of a lease that are missing and have room for another worker: the
// first such, and those up to the next that is not.
func (c *coordinator) missing(l *Lease, worker string, most int64) (first, end int64) {
	for n := max(l.First, c.first); n < l.End; n++ {
		s := &c.games[n-c.first]
		if !s.wants(worker, s.needs()+spares) {
			if end > first {
				return first, end
			}
			continue
		}
		if end == first {
			first = n
		}
		if end = n + 1; end-first == most {
			break
		}
	}
	return first, end
}
