package sample

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
)

// Walk is an annotated game with all its positions, to be stepped through.
// Not safe for concurrent use.
type Walk struct {
	Game *Game
	b    *builder
	rows []*record.Row // by move; nil for moves without a search
}

// NewWalk lays out a recorded game of g, as Annotate does. It keeps rows.
func NewWalk(g engine.Game, rows []record.Row) (*Walk, error) {
	w := &Walk{}
	b, err := annotate(g, rows, func(r *record.Row) { w.rows = append(w.rows, r) })
	if err != nil {
		return nil, err
	}
	w.Game, w.b = b.finish(), b
	return w, nil
}

// Moment is the position after so many moves, from 0 to the number of moves, with
// the marks of the turn that led to it.
func (w *Walk) Moment(moves int) (Moment, error) {
	if moves < 0 || moves >= len(w.b.states) {
		return Moment{}, fmt.Errorf("position after %d moves: the game has %d", moves, len(w.Game.Moves))
	}
	title := "start"
	if moves > 0 {
		title = w.Game.place(moves - 1)
	}
	return w.b.moment(moves, title), nil
}

// Option is a move that a search had to choose from. Visits and Target are its
// shares, 0 if the record has none.
type Option struct {
	Word   string  `json:"word"`
	Visits float64 `json:"visits"`
	Target float64 `json:"target"`
}

// Options are what the search before a move thought most of, n at most, the best
// first, and the move itself behind them if it is not among them; none if there was
// no search.
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
			Word:   string(w.b.states[move].AppendAction(nil, e.action)),
			Visits: float64(e.visits) / float64(max(1, visits)), Target: float64(e.target) / float64(max(1, target)),
		})
	}
	return options
}
