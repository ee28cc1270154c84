package cluster

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/ludozero/ludozero/train/rundir"
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
	expired map[uint64]time.Duration // of this generation: when they last had progress
	fence   uint64                   // of the last grant
	workers map[string]*workerState
	parcels map[string]*arrival
	swept   time.Duration // when leases were looked over
	gap     time.Duration // mean between finished games of a lease; 0: unknown
	// patience is how long a lease without a finished game is left alone where no gap says
	// more; now is when the last report came.
	patience, now time.Duration

	// audit is the share of leases that a second worker plays, too, draw a number in
	// [0, 1) that nobody can foretell.
	audit float64
	// loose takes games as they are that another worker has played otherwise, anyKernel
	// workers of any kernel level; leases end at multiples of unit where they can.
	loose, anyKernel bool
	unit             int64
	draw             func() float64
	banned           map[string]string // workers that were cut off, with the reason
	// onCut, if not nil, is told of a worker that is cut off.
	onCut func(worker, name, why string)
	// firstReport is when the first worker was heard, if heard is set.
	heard       bool
	firstReport time.Duration

	faults rundir.ClusterFaults

	stream *stream // nil unless the run is concurrent: then games is empty
}

// grant is a lease that a worker has.
type grant struct {
	Lease
	worker string
	done   int           // games finished, as it says
	moved  time.Duration // when that rose
	// sent is when the worker last said that all is played and a parcel of it on its way.
	sent time.Duration
}

// workerState is what is known of a worker.
type workerState struct {
	last  Report
	heard time.Duration
	since time.Duration // when it came, or came back
	games int64         // that were the first of their number
	// inHand is how many games it has been given and not finished.
	inHand int64
	// trusted is the worker of the host's process: nobody plays its games again.
	trusted bool
	told    bool // that the run is over, with receipts for all its parcels
}

// arrival is a parcel that came.
type arrival struct {
	end     int64
	refused string
	// Of a concurrent run: who sent it, its games and the network that played them.
	worker  string
	slots   []*slot
	network int
	settle  func() // forgets the message that brought it; nil once called
}

// newCoordinator grants leases with fences above session, which no other process may
// share.
func newCoordinator(session uint64) *coordinator {
	return &coordinator{
		fence: session, unit: 1, patience: leastPatience, leases: map[uint64]*grant{}, expired: map[uint64]time.Duration{}, workers: map[string]*workerState{}, parcels: map[string]*arrival{},
		draw: func() float64 { return rand.New(rand.NewChaCha8(randomSeed())).Float64() }, banned: map[string]string{},
	}
}

// begin wants the games first to end-1 of a generation that begins with game base, but
// for those of them that are there already.
func (c *coordinator) begin(t Task, base, first, end int64, there ...int64) {
	if t.Series && t != c.task { // all parcels of the series before are late now
		c.patience = leastPatience
		for digest, a := range c.parcels {
			a.done()
			delete(c.parcels, digest)
		}
	}
	c.task, c.open = t, true
	c.base, c.first, c.taken, c.written, c.end = base, first, first, first, end
	c.games = make([]slot, end-first)
	for _, n := range there {
		c.games[n-first] = slot{arrived: true, there: true}
	}
	clear(c.leases)
	clear(c.expired)
	c.settleWritten()
}

// close wants no more games until the next generation or, if over is set, for good.
func (c *coordinator) close(over bool) {
	c.open, c.over = false, over
	clear(c.leases)
	c.settleWritten()
}

// next takes the next game in order, nil if it is not there.
func (c *coordinator) next() *result {
	if c.stream != nil {
		return c.nextStream()
	}
	for c.taken < c.end && c.games[c.taken-c.first].there {
		c.taken++
	}
	if c.taken >= c.end {
		return nil
	}
	s := &c.games[c.taken-c.first]
	if s.game == nil || !s.done() {
		return nil
	}
	f := s.game
	s.game = nil
	c.taken++
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
		if a.settle != nil && a.refused == "" && c.inFiles(a) {
			a.done()
		}
		if c.stream == nil && a.settle == nil && a.end <= c.base { // the numbers tell about it, see receipts
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
// which for a damaged one is now. It returns the games that were not there yet, or a
// dispute, which is to be settled before the parcel arrives again.
func (c *coordinator) arrive(p *Parcel, games []*result, fault error, settle func()) (fresh []*result, d *dispute) {
	a := &arrival{settle: settle}
	if fault == nil && c.late(&p.Task) {
		settle()
		return nil, nil
	}
	if fault == nil {
		if c.stream != nil {
			fresh, a.slots, d, fault = c.acceptStream(p, games)
		} else {
			fresh, d, fault = c.accept(p, games)
		}
		if d != nil {
			return nil, d
		}
	}
	if c.stream != nil {
		a.worker, a.network = p.Worker, p.Network
	} else if len(p.Games) > 0 {
		a.end = p.end()
	}
	if c.again(p.Digest, settle) {
		return nil, nil
	}
	c.parcels[p.Digest] = a
	if fault != nil {
		c.refuse(a, fault)
		return nil, nil
	}
	if c.inFiles(a) {
		a.done()
	}
	return fresh, nil
}

// again tells whether a parcel came before and was not refused, and settles the second
// message with it.
func (c *coordinator) again(digest string, settle func()) bool {
	a := c.parcels[digest]
	if a == nil || a.refused != "" {
		return false
	}
	settle()
	return true
}

func (c *coordinator) refuse(a *arrival, fault error) {
	c.faults.Refused++
	a.refused = fault.Error()
	a.done()
}

// damaged notes a parcel that is not what its sender named. The sender is asked for it
// again, as it has no receipt.
func (c *coordinator) damaged(settle func()) {
	c.faults.Damaged++
	settle()
}

// differs says in what a task is not the present one, "" if in nothing that matters.
func (c *coordinator) differs(t Task) string {
	if c.anyKernel {
		t.Kernel = c.task.Kernel
	}
	return t.differs(&c.task)
}

// late tells whether a task is a series that is over: of that nobody needs a game. Series
// follow each other in the same order whenever a host begins again.
func (c *coordinator) late(t *Task) bool {
	return c.task.Series && t.Series && t.Run == c.task.Run && t.Weights != c.task.Weights
}

// accept takes the games of a parcel that are not there yet, or none of them.
func (c *coordinator) accept(p *Parcel, games []*result) (fresh []*result, d *dispute, err error) {
	if why := c.banned[p.Worker]; why != "" {
		return nil, nil, errors.New(why)
	}
	if d := c.differs(p.Task); d != "" {
		return nil, nil, fmt.Errorf("it is of another task: %s", d)
	}
	switch {
	case p.Generation < c.task.Generation:
		return nil, nil, nil // late: all its games are there
	case p.Generation > c.task.Generation:
		return nil, nil, fmt.Errorf("it is of generation %d: the run is at %d", p.Generation, c.task.Generation)
	}
	for _, f := range games {
		if f.number < c.base || f.number >= c.end {
			return nil, nil, fmt.Errorf("game %d is not of generation %d: want %d to %d", f.number, p.Generation, c.base, c.end-1)
		}
		if f.number < c.first {
			continue
		}
		if s := &c.games[f.number-c.first]; s.arrived && !s.there && s.sum != f.sum && !c.loose {
			return nil, &dispute{task: c.task, number: f.number, first: s.worker, second: p.Worker, firstSum: s.sum, secondSum: f.sum}, nil
		} else if !s.arrived && c.mustPlay(p, f) {
			return nil, c.unsure(p, f), nil
		}
	}
	c.chooseSent(p, games)
	for _, f := range games {
		if f.number < c.first {
			c.faults.Repeated++
			continue
		}
		s := &c.games[f.number-c.first]
		if s.arrived {
			s.agreed = s.agreed || s.worker != p.Worker
			c.faults.Repeated++
			continue
		}
		s.game, s.arrived, s.sum, s.worker = f, true, f.sum, p.Worker
		fresh = append(fresh, f)
	}
	if w := c.workers[p.Worker]; w != nil {
		w.games += int64(len(fresh))
		c.wait(p.Fence, w)
	}
	return fresh, nil, nil
}

// report takes what a worker says and returns what it should do.
func (c *coordinator) report(now time.Duration, r *Report) *Reply {
	if t := (&Task{Run: r.Run, Kernel: r.Kernel, Build: r.Build, Config: c.task.Config, Generation: -1, Series: c.task.Series}); c.task.Run != "" {
		if d := c.differs(*t); d != "" {
			return &Reply{Refused: d}
		}
	}
	if why := c.banned[r.Worker]; why != "" {
		return &Reply{Refused: why, CutOff: true}
	}
	if why := r.wrong(); why != "" {
		return &Reply{Refused: why}
	}
	w := c.workers[r.Worker]
	if w == nil {
		w = &workerState{trusted: r.trusted, since: now}
		c.workers[r.Worker] = w
	}
	if now-w.heard > stillThere {
		w.since = now
	}
	c.now, w.last, w.heard = now, *r, now
	w.last.Holds, w.last.Waiting = nil, nil // they may be long, and are read now
	reply := &Reply{Over: c.over}
	if c.stream != nil {
		stock, checks := c.renewStream(now, r, reply)
		c.expireStream(now)
		c.grantStream(now, r, reply, stock, checks)
	} else {
		c.renew(now, r, reply)
		c.expire(now)
		c.unaudited(now)
		c.grant(now, r, reply)
	}
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

// receipts answers for the parcels that a worker keeps.
func (c *coordinator) receipts(r *Report, reply *Reply) {
	for i := range r.Waiting {
		p := &r.Waiting[i]
		a := c.parcels[p.Digest]
		switch {
		case p.Run != c.task.Run || c.task.Run == "":
		case a != nil && a.refused != "":
			reply.Receipts = append(reply.Receipts, Receipt{p.Digest, a.refused})
		case c.needless(p, a):
			reply.Receipts = append(reply.Receipts, Receipt{Digest: p.Digest})
		case a == nil && !p.Unsent:
			reply.Again = append(reply.Again, p.Digest)
		}
	}
}

// needless tells whether a parcel that a worker keeps is needed no more; a is its arrival, nil
// if it has not come.
func (c *coordinator) needless(p *Waiting, a *arrival) bool {
	switch {
	case c.over: // a test has its verdict, or a budget is used up
		return true
	case c.stream != nil:
		return a != nil && c.inFiles(a)
	case c.task.Series && p.Weights != c.task.Weights:
		return true
	}
	return p.Generation < c.task.Generation || p.Generation == c.task.Generation && p.End <= c.written
}
