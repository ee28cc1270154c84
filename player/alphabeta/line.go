package alphabeta

import (
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// follow returns line, overwritten: a and what comes after it, as far as there is room.
func follow(line []engine.Action, a engine.Action, after []engine.Action) []engine.Action {
	line = append(line[:0], a)
	return append(line, after[:min(len(after), cap(line)-1)]...)
}

// AppendLine appends how the latest search, of state, expects the game to go on with an action, for
// depth player turns at most: what it kept of one of its best actions, and from there what
// the table holds of best and refuting ones. It ends before chance and repetitions, and where
// something else has taken a place in the table, as helpers do that search deeper.
func (e *Engine) AppendLine(line []engine.Action, state engine.State, a engine.Action, depth int) []engine.Action {
	s, mark := e.levels[0].state, e.hist.Len()
	s.CopyFrom(positionOf(state))
	kept := e.lines[a]
	for len(line) < maxLevels {
		line = append(line, a)
		s.Apply(a, e.hist)
		if s.Actor() > engine.Second || s.Turn() >= e.start+depth || s.RepeatedSince(e.hist, e.since) {
			break
		}
		if len(kept) > 0 {
			a, kept = kept[0], kept[1:]
			continue
		}
		t := e.table.find(e.key(s))
		if a = t.action(); t.bound() != exact && t.bound() != least || !slices.Contains(s.Legal(e.levels[0].actions[:0], e.hist), a) {
			break
		}
	}
	e.hist.Truncate(mark)
	return line
}
