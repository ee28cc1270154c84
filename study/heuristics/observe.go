package heuristics

import (
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/stats/resample"
)

// Observed is what one game shows of the rules, by their number: the scores of those who
// decided, over the decisions in which they obeyed and broke the rule while the other
// was possible, too.
type Observed struct{ Obeyed, Broke []resample.Part }

// Observe looks at the decisions of a game.
func (c *Scanner) Observe(g *Game) Observed {
	o := Observed{Obeyed: make([]resample.Part, len(rules)), Broke: make([]resample.Part, len(rules))}
	s, h := g.Rules.NewState().(*konreh.State), g.Rules.NewHistory()
	g.walk(s, h, func(_ int, played engine.Action) bool {
		score := g.score(s.Actor())
		for _, x := range c.Scan(s, h) {
			act := slices.Contains(x.Acts, played)
			if !act && !slices.Contains(x.Others, played) {
				continue // the act at another level
			}
			for r := range rules {
				if questionOf(rules[r].Question) != x.Question {
					continue
				}
				obeyed, says := rules[r].obeys(x.Level, act)
				if !says {
					continue
				}
				part := &o.Broke[r]
				if obeyed {
					part = &o.Obeyed[r]
				}
				part.Sum += score
				part.Count++
			}
		}
		return true
	})
	return o
}
