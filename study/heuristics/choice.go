package heuristics

import (
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/player/school"
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
// Moves of the act at another level than that of a choice are on neither side of it.
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
