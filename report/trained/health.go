package trained

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/report/health"
	"github.com/ludozero/ludozero/train/rundir"
)

// healthLines is how many generations are shown, the last ones.
const healthLines = 12

// Health is what the figures of a run say of it.
type Health struct {
	Name       string `json:"name"`
	Game       string `json:"game"`
	Rules      string `json:"rules"`
	Generation int    `json:"generation"`
	// Warnings come from package health, past ones included.
	Warnings    []health.Warning `json:"warnings"`
	Generations []rundir.Metrics `json:"generations"`
}

// HealthOf says what the figures of a run say of it.
func HealthOf(r *Run) *Health {
	h := &Health{Name: r.Name, Game: r.Game, Rules: r.Rules, Generation: r.Generation, Warnings: []health.Warning{}, Generations: []rundir.Metrics{}}
	h.Warnings = append(h.Warnings, health.Check(r.rows, &r.Config.Config)...)
	h.Generations = append(h.Generations, r.rows...)
	return h
}

// WriteText prints what is off, what was, and the figures of the last generations.
func (h *Health) WriteText(out io.Writer) error {
	fmt.Fprintf(out, "%s: %s %s, generation %d\n", wording.PlainName(h.Name), h.Game, h.Rules, h.Generation)
	if len(h.Generations) == 0 {
		_, err := fmt.Fprintln(out, "no generation was trained: there is nothing to say yet")
		return err
	}
	last := h.Generations[len(h.Generations)-1].Generation
	now := 0
	for _, w := range h.Warnings {
		if w.Last == last {
			now++
			fmt.Fprintf(out, "\n%s %s, since generation %d\n  %s\n", w.Severity, w.Code, w.First, w.Text)
		}
	}
	if now == 0 {
		fmt.Fprintln(out, "\nnothing is off")
	}
	if now < len(h.Warnings) {
		fmt.Fprintln(out, "\nearlier:")
	}
	for _, w := range h.Warnings {
		if w.Last != last {
			fmt.Fprintf(out, "  %s %s, generations %d to %d\n", w.Severity, w.Code, w.First, w.Last)
		}
	}
	fmt.Fprintln(out)
	return h.printFigures(out)
}

// printFigures writes a table of the last generations.
func (h *Health) printFigures(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "gen\tentropy\tsurprise\tvalue slope\texplained\tby search\trepeated\tage\tgradient\tmax\tclipped\tsearch adds\tdrift\tvalue drift")
	unmeasured, taught := false, false
	for i := range h.Generations[max(0, len(h.Generations)-healthLines):] {
		m := &h.Generations[max(0, len(h.Generations)-healthLines)+i]
		// The figures of values, gradients and the frozen set came in one program.
		values, repeats, steps, frozen := "-\t-\t-", "-", "-\t-", "-\t-\t-"
		searches := fmt.Sprintf("%.2f\t%.3f", m.PolicyEntropy, m.Surprise)
		if m.FrozenPositions > 0 {
			values = fmt.Sprintf("%.2f ± %.2f\t%.0f %%\t%.0f %%", m.ValueSlope, m.ValueSlopeError, 100*m.ValueExplained, 100*m.RootExplained)
			repeats = fmt.Sprintf("%d/%d", m.RepeatedGames, m.NewGames)
			steps = fmt.Sprintf("%.2f\t%d/%d", m.GradientNormMax, m.ClippedSteps, m.Steps)
			frozen = fmt.Sprintf("%.3f\t%.4f\t%.3f", m.FrozenDivergence, m.FrozenDrift, m.FrozenValueDrift)
		} else {
			unmeasured = true
		}
		if m.NewGames > 0 && m.TaughtGames == m.NewGames {
			searches, values, taught = "-\t-", "-\t-\t-", true
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%.1f\t%.2f\t%s\t%s\n",
			m.Generation, searches, values, repeats, m.MeanAge, m.GradientNorm, steps, frozen)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if taught {
		fmt.Fprintln(out, "-: without searches, since the teacher played all games")
	}
	if unmeasured {
		fmt.Fprintln(out, "-: not measured, by an older program; nothing can be said of it")
	}
	return nil
}
