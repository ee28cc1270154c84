package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// report is what a run found.
type report struct {
	Started  time.Time             `json:"started"`
	Machine  machine               `json:"machine"`
	Versions map[string]string     `json:"versions"`
	Checks   map[string]difference `json:"checks"`
	Losses   map[string][]float64  `json:"losses"`
	// CallMicroseconds is what a call of ONNX Runtime from JavaScript takes for
	// a network of next to nothing.
	CallMicroseconds float64  `json:"call_microseconds,omitempty"`
	Rows             []result `json:"rows"`
	Warnings         []string `json:"warnings"`
}

// comparison is a run under way.
type comparison struct {
	options
	report
	out  io.Writer
	self string // this program
	ort  string // ort.mjs
	py   string // pytorch.py

	prepared map[string]bool // subjects whose files are there
}

// compare measures all rows that o asks for. If that ends early, what there is by
// then is returned beside the error.
func compare(ctx context.Context, o options, out io.Writer) (*report, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &comparison{options: o, out: out, self: self, prepared: map[string]bool{},
		report: report{Started: time.Now().UTC().Truncate(time.Second), Versions: map[string]string{}, Checks: map[string]difference{}, Losses: map[string][]float64{}}}
	if err := c.writeScripts(); err != nil {
		return nil, err
	}
	c.Machine = look()
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
	for _, s := range all {
		if err := c.inference(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return c.training(ctx, all[0])
}

// folder is where the files of s are, prepared at the first call.
func (c *comparison) folder(s subject) (string, error) {
	dir := filepath.Join(c.dir, s.name)
	if c.prepared[s.name] {
		return dir, nil
	}
	err := s.prepare(dir, lessonSteps)
	c.prepared[s.name] = err == nil
	return dir, err
}

// inferenceRow is one row of inference.
type inferenceRow struct {
	subject
	format         format
	batch, threads int
}

func (r inferenceRow) String() string {
	return fmt.Sprintf("%s/%s/batch=%d/threads=%d", r.name, r.format.name, r.batch, r.threads)
}

func (c *comparison) inferenceRows(s subject) []inferenceRow {
	var rows []inferenceRow
	for _, f := range formats() {
		for threads := 1; threads <= 2; threads++ {
			for _, batch := range f.batches {
				small := s.name != "R6x64" && (threads > 1 || batch == 32 || batch == 256) // less of it
				if r := (inferenceRow{s, f, batch, threads}); !small && c.only.MatchString(r.String()) {
					rows = append(rows, r)
				}
			}
		}
	}
	return rows
}

func (c *comparison) inference(ctx context.Context, s subject) error {
	rows := c.inferenceRows(s)
	if len(rows) == 0 {
		return nil
	}
	if c.modules == "" {
		c.warn("no ONNX Runtime: rows of inference of %s are left out", s.name)
		return nil
	}
	dir, err := c.folder(s)
	if err != nil {
		return err
	}
	if err := c.check(ctx, s, dir); err != nil {
		return err
	}
	if err := c.callCost(ctx); err != nil {
		return err
	}
	c.header("evaluations/s")
	for _, r := range rows {
		if err := c.measure(ctx, r, dir); err != nil {
			return fmt.Errorf("%s: %w", r, err)
		}
	}
	return nil
}

func (c *comparison) measure(ctx context.Context, r inferenceRow, dir string) error {
	ours, err := c.ours(ctx, r.subject, dir, r.format, r.batch, r.threads)
	if err != nil {
		return err
	}
	defer ours.close()
	ort, err := c.onnxRuntime(ctx, r.subject, dir, r.format.model, r.batch, r.threads)
	if err != nil {
		return err
	}
	defer ort.close()
	return c.row(ctx, r.String(), "evaluations/s", r.threads, c.time, c.slice, ours, ort)
}

func (c *comparison) header(unit string) {
	fmt.Fprintf(c.out, "\n%-56s %8s %8s %7s  %s  %s\n", unit+", median", "ours", "theirs", "ratio", "middle half   ", "all")
}

func span(low, high float64) string { return fmt.Sprintf("%.2f to %.2f", low, high) }

// row measures the sides, which need not be ready yet, and prints a line.
func (c *comparison) row(ctx context.Context, name, unit string, threads int, total, slice time.Duration, sides ...*side) error {
	for _, s := range sides {
		if err := s.ready(); err != nil {
			return err
		}
		c.Versions[s.name] = s.version
	}
	peak := fmaPeak()
	turns, err := alternate(ctx, sides, total, slice)
	if err != nil {
		return err
	}
	r := summary(name, unit, sides, turns)
	r.Peak = peak
	c.Rows = append(c.Rows, r)
	for i, q := range r.Ratios {
		label := name + " " + r.Sides[i+1]
		fmt.Fprintf(c.out, "%-56s %8.0f %8.0f %6.2f×  %-14s  %s\n", label, r.Rates[0], r.Rates[i+1], q.Value, span(q.Low, q.High), span(q.Least, q.Most))
	}
	for _, why := range r.busy(threads) {
		c.warn("%s: %s", name, why)
	}
	return nil
}

func (c *comparison) warn(format string, args ...any) {
	c.Warnings = append(c.Warnings, fmt.Sprintf(format, args...))
}

// ours starts our inference.
func (c *comparison) ours(ctx context.Context, s subject, dir string, f format, batch, threads int) (*side, error) {
	network, cells := s.inputs(dir)
	return start(ctx, "ludozero", []string{c.self, "side", "infer"}, f.environment(), task{Model: filepath.Join(dir, trainedWeights), Precision: f.precision.String(),
		Threads: threads, Batch: batch, Rows: inputRows, Inputs: append(network, cells)})
}

// ask starts a side for one question.
func ask(s *side, err error, format string, args ...any) (reply, error) {
	if err != nil {
		return reply{}, err
	}
	defer s.close()
	if err := s.ready(); err != nil {
		return reply{}, err
	}
	return s.ask(format, args...)
}

// checkBatch is the batch of the sides whose outputs are compared.
const checkBatch = 64

// Limits of what float32 models may be apart; design.md section 3.
const (
	logitLimit = 1e-4
	lossLimit  = 1e-3
)

// check compares the outputs of all sides that the rows of s will time.
func (c *comparison) check(ctx context.Context, s subject, dir string) error {
	_, legal := s.inputs(dir)
	cells, err := readFloats(legal.File)
	if err != nil {
		return err
	}
	say := func(name string, side *side, err error) (outputs, error) {
		file := filepath.Join(dir, strings.NewReplacer("/", "-", " ", "-").Replace(name)+".out")
		if _, err := ask(side, err, "out %s", file); err != nil {
			return outputs{}, err
		}
		return readOutputs(file, s.net.Shape)
	}
	all := formats()
	run, err := c.ours(ctx, s, dir, all[0], checkBatch, 1)
	ours, err := say("ours", run, err)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "\n%s: differences from our f32 in %d positions of games, for float32 also in %d of noise\n", s.name, realRows, inputRows-realRows)
	record := func(name string, theirs outputs, rows int, limit float64) error {
		d := compareOutputs(ours, theirs, cells, rows)
		c.Checks[s.name+"/"+name] = d
		fmt.Fprintf(c.out, "  %-28s logits %.1e, value %.1e, turns %.1e; same likeliest move %.1f %%\n", name, d.Logits, d.Value, d.Turns, 100*d.Top)
		if d.Logits > limit {
			return fmt.Errorf("%s: logits differ by %.2g, want at most %g of the largest: not the same network", name, d.Logits, limit)
		}
		return nil
	}
	for _, name := range []string{floatModel, normsModel} {
		run, err := c.onnxRuntime(ctx, s, dir, name, checkBatch, 1)
		theirs, err := say(name, run, err)
		if err != nil {
			return err
		}
		if err := record("ONNX Runtime "+name, theirs, inputRows, logitLimit); err != nil {
			return err
		}
	}
	if err := c.writeInt8(ctx, s, dir); err != nil {
		return err
	}
	if err := c.checker(ctx, dir); err != nil {
		return err
	}
	run, err = c.onnxRuntime(ctx, s, dir, int8Model, checkBatch, 1)
	theirs, err := say(int8Model, run, err)
	if err != nil {
		return err
	}
	if err := record("ONNX Runtime "+int8Model, theirs, realRows, math.Inf(1)); err != nil {
		return err
	}
	for _, f := range all[1:] {
		run, err := c.ours(ctx, s, dir, f, checkBatch, 1)
		theirs, err := say(f.name, run, err)
		if err != nil {
			return err
		}
		if err := record("ludozero "+f.name, theirs, realRows, math.Inf(1)); err != nil {
			return err
		}
	}
	return nil
}
