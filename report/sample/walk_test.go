package sample

import (
	"reflect"
	"slices"
	"testing"
)

// TestWalkIsTheAnnotatedGame, with all its positions and what searches looked at.
func TestWalkIsTheAnnotatedGame(t *testing.T) {
	for _, name := range []string{"konreh", "connect4"} {
		rules := map[string]string{"konreh": "micro,max_turns=60"}[name]
		g := mustGame(t, name, rules)
		rows := recorded(g, 1, 5)
		w, err := NewWalk(g, rows)
		if err != nil {
			t.Fatal(err)
		}
		annotated, err := Annotate(g, rows)
		if err != nil || !reflect.DeepEqual(w.Game, annotated) {
			t.Errorf("%s: the game differs from the annotated one: %v", name, err)
		}
		for _, m := range annotated.Moments {
			got, err := w.Moment(m.Move)
			if err != nil || got.Text != m.Text || !reflect.DeepEqual(got.Picture, m.Picture) {
				t.Errorf("%s: position after %d moves differs: %v", name, m.Move, err)
			}
		}
		for _, moves := range []int{-1, len(w.Moves) + 1} {
			if _, err := w.Moment(moves); err == nil {
				t.Errorf("%s: there is a position after %d of %d moves", name, moves, len(w.Moves))
			}
		}
		first, row := 0, 0
		for i, m := range w.Moves {
			options := w.Options(i, 3)
			if m.Search == nil {
				if options != nil {
					t.Errorf("%s: move %d has options without a search", name, i)
				}
				continue
			}
			r := &rows[row]
			row++
			if len(r.Visits) == 0 && len(r.Policy) == 0 {
				continue
			}
			if len(options) == 0 || len(options) > 4 || !slices.ContainsFunc(options, func(o Option) bool { return o.Word == m.Word }) {
				t.Errorf("%s: move %d, %s: options %+v", name, i, m.Word, options)
			}
			for k := 1; k < len(options); k++ {
				if options[k].Visits > options[k-1].Visits {
					t.Errorf("%s: move %d: options out of order: %+v", name, i, options)
				}
			}
			if m.Search.ShareOf == "visits" && m.Search.BestShare != options[0].Visits {
				t.Errorf("%s: move %d: the best has %g of the visits, want %g", name, i, options[0].Visits, m.Search.BestShare)
			}
			first++
		}
		if first == 0 {
			t.Errorf("%s: no search was looked at", name)
		}
	}
	if _, err := NewWalk(mustGame(t, "connect4", ""), nil); err == nil {
		t.Error("a game without rows is no game")
	}
}
