package schools

import (
	"fmt"
	"math"
	"strings"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/stats/rating"
)

// summarise says what was found in sentences that claim no more than the figures.
func (r *Result) summarise() []string {
	list := []string{fmt.Sprintf("%s of Kon'reh, each the same engine with a doctrine of its own, in %d games. school:none, the engine without any doctrine, is what they are compared with. All intervals are about further games of these players.",
		wording.Count(len(r.Names), "school"), r.Games)}
	if r.RoundRobin != nil {
		list = append(list, r.strongest()...)
	}
	list = append(list, r.doctrines())
	if len(r.Claims) > 0 {
		list = append(list, r.recognised()...)
	}
	if len(r.Matches) > 0 {
		list = append(list, r.againstNetworks())
	}
	if r.Stopped != nil {
		list = append(list, r.Stopped.String())
	}
	return append(list,
		"What a school is here is our reading of the book, put into the terms of one handwritten engine that looks a few turns ahead. Another engine, or people, may play the same doctrines otherwise and with other success.")
}

// strongest says who leads the round robin and who beats whom.
func (r *Result) strongest() []string {
	st := r.RoundRobin
	rated := st.Ratings
	order := rated.Order()
	first, last := &rated.Players[order[0]], &rated.Players[order[len(order)-1]]
	gap := rated.Difference(order[0], order[len(order)-1])
	text := fmt.Sprintf("In the round robin %s is first and %s last, %s Elo apart.", first.Name, last.Name, sheet.Cell(gap.Elo, 1, "%.0f"))
	var better, worse []string
	for _, i := range order {
		switch p := &rated.Players[i]; {
		case p.Name == rated.Anchor:
		case p.Elo.Low > 0:
			better = append(better, p.Name)
		case p.Elo.High < 0:
			worse = append(worse, p.Name)
		}
	}
	if len(rated.Players) > 1 {
		text += fmt.Sprintf(" By the intervals of their ratings, which are not corrected for being several, %s and %s.",
			named(better, "is stronger than none", "are stronger than none", "no school is stronger than none"),
			named(worse, "is weaker", "are weaker", "no school is weaker"))
	}
	found := 0
	for i := range st.Duels {
		if st.Duels[i].Holm <= level {
			found++
		}
	}
	duels := fmt.Sprintf("Of %s, %d have a winner after correction for their number.", wording.Count(len(st.Duels), "match"), found)
	duels = strings.Replace(duels, "matchs", "matches", 1)
	if float64(len(st.Duels))*math.Exp2(float64(1-r.Rounds)) > level {
		duels = fmt.Sprintf("Who beats whom cannot be told: with %s of each two, no match of %d could have a winner after correction for their number.", wording.Count(r.Rounds, "pair"), len(st.Duels))
	}
	if st.Cycles != nil {
		if *st.Cycles <= level {
			duels += fmt.Sprintf(" No order of strength explains all results (%s): who is good against one is not so against all.", sheet.PValue(*st.Cycles))
		} else {
			duels += fmt.Sprintf(" The results do not contradict a plain order of strength (%s): no cycles beyond chance were seen.", sheet.PValue(*st.Cycles))
		}
	}
	return []string{text, duels + " " + seat(rated, " here, with random openings")}
}

// seat says what moving first is worth.
func seat(rated *rating.Table, where string) string {
	if math.IsInf(rated.Seat.Low, 0) && math.IsInf(rated.Seat.High, 0) {
		return "What moving first is worth is unknown: no games tell."
	}
	return fmt.Sprintf("Moving first is worth %s Elo%s.", sheet.Cell(rated.Seat, 1, "%+.0f"), where)
}

// named joins names with what is said of one, several or none.
func named(names []string, one, several, none string) string {
	switch len(names) {
	case 0:
		return none
	case 1:
		return names[0] + " " + one
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1] + " " + several
}

// doctrines says whom a doctrine makes stronger or weaker.
func (r *Result) doctrines() string {
	var list []string
	for _, w := range r.Weights {
		var up, down []string
		for _, e := range r.Effects {
			if e.Weight != w || e.Holm > level {
				continue
			}
			if e.Score.Value > 0.5 {
				up = append(up, e.School)
			} else {
				down = append(down, e.School)
			}
		}
		if len(up)+len(down) == 0 {
			list = append(list, fmt.Sprintf("at weight %g no school differs from none in strength", w))
			continue
		}
		list = append(list, fmt.Sprintf("at weight %g %s and %s", w,
			named(up, "gains", "gain", "no school gains"), named(down, "loses", "lose", "no school loses")))
	}
	return "Against none, after correction for all schools and weights: " + strings.Join(list, "; ") + "."
}

// recognised says how many of the declared differences were shown, and which are the
// other way round.
func (r *Result) recognised() []string {
	shown := 0
	var against []string
	columns := map[string][2]int{} // shown, of all
	for i := range r.Claims {
		c := &r.Claims[i]
		n := columns[c.Column]
		n[1]++
		if c.Shown {
			shown++
			n[0]++
		} else if d := c.Difference; c.Direction == More && d.High < 0 || c.Direction == Less && d.Low > 0 {
			against = append(against, fmt.Sprintf("%s, %s %q (%s)", c.School, c.Column, c.Words, measureNamed(c.Measure).Name))
		}
		columns[c.Column] = n
	}
	var parts []string
	for _, column := range []string{"Cross", "Seed", "Reforge", "tempo", "risk"} {
		if n := columns[column]; n[1] > 0 {
			parts = append(parts, fmt.Sprintf("%d of %d about %s", n[0], n[1], column))
		}
	}
	list := []string{fmt.Sprintf("Do they play as the book says? Of %d differences from none that its table names, %d were shown after correction for their number: %s. The others are listed below, school by school; not shown does not mean that there is no difference.",
		len(r.Claims), shown, strings.Join(parts, ", "))}
	if len(against) > 0 {
		list = append(list, "The other way round than declared, by intervals that are not corrected for their number: "+strings.Join(against, "; ")+".")
	}
	return list
}

// againstNetworks says how schools do against the weakest and the strongest.
func (r *Result) againstNetworks() string {
	type span struct{ least, most *Match }
	var order []string
	seen := map[string]*span{}
	for i := range r.Matches {
		m := &r.Matches[i]
		key := fmt.Sprintf("%s at %d simulations", m.Network, m.Simulations)
		s := seen[key]
		if s == nil {
			s = &span{m, m}
			seen[key] = s
			order = append(order, key)
		}
		if m.Score.Value < s.least.Score.Value {
			s.least = m
		}
		if m.Score.Value > s.most.Score.Value {
			s.most = m
		}
	}
	var list []string
	for _, key := range order {
		s := seen[key]
		list = append(list, fmt.Sprintf("%s: from %.0f %% (%s) to %.0f %% (%s)", key, 100*s.least.Score.Value, s.least.School, 100*s.most.Score.Value, s.most.School))
	}
	return fmt.Sprintf("Scores against networks, of %d games each, so that the extremes are partly luck: %s.", r.Matches[0].Games, strings.Join(list, "; "))
}
