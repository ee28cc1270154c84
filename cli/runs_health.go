package cli

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/report/health"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/spf13/cobra"
)

// healthLines is how many generations are shown, the last ones.
const healthLines = 12

func newRunsHealth(env *shell.Env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "health RUN",
		Short: "Say whether a run learns as it should",
		Long: "Reads the figures of a run's generations and says in words what is off now and what was before, with what was to be\n" +
			"expected and what to try: values that outcomes do not bear out, games that repeat each other, a window that holds too\n" +
			"little, networks that do not change, gradients that are cut down. Below it the figures of the last generations.\n" +
			"docs/health.md explains them all. A run at work is not disturbed; nothing is written.",
		Args:    cobra.ExactArgs(1),
		Example: "  ludozero runs health runs/first\n  ludozero runs health runs/first --json",
		RunE: func(c *cobra.Command, args []string) error {
			if !isRun(args[0]) {
				return shell.Usagef("%s: it is no run", args[0])
			}
			r, err := readNamedRun(env, args[0])
			if err != nil {
				return err
			}
			if r.Problem != "" {
				return fmt.Errorf("run %s: %s", args[0], r.Problem)
			}
			h := newRunHealth(r)
			if asJSON {
				return shell.WriteJSON(c, h)
			}
			return h.print(c.OutOrStdout())
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, which has every generation")
	return c
}

// runHealth is what the figures of a run say of it.
type runHealth struct {
	Name       string `json:"name"`
	Game       string `json:"game"`
	Rules      string `json:"rules"`
	Generation int    `json:"generation"`
	// Warnings are those of package health, past ones included.
	Warnings    []health.Warning `json:"warnings"`
	Generations []rundir.Metrics `json:"generations"`
}

func newRunHealth(r *trainedRun) *runHealth {
	h := &runHealth{Name: r.Name, Game: r.Game, Rules: r.Rules, Generation: r.Generation, Warnings: []health.Warning{}, Generations: []rundir.Metrics{}}
	h.Warnings = append(h.Warnings, health.Check(r.rows, &r.cfg.Config)...)
	h.Generations = append(h.Generations, r.rows...)
	return h
}

func (h *runHealth) print(out io.Writer) error {
	fmt.Fprintf(out, "%s: %s %s, generation %d\n", h.Name, h.Game, h.Rules, h.Generation)
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
func (h *runHealth) printFigures(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "gen\tentropy\tsurprise\tvalue slope\texplained\tby search\trepeated\tage\tgradient\tmax\tclipped\tsearch adds\tdrift\tvalue drift")
	unmeasured := false
	for i := range h.Generations[max(0, len(h.Generations)-healthLines):] {
		m := &h.Generations[max(0, len(h.Generations)-healthLines)+i]
		// The figures of values, gradients and the frozen set came in one program.
		values, repeats, steps, frozen := "-\t-\t-", "-", "-\t-", "-\t-\t-"
		if m.FrozenPositions > 0 {
			values = fmt.Sprintf("%.2f ± %.2f\t%.0f %%\t%.0f %%", m.ValueSlope, m.ValueSlopeError, 100*m.ValueExplained, 100*m.RootExplained)
			repeats = fmt.Sprintf("%d/%d", m.RepeatedGames, m.NewGames)
			steps = fmt.Sprintf("%.2f\t%d/%d", m.GradientNormMax, m.ClippedSteps, m.Steps)
			frozen = fmt.Sprintf("%.3f\t%.4f\t%.3f", m.FrozenDivergence, m.FrozenDrift, m.FrozenValueDrift)
		} else {
			unmeasured = true
		}
		fmt.Fprintf(w, "%d\t%.2f\t%.3f\t%s\t%s\t%.1f\t%.2f\t%s\t%s\n",
			m.Generation, m.PolicyEntropy, m.Surprise, values, repeats, m.MeanAge, m.GradientNorm, steps, frozen)
	}
	if err := w.Flush(); err != nil || !unmeasured {
		return err
	}
	_, err := fmt.Fprintln(out, "-: not measured, by an older program; nothing can be said of it")
	return err
}
