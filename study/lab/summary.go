package lab

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/stats/rating"
)

// summarise says what was found in sentences that claim no more than the figures.
func (r *Result) summarise() []string {
	best := &r.Strengths[len(r.Players)-1]
	whom := "themselves"
	if len(r.Players) == 1 {
		whom = "itself"
	}
	list := []string{fmt.Sprintf("%s of %s, played by %s against %s.", wording.Count(len(r.Rules), "ruleset"), r.Game, wording.Count(len(r.Players), "player"), whom)}
	for side, rules := range r.Rules {
		first, _, _ := best.Sides[side].estimate("first_score")
		turns, _, _ := best.Sides[side].estimate("turns")
		list = append(list, fmt.Sprintf("Under %s the first player makes %s %% of the points and a game lasts %s turns, if %s plays.",
			rules, r.measure("first_score").cell(first, false), r.measure("turns").cell(turns, false), best.Player))
	}
	if len(r.Rules) == 2 {
		list = append(list, r.changes()...)
	}
	if r.Note != "" {
		list = append(list, r.Note)
	}
	if r.Stopped != nil {
		list = append(list, r.Stopped.String())
	}
	return append(list, "Intervals are about further games of these players; others may play these rules otherwise.")
}

// changes says what differs, by player.
func (r *Result) changes() (list []string) {
	tests, found := 0, 0
	for i := range r.Strengths {
		s := &r.Strengths[i]
		var figures, more, less []string
		for _, d := range s.Differences {
			tests++
			if !d.Found {
				continue
			}
			found++
			m := r.measure(d.Measure)
			kind, used := strings.CutPrefix(m.Name, useOf)
			switch {
			case used && d.Value.Value > 0:
				more = append(more, kind)
			case used:
				less = append(less, kind)
			default:
				figures = append(figures, m.Name+" "+m.change(d.Value))
			}
		}
		for _, use := range []struct {
			what  string
			kinds []string
		}{{"more use of ", more}, {"less use of ", less}} {
			if len(use.kinds) > 0 {
				figures = append(figures, use.what+strings.Join(use.kinds, ", "))
			}
		}
		if len(figures) > 0 {
			list = append(list, fmt.Sprintf("%s, under %s: %s.", s.Title, r.Rules[0], strings.Join(figures, "; ")))
		}
	}
	about := fmt.Sprintf("%d of %d differences between %s and %s are beyond chance after Holm's correction over the sheet: the probability that any of these claims is false is at most %g %%.", found, tests, r.Rules[0], r.Rules[1], 100*Significance)
	if found == 0 {
		about = fmt.Sprintf("None of %d differences is beyond chance after Holm's correction over the sheet. That is no proof that there is none: intervals say how large they can be.", tests)
	}
	return append([]string{about}, list...)
}

// change writes a difference in a sentence.
func (m *Measure) change(e rating.Estimate) string {
	text := m.cell(e, true)
	if m.Share {
		number, interval, _ := strings.Cut(text, " ")
		text = number + " points " + interval
	}
	return text
}
