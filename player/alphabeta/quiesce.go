package alphabeta

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

const (
	// dangerTurns is how many turns behind the depth a Blue in danger has all
	// actions searched: enough to see whether the first threat can be met.
	dangerTurns = 1
	// quietTurns is how far the quiescence looks.
	quietTurns = 12
)

// quiesce returns the value of s in the view of the player who decides, looking
// at captures, plants and Blue's strikes until there are none, and at all
// actions where Blue would be captured otherwise. turns is how many turns it has
// looked behind the search. Nobody needs to capture: where a turn begins and
// Blue is safe, the player may have the position as it is judged.
func (e *Engine) quiesce(s *konreh.State, alpha, beta int32, level, turns int) int32 {
	if e.visit(); e.out {
		return 0
	}
	begins := s.BeginsTurn()
	actor := s.Actor()
	best, all := -infinity, !begins
	if begins {
		value, danger := e.value(s)
		if level >= maxLevels-2 || turns >= quietTurns {
			return value
		}
		if danger && turns < dangerTurns {
			all = true
		} else if best = value; best >= beta {
			return best
		}
	} else if level >= maxLevels-1 {
		return 0
	}
	l := &e.levels[level]
	list := s.Legal(l.actions[:0], e.hist)
	if !all {
		list = e.loud(s, l, list)
	} else {
		e.score(s, l, list, -1)
	}
	mark := e.hist.Len()
	for i := range list {
		a, _ := pick(list, l.scores, i)
		l.state.CopyFrom(s)
		l.state.Apply(a, e.hist)
		v := e.quiesceAfter(&l.state, actor, max(alpha, best), beta, level+1, turns)
		e.hist.Truncate(mark)
		if e.out {
			return 0
		}
		if best = max(best, v); best >= beta {
			break
		}
	}
	return best
}

// quiesceAfter is the value of s in the view of player, whose action led to it.
func (e *Engine) quiesceAfter(s *konreh.State, player engine.Player, alpha, beta int32, level, turns int) int32 {
	if s.BeginsTurn() {
		turns++
	}
	switch s.Actor() {
	case engine.Nobody:
		return e.final(s, player)
	case player:
		return e.quiesce(s, alpha, beta, level, turns)
	}
	return -e.quiesce(s, -beta, -alpha, level, turns)
}

// loud keeps the loud actions of list and ranks them.
func (e *Engine) loud(s *konreh.State, l *level, list []engine.Action) []engine.Action {
	n := 0
	for _, a := range list {
		if f := s.Effect(a); f.Loud() {
			list[n], l.scores[n] = a, loudness(&f)
			n++
		}
	}
	return list[:n]
}
