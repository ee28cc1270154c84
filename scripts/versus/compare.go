package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The sides in other languages.
var (
	//go:embed ort.mjs
	ortScript []byte
	//go:embed pytorch.py
	torchScript []byte
)

// report is the result of a comparison.
type report struct {
	Started  time.Time             `json:"started"`
	Machine  machine               `json:"machine"`
	Versions map[string]string     `json:"versions"`
	Checks   map[string]difference `json:"checks"`
	Losses   map[string][]float64  `json:"losses"`
	// CallMicroseconds is the time of a call of ONNX Runtime from JavaScript for the
	// smallest network.
	CallMicroseconds float64  `json:"call_microseconds,omitempty"`
	Rows             []result `json:"rows"`
	Warnings         []string `json:"warnings"`
}

// comparison is a run of the program.
type comparison struct {
	options
	report
	out  io.Writer
	self string // this program
	ort  string // ort.mjs
	py   string // pytorch.py
}

// row is one line of the tables: sides to be timed against each other, ours first.
type row struct {
	name, unit string
	threads    int
	sides      []program
}

// compare measures all rows that o selects. If it ends early, the report holds what
// was measured until then, beside the error.
func compare(ctx context.Context, o options, out io.Writer) (*report, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if o.dir, err = filepath.Abs(o.dir); err != nil {
		return nil, err
	}
	c := &comparison{options: o, out: out, self: self, ort: filepath.Join(o.dir, "ort.mjs"), py: filepath.Join(o.dir, "pytorch.py"),
		report: report{Started: time.Now().UTC().Truncate(time.Second), Machine: thisMachine(),
			Versions: map[string]string{}, Checks: map[string]difference{}, Losses: map[string][]float64{}}}
	if err := errors.Join(os.WriteFile(c.ort, ortScript, 0o644), os.WriteFile(c.py, torchScript, 0o644)); err != nil {
		return nil, err
	}
	fmt.Fprintln(out, c.Machine)
	err = c.measureAll(ctx)
	if ctx.Err() != nil {
		err = errors.New("interrupted") // whatever the sides said when they ended
	}
	if len(c.Rows) == 0 {
		if err == nil {
			err = fmt.Errorf("no row was measured whose name matches %q; %s", o.only, strings.Join(c.Warnings, "; "))
		}
		return nil, err
	}
	c.finish()
	return &c.report, err
}

func (c *comparison) measureAll(ctx context.Context) error {
	all, err := subjects()
	if err != nil {
		return err
	}
	training := c.selected(c.trainingRows(all[0]))
	for i, s := range all {
		inference := c.selected(c.inferenceRows(s))
		if len(inference) > 0 && c.modules == "" {
			c.warn("no ONNX Runtime: rows of inference of %s are left out", s.name)
			inference = nil
		}
		if len(inference) > 0 || i == 0 && len(training) > 0 {
			if err := s.prepare(c.folder(s), lessonSteps); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
		if len(inference) == 0 {
			continue
		}
		if err := c.checkOutputs(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if err := c.callCost(ctx); err != nil {
			return err
		}
		if err := c.measure(ctx, inference); err != nil {
			return err
		}
	}
	if len(training) == 0 {
		return nil
	}
	if err := c.checkLosses(ctx, all[0]); err != nil {
		return err
	}
	return c.measure(ctx, training)
}

// folder is where the files of s are.
func (c *comparison) folder(s subject) string { return filepath.Join(c.dir, s.name) }

func (c *comparison) selected(rows []row) []row {
	return slices.DeleteFunc(rows, func(r row) bool { return !c.only.MatchString(r.name) })
}

func (c *comparison) warn(format string, args ...any) {
	c.Warnings = append(c.Warnings, fmt.Sprintf(format, args...))
}

// measure times rows of one unit and prints a line for each of the other sides.
func (c *comparison) measure(ctx context.Context, rows []row) error {
	fmt.Fprintf(c.out, "\n%-56s %8s %8s %7s  %s  %s\n", rows[0].unit+", median", "ours", "theirs", "ratio", "middle half   ", "all")
	for _, r := range rows {
		if err := c.measureRow(ctx, r); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	}
	return nil
}

func (c *comparison) measureRow(ctx context.Context, r row) error {
	sides, end, err := startAll(ctx, r.sides)
	defer end()
	if err != nil {
		return err
	}
	for _, s := range sides {
		c.Versions[s.name] = s.version
	}
	peak := fmaPeak()
	turns, err := alternate(ctx, sides, c.time, c.slice)
	if err != nil {
		return err
	}
	found := summary(r.name, r.unit, sides, turns)
	found.Peak = peak
	c.Rows = append(c.Rows, found)
	span := func(low, high float64) string { return fmt.Sprintf("%.2f to %.2f", low, high) }
	for i, q := range found.Ratios {
		fmt.Fprintf(c.out, "%-56s %8.0f %8.0f %6.2f×  %-14s  %s\n", r.name+" "+found.Sides[i+1],
			found.Rates[0], found.Rates[i+1], q.Value, span(q.Low, q.High), span(q.Least, q.Most))
	}
	for _, why := range found.busy(r.threads) {
		c.warn("%s: %s", r.name, why)
	}
	return nil
}

// steady is how much the peak may vary, as a share, before the run is called unsteady.
const steady = 0.2

// finish prints how steady the machine was, versions, targets and warnings.
func (c *comparison) finish() {
	c.Machine.Load[1] = load1()
	var peaks []float64
	for _, r := range c.Rows {
		peaks = append(peaks, r.Peak)
	}
	low, high := quantile(peaks, 0), quantile(peaks, 1)
	fmt.Fprintf(c.out, "\nFMA peak of one core before each row: %.0f to %.0f GFLOP/s, median %.0f. Load %s before, %s after. %s.\n",
		low, high, quantile(peaks, 0.5), c.Machine.Load[0], c.Machine.Load[1], time.Since(c.Started).Round(time.Second))
	if (high-low)/high > steady {
		c.warn("the FMA peak moved by %.0f %%: the machine was not steady", 100*(high-low)/high)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Versions)) {
		fmt.Fprintf(c.out, "%s: %s\n", name, c.Versions[name])
	}
	c.targets()
	for _, w := range c.Warnings {
		fmt.Fprintf(c.out, "warning: %s\n", w)
	}
}
