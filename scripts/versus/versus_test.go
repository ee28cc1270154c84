package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/plan"
)

// sideVariable makes the test program a side, as the flag does for the real one.
const sideVariable = "VERSUS_TEST_SIDE"

func TestMain(m *testing.M) {
	if kind := os.Getenv(sideVariable); kind != "" {
		if err := answer(kind, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// tiny are small networks on the games of the real subjects, with their files.
func tiny(t *testing.T) []subject {
	t.Helper()
	all, err := subjects()
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		all[i].net.Config = model.Config{Blocks: 1, Channels: 8, PoolEvery: all[i].net.Config.PoolEvery, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 8}
	}
	return all
}

func prepared(t *testing.T, s subject) string {
	t.Helper()
	dir := t.TempDir()
	if err := s.prepare(dir, 1); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestReferenceNetworkIsTheReference: 30.4 million multiply-adds an evaluation,
// counted from its tensors.
func TestReferenceNetworkIsTheReference(t *testing.T) {
	all, err := subjects()
	if err != nil {
		t.Fatal(err)
	}
	s := all[0].net.Shape
	if want := (model.Shape{Planes: 48, Height: 8, Width: 8, MaskPlane: -1, PolicyPlanes: 27}); s != want {
		t.Errorf("shape %+v, want %+v", s, want)
	}
	products := 0
	for _, spec := range all[0].net.Tensors() {
		if spec.Role == model.Weight {
			n := spec.Len()
			if len(spec.Shape) == 4 {
				n *= s.Cells()
			}
			products += n
		}
	}
	if millions := float64(products) / 1e6; math.Abs(millions-30.4) > 0.05 {
		t.Errorf("%.2f million multiply-adds, want 30.4", millions)
	}
	// Its game fills every plane and has a cell for every action.
	info, legal := all[0].game.Info(), 0
	for a, cell := range info.Policy.Cells {
		if int(cell) >= s.HeadCells() {
			t.Errorf("action %d has head cell %d of %d", a, cell, s.HeadCells())
		}
		if cell >= 0 {
			legal++
		}
	}
	if legal == 0 {
		t.Error("no action has a cell")
	}
	state := all[0].game.NewState()
	state.Start(nil)
	planes := make([]float32, s.Planes*s.Cells())
	for i := range planes {
		planes[i] = float32(math.NaN())
	}
	state.Encode(planes, nil)
	for i, x := range planes {
		if x-x != 0 {
			t.Fatalf("value %d is not written", i)
		}
	}
}

// TestSideInference: the process says on all rows what the network says, and
// counts the positions it evaluates, also if the threads share them unevenly.
func TestSideInference(t *testing.T) {
	for _, s := range tiny(t) {
		dir := prepared(t, s)
		cells := s.legalInput(dir)
		job := task{Model: filepath.Join(dir, trainedWeights), Rows: inputRows, Inputs: append(s.inputs(dir), cells)}
		var files []string
		for i, k := range []struct {
			batch, threads int
			precision      string
		}{{64, 1, "f32"}, {5, 2, "f32"}, {1, 2, "f32"}, {16, 1, "int8"}} {
			job.Batch, job.Threads, job.Precision = k.batch, k.threads, k.precision
			side, err := start(t.Context(), program{"ludozero", []string{os.Args[0]}, []string{sideVariable + "=infer"}, job})
			if err != nil {
				t.Fatal(err)
			}
			if err := side.ready(); err != nil {
				t.Fatal(err)
			}
			if r, err := side.run(time.Millisecond); err != nil || r.Count%k.batch != 0 || r.rate() <= 0 {
				t.Errorf("%s: turn %+v, %v; want whole batches of %d", s.name, r, err, k.batch)
			}
			files = append(files, filepath.Join(dir, fmt.Sprint(i)))
			if _, err := side.ask("out " + files[i]); err != nil {
				t.Error(err)
			}
			if _, err := side.ask("dance"); err == nil || !strings.Contains(err.Error(), `ludozero: no command "dance"`) {
				t.Errorf("dance: %v", err)
			}
			side.close()
		}
		legal, err := readFloats(cells.File)
		if err != nil {
			t.Fatal(err)
		}
		first, err := readOutputs(files[0], s.net.Shape)
		if err != nil {
			t.Fatal(err)
		}
		rounded, err := readOutputs(files[3], s.net.Shape)
		if err != nil {
			t.Fatal(err)
		}
		if d := compareOutputs(first, rounded, legal, realRows); d.Logits == 0 || !(d.Logits < 0.1) || !(d.Value < 0.05) {
			t.Errorf("%s: int8 is off by %+v", s.name, d)
		}
		for _, file := range files[1:3] {
			o, err := readOutputs(file, s.net.Shape)
			if err != nil {
				t.Fatal(err)
			}
			if d := compareOutputs(first, o, legal, inputRows); d != (difference{Top: 1}) {
				t.Errorf("%s: %+v, want no difference", s.name, d)
			}
		}
		moved := slices.Clone(first.policy)
		moved[17] += 0.5
		if d := compareOutputs(first, outputs{moved, first.wdl, first.turns}, legal, inputRows); !(d.Logits > 0.05) || d.Value != 0 {
			t.Errorf("a logit that is 0.5 off makes %+v", d)
		}
	}
}

// TestTrainersAgree: the files for other programs describe the same step, and
// gorgonia's own operations compute the same loss from them.
func TestTrainersAgree(t *testing.T) {
	s := tiny(t)[0]
	dir := prepared(t, s)
	w, _, err := model.Load(filepath.Join(dir, firstWeights))
	if err != nil {
		t.Fatal(err)
	}
	ours, err := newTrainer(s, w, plan.PrecisionF32, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer ours.trainer.Close()
	theirs, err := newGorgonia(task{Training: dir, Threads: 1, Batch: trainingBatch})
	if err != nil {
		t.Fatal(err)
	}
	a, err := ours.command("losses", "2")
	if err != nil {
		t.Fatal(err)
	}
	b, err := theirs.command("losses", "2")
	if err != nil {
		t.Fatal(err)
	}
	if d := math.Abs(a.Losses[0] - b.Losses[0]); !(d < 1e-5) {
		t.Errorf("first losses %g and %g", a.Losses[0], b.Losses[0])
	}
	if a.Losses[1] >= a.Losses[0] || b.Losses[1] >= b.Losses[0] {
		t.Errorf("losses %v and %v do not fall", a.Losses, b.Losses)
	}
	if n, err := theirs.step(); n != trainingBatch || err != nil {
		t.Errorf("step = %d, %v", n, err)
	}
}

func TestSideSaysWhatIsWrong(t *testing.T) {
	for kind, want := range map[string]string{"infer": "f64", "train": "first.safetensors", "gorgonia": "lesson.json"} {
		p, err := start(t.Context(), program{kind, []string{os.Args[0]}, []string{sideVariable + "=" + kind}, task{Threads: 1, Batch: 1, Precision: "f64", Model: "none", Training: t.TempDir()}})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.ready(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want it to name %s", kind, err, want)
		}
		p.close()
	}
	p, err := start(t.Context(), program{name: "true", command: []string{"true"}})
	if err == nil {
		err = p.ready()
		p.close()
	}
	if err == nil || !strings.Contains(err.Error(), "true: ") {
		t.Errorf("a program that says nothing: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := alternate(ctx, []*side{{}}, time.Second, time.Second); !errors.Is(err, context.Canceled) {
		t.Errorf("alternate = %v, want %v", err, context.Canceled)
	}
}

func TestSummary(t *testing.T) {
	sides := []*side{{program: program{name: "a"}}, {program: program{name: "b"}}}
	at := func(counts ...int) (all []turn) {
		for _, n := range counts {
			all = append(all, turn{Count: n, Seconds: 2, CPU: 1})
		}
		return all
	}
	r := summary("row", "games/s", sides, [][]turn{at(20, 40, 60), at(10, 10, 10)})
	if !slices.Equal(r.Rates, []float64{20, 5}) || len(r.Ratios) != 1 {
		t.Fatalf("%+v", r)
	}
	if want := (ratio{Value: 4, Least: 2, Low: 3, High: 5, Most: 6}); r.Ratios[0] != want {
		t.Errorf("ratio %+v, want %+v", r.Ratios[0], want)
	}
	if why := r.busy(1); len(why) != 1 || !strings.Contains(why[0], "ratios to b is 50 % wide") {
		t.Errorf("busy = %q", why)
	}
	for i := range r.Turns["b"] {
		r.Turns["b"][i].CPU = 0.4
	}
	if why := r.busy(1); len(why) != 2 || !strings.Contains(why[0], "b had 40 % of a processor") {
		t.Errorf("busy = %q", why)
	}
}

// TestTargets: the worst row against the fastest of its other sides counts.
func TestTargets(t *testing.T) {
	row := func(name string, values ...float64) result {
		r := result{Name: name, Sides: []string{"ludozero", "PyTorch", "PyTorch channels_last"}}
		for _, v := range values {
			r.Ratios = append(r.Ratios, ratio{Value: v})
		}
		return r
	}
	var out bytes.Buffer
	c := &comparison{out: &out}
	c.Rows = []result{row("R6x64/training/batch=256/threads=1", 3, 1.9), row("R6x64/training/batch=256/threads=2", 1.7, 2.5), row("quick/f32", 1, 1)}
	c.targets()
	if want := "training R6x64, to PyTorch: least of 2 rows 1.70×, target 1.6×: reached\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset()
	c.Rows = append(c.Rows, row("R6x64/training/other", 1.5, 1.4))
	if c.targets(); !strings.Contains(out.String(), "1.40×, target 1.6×: missed") {
		t.Errorf("%q", out.String())
	}
}

func TestRowsAreChosenByName(t *testing.T) {
	all, err := subjects()
	if err != nil {
		t.Fatal(err)
	}
	c := &comparison{options: options{only: regexp.MustCompile("/f32/batch=(64|256)/threads=1")}}
	var names []string
	for _, s := range all {
		for _, r := range c.selected(c.inferenceRows(s)) {
			names = append(names, r.name)
		}
	}
	want := []string{"R6x64/f32/batch=64/threads=1", "R6x64/f32/batch=256/threads=1", "quick/f32/batch=64/threads=1"}
	if !slices.Equal(names, want) {
		t.Errorf("rows %v, want %v", names, want)
	}
}

func TestFlagsAreChecked(t *testing.T) {
	for want, args := range map[string][]string{
		"at least one slice":     {"--time", "1s", "--slice", "2s"},
		"only: error parsing":    {"--only", "("},
		`unexpected word "more"`: {"more"},
		"no row was measured":    {"--only", "nothing", "--dir", t.TempDir()},
	} {
		if err := run(t.Context(), args, nil, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", args, err, want)
		}
	}
}
