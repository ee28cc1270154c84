package table

import (
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/guide"
	"github.com/ludozero/ludozero/player/table"
)

// Lesson is a lesson as people see it.
type Lesson struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Text  string `json:"text"`
	Goal  string `json:"goal"`
	// Turns is how many turns of the most, Most, are played.
	Turns int `json:"turns"`
	Most  int `json:"most"`
	// At most one of Done and Failed is set. Then nobody is to decide; a takeback
	// tries again.
	Done   bool   `json:"done,omitempty"`
	Failed bool   `json:"failed,omitempty"`
	Hint   string `json:"hint"`
	// Next is the name of the lesson after it, if there is one.
	Next string `json:"next,omitempty"`
}

// Why says why something on the board is not allowed, in the words of the rules.
type Why struct {
	Cells []int  `json:"cells"`
	Text  string `json:"text"`
}

// lesson is a lesson at a table. A nil lesson is a game.
type lesson struct {
	guide.Lesson
	next    string
	verdict guide.Verdict
}

// begin finds the lesson of a setup and sets the table up for it.
func (s *Setup) begin(cfg *Config) (*lesson, error) {
	if s.Lesson == "" {
		return nil, nil
	}
	family, err := cfg.Games.ByName(s.Game)
	if err != nil {
		return nil, err
	}
	g := cfg.Guides[s.Game]
	l, err := g.Lesson(s.Lesson)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Game, err)
	}
	_, start, err := l.Set(family)
	if err != nil {
		return nil, fmt.Errorf("%s: lesson %s: %w", s.Game, l.Name, err)
	}
	s.Rules, s.Position, s.Seed, s.Clock, s.Hints, s.Dice = l.Rules, l.Position, guide.Seed, "", "", ""
	s.Seats = [2]string{l.Opponent, l.Opponent}
	s.Seats[start.Actor()] = table.You
	return &lesson{Lesson: *l, next: g.After(l)}, nil
}

// judge notes how the lesson stands.
func (l *lesson) judge(s *table.Session) {
	if l == nil {
		return
	}
	start, decisions := s.Decisions()
	l.verdict = l.Judge(s.Game(), start, decisions)
}

func (l *lesson) over() bool { return l != nil && (l.verdict.Done || l.verdict.Failed) }

func (l *lesson) view() *Lesson {
	if l == nil {
		return nil
	}
	return &Lesson{
		Name: l.Name, Title: l.Title, Text: l.Text, Goal: l.Goal.Text, Turns: l.verdict.Turns, Most: l.Turns,
		Done: l.verdict.Done, Failed: l.verdict.Failed, Hint: l.Hint, Next: l.next,
	}
}

// whyNot asks the rules about cells. t.mu is held.
func (t *Table) whyNot(cells []int) error {
	if _, over := t.session.Result(); over {
		return table.ErrOver
	}
	d, ok := t.session.State().(engine.Pictured)
	if !ok || len(cells) != 2 || min(cells[0], cells[1]) < 0 || max(cells[0], cells[1]) >= len(d.Layout().Cells) {
		return errors.New("want two cells of the board")
	}
	if !t.personAsked() {
		return errors.New("it is not your turn")
	}
	t.why = nil
	if err := engine.WhyNot(t.session.State(), cells[0], cells[1], t.session.History()); err != nil {
		t.why = &Why{cells, err.Error()}
	}
	t.touch()
	return nil
}
