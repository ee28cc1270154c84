package rating

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/internal/wording"
)

// Order lists the players by rating, the best first. Players above the group of
// finite ratings come before it, those below after it, by the ends that are
// known, and players without any information last. Equal ones keep their order.
func (t *Table) Order() []int {
	class := func(e Estimate) (class int, key float64) {
		switch {
		case math.IsNaN(e.Value):
			return 3, 0
		case math.IsInf(e.Value, 1):
			return 0, e.Low
		case math.IsInf(e.Value, -1):
			return 2, e.High
		}
		return 1, e.Value
	}
	order := make([]int, len(t.Players))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, x := class(t.Players[i].Elo)
		b, y := class(t.Players[j].Elo)
		return cmp.Or(cmp.Compare(a, b), cmp.Compare(y, x))
	})
	return order
}

// Difference compares players i and j in this order.
func (t *Table) Difference(i, j int) Difference {
	if i == j {
		return Difference{A: i, B: j}
	}
	for _, d := range t.Differences {
		switch {
		case d.A == i && d.B == j:
			return d
		case d.A == j && d.B == i:
			e := Estimate{-d.Elo.Value, -d.Elo.High, -d.Elo.Low}
			d = Difference{A: i, B: j, Elo: e, Ahead: d.Ahead}
			if d.Ahead != nil {
				behind := 1 - *d.Ahead
				d.Ahead = &behind
			}
			return d
		}
	}
	return Difference{A: i, B: j, Elo: Estimate{math.NaN(), math.Inf(-1), math.Inf(1)}}
}

// eloText writes a rating in two columns: the number, if there is one, and what
// games have shown at 95 %.
func eloText(e Estimate) (value, interval string) {
	switch {
	case math.IsNaN(e.Value):
		return "-", "unknown: no games connect it"
	case math.IsInf(e.Value, 1):
		return "-", fmt.Sprintf("above %+.0f", e.Low)
	case math.IsInf(e.Value, -1):
		return "-", fmt.Sprintf("below %+.0f", e.High)
	}
	return fmt.Sprintf("%+.0f", e.Value), fmt.Sprintf("%+.0f to %+.0f", e.Low, e.High)
}

// WriteText writes the ratings, the crosstable and the probabilities of order for
// people.
func (t *Table) WriteText(w io.Writer) error {
	var b strings.Builder
	order := t.Order()
	games, repeated := 0, 0
	for k := range t.Pairings {
		_, n := t.Pairings[k].points()
		games += n
		repeated += t.Pairings[k].Repeated
	}
	fmt.Fprintf(&b, "%d players, %d games", len(t.Players), games)
	if repeated > 0 {
		fmt.Fprintf(&b, ", %d pairs of them repeat earlier ones", repeated)
	}
	b.WriteString("\n\n")

	rows := [][]string{{"", "player", "games", "score", "Elo", "95 %"}}
	for rank, i := range order {
		p := &t.Players[i]
		score := "-"
		if p.Games > 0 {
			score = fmt.Sprintf("%.1f %%", 100*p.Points/float64(p.Games))
		}
		value, ends := eloText(p.Elo)
		switch {
		case t.Anchor == p.Name:
			ends = "anchor"
		case t.Anchor == "" && len(t.Group) == 1 && t.Group[0] == i: // whom no games connect with others both ways
			ends = "origin"
		}
		rows = append(rows, []string{fmt.Sprint(rank + 1), wording.PlainName(p.Name), fmt.Sprint(p.Games), score, value, ends})
	}
	columns(&b, rows)
	origin := "the mean of all players"
	switch {
	case t.Anchor != "":
		origin = wording.PlainName(t.Anchor)
	case len(t.Group) < len(t.Players):
		var names []string
		for _, i := range t.Group {
			names = append(names, t.Players[i].Name)
		}
		origin = wording.PlainName("the mean of " + strings.Join(names, ", "))
	}
	fmt.Fprintf(&b, "Elo relative to %s at %+.0f\n", origin, t.AnchorElo)
	switch {
	case t.SeatFixed:
		fmt.Fprintf(&b, "moving first is taken to be worth %+.0f Elo\n", t.Seat.Value)
	case math.IsInf(t.Seat.Low, -1) && math.IsInf(t.Seat.High, 1):
		b.WriteString("what moving first is worth is unknown: no games tell\n")
	default:
		_, ends := eloText(t.Seat)
		fmt.Fprintf(&b, "moving first is worth %+.0f Elo (95 %%: %s)\n", t.Seat.Value, ends)
	}
	fmt.Fprintf(&b, "draws between equal players %.1f %% (95 %%: %.1f to %.1f)\n", 100*t.Draws.Value, 100*t.Draws.Low, 100*t.Draws.High)

	for _, m := range t.Misfits {
		fmt.Fprintf(&b, "no one scale fits: %s made %.1f %% (%.1f to %.1f) against %s, the ratings say %.1f %%\n",
			wording.PlainName(t.Players[m.A].Name), 100*m.Score.Value, 100*m.Score.Low, 100*m.Score.High, wording.PlainName(t.Players[m.B].Name), 100*m.Expected)
	}

	t.matrix(&b, order, "\npoints of games, by row\n", t.scoreText)
	t.matrix(&b, order, "\nprobability in % that the row is stronger than the column\n", func(i, j int) string {
		d := t.Difference(i, j)
		if d.Ahead == nil {
			return "?"
		}
		switch p := 100 * *d.Ahead; {
		case p > 99.9:
			return ">99.9"
		case p < 0.1:
			return "<0.1"
		default:
			return fmt.Sprintf("%.1f", p)
		}
	})
	_, err := io.WriteString(w, b.String())
	return err
}

// scoreText is player i's points against j, and their games.
func (t *Table) scoreText(i, j int) string {
	for k := range t.Pairings {
		p := &t.Pairings[k]
		points, games := p.points()
		switch {
		case games == 0:
		case p.A == i && p.B == j:
			return fmt.Sprintf("%g/%d", points, games)
		case p.A == j && p.B == i:
			return fmt.Sprintf("%g/%d", float64(games)-points, games)
		}
	}
	return ""
}

// matrix writes a table of all players against each other.
func (t *Table) matrix(b *strings.Builder, order []int, title string, text func(i, j int) string) {
	b.WriteString(title)
	head := []string{"", ""}
	for rank := range order {
		head = append(head, fmt.Sprint(rank+1))
	}
	rows := [][]string{head}
	for rank, i := range order {
		row := []string{fmt.Sprint(rank + 1), wording.PlainName(t.Players[i].Name)}
		for _, j := range order {
			if i == j {
				row = append(row, "-")
				continue
			}
			row = append(row, text(i, j))
		}
		rows = append(rows, row)
	}
	columns(b, rows)
}

// columns writes rows of equal length with aligned columns, the second to the
// left, the others to the right.
func columns(b *strings.Builder, rows [][]string) {
	for _, line := range wording.Columns(rows, func(k int) bool { return k == 1 }) {
		b.WriteString(strings.TrimRight("  "+line, " ") + "\n")
	}
}
