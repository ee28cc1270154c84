package alphabeta

import "github.com/ludozero/ludozero/engine"

const (
	// dangerTurns is how many turns behind the depth a player in danger has all
	// actions searched: enough to see whether the first threat can be met.
	dangerTurns = 1
	// quietTurns is how far the quiescence looks.
	quietTurns = 12
)

// quiesce returns the value of s in the view of the player who decides, looking
// at loud actions until there are none, and at all actions where the player is in
// danger. turns is how many turns it has looked behind the search. Nobody needs a loud
// action: where a turn begins and there is no danger, the player may have the position
// as it is judged.
func (e *Engine) quiesce(s position, alpha, beta int32, level, turns int) int32 {
	if e.visit(); e.out {
		return 0
	}
	begins := s.BeginsTurn()
	actor := s.Actor()
	var turn Course
	if level > 0 {
		turn = e.levels[level-1].turn
	}
	if turn.Long() {
		value, _ := e.value(s)
		return value
	}
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
		e.apply(l, a, len(list), turn)
		v := e.quiesceAfter(l.state, actor, max(alpha, best), beta, level+1, turns)
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
func (e *Engine) quiesceAfter(s position, player engine.Player, alpha, beta int32, level, turns int) int32 {
	if s.BeginsTurn() {
		turns++
	}
	switch s.Actor() {
	case engine.Nobody:
		return e.final(s, player)
	case engine.Chance:
		if s.BeginsTurn() {
			return e.rolled(s, player)
		}
		return e.mean(s, level, func(next position) int32 { return e.quiesceAfter(next, player, -infinity, infinity, level+1, turns) })
	case player:
		return e.quiesce(s, alpha, beta, level, turns)
	}
	return -e.quiesce(s, -beta, -alpha, level, turns)
}

// loud keeps the loud actions of list and ranks them.
func (e *Engine) loud(s position, l *level, list []engine.Action) []engine.Action {
	n := 0
	for _, a := range list {
		if rank, loud := s.Loudness(a); loud {
			list[n], l.scores[n] = a, rank
			n++
		}
	}
	return list[:n]
}
