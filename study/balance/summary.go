package balance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/stats/resample"
)

// percent writes a share or a score, points a difference of scores in hundredths.
func percent(e rating.Estimate) string {
	return fmt.Sprintf("%.1f %% (95 %%: %.1f to %.1f)", 100*e.Value, 100*e.Low, 100*e.High)
}

func points(e rating.Estimate) string {
	return fmt.Sprintf("%+.1f points (95 %%: %+.1f to %+.1f)", 100*e.Value, 100*e.Low, 100*e.High)
}

// main is the group that verdicts are by.
func (v *VariantResult) main() *Group {
	at := 0
	for i := range v.Groups {
		if v.Groups[i].Networks > 0 {
			at = i
		}
	}
	return &v.Groups[at]
}

// difference writes a difference of scores, "2 points" for 0.02.
func difference(x float64) string {
	if x == 0.01 {
		return "1 point"
	}
	return fmt.Sprintf("%.4g points", 100*x)
}

// favours says whom the start favours, as far as δ tells; m is what matters.
func favours(delta rating.Estimate, m float64) string {
	switch {
	case delta.Low > m:
		return "the first player is favoured by more than the " + difference(m) + " that matter"
	case delta.High < -m:
		return "the second player is favoured by more than the " + difference(m) + " that matter"
	case delta.Low >= -m && delta.High <= m:
		return "neither player is favoured by more than the " + difference(m) + " that matter"
	case delta.Low > 0:
		return "the first player is favoured; whether by the " + difference(m) + " that matter is open"
	case delta.High < 0:
		return "the second player is favoured; whether by the " + difference(m) + " that matter is open"
	}
	return "these games do not tell whom it favours"
}

// about says what intervals on this basis do not say.
func about(b resample.Basis, networks int) string {
	switch {
	case networks == 0:
		return "The intervals are about further games of these players. No network has played."
	case b == resample.Games:
		return fmt.Sprintf("With %s nothing is known about other networks: the intervals are about further games of these alone, and another network may play the variants otherwise.", wording.Count(networks, "network"))
	}
	return fmt.Sprintf("The intervals are about networks like these %d, by the differences between them, if they were trained independently of each other.", networks)
}

// summarise says what was found in sentences that claim no more than the figures.
func (r *Result) summarise() []string {
	first := r.Variants[0].main()
	who := first.Label
	if first.Networks > 0 {
		who = fmt.Sprintf("%s at %d simulations a move", wording.Count(first.Networks, "network"), r.Simulations[len(r.Simulations)-1])
	}
	list := []string{fmt.Sprintf("%s of %s, played by %s against themselves: in each variant equally many games from every way to settle its start.",
		wording.Count(len(r.Variants), "variant"), r.Game, who)}
	if first.Networks <= 1 {
		list[0] = strings.Replace(list[0], "themselves", "itself", 1)
	}
	list = append(list, about(first.Basis, first.Networks))
	list = append(list, r.compensation()...)
	for i := range r.Variants {
		list = append(list, r.Variants[i].sentence(r.Matters))
	}
	verdicts, stand := 0, 0
	takes := map[string]*Spread{}
	for i := range r.Spreads {
		takes[r.Spreads[i].Of] = &r.Spreads[i]
	}
	for i := range r.Comparisons {
		if c := &r.Comparisons[i]; c.Main {
			verdicts++
			if c.Verdict != NoVerdict {
				stand++
			}
			text := c.sentence(r.Baseline, r.Matters) + r.crossChecks(c)
			if s := takes[c.Variant+" against "+r.Baseline]; s != nil && c.Found == CannotTell {
				text += " " + s.sentence(r.Matters)
			}
			list = append(list, text)
		}
	}
	if verdicts > 1 && stand > 0 {
		list = append(list, fmt.Sprintf("Verdicts are corrected for being %d (Holm): that any of them is wrong has a probability of at most %g %%. Intervals are of 95 %% each, and which variant is the fairest of all was not asked.", verdicts, 100*Significance))
	}
	if r.Stopped != nil {
		list = append(list, r.Stopped.String())
	}
	return append(list, r.caveats()...)
}

// sentence says what the first player scored and where.
func (v *VariantResult) sentence(matters float64) string {
	g := v.main()
	text := fmt.Sprintf("%s: ", v.Name)
	where := fmt.Sprintf("In %s from its one start", wording.Count(g.Games, "game"))
	if v.Compensated {
		text += fmt.Sprintf("%s settle the start in %s, with %s each. ", wording.Count(v.Lines, "line"), wording.Count(g.Starts, "different position"), wording.Count(g.Games/g.Starts, "game"))
		where = "With the start chosen by one half of the games and scored in the other"
	}
	text += fmt.Sprintf("%s the first player scored %s; %s.", where, percent(g.measure(MeasureFirst)), favours(g.measure(MeasureDelta), matters))
	for i := range v.Starts {
		if s := &v.Starts[i]; s.Words == v.Chosen {
			text += fmt.Sprintf(" All games together choose %s, as %.1f %% of tables of half of them do.", s.Words, 100*s.Chosen)
		}
	}
	if len(v.NotTrained) > 0 {
		text += fmt.Sprintf(" Not trained on these rules: %s.", strings.Join(v.NotTrained, ", "))
	}
	return text
}

// compensation says what variants without compensation show where others have one:
// whether there is anything to compensate.
func (r *Result) compensation() []string {
	var list []string
	compensated := slices.ContainsFunc(r.Variants, func(v VariantResult) bool { return v.Compensated })
	for i := range r.Variants {
		v := &r.Variants[i]
		if v.Compensated || !compensated {
			continue
		}
		shown := "shows no advantage of either seat, so that it is not known whether there is anything to compensate"
		switch delta := v.main().measure(MeasureDelta); {
		case delta.Low > 0:
			shown = "shows an advantage of the first player, which is what the others are to compensate"
		case delta.High < 0:
			shown = "shows an advantage of the second player, so that nothing is to be given to that player"
		}
		list = append(list, fmt.Sprintf("%s has no compensation and %s.", v.Name, shown))
	}
	return list
}

func (c *Comparison) sentence(baseline string, m float64) string {
	text := fmt.Sprintf("%s against %s: ", c.Variant, baseline)
	said := c.Verdict
	if said == NoVerdict {
		text += "no verdict; "
		if said = c.Found; said != CannotTell {
			text += "the games by themselves say: "
		}
	}
	switch said {
	case Fairer:
		text += "fairer, |δ| is smaller by " + difference(m) + " or more"
	case NotFairer:
		text += "not fairer by the " + difference(m) + " that matter"
		if c.Distance.Low > m {
			text += " (by its interval alone less fair by more than that)"
		}
	case CannotTell:
		text += "these games cannot tell whether it is fairer by the " + difference(m) + " that matter"
	}
	text += fmt.Sprintf("; |δ| differs by %s.", points(c.Distance))
	switch {
	case c.Verdict == NoVerdict:
		if c.Found != CannotTell {
			text += " That may lie in how well these networks know the two rather than in the rules."
		}
		text += fmt.Sprintf(" The condition of a verdict, to be within %d Elo of a network trained further on those rules, is %s.", EloCondition, c.Condition)
	case c.Verdict != c.Found:
		text += fmt.Sprintf(" By its interval alone it would be %s; not after the correction for the number of verdicts (p %s).", c.Found, sheet.Probability(*c.PHolm))
	}
	return text
}

// crossChecks says what other players and strengths find of the variant of c, "" if
// there are none.
func (r *Result) crossChecks(c *Comparison) string {
	counts := map[Verdict]int{}
	for i := range r.Comparisons {
		if o := &r.Comparisons[i]; o.Variant == c.Variant && !o.Main {
			counts[o.Found]++
		}
	}
	var parts []string
	for _, v := range []Verdict{Fairer, NotFairer, CannotTell} {
		if n := counts[v]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	if parts == nil {
		return ""
	}
	return " Cross-checks by other strengths and players: " + strings.Join(parts, ", ") + "."
}

// caveats are what has to be known besides.
func (r *Result) caveats() []string {
	var list []string
	if slices.ContainsFunc(r.Variants, func(v VariantResult) bool { return v.Compensated }) {
		list = append(list, "What is estimated is the score at the start that is chosen by a table of this many games. Players who know the starts better may choose others.")
	}
	if slices.ContainsFunc(r.groups(), func(g groupOf) bool {
		return slices.ContainsFunc(g.Measures, func(m Measure) bool { return m.Name == MeasureSwapped })
	}) {
		list = append(list, "Where sides may be exchanged, a player who judges perfectly takes the better one, and one who begins perfectly makes the two equal: then the score is ½ by construction, whatever the game is worth without the exchange. δ of such a variant says how evenly the decisions before the exchange can divide the game and how well these players judge that.")
	}
	if len(r.Checks) > 0 && len(r.Networks) > 1 {
		list = append(list, fmt.Sprintf("Of the networks %s alone has met networks trained further on a variant: whether the others know the variants equally well is not shown.", r.Networks[0]))
	}
	repeated, games := 0, 0
	for _, g := range r.groups() {
		repeated += g.Repeated
		games += g.Games
	}
	if repeated > 0 {
		list = append(list, fmt.Sprintf("%d of all %d games repeat an earlier one of the same player. They are in the scores and count for no evidence.", repeated, games))
	}
	return list
}
