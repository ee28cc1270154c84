package sweep

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/stats/design"
	"github.com/ludozero/ludozero/stats/rating"
	"gonum.org/v1/gonum/stat"
)

// WriteText writes the result for people.
func (r *Result) WriteText(w io.Writer) error {
	t := &text{tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)}
	each := fmt.Sprintf("%g s of core time", r.CoreSeconds)
	if r.Generations > 0 {
		each = fmt.Sprintf("%d generations", r.Generations)
	}
	t.line("%s, rules %s: %d runs of %s, cores for each: %d", r.Game, r.Rules, len(r.Runs), each, r.CoresEach)
	r.writeDesign(t)
	t.line("")
	r.writeRuns(t)
	for i := range r.Measures {
		t.line("")
		r.writeMeasure(t, &r.Measures[i])
	}
	return t.w.Flush()
}

// text writes lines with cells that are separated by tabs. What was written to a
// tabwriter fails when it is flushed.
type text struct{ w *tabwriter.Writer }

func (t *text) line(format string, args ...any) { fmt.Fprintf(t.w, format+"\n", args...) }

// writeDesign says what was varied and what cannot be told apart.
func (r *Result) writeDesign(t *text) {
	d := r.Design
	if d == nil {
		return
	}
	t.line("")
	t.line("  factor\tl (low)\th (high)")
	for _, f := range r.Factors {
		t.line("  %s\t%s\t%s", f.Name, settingsText(f.Low), settingsText(f.High))
	}
	t.line("")
	if d.Resolution == 0 {
		t.line("full factorial design: no main effect and no interaction is aliased with another")
		return
	}
	var of []string
	for _, g := range d.Generators {
		var names []string
		for _, i := range g.Of {
			names = append(names, r.Factors[i].Name)
		}
		of = append(of, fmt.Sprintf("%s = %s", r.Factors[g.Factor].Name, strings.Join(names, " × ")))
	}
	t.line("design of resolution %d: %s", d.Resolution, strings.Join(of, ", "))
	switch d.Resolution {
	case 3:
		t.line("Effects are aliased with interactions: each main effect is the sum of itself and of the interactions named below, and of")
		t.line("those of more factors.")
	case 4:
		t.line("Effects are aliased with interactions: each main effect with some of three and more factors, and those of two factors with")
		t.line("each other, so that only their sums are known.")
	default:
		t.line("Effects are aliased with interactions, main effects and those of two factors with some of three and more factors only.")
	}
	for _, c := range d.Chains {
		if c.Main >= 0 {
			t.line("  %s = %s", r.Factors[c.Main].Name, r.pairs(&c))
		}
	}
}

func (r *Result) pairs(c *design.Chain) string {
	var words []string
	for _, p := range c.Pairs {
		words = append(words, r.Factors[p[0]].Name+" × "+r.Factors[p[1]].Name)
	}
	return strings.Join(words, " = ")
}

func settingsText(list []string) string {
	if len(list) == 0 {
		return "as configured"
	}
	return strings.Join(list, " ")
}

func (r *Result) writeRuns(t *text) {
	head := "run\tseed\tgeneration\tsteps\tpositions\tcore time\tcounted\tprocesses"
	for _, m := range r.Measures {
		head += fmt.Sprintf("\t%s, %s", m.Name, m.Unit)
	}
	t.line("%s", head)
	untrained := 0
	for _, o := range r.Runs {
		counted := "unknown"
		if o.Counted != nil {
			counted = fmt.Sprintf("%.0f %%", 100**o.Counted)
		}
		line := fmt.Sprintf("%s\t%d\t%d\t%d\t%d\t%.1f s\t%s\t%d", o.Name, o.Seed, o.Generation, o.Step, o.Positions, o.CoreSeconds, counted, o.Processes)
		for _, v := range o.Values {
			line += "\t" + around(v, false)
		}
		t.line("%s", line)
		if o.Generation == 0 {
			untrained++
		}
	}
	if untrained > 0 {
		t.line("%d of the runs have an untrained network: the time was too short for a generation", untrained)
	}
	t.line("counted: share of the core time before the last checkpoint; intervals (95 %%) of single runs are over positions or games")
}

func (r *Result) writeMeasure(t *text, m *Measured) {
	t.line("%s, in %s", m.What, m.Unit)
	switch {
	case m.Missing != "":
		t.line("no means: %s", m.Missing)
	case m.Fit != nil:
		r.writeFit(t, m)
	default:
		n := len(r.Runs) / len(m.Arms)
		t.line("intervals 95 %%, Student's t over %d runs (%d degrees of freedom), each for one number alone", n, n-1)
		if len(m.Arms) == 1 {
			mean := ""
			if !m.Relative { // else it is 0, whatever they are
				mean = "mean " + around(m.Arms[0].Mean, false) + ", "
			}
			t.line("  %s: %sstandard deviation between runs %.2f", m.Arms[0].Name, mean, m.deviation())
			return
		}
		t.line("  arm\tmean\tless %s, over equal seeds", m.Arms[0].Name)
		for _, a := range m.Arms {
			difference := ""
			if a.Difference != nil {
				difference = around(*a.Difference, true)
			}
			t.line("  %s\t%s\t%s", a.Name, around(a.Mean, false), difference)
		}
	}
}

// deviation returns the standard deviation of the runs' values.
func (m *Measured) deviation() float64 {
	values := make([]float64, len(m.Values))
	for i, v := range m.Values {
		values[i] = v.Value
	}
	return stat.StdDev(values, nil)
}

func (r *Result) writeFit(t *text, m *Measured) {
	f := m.Fit
	if !m.Relative {
		t.line("mean %s", around(f.Mean, false))
	}
	t.line("standard deviation of a run about the main effects %.2f, %d degrees of freedom", f.Residual, f.Freedom)
	t.line("intervals 95 %%, Student's t over runs with these degrees of freedom, each for one number alone")
	t.line("  factor\teffect, high less low")
	for i, e := range f.Effects {
		t.line("  %s\t%s", r.Factors[i].Name, around(e, true))
	}
	if len(f.Chains) > 0 {
		t.line("interactions, which are part of that standard deviation; of those that are aliased the sum")
		for _, c := range f.Chains {
			t.line("  %+.2f  %s", c.Value, r.pairs(&c.Chain))
		}
	}
}

// around writes an estimate with its interval, with signs if it is a difference. Runs that
// are alike, as where all lose every game, do not tell how far others would differ.
func around(e rating.Estimate, signed bool) string {
	switch alike := e.High-e.Low < 1e-9; {
	case math.IsNaN(e.Value):
		return "unknown"
	case alike && signed:
		return fmt.Sprintf("%+.2f (? to ?)", e.Value)
	case alike:
		return fmt.Sprintf("%.2f (? to ?)", e.Value)
	}
	if signed {
		return fmt.Sprintf("%+.2f (%+.2f to %+.2f)", e.Value, e.Low, e.High)
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", e.Value, e.Low, e.High)
}

// WriteRows writes RowsFile: a row for each run with its settings, what it did, and
// what was measured. A number that is infinite or unknown is an empty cell.
func (s *Sweep) WriteRows(r *Result) error {
	return atomicfile.Write(filepath.Join(s.dir, RowsFile), (&sheet.CSV{Rows: r.rows()}).Write)
}

func (r *Result) rows() [][]string {
	head := []string{"run", "order", "seed"}
	if r.Design == nil {
		head = append(head, "arm")
	}
	for _, f := range r.Factors {
		head = append(head, f.Name)
	}
	head = append(head, "generation", "steps", "games", "positions", "core_seconds", "processes", "counted")
	for _, m := range r.Measures {
		head = append(head, m.Name, m.Name+"_low", m.Name+"_high")
	}
	return append([][]string{head}, sheet.Rows(r.Runs, func(o *Outcome) []string {
		row := sheet.Row(o.Name, o.Order, strconv.FormatUint(o.Seed, 10))
		if r.Design == nil {
			row = append(row, o.Arm)
		}
		for _, level := range o.Levels {
			row = append(row, map[rune]string{'l': "low", 'h': "high"}[level])
		}
		counted := ""
		if o.Counted != nil {
			counted = number(*o.Counted)
		}
		row = append(row, sheet.Row(o.Generation, o.Step, o.Games, o.Positions, number(o.CoreSeconds), o.Processes, counted)...)
		for _, v := range o.Values {
			row = append(row, number(v.Value), number(v.Low), number(v.High))
		}
		return row
	})...)
}

func number(x float64) string {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 8, 64)
}
