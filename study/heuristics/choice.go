package heuristics

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player/school"
	"github.com/ludozero/ludozero/stats/resample"
)

// Choice is a decision in which a question comes up at one level: moves that are the
// act, and moves that are not.
type Choice struct {
	Question, Level int
	Acts, Others    []engine.Action
}

// Scanner finds choices. It keeps its memory: one goroutine, one Scanner.
type Scanner struct {
	probe   school.Probe
	next    konreh.State
	legal   []engine.Action
	choices []Choice
	others  [][]engine.Action
}

// Scan lists the choices at the decision of a player in s: at most one for each question
// and level, in their order. They are the Scanner's and stay until it is asked again.
// Moves of the act at another level are on neither side of a choice.
func (c *Scanner) Scan(s *konreh.State, h *engine.History) []Choice {
	c.legal = s.Legal(c.legal[:0], h)
	c.choices = c.choices[:0]
	if c.others == nil {
		c.others = make([][]engine.Action, len(questions))
	}
	for i := range c.others {
		c.others[i] = c.others[i][:0]
	}
	if len(c.legal) < 2 {
		return nil
	}
	for _, a := range c.legal {
		c.next = *s
		c.next.Apply(a, nil)
		c.probe.Look(s, &c.next, a)
		for i := range questions {
			q := &questions[i]
			switch {
			case q.act(&c.probe):
				c.add(i, q.level(&c.probe), a)
			case q.other == nil || q.other(&c.probe):
				c.others[i] = append(c.others[i], a)
			}
		}
	}
	found := c.choices[:0]
	for _, x := range c.choices {
		if len(c.others[x.Question]) > 0 {
			x.Others = slices.Clone(c.others[x.Question])
			found = append(found, x)
		}
	}
	c.choices = found
	slices.SortFunc(c.choices, func(a, b Choice) int {
		if a.Question != b.Question {
			return a.Question - b.Question
		}
		return a.Level - b.Level
	})
	return c.choices
}

func (c *Scanner) add(question, level int, a engine.Action) {
	for i := range c.choices {
		if x := &c.choices[i]; x.Question == question && x.Level == level {
			x.Acts = append(x.Acts, a)
			return
		}
	}
	c.choices = append(c.choices, Choice{Question: question, Level: level, Acts: []engine.Action{a}})
}

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

// Game is a game from the start that has been played to its end.
type Game struct {
	Rules   *konreh.Game
	Actions []engine.Action
	// First is what the first player made of it: 1, 0.5 or 0.
	First float64
}

// FromSeries reads a game of a series under the rules of g.
func FromSeries(g *konreh.Game, x *match.Game) (Game, error) {
	if x.Start != "" {
		return Game{}, fmt.Errorf("game %d: it does not begin at the start", x.Number)
	}
	s, h := g.NewState().(*konreh.State), g.NewHistory()
	s.Start(h)
	game := Game{Rules: g, First: x.Points}
	if !x.AFirst {
		game.First = 1 - x.Points
	}
	for i, word := range strings.Fields(x.Moves) {
		a, err := s.ParseAction(word, h)
		if err != nil {
			return Game{}, fmt.Errorf("game %d: move %d: %w", x.Number, i+1, err)
		}
		s.Apply(a, h)
		game.Actions = append(game.Actions, a)
	}
	return game, nil
}

// walk plays the game again and calls visit before each decision, until it says no.
func (g *Game) walk(s *konreh.State, h *engine.History, visit func(ply int, played engine.Action) bool) {
	s.Start(h)
	for ply, a := range g.Actions {
		if !visit(ply, a) {
			return
		}
		s.Apply(a, h)
	}
}

func (g *Game) score(p engine.Player) float64 {
	if p == engine.First {
		return g.First
	}
	return 1 - g.First
}
