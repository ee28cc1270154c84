package school

import (
	"math"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// MaxWeight is the largest weight of a doctrine.
const MaxWeight = 4

// maxValue bounds the sum of the terms, in hundredths of a Red: far beyond a whole army,
// far below a win.
const maxValue = 100_000

// Guide makes an engine play a school's doctrine: it is an alphabeta.Guide. One
// engine owns it.
type Guide struct {
	terms   []weightedTerm
	rules   []watchedRule
	marches map[[4]uint64][][4]uint64
	opening int // bonus of a move of a line
	// weight is the doctrine's, in thousandths: 0 for none.
	weight int64
	at     view  // a position that is judged
	probe  Probe // an action that is judged
}

// weightedTerm is a Term with the function of its feature.
type weightedTerm struct {
	of     func(*view) int
	weight int
}

// watchedRule is a Rule with the functions of its event and conditions.
type watchedRule struct {
	of    func(*act) bool
	when  []bound
	never bool
	by    int
}

// bound is a Condition with the function of its feature.
type bound struct {
	of       func(*act) int
	min, max int
}

// Guide returns the guide of s, whose doctrine counts weight times as much as its
// file says, from 0 to MaxWeight. Forbidden actions are so at any weight but 0, at
// which there is no doctrine.
func (s *School) Guide(weight float64) *Guide {
	g := &Guide{opening: s.Opening.By, weight: int64(math.Round(1000 * weight))}
	for _, t := range s.Terms {
		g.terms = append(g.terms, weightedTerm{features[featureNamed(t.Feature)].of, t.Weight})
	}
	for _, r := range s.Rules {
		w := watchedRule{of: events[eventNamed(r.Event)].of, never: r.Never, by: r.By}
		for _, c := range r.If {
			b := bound{min: c.Min, max: c.Max}
			if i := extraNamed(c.Of); i >= 0 {
				b.of = extras[i].of
			} else {
				of := features[featureNamed(c.Of)].of
				b.of = func(a *act) int { return of(a.is) }
			}
			w.when = append(w.when, b)
		}
		g.rules = append(g.rules, w)
	}
	if len(s.Opening.Lines) > 0 {
		g.marches = s.Opening.marches()
	}
	return g
}

// Value implements alphabeta.Guide by the terms of the school.
func (g *Guide) Value(state engine.State, player engine.Player) int32 {
	if g.weight == 0 || len(g.terms) == 0 {
		return 0
	}
	s := state.(*konreh.State)
	g.at.set(s, s.SideOf(player))
	sum := 0
	for i := range g.terms {
		sum += g.terms[i].weight * g.terms[i].of(&g.at)
	}
	return g.scaled(sum)
}

// Bonus implements alphabeta.Guide by the rules of the school and its opening.
func (g *Guide) Bonus(s, next engine.State, a engine.Action) (bonus int32, forbidden bool) {
	if g.weight == 0 {
		return 0, false
	}
	g.probe.Look(s.(*konreh.State), next.(*konreh.State), a)
	x, sum := &g.probe.act, 0
	for i := range g.rules {
		r := &g.rules[i]
		if !r.of(x) || slices.ContainsFunc(r.when, func(b bound) bool { n := b.of(x); return n < b.min || n > b.max }) {
			continue
		}
		if r.never {
			return 0, true
		}
		sum += r.by
	}
	if g.marches != nil && slices.Contains(g.marches[g.probe.was.own], g.probe.is.own) {
		sum += g.opening
	}
	return g.scaled(sum), false
}

// scaled multiplies a sum of hundredths of a Red by the weight of the doctrine.
func (g *Guide) scaled(sum int) int32 {
	return int32(max(-maxValue, min(maxValue, int64(sum)*g.weight/1000)))
}
