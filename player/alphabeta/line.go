package alphabeta

import (
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// AppendLine appends how the latest search, of state, expects the game to go on with an action: what
// the table holds of best and refuting actions, for depth player turns at most. It ends before
// chance and repetitions, and where something else has taken a place in the table.
func (e *Engine) AppendLine(line []engine.Action, state engine.State, a engine.Action, depth int) []engine.Action {
	s, mark := e.levels[0].state, e.hist.Len()
	s.CopyFrom(positionOf(state))
	for len(line) < maxLevels {
		line = append(line, a)
		s.Apply(a, e.hist)
		if s.Actor() > engine.Second || s.Turn() >= e.start+depth || s.RepeatedSince(e.hist, e.since) {
			break
		}
		t := e.table.find(e.key(s))
		if a = engine.Action(t.move); t.bound() != exact && t.bound() != least || !slices.Contains(s.Legal(e.levels[0].actions[:0], e.hist), a) {
			break
		}
	}
	e.hist.Truncate(mark)
	return line
}
