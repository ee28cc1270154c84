package ugi

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
)

// report says what t knows: a line for each of the best moves, q.most at most.
func (q *search) report(out *output, t *match.Analysis) {
	ms := t.Time.Milliseconds()
	head := fmt.Sprintf("time %d nodes %d nps %d", ms, t.Simulations, int64(float64(t.Simulations)/max(t.Time.Seconds(), 1e-3)))
	if t.Depth > 0 {
		head = fmt.Sprintf("depth %d ", t.Depth) + head
	}
	if q.verbose {
		q.statistics(out, t)
	}
	moves := ranked(t)
	for i, m := range moves[:min(q.most, len(moves))] {
		if i == 0 {
			if !m.Judged { // what is known of the position is known of the choice
				m.Value, m.Judged, m.Draw = t.Value, t.Judged, t.Draw
			}
			m.Line = t.Line
		}
		if len(m.Line) == 0 {
			m.Line = []engine.Action{m.Action}
		}
		text := "info " + head
		if q.most > 1 {
			text += fmt.Sprintf(" multipv %d", i+1)
		}
		if m.Judged {
			text += fmt.Sprintf(" score cp %d", int(math.Round(100*m.Value)))
		}
		if q.wdl && m.Judged && t.HasDraw {
			w, d, l := perMille(m.Value, m.Draw)
			text += fmt.Sprintf(" wdl %d %d %d", w, d, l)
		}
		out.line(text + " pv " + q.words(m.Line))
	}
}

// perMille are the probabilities of a win, a draw and a loss in thousandths, in sum 1000.
func perMille(value, draw float64) (win, drawn, loss int) {
	win, loss = int(math.Round(500*(1-draw+value))), int(math.Round(500*(1-draw-value)))
	win = max(0, min(1000, win))
	loss = max(0, min(1000-win, loss))
	return win, 1000 - win - loss, loss
}

// statistics says what t knows of every move, the choice last, as lc0's VerboseMoveStats:
// a line that ends is read as a whole, and readers look at the end for the best.
func (q *search) statistics(out *output, t *match.Analysis) {
	moves := ranked(t)
	for _, m := range t.Moves { // those that were not searched
		if !slices.ContainsFunc(moves, func(x match.Move) bool { return x.Action == m.Action }) {
			moves = append(moves, m)
		}
	}
	slices.Reverse(moves)
	counts := slices.ContainsFunc(moves, func(m match.Move) bool { return m.Visits > 0 })
	for _, m := range moves {
		var b strings.Builder
		fmt.Fprintf(&b, "info string move %s", q.words([]engine.Action{m.Action}))
		if counts {
			fmt.Fprintf(&b, " visits %d", m.Visits)
		}
		fmt.Fprintf(&b, " share %.2f %%", 100*m.Prob)
		if m.Prior > 0 {
			fmt.Fprintf(&b, " prior %.2f %%", 100*m.Prior)
		}
		if m.Judged {
			fmt.Fprintf(&b, " value %.4f", m.Value)
		}
		if m.Judged && t.HasDraw {
			fmt.Fprintf(&b, " draw %.4f", m.Draw)
		}
		out.line(b.String())
	}
}

// ranked are the moves of t that it knows something of, the choice first, then by
// their share of the search.
func ranked(t *match.Analysis) []match.Move {
	choice := match.Move{Action: t.Choice}
	var rest []match.Move
	for _, m := range t.Moves {
		switch {
		case m.Action == t.Choice:
			choice = m
		case m.Judged:
			rest = append(rest, m)
		}
	}
	slices.SortStableFunc(rest, func(x, y match.Move) int {
		return cmp.Or(cmp.Compare(y.Prob, x.Prob), cmp.Compare(y.Value, x.Value))
	})
	return append([]match.Move{choice}, rest...)
}

// words writes a line from the position that is searched.
func (q *search) words(line []engine.Action) string {
	q.line.CopyFrom(q.state)
	var text []byte
	for i, a := range line {
		if i > 0 {
			text = append(text, ' ')
		}
		text = q.line.AppendAction(text, a)
		q.line.Apply(a, nil)
	}
	return string(text)
}
