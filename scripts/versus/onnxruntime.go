package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/onnx"
)

// writeInt8 measures the ranges of the activations with the float32 model and
// writes the int8 model.
func (c *comparison) writeInt8(ctx context.Context, s subject) error {
	r, err := askOnce(ctx, c.onnxRuntime(s, innerModel, checkBatch, 1), fmt.Sprint("ranges ", realRows))
	if err != nil {
		return err
	}
	w, _, err := model.Load(filepath.Join(c.folder(s), trainedWeights))
	if err != nil {
		return err
	}
	ranges := map[string]onnx.Range{}
	for _, name := range onnx.Activations(s.net) {
		if found, ok := r.Ranges[name]; ok {
			ranges[name] = found
		}
	}
	return writeModel(filepath.Join(c.folder(s), int8Model), w, onnx.Options{Int8: ranges})
}

// checkerScript has the ONNX project's checker judge files, shapes included.
const checkerScript = `
import sys, onnx
for path in sys.argv[1:]:
    onnx.checker.check_model(path, full_check=True)
print(onnx.__version__)
`

// checkModels runs onnx.checker on all models of a folder if there is a Python that
// has it.
func (c *comparison) checkModels(ctx context.Context, dir string) error {
	if c.python == "" {
		c.warn("no onnx.checker: the models in %s are unchecked", dir)
		return nil
	}
	models, err := filepath.Glob(filepath.Join(dir, "*.onnx"))
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, c.python, append([]string{"-c", checkerScript}, models...)...)
	cmd.Stderr = os.Stderr
	version, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("onnx.checker: %w", err)
	}
	c.Versions["onnx.checker"] = strings.TrimSpace(string(version))
	fmt.Fprintf(c.out, "  onnx.checker %s accepts all %d models\n", c.Versions["onnx.checker"], len(models))
	return nil
}

// callCost measures once what a call costs ONNX Runtime apart from the network, by
// the smallest network possible. It matters for small batches.
func (c *comparison) callCost(ctx context.Context) error {
	if c.CallMicroseconds > 0 {
		return nil
	}
	w := model.NewWeights(model.Network{Shape: model.Shape{Planes: 1, Height: 3, Width: 3, MaskPlane: -1, PolicyPlanes: 1},
		Config: model.Config{Channels: 8, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 8}})
	w.Init(rand.New(rand.NewPCG(1, 1)))
	path, in := filepath.Join(c.dir, "smallest.onnx"), filepath.Join(c.dir, "smallest.f32")
	if err := writeFloats(in, make([]float32, 9)); err != nil {
		return err
	}
	if err := writeModel(path, w, onnx.Options{}); err != nil {
		return err
	}
	sides, end, err := startAll(ctx, []program{c.runtime(task{Model: path, Threads: 1, Batch: 1, Rows: 1, Inputs: []input{{onnx.Planes, in, []int{1, 3, 3}}}})})
	defer end()
	if err != nil {
		return err
	}
	turns, err := alternate(ctx, sides, time.Second, 200*time.Millisecond)
	if err != nil {
		return err
	}
	c.CallMicroseconds = 1e6 / summary("", "", sides, turns).Rates[0]
	fmt.Fprintf(c.out, "  a call of ONNX Runtime from JavaScript takes %.0f µs with the smallest network\n", c.CallMicroseconds)
	return nil
}
