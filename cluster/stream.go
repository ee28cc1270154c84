package cluster

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ludozero/ludozero/train/play"
)

// mostChecks is how many leases on games of others a worker has at a time.
const mostChecks = 8

// aloneGenerations is how many generations' games all workers together may play with the
// networks that they have while the host is away. Where that goes on learning they are as
// old then. It leaves room for the two by which games are ahead, and for games in flight.
const aloneGenerations = play.OldestNetwork - 3

// stream is what the coordinator of a concurrent run knows besides. There a lease names
// seeds, and the oldest network that may play by them. A game gets its number when it
// comes: none is missing if it never does, so that leases need no end and nobody else
// plays their games, but to check them.
type stream struct {
	per, limit int64        // games of a generation; from that number on none should begin
	networks   map[int]Task // whose games still count, by generation
	number     int64        // that no lease has yet
	slots      map[uint64]*slot
	ready      []*slot // that count, in the order of their numbers to be
	checked    []*slot // that have waited for a second worker and count before those
	checks     []*check
}

// check is a row of games of one parcel that a second worker has to play, with the same
// network, before they count.
type check struct {
	Lease // of the second worker; its fence is 0 as long as there is none
	slots []*slot
}

// beginStream wants the games from next to end-1, which get their numbers in the order in
// which they come. known are the seeds of those in files, with the network of each.
func (c *coordinator) beginStream(per, next, end int64, known map[uint64]int) {
	c.stream = &stream{
		per: per, limit: next, networks: map[int]Task{}, number: int64(c.fence &^ (1 << 63)), slots: map[uint64]*slot{},
	}
	for seed, network := range known {
		c.stream.slots[seed] = &slot{arrived: true, there: true, network: network}
	}
	c.open = true
	c.base, c.first, c.taken, c.written, c.end = next, next, next, next, end
}

// publish makes t the task of games that begin from now on, and forgets what is too old to
// count.
func (c *coordinator) publish(t Task) {
	s := c.stream
	c.task = t
	s.networks[t.Network] = t
	for g := range s.networks {
		if c.tooOld(g) != nil {
			delete(s.networks, g)
		}
	}
	for seed, one := range s.slots {
		if c.tooOld(one.network) != nil && (one.there || one.numbered && one.number < c.written) {
			delete(s.slots, seed)
		}
	}
	for digest, a := range c.parcels {
		if a.settle == nil && c.tooOld(a.network) != nil {
			delete(c.parcels, digest)
		}
	}
	for _, k := range s.checks {
		for _, one := range k.slots {
			if err := c.tooOld(one.network); err != nil && one.unchecked() {
				c.outdate(one, err)
			}
		}
	}
	c.endChecks()
}

// outdate refuses what a game came in: it has waited for a second worker for too long.
func (c *coordinator) outdate(one *slot, why error) {
	one.audit = false
	delete(c.stream.slots, one.game.seed)
	for _, a := range c.parcels {
		if a.refused == "" && a.settle != nil && slices.Contains(a.slots, one) {
			c.refuse(a, why)
		}
	}
}

// tooOld says why a game of a network does not count, nil if it does.
func (c *coordinator) tooOld(network int) error {
	if due := int(c.taken / c.stream.per); due-network > play.OldestNetwork {
		return fmt.Errorf("network %d has played it, and games of generation %d are due: they count with networks from %d on", network, due, due-play.OldestNetwork)
	}
	return nil
}

// acceptStream is accept for a concurrent run. slots are all games of the parcel.
func (c *coordinator) acceptStream(p *Parcel, games []*result) (fresh []*result, slots []*slot, d *dispute, err error) {
	refuse := func(err error) ([]*result, []*slot, *dispute, error) { return nil, nil, nil, err }
	if why := c.banned[p.Worker]; why != "" {
		return refuse(errors.New(why))
	}
	if c.taken >= c.end {
		return nil, nil, nil, nil // nobody needs it
	}
	s := c.stream
	task, known := s.networks[p.Network]
	if !known {
		task = c.task
	}
	if c.anyKernel {
		task.Kernel = p.Kernel
	}
	if d := p.differs(&task); d != "" {
		return refuse(fmt.Errorf("it is of another task: %s", d))
	}
	if err := c.tooOld(p.Network); err != nil {
		return refuse(err)
	}
	if !known || p.Generation != p.Network {
		return refuse(fmt.Errorf("network %d of generation %d has played it: the run has none to compare it with", p.Network, p.Generation))
	}
	for _, f := range games {
		switch one := s.slots[f.seed]; {
		case one == nil && c.mustPlay(p, f):
			return nil, nil, c.unsure(p, f), nil
		case one == nil:
		case one.network != p.Network:
			return refuse(fmt.Errorf("game %d of its lease has come before, played by network %d", f.number, one.network))
		case !one.there && one.sum != f.sum && !c.loose:
			return nil, nil, &dispute{number: f.number, seed: f.seed, first: one.worker, second: p.Worker, firstSum: one.sum, secondSum: f.sum}, nil
		}
	}
	w := c.workers[p.Worker]
	audit := c.audit > 0 && (w == nil || !w.trusted) && c.draw() < c.audit
	for _, f := range games {
		one := s.slots[f.seed]
		if one != nil {
			c.faults.Repeated++
			if one.unchecked() && one.worker != p.Worker {
				one.agreed = true
				s.checked = append(s.checked, one)
			}
			slots = append(slots, one)
			continue
		}
		one = &slot{game: f, arrived: true, sum: f.sum, worker: p.Worker, network: p.Network, audit: audit}
		s.slots[f.seed] = one
		slots, fresh = append(slots, one), append(fresh, f)
		if !audit {
			s.ready = append(s.ready, one)
		} else if n := len(s.checks); len(fresh) > 1 && s.checks[n-1].End == f.number {
			s.checks[n-1].End++
			s.checks[n-1].slots = append(s.checks[n-1].slots, one)
		} else {
			s.checks = append(s.checks, &check{Lease{Task: p.Task, First: f.number, End: f.number + 1, Exact: true}, []*slot{one}})
		}
	}
	if w != nil {
		w.games += int64(len(fresh))
	}
	return fresh, slots, nil, nil
}

// nextStream takes the next game, nil if there is none, and gives it its number.
func (c *coordinator) nextStream() *result {
	s := c.stream
	for c.taken < c.end {
		list := &s.checked
		if len(*list) == 0 {
			list = &s.ready
		}
		if len(*list) == 0 {
			return nil
		}
		one := (*list)[0]
		*list = (*list)[1:]
		if err := c.tooOld(one.network); err != nil {
			c.outdate(one, err)
			continue
		}
		f := one.game
		one.game = nil
		one.number, one.numbered = c.taken, true
		c.taken++
		return &result{number: one.number, sum: f.sum, seed: f.seed, game: f.game}
	}
	return nil
}

// inFiles tells whether every game of a parcel is in a file, or needed by nobody.
func (c *coordinator) inFiles(a *arrival) bool {
	if c.stream == nil {
		return a.end <= c.written
	}
	return c.taken >= c.end && c.written >= c.end || !slices.ContainsFunc(a.slots, func(s *slot) bool {
		return !s.there && !(s.numbered && s.number < c.written)
	})
}

// renewStream notes the worker's leases, and drops those that are played or, of another's
// games, not needed any more. It returns how many games it has in stock.
func (c *coordinator) renewStream(now time.Duration, r *Report, reply *Reply) (stock int64, checks int) {
	for i := range r.Holds {
		h := &r.Holds[i]
		g := c.leases[h.Fence]
		if g == nil && c.future(h.Fence) {
			reply.Drop = append(reply.Drop, h.Fence)
			continue
		}
		if g == nil {
			g = &grant{Lease: h.Lease, worker: r.Worker, moved: now}
			c.leases[h.Fence] = g
		}
		if c.progressed(now, g, h); int64(h.Done) == h.End-h.First || g.worker != r.Worker || h.Exact && c.checkOf(h.Fence) == nil {
			delete(c.leases, h.Fence)
			reply.Drop = append(reply.Drop, h.Fence)
		} else if h.Exact {
			checks++
		} else {
			stock += h.End - h.First - int64(h.Done)
		}
	}
	for fence, g := range c.leases {
		if g.worker == r.Worker && !slices.ContainsFunc(r.Holds, func(h Hold) bool { return h.Fence == fence }) {
			c.releaseCheck(fence) // it does not know of it
		}
	}
	return stock, checks
}

// checkOf is the check that was given out under a fence, nil if there is none.
func (c *coordinator) checkOf(fence uint64) *check {
	c.endChecks()
	for _, k := range c.stream.checks {
		if k.Fence == fence {
			return k
		}
	}
	return nil
}

// endChecks forgets the checks of which no game waits for a second worker any more.
func (c *coordinator) endChecks() {
	c.stream.checks = slices.DeleteFunc(c.stream.checks, func(k *check) bool { return !slices.ContainsFunc(k.slots, (*slot).unchecked) })
}

// releaseCheck ends a lease, so that another worker may have it.
func (c *coordinator) releaseCheck(fence uint64) {
	if k := c.checkOf(fence); k != nil {
		k.Fence = 0
	}
	delete(c.leases, fence)
}

// expireStream ends the leases on games of others of workers that play none of them, and
// all of those who are gone.
func (c *coordinator) expireStream(now time.Duration) {
	if now-c.swept < sweepEvery {
		return
	}
	c.swept = now
	for id, w := range c.workers {
		if now-w.heard > forgetAfter {
			delete(c.workers, id)
		}
	}
	for fence, g := range c.leases {
		if g.Exact && now-g.moved > max(leastPatience, patienceGaps*c.gap) {
			c.faults.Expired++
			c.releaseCheck(fence)
		} else if c.workers[g.worker] == nil {
			c.releaseCheck(fence)
		}
	}
	if c.nobodyChecks(now) {
		for _, k := range c.stream.checks {
			for _, one := range k.slots {
				if one.unchecked() {
					one.audit = false
					c.stream.checked = append(c.stream.checked, one)
				}
			}
		}
		c.stream.checks = nil
	}
}

// grantStream says what a worker plays from now on.
func (c *coordinator) grantStream(now time.Duration, r *Report, reply *Reply, stock int64, checks int) {
	s := c.stream
	newest, most := c.task, aloneGenerations*s.per
	come := c.taken + int64(len(s.ready)+len(s.checked)) // also those that are still to be written
	reply.Newest, reply.Enough = &newest, !c.open || come >= min(s.limit, c.end)
	reply.Part = (s.per*int64(max(1, r.Cores))-1)/c.coresPresent(now) + 1
	if !c.open {
		return
	}
	give := func(l Lease) uint64 {
		c.fence++
		l.Fence = c.fence
		c.leases[l.Fence] = &grant{Lease: l, worker: r.Worker, moved: now}
		reply.Leases = append(reply.Leases, l)
		return l.Fence
	}
	for _, k := range s.checks {
		if checks >= mostChecks {
			break
		}
		if k.Fence == 0 && k.slots[0].worker != r.Worker {
			k.Fence = give(k.Lease)
			checks++
		}
	}
	if stock < most { // numbers that nobody plays cost nothing
		give(Lease{Task: newest, First: s.number, End: s.number + most})
		s.number += most
	}
}

// coresPresent is how many cores the workers that are there have. Their speeds would not do:
// who rests has none, and would have no part.
func (c *coordinator) coresPresent(now time.Duration) (cores int64) {
	for _, w := range c.workers {
		if now-w.heard < stillThere {
			cores += int64(max(1, w.last.Cores))
		}
	}
	return cores
}

// cutOffStream forgets what a worker sent and was not handed on, and returns how many
// games that were.
func (c *coordinator) cutOffStream(worker, why string) (forgotten int64) {
	s := c.stream
	for seed, one := range s.slots {
		if one.worker == worker && one.game != nil {
			delete(s.slots, seed)
			forgotten++
		}
	}
	for _, list := range []*[]*slot{&s.ready, &s.checked} {
		*list = slices.DeleteFunc(*list, func(one *slot) bool { return one.worker == worker })
	}
	s.checks = slices.DeleteFunc(s.checks, func(k *check) bool { return k.slots[0].worker == worker })
	for _, a := range c.parcels {
		if a.worker == worker && a.refused == "" && !c.inFiles(a) {
			c.refuse(a, errors.New(why))
		}
	}
	for fence, g := range c.leases {
		if g.worker == worker {
			c.releaseCheck(fence)
		}
	}
	return forgotten
}
