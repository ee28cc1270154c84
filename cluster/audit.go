package cluster

import (
	crypto "crypto/rand"
	"fmt"
	"slices"
	"time"
)

// slot is a game of the present generation.
type slot struct {
	game    *result // nil: not there, or taken already
	arrived bool
	there   bool // it was before: the host has it
	sum     sum
	worker  string   // who sent it first
	holders []string // workers with a lease on it
	// audit has a second worker play it, too: it counts when both agree.
	audit, agreed bool
	// Of a concurrent run: the network that played it, and its number once it is numbered.
	network  int
	numbered bool
	number   int64
}

// done tells whether the game needs nobody any more.
func (s *slot) done() bool { return s.arrived && !s.unchecked() }

// unchecked tells whether the game counts only once a second worker has played it.
func (s *slot) unchecked() bool { return s.audit && !s.agreed }

// needs is how many workers must play the game.
func (s *slot) needs() int {
	if s.audit {
		return 2
	}
	return 1
}

// players is how many workers play it or have.
func (s *slot) players() int {
	n := len(s.holders)
	if s.arrived && !slices.Contains(s.holders, s.worker) {
		n++
	}
	return n
}

// wants tells whether a worker should play the game if up to most may.
func (s *slot) wants(worker string, most int) bool {
	return !s.done() && s.players() < most && !slices.Contains(s.holders, worker) && !(s.arrived && s.worker == worker)
}

// choose decides whether games are audited that a worker gets, those of them that nobody
// else has or had.
func (c *coordinator) choose(worker string, first, end int64) {
	games := c.games[first-c.first : end-c.first]
	untouched := func(s slot) bool { return s.players() == 0 }
	if w := c.workers[worker]; c.audit == 0 || w == nil || w.trusted || !slices.ContainsFunc(games, untouched) || c.draw() >= c.audit {
		return
	}
	for i := range games {
		if untouched(games[i]) {
			games[i].audit = true
		}
	}
}

// chooseSent decides whether games of a parcel are audited that its worker has no lease on,
// so that choose has not been asked: nobody may send what is never checked.
func (c *coordinator) chooseSent(p *Parcel, games []*result) {
	if w := c.workers[p.Worker]; c.audit == 0 || w != nil && w.trusted {
		return
	}
	drawn, audited := false, false
	for _, f := range games {
		if f.number < c.first {
			continue
		}
		s := &c.games[f.number-c.first]
		if s.arrived || slices.Contains(s.holders, p.Worker) {
			continue
		}
		if !drawn {
			drawn, audited = true, c.draw() < c.audit
		}
		s.audit = s.audit || audited
	}
}

// stillThere is how long ago a worker was heard of that may be given games.
const stillThere = 30 * time.Second

// unaudited lets games count without a second worker if nobody is there to be one.
func (c *coordinator) unaudited(now time.Duration) {
	if !c.nobodyChecks(now) {
		return
	}
	for i := range c.games {
		c.games[i].audit = c.games[i].audit && c.games[i].agreed
	}
}

// nobodyChecks tells whether there is nobody who could play games again.
func (c *coordinator) nobodyChecks(now time.Duration) bool {
	if !c.heard {
		c.heard, c.firstReport = true, now
	}
	return now-c.firstReport >= stillThere && c.present(now) <= 1
}

// present is how many workers are there.
func (c *coordinator) present(now time.Duration) int {
	n := 0
	for _, w := range c.workers {
		if now-w.heard < stillThere {
			n++
		}
	}
	return n
}

// dispute is a game of which two workers sent different results or, without a first, of
// which the rules cannot tell whether the second played it: the host has to play it.
type dispute struct {
	task                Task
	number              int64
	seed                uint64 // of a concurrent run
	first, second       string
	firstSum, secondSum sum
}

// decide cuts off whoever sent something else than the host, which has played the game
// itself. What they sent and was not written is forgotten; what was written before, each
// result agreed on or not audited, stays.
func (c *coordinator) decide(d *dispute, truth sum) {
	if d.first != "" || d.secondSum != truth {
		c.faults.Differing++
	}
	if d.secondSum != truth {
		c.cutOff(d.second, d.number)
	}
	if d.first != "" && d.firstSum != truth {
		c.cutOff(d.first, d.number)
	}
	// What was handed on already stays, but is no dispute any more.
	if s := c.slotOf(d); s != nil && s.arrived {
		s.sum = truth
	}
}

// mustPlay tells whether the host has to play a game of a parcel before it counts.
func (c *coordinator) mustPlay(p *Parcel, f *result) bool {
	w := c.workers[p.Worker]
	return f.unsure && !c.loose && (w == nil || !w.trusted)
}

// unsure is the dispute about a game of a parcel that only a search could tell about.
func (c *coordinator) unsure(p *Parcel, f *result) *dispute {
	return &dispute{task: c.task, number: f.number, seed: f.seed, second: p.Worker, secondSum: f.sum}
}

// slotOf is the slot of a disputed game, nil if there is none.
func (c *coordinator) slotOf(d *dispute) *slot {
	if c.stream != nil {
		return c.stream.slots[d.seed]
	}
	if d.task != c.task || d.number < c.first || d.number >= c.end { // the host has played it for longer than that went on
		return nil
	}
	return &c.games[d.number-c.first]
}

func (c *coordinator) cutOff(worker string, number int64) {
	if c.banned[worker] != "" {
		return
	}
	written := int64(0)
	if w := c.workers[worker]; w != nil {
		written = w.games
	}
	for i := range c.games {
		s := &c.games[i]
		if s.worker == worker && s.game != nil {
			*s = slot{holders: s.holders, audit: s.audit}
			written--
		}
	}
	why := "cut off: its game %d is not what the trainer's own search gives"
	if c.stream != nil {
		written -= c.cutOffStream(worker, fmt.Sprintf(why, number))
	}
	for fence, g := range c.leases {
		if g.worker == worker {
			c.release(fence, worker)
		}
	}
	c.faults.CutOff++
	name := ""
	if w := c.workers[worker]; w != nil {
		name = w.last.Name
	}
	c.banned[worker] = fmt.Sprintf(why+"; %d games of it were written before that", number, max(0, written))
	if c.onCut != nil {
		c.onCut(worker, name, c.banned[worker])
	}
	delete(c.workers, worker)
}

// randomSeed is a seed that nobody can foretell.
func randomSeed() (seed [32]byte) {
	if _, err := crypto.Read(seed[:]); err != nil {
		panic("BUG: crypto/rand failed: " + err.Error()) // it never returns an error
	}
	return seed
}
