package bench

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/ludozero/ludozero/bench"
	"github.com/ludozero/ludozero/internal/wording"
)

func printBenchHead(out io.Writer, r *bench.Report) {
	m, s := &r.Machine, &r.Subject
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "processor\t%s, %s, %s\n", wording.OrDash(m.Processor), wording.Count(m.Cores, "core"), wording.OrDash(strings.Join(m.Caches, ", ")))
	fmt.Fprintf(w, "memory\t%.1f GiB\n", float64(m.MemoryBytes)/(1<<30))
	fmt.Fprintf(w, "kernels\t%s, of %s; %s, %s\n", m.Kernel, strings.Join(m.Kernels, ", "), m.Go, m.System)
	fmt.Fprintf(w, "game\t%s  %s\n", s.Game, s.Rules)
	fmt.Fprintf(w, "network\t%dx%d, %s parameters, %s multiply-adds an evaluation, %s a training sample\n", s.Network.Blocks, s.Network.Channels,
		amount(float64(s.Parameters)), amount(float64(s.MultiplyAdds)), amount(float64(s.TrainingMultiplyAdds)))
	fmt.Fprintf(w, "search\t%s, %s; %s in flight for a worker, in %s\n", s.Search, wording.Count(s.Simulations, "simulation"), wording.Count(s.GamesInFlight, "game"), s.Precision)
	fmt.Fprintf(w, "repeats\t%d in %.3g s for each figure: median, lowest to highest\n", s.Repeats, s.Seconds)
	_ = w.Flush()
}

func printBenchSection(out io.Writer, s *bench.Section) {
	batched := slices.ContainsFunc(s.Figures, func(f bench.Figure) bool { return f.Batch > 0 })
	counted := slices.ContainsFunc(s.Figures, func(f bench.Figure) bool { return f.Operations > 0 })
	shared := slices.ContainsFunc(s.Figures, func(f bench.Figure) bool { return f.Share != nil })
	fmt.Fprintln(out)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	column := func(wanted bool, text string) {
		if wanted {
			fmt.Fprint(w, "\t", text)
		}
	}
	fmt.Fprint(w, s.Name)
	column(batched, "batch")
	fmt.Fprint(w, "\tthreads\tmedian\tlowest to highest")
	column(counted, "nominal")
	column(shared, "share")
	fmt.Fprintln(w)
	for i := range s.Figures {
		f := &s.Figures[i]
		name := f.Name
		if f.Game != "" {
			name += ", " + f.Game
		}
		if f.Operations > 0 {
			name += " " + f.Precision
		}
		fmt.Fprint(w, name)
		column(batched, numberOr(f.Batch, ""))
		fmt.Fprintf(w, "\t%d\t%s\t%s", f.Threads, withUnit(f.Median, f.Unit), rangeOf(&f.Spread, f.Unit))
		nominal, share := "", ""
		if f.Operations > 0 {
			nominal = withUnit(f.Median*f.Operations, "OP/s")
		}
		if f.Share != nil {
			share = fmt.Sprintf("%s (%s) of %s", hundredths(f.Share.Median), rangeOf(&f.Share.Spread, "%"), f.Share.Of)
		}
		column(counted, nominal)
		column(shared, share)
		fmt.Fprintln(w)
	}
	_ = w.Flush()
	for _, n := range s.Notes {
		fmt.Fprintln(out, "  "+n)
	}
}

func printBenchNight(out io.Writer, n *bench.Night) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(out, "\na night of %g hours, predicted: positions, and for each parameter of the network, by simulations\n", n.Hours)
	fmt.Fprint(w, "network\tparameters\tmultiply-adds\tevaluations/s\tor samples/s\t\t")
	for _, o := range n.Candidates[0].Outcomes {
		fmt.Fprintf(w, "%d sims\t\t", o.Simulations)
	}
	fmt.Fprintln(w)
	for _, c := range n.Candidates {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t", c.Network, amount(float64(c.Parameters)), amount(float64(c.MultiplyAdds)), amount(c.Evaluations), amount(c.Samples), c.Rates)
		for _, o := range c.Outcomes {
			fmt.Fprintf(w, "%s\t%s\t", amount(o.Positions), fmt.Sprintf("(%.3g)", o.PerParameter))
		}
		fmt.Fprintln(w)
	}
	_ = w.Flush()
	for _, b := range n.Basis {
		fmt.Fprintln(out, "  "+b)
	}
	c := &n.Choice
	fmt.Fprintf(out, "\nrecommended: %s with %s: %s positions, %.3g for each parameter, in %s games, and %s steps of training\n",
		c.Network, wording.Count(c.Simulations, "simulation"), amount(c.Positions), c.PerParameter, amount(c.Games), amount(c.Steps))
	fmt.Fprintf(out, "  a rule of thumb, no measurement of strength: %s\n", n.Rule)
}

// printBenchConditions says how quiet the machine was.
func printBenchConditions(out io.Writer, r *bench.Report) {
	c := &r.Conditions
	fmt.Fprintf(out, "\nit took %.0f s", c.Seconds)
	if c.Clock.Median > 0 {
		fmt.Fprintf(out, "; one core's f32 peak was %s meanwhile (%s)", withUnit(c.Clock.Median, "FLOP/s"), rangeOf(&c.Clock, "FLOP/s"))
	}
	if c.Got >= 0 {
		fmt.Fprintf(out, "; it got %s of the processor time it asked for, other processes took %s of the cores, other machines %s",
			hundredths(c.Got), hundredths(c.Others), hundredths(c.Stolen))
	}
	fmt.Fprintln(out)
	if c.Got >= 0 && c.Got < quiet {
		fmt.Fprintln(out, "  the machine was busy: rates are lower than they would be on a quiet one, shares and the plan are less sure")
	}
}

// quiet is the part of the processor time it asked for that a program gets at least
// on a machine that does little else.
const quiet = 0.95

// scales are the prefixes of large numbers.
var scales = []struct {
	unit   float64
	prefix string
}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e4, "k"}, {0, ""}}

// scaleOf returns what to divide v by, and the letter for it.
func scaleOf(v float64) (float64, string) {
	for _, s := range scales {
		if math.Abs(v) >= s.unit && s.unit > 0 {
			if s.prefix == "k" {
				return 1e3, "k"
			}
			return s.unit, s.prefix
		}
	}
	return 1, ""
}

// digits writes three of them, and all of a whole number below a thousand.
func digits(v float64) string {
	switch a := math.Abs(v); {
	case a >= 100 || a == math.Trunc(a) && a < 1000:
		return fmt.Sprintf("%.0f", v)
	case a >= 10:
		return fmt.Sprintf("%.1f", v)
	case a >= 1:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.2g", v)
}

// amount is a number for people: "1.87 M".
func amount(v float64) string {
	unit, prefix := scaleOf(v)
	return strings.TrimSpace(digits(v/unit) + " " + prefix)
}

// withUnit is an amount with its unit: "263 GFLOP/s", "17.2 k evaluations/s".
func withUnit(v float64, unit string) string {
	switch {
	case unit == "%":
		return hundredths(v)
	case unit == "":
		return amount(v)
	case unit == strings.ToUpper(unit[:1])+unit[1:]: // FLOP/s, B/s: the letter belongs to it
		scale, prefix := scaleOf(v)
		return digits(v/scale) + " " + prefix + unit
	}
	return amount(v) + " " + unit
}

// rangeOf is the range of a spread in the scale of its median, without the unit.
func rangeOf(s *bench.Spread, unit string) string {
	if unit == "%" {
		return fmt.Sprintf("%s–%s", digits(100*s.Low), digits(100*s.High))
	}
	scale, _ := scaleOf(s.Median)
	return fmt.Sprintf("%s–%s", digits(s.Low/scale), digits(s.High/scale))
}

func hundredths(share float64) string { return digits(100*share) + " %" }

func numberOr(n int, none string) string {
	if n == 0 {
		return none
	}
	return fmt.Sprint(n)
}
