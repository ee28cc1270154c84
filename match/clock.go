package match

import (
	"context"
	"errors"
	"time"

	"github.com/ludozero/ludozero/engine"
)

// TimeForfeit is the reason of a game that a player lost because its time ran
// out.
const TimeForfeit = "time-forfeit"

// ErrFlagFell says that a player's time ran out before it had decided.
var ErrFlagFell = errors.New("the time has run out")

// Clock is the two clocks of one game. A player's own clock runs while it
// decides, and no other time counts: openings, chance, rules and bookkeeping are
// free. At zero its flag has fallen, whatever it has decided by then; there is no
// grace for a machine that was late, players have to allow for that.
//
// The increment is for a turn, not for a decision: it is added once the player's
// turn is finished, which is when State.Turn has advanced or the other player is
// to decide. A double move, or a move with its further decisions, is one turn; so
// is swapping sides, after which the other player moves.
type Clock struct {
	control    TimeControl
	left, used [2]time.Duration // by player
	holder     engine.Player    // the last to decide; Nobody at the beginning
	turn       int              // of that decision
}

// NewClock returns the clocks of a game that has not begun; c must be on.
func NewClock(c TimeControl) *Clock {
	return &Clock{control: c, left: [2]time.Duration{c.Base, c.Base}, holder: engine.Nobody}
}

// Left is what player p, First or Second, has left; at most 0 once its flag has
// fallen: it was late by that much.
func (c *Clock) Left(p engine.Player) time.Duration { return c.left[p] }

// Used is the thinking time of player p, First or Second, so far.
func (c *Clock) Used(p engine.Player) time.Duration { return c.used[p] }

// Control is what the clocks were set to.
func (c *Clock) Control() TimeControl { return c.control }

// Ask says that player p, First or Second, is to decide in this turn of the game.
// The increment of a turn that has ended is thereby added.
func (c *Clock) Ask(p engine.Player, turn int) {
	if c.holder != engine.Nobody && (c.holder != p || c.turn != turn) {
		c.left[c.holder] += c.control.Increment
	}
	c.holder, c.turn = p, turn
}

// Spend takes time from the player who was asked. It reports whether any is left.
func (c *Clock) Spend(took time.Duration) bool {
	took = max(0, took)
	c.used[c.holder] += took
	c.left[c.holder] -= took
	return c.left[c.holder] > 0
}

// Think lets p decide in s, where First or Second is to, on that player's clock, and
// adds to b what the clocks show. A decision is broken off when the time has run out,
// through its context, and ErrFlagFell returned; if p has decided too late, with its
// answer. The clock must have time left. A nil Clock gives p all the time it takes.
func (c *Clock) Think(ctx context.Context, p Player, s engine.State, h *engine.History, b Bounds) (*Analysis, error) {
	if c == nil {
		return p.Think(ctx, s, h, b)
	}
	c.Ask(s.Actor(), s.Turn())
	b.Remaining, b.Other, b.Increment = c.left[c.holder], c.left[c.holder.Other()], c.control.Increment
	// The context ends no sooner than the time: it begins to count later.
	began := time.Now()
	limited, stop := context.WithTimeoutCause(ctx, c.left[c.holder], ErrFlagFell)
	a, err := p.Think(limited, s, h, b)
	stop()
	inTime := c.Spend(time.Since(began))
	brokenOff := errors.Is(err, ErrFlagFell) || errors.Is(err, context.DeadlineExceeded)
	switch {
	case err != nil && (ctx.Err() != nil || inTime || !brokenOff):
		return nil, err // another reason than the clock
	case !inTime:
		return a, ErrFlagFell
	}
	return a, nil
}
