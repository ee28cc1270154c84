package player

import "github.com/ludozero/ludozero/engine"

const (
	// maxLook is how many positions a look goes through before it leaves the rest open:
	// a look of two turns has some 20 in Kon'reh and thousands in games with long turns.
	maxLook = 40_000
	// lookPerStop is how many positions pass between two questions whether to stop.
	lookPerStop = 64
)

// look finds out which actions win or lose by force within a few player turns, in every
// game, by its rules alone: it goes through all that can be played, judges nothing but
// the ends of games, and so never errs. Where luck decides, every outcome must have the
// same result. Repetition counts as in the rules.
type look struct {
	turns  int // looked ahead
	room   int // positions of one look
	hist   *engine.History
	levels []lookLevel
	game   engine.Game
	// Of the look under way:
	player engine.Player // who decides at the root
	last   int           // the turn at whose start nothing more is known
	left   int           // positions that may still be gone through
	stop   func() bool   // nil: never
}

// lookLevel is the scratch of one decision on the path.
type lookLevel struct {
	state    engine.State
	legal    []engine.Action
	outcomes []engine.Weighted
	refuted  engine.Action // the last action here that decided; -1: none
}

// newLook returns a look of that many player turns.
func newLook(g engine.Game, turns int) *look {
	return &look{turns: turns, room: maxLook, hist: g.NewHistory(), game: g}
}

// verdict is what a look knows of an action: that it wins (1) or loses (-1) by force, for
// the player who decides.
type verdict struct {
	action engine.Action
	value  int
}

// find appends, until stop says so, the actions of list, those that are legal in s with its past h, that win
// or lose by force. Once one wins the others do not matter and are left out. If all
// lose, how soon does matter, and none is named: a search may still find the one that
// asks most of the opponent.
func (l *look) find(dst []verdict, s engine.State, h *engine.History, list []engine.Action, stop func() bool) []verdict {
	l.hist.CopyFrom(h)
	l.player, l.left, l.stop = s.Actor(), l.room, stop
	l.grow(0)
	for i := range l.levels {
		l.levels[i].refuted = -1
	}
	start := len(dst)
	for turns := 1; turns <= l.turns; turns++ { // the nearest first
		l.last = s.Turn() + turns
		for _, a := range list {
			if lost(dst[start:], a) {
				continue
			}
			switch l.after(s, a, -1, 1, 0) {
			case 1:
				return append(dst[:start], verdict{a, 1})
			case -1:
				dst = append(dst, verdict{a, -1})
			}
		}
	}
	if len(dst)-start == len(list) {
		return dst[:start]
	}
	return dst
}

// lost reports whether a is among verdicts that have no win.
func lost(verdicts []verdict, a engine.Action) bool {
	for _, v := range verdicts {
		if v.action == a {
			return true
		}
	}
	return false
}

// after is value behind a in s, in the memory of level.
func (l *look) after(s engine.State, a engine.Action, alpha, beta, level int) int {
	l.grow(level)
	mark := l.hist.Len()
	child := l.levels[level].state
	child.CopyFrom(s)
	child.Apply(a, l.hist)
	v := l.value(child, alpha, beta, level+1)
	l.hist.Truncate(mark)
	return v
}

// value is 1 if l.player wins by force from s, -1 if the opponent does, 0 if neither is
// shown. Outside of alpha and beta it is a bound.
func (l *look) value(s engine.State, alpha, beta, level int) int {
	actor := s.Actor()
	switch {
	case actor == engine.Nobody:
		return int(s.Outcome().Value(l.player))
	case s.Turn() >= l.last && actor != engine.Chance, l.left == 0:
		return 0
	}
	if l.left--; l.stop != nil && l.left%lookPerStop == 0 && l.stop() {
		l.left = 0
		return 0
	}
	l.grow(level)
	if actor == engine.Chance {
		return l.certain(s, level)
	}
	at := &l.levels[level] // deeper calls may move l.levels
	at.legal = s.Legal(at.legal[:0], l.hist)
	list, refuted := at.legal, at.refuted
	for i, a := range list {
		if a == refuted {
			list[0], list[i] = a, list[0]
			break
		}
	}
	best := -1
	if actor != l.player {
		best = 1
	}
	for _, a := range list {
		if actor == l.player {
			best = max(best, l.after(s, a, max(alpha, best), beta, level))
		} else {
			best = min(best, l.after(s, a, alpha, min(beta, best), level))
		}
		if actor == l.player && best >= beta || actor != l.player && best <= alpha {
			l.levels[level].refuted = a
			break
		}
	}
	return best
}

// certain is the value that all outcomes of the roll in s have, else 0.
func (l *look) certain(s engine.State, level int) int {
	at := &l.levels[level]
	at.outcomes = s.Chance(at.outcomes[:0])
	result := 0
	for i, o := range at.outcomes {
		v := l.after(s, o.Code, -1, 1, level)
		if v == 0 || i > 0 && v != result {
			return 0
		}
		result = v
	}
	return result
}

// grow makes sure that a level exists.
func (l *look) grow(level int) {
	if level == len(l.levels) {
		l.levels = append(l.levels, lookLevel{state: l.game.NewState(), refuted: -1})
	}
}
