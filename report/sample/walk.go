package sample

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
)

// Walk is an annotated game with all its positions, to step through.
// Not safe for concurrent use.
type Walk struct {
	*Game
	rules engine.Game
	// states are the positions before each move, and the last.
	states  []engine.State
	actions []engine.Action
	rows    []*record.Row // by move; nil for moves without a search
}

// NewWalk lays out a recorded game of g, as Annotate does. It keeps rows.
func NewWalk(g engine.Game, rows []record.Row) (*Walk, error) {
	w := begin(g, g.NewState()) // which is at the start
	p := record.NewReplayer(g)
	problems := p.Play(rows, func(s *record.Step) { w.add(s.State, s.Action, s.After, s.Row) })
	if len(problems) > 0 {
		r := &rows[problems[0].Row]
		return nil, fmt.Errorf("game %d: ply %d: %w", r.GameNumber, r.Ply, problems[0].Err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("a recorded game of %s without rows", g.Info().Name)
	}
	r := &rows[0]
	w.Run, w.Generation, w.Number, w.Beginning = r.Run, int(r.Generation), r.GameNumber, r.Beginning
	w.Taught = r.Taught()
	w.end(p.Outcome())
	return w.finish(), nil
}

func begin(g engine.Game, s engine.State) *Walk {
	w := &Walk{rules: g, Game: &Game{Game: g.Info().Name, Rules: g.Rules(), Sides: g.Info().Sides}}
	w.keep(s)
	return w
}

func (w *Walk) keep(s engine.State) {
	c := w.rules.NewState()
	c.CopyFrom(s)
	w.states = append(w.states, c)
}

// add appends a move; r is its row, nil if it has none.
func (w *Walk) add(s engine.State, a engine.Action, after engine.State, r *record.Row) {
	m := Move{
		Turn: s.Turn() + 1, Side: w.Sides[s.Side()], Player: s.Actor().String(), Word: string(s.AppendAction(nil, a)),
	}
	if n, ok := s.(engine.Annotator); ok {
		m.Notation = string(n.AppendAnnotation(nil, a, after))
	}
	if r != nil && !r.Taught() {
		m.Search = searchOf(s, r)
	}
	w.Moves, w.actions, w.rows = append(w.Moves, m), append(w.actions, a), append(w.rows, r)
	w.keep(after)
}

// Moment is the position after a number of moves, with the marks of the turn before.
func (w *Walk) Moment(moves int) (Moment, error) {
	if moves < 0 || moves >= len(w.states) {
		return Moment{}, fmt.Errorf("position after %d moves: the game has %d", moves, len(w.Moves))
	}
	title := "start"
	if moves > 0 {
		title = w.place(moves - 1)
	}
	return w.moment(moves, title), nil
}

// Option is a legal move with its shares of the visits and of the policy target, 0 if
// the record has none.
type Option struct {
	Word   string  `json:"word"`
	Visits float64 `json:"visits"`
	Target float64 `json:"target"`
}

// Options are the n moves that the search before a move preferred, the best first, and
// the move itself if it is not among them; none without a search.
func (w *Walk) Options(move, n int) []Option {
	r := w.rows[move]
	if r == nil || len(r.Visits) == 0 && len(r.Policy) == 0 {
		return nil
	}
	visits, target := 0, 0
	for _, v := range r.Visits {
		visits += int(v)
	}
	for _, p := range r.Policy {
		target += int(p)
	}
	type entry struct {
		action         engine.Action
		visits, target int
	}
	list := make([]entry, len(r.Legal))
	for i, a := range r.Legal {
		list[i].action = a
		if len(r.Visits) > 0 {
			list[i].visits = int(r.Visits[i])
		}
		if len(r.Policy) > 0 {
			list[i].target = int(r.Policy[i])
		}
	}
	slices.SortStableFunc(list, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.visits, a.visits), cmp.Compare(b.target, a.target))
	})
	options := []Option{}
	for i, e := range list {
		if played := e.action == r.Action; !played && (i >= n || e.visits == 0 && e.target == 0) {
			continue
		}
		options = append(options, Option{
			Word:   string(w.states[move].AppendAction(nil, e.action)),
			Visits: float64(e.visits) / float64(max(1, visits)), Target: float64(e.target) / float64(max(1, target)),
		})
	}
	return options
}
