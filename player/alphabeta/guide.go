package alphabeta

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// A Guide bends what an engine plays towards a style. It is asked by one engine,
// must be a function of its arguments and must not allocate in steady state.
type Guide interface {
	// Worth is what a position where a turn begins is worth to player beyond the
	// engine's own terms, in hundredths of a Red: as if that player alone cared and
	// the other wanted the opposite.
	Worth(s *konreh.State, player engine.Player) int32
	// Weigh judges an action that the player at the root may take in the turn under
	// way, which leads from s to next: what it adds to the value of all that comes of
	// it, but not to wins and losses that are proven, and whether it is barred. A
	// barred action is not played unless all are.
	Weigh(s, next *konreh.State, a engine.Action) (bonus int32, barred bool)
}

// value judges a position where a turn begins, with the guide if there is one.
func (e *Engine) value(s *konreh.State) (value int32, danger bool) {
	extra := int32(0)
	if e.guide != nil {
		if extra = e.guide.Worth(s, e.root); s.Actor() != e.root {
			extra = -extra
		}
	}
	return e.judge.value(s, &e.weights, extra)
}

// guided tells whether the decision in s belongs to the turn at the root, about
// which the guide is asked.
func (e *Engine) guided(s *konreh.State) bool {
	return e.guide != nil && s.Turn() == e.start && s.Actor() == e.root
}

// permitted keeps the actions of list, all those of s, that are not barred; all of
// them if all are. It overwrites the state of level.
func (e *Engine) permitted(s *konreh.State, list []engine.Action, level int) []engine.Action {
	if e.guide == nil {
		return list
	}
	n, mark, next := 0, e.hist.Len(), &e.levels[level].state
	for i, a := range list {
		next.CopyFrom(s)
		next.Apply(a, e.hist)
		e.hist.Truncate(mark)
		if _, barred := e.guide.Weigh(s, next, a); !barred {
			list[n], list[i] = a, list[n]
			n++
		}
	}
	if n == 0 {
		return list
	}
	return list[:n]
}

// bonus is that of an action which led from s to next, 0 without a guide.
func (e *Engine) bonus(s, next *konreh.State, a engine.Action) int32 {
	if e.guide == nil {
		return 0
	}
	bonus, _ := e.guide.Weigh(s, next, a)
	return bonus
}

// raised is a value or bound v with a bonus. What is proven stays as it is, and
// nothing else becomes so. It never puts values into another order.
func raised(v, bonus int32) int32 {
	if bonus == 0 || Proven(v) {
		return v
	}
	return max(-judged, min(judged, v+bonus))
}
