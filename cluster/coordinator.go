package cluster

import (
	"fmt"
	"slices"
	"time"

	"github.com/ludozero/ludozero/selfplay"
)

const (
	// leastPatience is how long a lease without a finished game is left alone, at least.
	// Where games take longer it is patienceGaps times the usual gap between them.
	leastPatience = time.Minute
	patienceGaps  = 8
	// mostHolders is how many workers may play the same games, near a generation's end.
	mostHolders = 2
	// forgetAfter is how long a worker that says nothing is listed.
	forgetAfter = 10 * time.Minute
)

// coordinator decides who plays what. It has no clock, disk or goroutine: times are the
// caller's, since any fixed moment, and must not fall.
type coordinator struct {
	task Task
	open bool // games of task are wanted
	over bool

	// The games of the generation are base to end-1. Those below first were in files
	// before, those below taken were handed to the writer, those below written are in
	// files.
	base, first, taken, written, end int64
	games                            []slot // of game first+i

	leases  map[uint64]*grant
	expired map[uint64]bool // of this generation
	fence   uint64          // of the last grant
	workers map[string]*workerState
	parcels map[string]*arrival
	gap     time.Duration // mean between finished games of a lease; 0: unknown

	faults Faults
}

// slot is a game of the present generation.
type slot struct {
	game    *selfplay.Finished // nil: not there, or taken already
	arrived bool
	sum     uint64
	worker  string
	holders int // leases on it
}

// grant is a lease that a worker has.
type grant struct {
	Lease
	worker string
	done   int           // games finished, as it says
	moved  time.Duration // when that rose
}

// workerState is what is known of a worker.
type workerState struct {
	last  Report
	heard time.Duration
	games int64 // that were the first of their number
	told  bool  // that the run is over, with receipts for all its parcels
}

// arrival is a parcel that came.
type arrival struct {
	end     int64
	refused string
	settle  func() // forgets the message that brought it; nil once called
}

// Faults counts what went wrong and was dealt with.
type Faults struct {
	// Damaged parcels were sent again, Refused ones were not what was asked for. Of
	// Differing games two workers sent different results. Expired leases went to others,
	// Repeated games came twice.
	Damaged, Refused, Differing, Expired, Repeated int64
}

// newCoordinator grants leases with fences above session, which no other process may
// share.
func newCoordinator(session uint64) *coordinator {
	return &coordinator{
		fence: session, leases: map[uint64]*grant{}, expired: map[uint64]bool{}, workers: map[string]*workerState{}, parcels: map[string]*arrival{},
	}
}

// begin wants the games first to end-1 of a generation that begins with game base.
func (c *coordinator) begin(t Task, base, first, end int64) {
	c.task, c.open = t, true
	c.base, c.first, c.taken, c.written, c.end = base, first, first, first, end
	c.games = make([]slot, end-first)
	clear(c.leases)
	clear(c.expired)
	c.settleWritten()
}

// close wants no more games, for now or, if over is set, for good.
func (c *coordinator) close(over bool) {
	c.open, c.over = false, over
	clear(c.leases)
	c.settleWritten()
}

// next takes the next game in order, nil if it is not there.
func (c *coordinator) next() *selfplay.Finished {
	if c.taken >= c.end {
		return nil
	}
	s := &c.games[c.taken-c.first]
	f := s.game
	if f != nil {
		s.game = nil
		c.taken++
	}
	return f
}

// wrote notes that all games below n are in files.
func (c *coordinator) wrote(n int64) {
	if n > c.written {
		c.written = n
		c.settleWritten()
	}
}

// settleWritten forgets the messages of parcels that nobody needs any more.
func (c *coordinator) settleWritten() {
	for digest, a := range c.parcels {
		if a.refused == "" && a.end <= c.written {
			a.done()
		}
		if a.settle == nil && a.end <= c.base { // the numbers tell about it, see receipts
			delete(c.parcels, digest)
		}
	}
}

func (a *arrival) done() {
	if a.settle != nil {
		a.settle()
		a.settle = nil
	}
}

// arrive takes a parcel whose games the judge has found possible; fault says why it or
// the judge's reader refused them. settle is called once the message may be forgotten,
// which for a damaged one is now. It returns the games that were not there yet.
func (c *coordinator) arrive(p *Parcel, games []*selfplay.Finished, fault error, settle func()) (fresh []*selfplay.Finished) {
	a := &arrival{settle: settle}
	if fault == nil {
		fresh, fault = c.accept(p, games)
	}
	if len(p.Games) > 0 {
		a.end = p.end()
	}
	if known := c.parcels[p.Digest]; known != nil && known.refused == "" {
		settle() // a second message with the same games
		return nil
	}
	c.parcels[p.Digest] = a
	if fault != nil {
		c.faults.Refused++
		a.refused = fault.Error()
		a.done()
		return nil
	}
	if a.end <= c.written {
		a.done()
	}
	return fresh
}

// damaged notes a parcel that is not what its sender named. The sender is asked for it
// again, as it has no receipt.
func (c *coordinator) damaged(settle func()) {
	c.faults.Damaged++
	settle()
}

// accept takes the games of a parcel that are not there yet, or none of them.
func (c *coordinator) accept(p *Parcel, games []*selfplay.Finished) (fresh []*selfplay.Finished, err error) {
	if d := p.differs(&c.task); d != "" {
		return nil, fmt.Errorf("it is of another task: %s", d)
	}
	switch {
	case p.Generation < c.task.Generation:
		return nil, nil // late: all its games are there
	case p.Generation > c.task.Generation:
		return nil, fmt.Errorf("it is of generation %d: the run is at %d", p.Generation, c.task.Generation)
	}
	sums := make([]uint64, len(games))
	for i, f := range games {
		if f.Number < c.base || f.Number >= c.end {
			return nil, fmt.Errorf("game %d is not of generation %d: want %d to %d", f.Number, p.Generation, c.base, c.end-1)
		}
		if f.Number < c.first {
			continue
		}
		sums[i] = sumOf(f)
		if s := &c.games[f.Number-c.first]; s.arrived && s.sum != sums[i] {
			c.faults.Differing++
			return nil, fmt.Errorf("game %d differs from the same game as worker %.8s played it, though seed, network and kernels are equal: one of the two computes wrongly", f.Number, s.worker)
		}
	}
	for i, f := range games {
		if f.Number < c.first || c.games[f.Number-c.first].arrived {
			c.faults.Repeated++
			continue
		}
		s := &c.games[f.Number-c.first]
		s.game, s.arrived, s.sum, s.worker = f, true, sums[i], p.Worker
		fresh = append(fresh, f)
	}
	if w := c.workers[p.Worker]; w != nil {
		w.games += int64(len(fresh))
	}
	return fresh, nil
}

// report takes what a worker says and returns what it should do.
func (c *coordinator) report(now time.Duration, r *Report) *Reply {
	if t := (&Task{Run: r.Run, Kernel: r.Kernel, Build: r.Build, Config: c.task.Config, Generation: -1}); c.task.Run != "" {
		if d := t.differs(&c.task); d != "" {
			return &Reply{Refused: d}
		}
	}
	w := c.workers[r.Worker]
	if w == nil {
		w = &workerState{}
		c.workers[r.Worker] = w
	}
	w.last, w.heard = *r, now
	reply := &Reply{Over: c.over}
	c.renew(now, r, reply)
	c.expire(now)
	c.grant(now, r, reply)
	c.receipts(r, reply)
	w.told = reply.Over && len(reply.Receipts) == len(r.Waiting)
	return reply
}

// lately is how long ago a worker was heard of that is still there.
const lately = 5 * time.Second

// allTold reports whether all workers that are still there know that the run is over.
func (c *coordinator) allTold(now time.Duration) bool {
	for _, w := range c.workers {
		if !w.told && now-w.heard < lately {
			return false
		}
	}
	return true
}

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
		if g == nil || g.worker != r.Worker || c.complete(&g.Lease) {
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
		if s.holders > 0 {
			return false
		}
		missing = missing || !s.arrived
	}
	return missing
}

// hold enters a lease.
func (c *coordinator) hold(now time.Duration, worker string, l Lease) *grant {
	g := &grant{Lease: l, worker: worker, moved: now}
	c.leases[l.Fence] = g
	for n := max(l.First, c.first); n < l.End; n++ {
		c.games[n-c.first].holders++
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
		c.games[n-c.first].holders--
	}
}

// complete tells whether all games of a lease are there.
func (c *coordinator) complete(l *Lease) bool {
	for n := max(l.First, c.first); n < l.End; n++ {
		if !c.games[n-c.first].arrived {
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
		first, end := c.free(min(wants, c.share()))
		if first == end {
			if first, end = c.spare(now, r.Worker, wants); first == end {
				return
			}
		}
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
		if s := &c.games[i]; !s.arrived && s.holders == 0 {
			free++
		}
	}
	return max(1, free/int64(2*max(1, len(c.workers))))
}

// free returns the first games that nobody has, most of them.
func (c *coordinator) free(most int64) (first, end int64) {
	for i := range c.games {
		n := c.first + int64(i)
		if s := &c.games[i]; s.arrived || s.holders > 0 {
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
		if f, e := c.missing(&g.Lease, most); e > f {
			oldest, first, end = g, f, e
		}
	}
	return first, end
}

// missing returns games of a lease that are missing and have room for another holder: the
// first such, and those up to the next that is not.
func (c *coordinator) missing(l *Lease, most int64) (first, end int64) {
	for n := max(l.First, c.first); n < l.End; n++ {
		s := &c.games[n-c.first]
		if s.arrived || s.holders >= mostHolders {
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

// receipts answers for the parcels that a worker keeps.
func (c *coordinator) receipts(r *Report, reply *Reply) {
	for _, p := range r.Waiting {
		a := c.parcels[p.Digest]
		switch {
		case p.Run != c.task.Run || c.task.Run == "":
		case a != nil && a.refused != "":
			reply.Receipts = append(reply.Receipts, Receipt{p.Digest, a.refused})
		case p.Generation < c.task.Generation || p.Generation == c.task.Generation && p.End <= c.written:
			reply.Receipts = append(reply.Receipts, Receipt{Digest: p.Digest})
		case a == nil:
			reply.Again = append(reply.Again, p.Digest)
		}
	}
}
