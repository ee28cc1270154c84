package alphabeta

import "github.com/ludozero/ludozero/engine"

// A Guide bends what an engine plays towards a style. It is asked by one engine,
// must be a function of its arguments and must not allocate in steady state.
type Guide interface {
	// Value is added to the engine's own terms in a position where a turn begins, in
	// hundredths of a Red in player's view, as if the other player wanted the
	// opposite.
	Value(s engine.State, player engine.Player) int32
	// Bonus judges an action of the player at the root in the turn under way, which
	// leads from s to next: what it adds to the value of everything after it, except to
	// proven wins and losses, and whether it is forbidden. A forbidden action is not
	// played unless all are.
	Bonus(s, next engine.State, a engine.Action) (bonus int32, forbidden bool)
}

// value judges a position where a turn begins, with the guide if there is one.
func (e *Engine) value(s position) (value int32, danger bool) {
	extra := int32(0)
	if e.guide != nil {
		if extra = e.guide.Value(bare(s), e.root); s.Side() != s.SideOf(e.root) {
			extra = -extra
		}
	}
	if e.judgements != nil && e.guide == nil {
		return e.remembered(s)
	}
	return e.judge.Judge(bare(s), extra)
}

// guided tells whether the decision in s belongs to the turn at the root, about
// which the guide is asked.
func (e *Engine) guided(s position) bool {
	return e.guide != nil && s.Turn() == e.start && s.Actor() == e.root
}

// permitted keeps those of list, all actions of s, that are not forbidden; all of
// them if all are. It overwrites the state of level.
func (e *Engine) permitted(s position, list []engine.Action, level int) []engine.Action {
	if e.guide == nil {
		return list
	}
	n, mark, next := 0, e.hist.Len(), e.levels[level].state
	for i, a := range list {
		next.CopyFrom(s)
		next.Apply(a, e.hist)
		e.hist.Truncate(mark)
		if _, forbidden := e.guide.Bonus(bare(s), bare(next), a); !forbidden {
			list[n], list[i] = a, list[n]
			n++
		}
	}
	if n == 0 {
		return list
	}
	return list[:n]
}

// bonus returns the guide's bonus of an action that led from s to next, 0 without a
// guide.
func (e *Engine) bonus(s, next position, a engine.Action) int32 {
	if e.guide == nil {
		return 0
	}
	bonus, _ := e.guide.Bonus(bare(s), bare(next), a)
	return bonus
}

// raised adds a bonus to a value or bound v. Proven values stay as they are, and
// no other becomes proven. The order of values never changes.
func raised(v, bonus int32) int32 {
	if bonus == 0 || Proven(v) {
		return v
	}
	return max(-judged, min(judged, v+bonus))
}
