package lab

import (
	"fmt"

	"github.com/ludozero/ludozero/internal/wording"
)

// summarise says what was found in sentences that claim no more than the figures.
func (r *Result) summarise() []string {
	best := &r.Strengths[len(r.Players)-1]
	list := []string{fmt.Sprintf("%s of %s, played by %s against themselves.", wording.Count(len(r.Rules), "ruleset"), r.Game, wording.Count(len(r.Players), "player"))}
	for side, rules := range r.Rules {
		first, _, _ := best.Sides[side].estimate("first_score")
		turns, _, _ := best.Sides[side].estimate("turns")
		list = append(list, fmt.Sprintf("Under %s the first player makes %s %% of the points and a game lasts %s turns, played by %s.",
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
		text := ""
		for _, d := range s.Differences {
			tests++
			if !d.Found {
				continue
			}
			found++
			m := r.measure(d.Measure)
			if text != "" {
				text += "; "
			}
			text += fmt.Sprintf("%s %s (%s)", m.Name, m.cell(d.Value, true), m.unit())
		}
		if text != "" {
			list = append(list, fmt.Sprintf("%s: %s less %s has %s.", s.Title, r.Rules[0], r.Rules[1], text))
		}
	}
	about := fmt.Sprintf("%d of %d differences are beyond chance after Holm's correction over the sheet: the probability that any claim is false is at most %g %%.", found, tests, 100*Significance)
	if found == 0 {
		about = fmt.Sprintf("None of %d differences is beyond chance after Holm's correction over the sheet. That is no proof that there is none: intervals say how large they can be.", tests)
	}
	return append([]string{about}, list...)
}
