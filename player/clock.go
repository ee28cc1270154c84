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
	clockMargin = 100 * time.Millisecond
	// lateMemory is the part of a lateness that counts one search later, so that
	// half of it counts 35 searches later, about a game.
	lateMemory = 0.98
	// leastOwnTurns bounds how soon a game is expected to end: a player that is wrong
	// about the last turns of a game has to live on the increment.
	leastOwnTurns = 4
)

// allot is how long to search in a turn by a clock that shows remaining and
// adds increment to each finished turn, if the player expects that many turns of
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

// share is the part of the time on the clock for the decision in s, if turns player
// turns are left. A turn's later decisions get half: most have few answers.
func (t *timer) share(s engine.State, turns float64, remaining, increment time.Duration) time.Duration {
	d := allot(remaining, increment, (turns+1)/2, clockMargin+2*t.late)
	if t.turn == s.Turn() {
		d /= 2
	}
	t.turn = s.Turn()
	return d
}

// note remembers by how much a decision was late; less than 0 is early.
func (t *timer) note(late time.Duration) {
	t.late = max(late, time.Duration(lateMemory*float64(t.late)))
}
