package player

import (
	"errors"
	"time"

	"github.com/ludozero/ludozero/engine"
)

// timeByClock is the word for a time that the clock of the game decides.
const timeByClock = "clock"

// ErrNoClock refuses to think by a clock where there is none.
var ErrNoClock = errors.New("time=" + timeByClock + " divides the time of a game and needs one with clocks, such as --clock 5+3: want a fixed time=100ms elsewhere")

const (
	// clockMargin is kept back for what a player cannot foresee: an evaluation
	// that has begun, a collection of garbage, a core that is busy with something
	// else. It is not spent each turn, only never touched. Twice the lateness of
	// recent searches is kept back besides: where more than 20 processes shared two
	// cores, single searches ended up to 670 ms late.
	clockMargin = 50 * time.Millisecond
	// lateMemory is the part of a lateness that counts one search later, so that
	// half of it counts 35 searches later, about a game.
	lateMemory = 0.98
	// leastOwnTurns bounds how soon a game is thought to end: who is wrong about
	// the last turns of a game has to live on the increment.
	leastOwnTurns = 4
)

// allot is how long to think about a turn by a clock that shows remaining and
// adds increment to each finished turn, if the player expects so many turns of
// its own, this one included, and keeps margin back.
//
// What is left beyond one increment is spread evenly, and the increment of the turn
// is spent on the turn, which uses up all that there will be, after Huang, Coulom
// and Lin 2010 (Time Management for Monte-Carlo Tree Search Applied to the Game of
// Go) and KataGo's cpp/search/timecontrols.cpp. Never more than half of what is
// left goes into one turn, so that the clock holds about an increment once the
// stock is used up. Unlike there no part of the game gets more than others.
func allot(remaining, increment time.Duration, turns float64, margin time.Duration) time.Duration {
	usable := max(remaining-margin, remaining/4)
	even := increment + time.Duration(float64(max(0, usable-increment))/max(turns, leastOwnTurns))
	return max(0, min(even, usable/2))
}

// byClock is the part of a stopwatch that divides a game's time.
type byClock struct {
	remaining, increment time.Duration
	told                 bool          // of them, for the decision to come
	turn                 int           // of the last decision; -1: none in this game
	late                 time.Duration // of recent searches
}

// SetClock implements evaluation.Clocked. Players that are limited otherwise do not
// mind.
func (w *stopwatch) SetClock(remaining, increment time.Duration) {
	w.clock.remaining, w.clock.increment, w.clock.told = remaining, increment, true
}

// newGame forgets the turns of the last game.
func (w *stopwatch) newGame() { w.clock.turn, w.clock.told = -1, false }

// divide sets the limit of the decision in s, which start has begun, if the clock
// decides; turns is how many player turns are expected to be left, those of both
// players together. A turn's later decisions get half: most have few answers.
func (w *stopwatch) divide(s engine.State, turns float64) error {
	if !w.effort.Clock {
		return nil
	}
	if !w.clock.told {
		return ErrNoClock
	}
	w.clock.told = false
	w.limit = w.clock.share(s, turns)
	return nil
}

// share is the part of the time for the decision in s, if turns player turns are
// left.
func (c *byClock) share(s engine.State, turns float64) time.Duration {
	d := allot(c.remaining, c.increment, (turns+1)/2, clockMargin+2*c.late)
	if c.turn == s.Turn() {
		d /= 2
	}
	c.turn = s.Turn()
	return d
}

// note remembers by how much a decision was late; less than 0 is early.
func (c *byClock) note(late time.Duration) {
	c.late = max(late, time.Duration(lateMemory*float64(c.late)))
}

// decided reports whether a search for visits that goes by the clock may end since
// the second most visited action cannot overtake the first any more: at the speed
// so far, done simulations since start, not that many will fit in the time that is
// left. It is the strategy STOP of Baier and Winands 2016 (Time Management for
// Monte Carlo Tree Search), the best of those that they tried in Go, Connect Four
// and three other games; what it saves, later turns get. A search that might still
// be proven otherwise ends, too.
func (w *stopwatch) decided(first, second, done int) bool {
	return beyondReach(first, second, done, w.now().Sub(w.began), w.limit)
}

// beyondReach is decided for a search that has taken so much of its limit.
func beyondReach(first, second, done int, took, limit time.Duration) bool {
	return done >= leastDecided && took > 0 && float64(first-second) > float64(done)*float64(limit-took)/float64(took)
}

// leastDecided is how many simulations a speed can be told by.
const leastDecided = 64
