package cluster

import (
	"math"
	"slices"
	"time"
)

const (
	// leastPatience is how long a lease without a finished game is left alone, at least.
	// Where games take longer it is patienceGaps times the usual gap between them.
	leastPatience = time.Minute
	patienceGaps  = 8
	// mostPatience is how long games may take before they are played by others, too, of which
	// none came in time to tell the gap.
	mostPatience = time.Hour
	// spares is how many workers more than needed may play the same games, near a
	// generation's end.
	spares = 1
	// sweepEvery is how often leases and workers are looked over, at most: with a thousand
	// workers that takes longer than all else.
	sweepEvery = time.Second
	// fewest is the share of what a worker can have that it is given at once, as a divisor.
	fewest = 6
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
			c.choose(r.Worker, max(h.First, c.first), h.End)
			g = c.hold(now, r.Worker, h.Lease)
		}
		if g == nil || g.worker != r.Worker || c.complete(g) {
			c.release(h.Fence, r.Worker)
			reply.Drop = append(reply.Drop, h.Fence)
			continue
		}
		c.progressed(now, g, h)
		if int64(h.Done) == h.End-h.First && slices.ContainsFunc(r.Waiting, g.has) {
			g.sent = now
		}
	}
}

// progressed notes how far a lease is.
func (c *coordinator) progressed(now time.Duration, g *grant, h *Hold) {
	if h.Done > g.done {
		gap := (now - g.moved) / time.Duration(h.Done-g.done)
		if c.gap == 0 {
			c.gap = gap
		}
		c.gap += (gap - c.gap) / 16
		g.done, g.moved = h.Done, now
	}
}

// has reports whether a parcel is of the lease.
func (g *grant) has(p Waiting) bool {
	return p.Generation == g.Generation && p.Weights == g.Weights && p.End > g.First && p.End <= g.End
}

// adoptable tells whether an unknown lease is of this generation and all its missing
// games are free.
func (c *coordinator) adoptable(h *Hold) bool {
	if _, expired := c.expired[h.Fence]; !c.open || h.Task != c.task || expired || c.future(h.Fence) || h.First < c.base || h.End > c.end || h.First >= h.End {
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

// future tells whether this process has still to grant a fence: nobody can have it.
func (c *coordinator) future(fence uint64) bool { return fence > c.fence && fence>>32 == c.fence>>32 }

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
// worker. One that is played lasts as long as its worker has parcels of it: they may be many
// where the server's disk is slow, and playing the games again would make more of them.
func (c *coordinator) expire(now time.Duration) {
	if now-c.swept < sweepEvery {
		return
	}
	c.swept = now
	for fence, g := range c.leases {
		if now-max(g.moved, g.sent) > max(c.patience, patienceGaps*c.gap) {
			c.faults.Expired++
			c.expired[fence] = g.moved
			c.release(fence, g.worker)
		}
	}
	for id, w := range c.workers {
		if now-w.heard > forgetAfter {
			delete(c.workers, id)
		}
	}
}

// wait has leases last longer if games came of one that had expired though its worker was
// there all the time: games are long, and such leases never tell the gap.
func (c *coordinator) wait(fence uint64, w *workerState) {
	if moved, expired := c.expired[fence]; expired && w.since <= moved {
		c.patience = max(c.patience, min(mostPatience, 2*(c.now-moved)))
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
	w := c.workers[r.Worker]
	w.inHand = 0
	for _, h := range r.Holds {
		if g := c.leases[h.Fence]; g != nil && g.worker == r.Worker {
			w.inHand += h.End - h.First - int64(h.Done)
		}
	}
	for _, l := range reply.Leases {
		w.inHand += l.End - l.First
	}
	give := func(first, end int64) {
		c.fence++
		l := Lease{Task: c.task, First: first, End: end, Fence: c.fence}
		c.hold(now, r.Worker, l)
		reply.Leases = append(reply.Leases, l)
		w.inHand += end - first
	}
	free := false
	wants := int64(r.Wants)
	// As long as there are plenty, leases, and with them parcels, have several games.
	if share, full := c.share(now, w), wants+w.inHand; share < 2*full || wants*fewest >= full {
		wants = min(wants, share)
	} else {
		wants = 0
	}
	for wants > 0 {
		first, end := c.free(r.Worker, wants)
		if first == end {
			break
		}
		free = true
		c.choose(r.Worker, first, end)
		give(first, end)
		wants -= end - first
	}
	if !free && w.inHand == 0 && r.Wants > 0 {
		if first, end := c.spare(now, r.Worker, int64(r.Wants)); end > first {
			give(first, end)
		}
	}
}

// share is how many further games a worker should have, so that all end together: of those
// that are free or in some worker's hands, a part in proportion to its speed, less what it
// has. A worker with nothing in hand gets one.
func (c *coordinator) share(now time.Duration, w *workerState) int64 {
	left, speeds, present := int64(0), 0.0, 0.0
	for _, o := range c.workers {
		if now-o.heard < stillThere {
			left += o.inHand
			speeds += o.last.PositionsPerSecond
			present++
		}
	}
	part := 1 / present
	if speeds > 0 { // one that has not begun counts as the mean of the others
		own := w.last.PositionsPerSecond
		if own == 0 {
			own = speeds / present
			speeds += own
		}
		part = own / speeds
	}
	// More free games than would make this share enough for anybody need not be counted.
	enough := int64(3*float64(int64(w.last.Wants)+w.inHand)/part) + 1
	for i := max(0, c.taken-c.first); i < int64(len(c.games)) && left < enough; i++ {
		if s := &c.games[i]; !s.done() && s.players() < s.needs() {
			left++
		}
	}
	share := int64(math.Ceil(float64(left)*part)) - w.inHand
	if w.inHand == 0 {
		share = max(1, share)
	}
	return share
}

// free returns the first games that want that worker, at most most of them: one kind, to
// be played or to be played a second time.
func (c *coordinator) free(worker string, most int64) (first, end int64) {
	for i := c.taken - c.first; i < int64(len(c.games)); i++ {
		n := c.first + i
		if s := &c.games[i]; !s.wants(worker, s.needs()) || end > first && s.audit != c.games[first-c.first].audit {
			if end > first {
				return first, end
			}
			continue
		}
		if end == first {
			first = n
		}
		if end = n + 1; end-first >= most && end%c.unit == 0 {
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

// missing returns the last games of a lease that are missing and have room for another
// worker, half of them, as the worker that has it begins with the first.
func (c *coordinator) missing(l *Lease, worker string, most int64) (first, end int64) {
	count := int64(0)
	for n := max(l.First, c.first); n < l.End; n++ {
		if s := &c.games[n-c.first]; s.wants(worker, s.needs()+spares) {
			count++
		}
	}
	most = min(most, (count+1)/2)
	for n := l.End - 1; n >= max(l.First, c.first); n-- {
		s := &c.games[n-c.first]
		if !s.wants(worker, s.needs()+spares) {
			if end > first {
				return first, end
			}
			continue
		}
		if end == first {
			end = n + 1
		}
		if first = n; end-first >= most {
			break
		}
	}
	return first, end
}
