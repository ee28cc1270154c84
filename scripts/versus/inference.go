package main

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/model/onnx"
	"github.com/ludozero/ludozero/model/precision"
)

// format is a number format in which our inference is measured.
type format struct {
	name      string
	precision precision.Precision
	kernel    string // variant of the kernels, "" for the one chosen at start-up
	model     string // the model that ONNX Runtime runs against it
	batches   []int
}

// vnni is the kernel variant whose instructions ONNX Runtime has too: releases of
// onnxruntime-node up to 1.30 contain no AMX instruction.
const vnni = "avx512vnni"

// formats lists the formats that this machine computes in, float32 first. Where our kernels have faster
// instructions for int8 than ONNX Runtime, int8 is measured a second time without
// them.
func formats() []format {
	batches := []int{1, 8, 32, 64, 256}
	all := []format{
		{precision.F32.String(), precision.F32, "", floatModel, batches},
		{precision.Int8.String(), precision.Int8, "", int8Model, batches},
	}
	if kernel.Level() == "amx" && slices.Contains(kernel.Levels(), vnni) {
		all = append(all, format{precision.Int8.String() + "-" + vnni, precision.Int8, vnni, int8Model, batches[3:]})
	}
	return all
}

func (c *comparison) inferenceRows(s subject) []row {
	var rows []row
	for _, f := range formats() {
		for threads := 1; threads <= 2; threads++ {
			for _, batch := range f.batches {
				if s.name != "R6x64" && (threads > 1 || batch == 32 || batch == 256) {
					continue // the second network gets fewer rows
				}
				rows = append(rows, row{fmt.Sprintf("%s/%s/batch=%d/threads=%d", s.name, f.name, batch, threads), "evaluations/s", threads,
					[]program{c.ours(s, f, batch, threads), c.onnxRuntime(s, f.model, batch, threads)}})
			}
		}
	}
	return rows
}

func (c *comparison) ours(s subject, f format, batch, threads int) program {
	dir := c.folder(s)
	p := program{name: "ludozero", command: []string{c.self, "side", "infer"}, task: task{Model: filepath.Join(dir, trainedWeights),
		Precision: f.precision.String(), Threads: threads, Batch: batch, Rows: inputRows, Inputs: append(s.inputs(dir), s.legalInput(dir))}}
	if f.kernel != "" {
		p.env = []string{kernel.EnvVariant + "=" + f.kernel}
	}
	return p
}

func (c *comparison) onnxRuntime(s subject, model string, batch, threads int) program {
	dir := c.folder(s)
	return c.runtime(task{Model: filepath.Join(dir, model), Threads: threads, Batch: batch, Rows: inputRows, Inputs: s.inputs(dir),
		Outputs: []string{onnx.Policy, onnx.WDL, onnx.Turns}})
}

func (c *comparison) runtime(t task) program {
	return program{"ONNX Runtime", []string{"node", c.ort}, []string{"VERSUS_MODULES=" + c.modules}, t}
}

// checkBatch is the batch of the sides whose outputs are compared.
const checkBatch = 64

// logitLimit is how far logits of float32 models may be apart; design.md section 3.
const logitLimit = 1e-4

// checkOutputs compares the outputs of all sides that the rows of s will time with ours
// in float32.
func (c *comparison) checkOutputs(ctx context.Context, s subject) error {
	if err := c.writeInt8(ctx, s); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "\n%s: differences from our f32 in %d positions of games, for float32 also in %d of noise\n", s.name, realRows, inputRows-realRows)
	if err := c.checkModels(ctx, c.folder(s)); err != nil {
		return err
	}
	legal, err := readFloats(s.legalInput(c.folder(s)).File)
	if err != nil {
		return err
	}
	var ours outputs
	check := func(name string, p program, rows int, limit float64) error {
		file := filepath.Join(c.folder(s), strings.NewReplacer("/", "-", " ", "-").Replace(name)+".out")
		if _, err := askOnce(ctx, p, "out "+file); err != nil {
			return err
		}
		theirs, err := readOutputs(file, s.net.Shape)
		if err != nil {
			return err
		}
		if ours.policy == nil { // the first that is asked
			ours = theirs
			return nil
		}
		d := compareOutputs(ours, theirs, legal, rows)
		c.Checks[s.name+"/"+name] = d
		fmt.Fprintf(c.out, "  %-28s logits %.1e, value %.1e, turns %.1e; same likeliest move %.1f %%\n", name, d.Logits, d.Value, d.Turns, 100*d.Top)
		if d.Logits > limit {
			return fmt.Errorf("%s: logits differ by %.2g, want at most %g of the largest: not the same network", name, d.Logits, limit)
		}
		return nil
	}
	all := formats()
	if err := check("ours", c.ours(s, all[0], checkBatch, 1), 0, 0); err != nil {
		return err
	}
	for _, model := range []string{floatModel, normsModel, int8Model} {
		rows, limit := inputRows, logitLimit
		if model == int8Model {
			rows, limit = realRows, math.Inf(1)
		}
		if err := check("ONNX Runtime "+model, c.onnxRuntime(s, model, checkBatch, 1), rows, limit); err != nil {
			return err
		}
	}
	for _, f := range all[1:] {
		if err := check("ludozero "+f.name, c.ours(s, f, checkBatch, 1), realRows, math.Inf(1)); err != nil {
			return err
		}
	}
	return nil
}
