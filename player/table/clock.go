package table

import (
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
)

// SetClock gives both players clocks from here on; c must be on. What was played
// before took no time. Players are asked on theirs; a person's begins with Think.
func (s *Session) SetClock(c match.TimeControl) {
	s.clock, s.clocks, s.began = match.NewClock(c), nil, time.Time{}
	for range s.steps {
		s.clocks = append(s.clocks, *s.clock)
	}
	s.press()
}

// press tells the clocks whose turn it is, so that a finished turn has its increment
// at once.
func (s *Session) press() {
	if actor := s.state.Actor(); s.clock != nil && actor <= engine.Second {
		s.clock.Ask(actor, s.state.Turn())
	}
}

// mark saves what the clocks show before the next decision.
func (s *Session) mark() {
	if s.clock != nil {
		s.clocks = append(s.clocks[:len(s.steps)], *s.clock)
	}
}

// Clocked reports whether there are clocks.
func (s *Session) Clocked() bool { return s.clock != nil }

// Ticking reports whether the clock of the player to move runs.
func (s *Session) Ticking() bool { return !s.began.IsZero() }

// Control is what the clocks were set to; there must be some.
func (s *Session) Control() match.TimeControl { return s.clock.Control() }

// TimeLeft is what the clock of player p, First or Second, shows now.
func (s *Session) TimeLeft(p engine.Player) time.Duration {
	left := s.clock.Left(p)
	if !s.began.IsZero() && s.state.Actor() == p {
		left -= time.Since(s.began)
	}
	return left
}

// Think starts the clock of the person who is to move, if it does not run, and
// says when it will have run out: then Flag ends the game. It runs until the person
// plays, whatever else is asked meanwhile, but for a player's answer to a draw
// offer. The channel is nil if nobody's clock is to run.
func (s *Session) Think() <-chan time.Time {
	actor := s.state.Actor()
	if s.clock == nil || s.Asked() == engine.Nobody || actor > engine.Second || !s.seats[actor].Person() {
		return nil
	}
	if s.began.IsZero() {
		s.began = time.Now()
	}
	return time.After(s.TimeLeft(actor))
}

// Rest stops the clock of the person who is to move until Think is called again, as
// while a player thinks about a draw offer. If the time has run out by then the game
// is over and match.ErrFlagFell is returned.
func (s *Session) Rest() error {
	if !s.pause() {
		s.Forfeit(match.TimeForfeit)
		return match.ErrFlagFell
	}
	return nil
}

// Flag ends the game if the clock that Think started has run out, and reports
// whether it has.
func (s *Session) Flag() bool {
	if s.began.IsZero() || s.TimeLeft(s.state.Actor()) > 0 {
		return false
	}
	s.mark() // for who takes it back
	s.pause()
	s.Forfeit(match.TimeForfeit)
	return true
}

// pause stops the clock of a person and reports whether time is left.
func (s *Session) pause() bool {
	if s.began.IsZero() {
		return true
	}
	took := time.Since(s.began)
	s.began = time.Time{}
	return s.clock.Spend(took)
}

// Forfeit ends the game: the player to move has lost it, on time or for the reason of
// a match.Forfeit.
func (s *Session) Forfeit(reason string) {
	s.offer = engine.Nobody
	s.settled = &Result{Winner: s.state.Actor().Other(), Reason: reason}
}

// Bounds are the bounds for a player who is asked about the present position in the
// place of p, First or Second, with what the clocks show and how the game came here.
// They stay as they are when the game goes on.
func (s *Session) Bounds(p engine.Player) match.Bounds {
	start, moves := s.record()
	b := match.Bounds{Record: func() (string, string) { return start, moves }}
	if s.clock != nil && p <= engine.Second {
		// A clock that has just run out is not the same as none.
		b.Remaining, b.Other, b.Increment = max(1, s.TimeLeft(p)), max(1, s.TimeLeft(p.Other())), s.clock.Control().Increment
	}
	return b
}
