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

// onnxRuntime starts ONNX Runtime on a model of s.
func (c *comparison) onnxRuntime(ctx context.Context, s subject, dir, name string, batch, threads int) (*side, error) {
	network, _ := s.inputs(dir)
	return c.startORT(ctx, task{Model: filepath.Join(dir, name), Threads: threads, Batch: batch, Rows: inputRows, Inputs: network,
		Outputs: []string{onnx.Policy, onnx.WDL, onnx.Turns}})
}

func (c *comparison) startORT(ctx context.Context, t task) (*side, error) {
	return start(ctx, "ONNX Runtime", []string{"node", c.ort}, []string{"VERSUS_MODULES=" + c.modules}, t)
}

// writeInt8 measures the ranges of the activations with the float32 model and
// writes the int8 model.
func (c *comparison) writeInt8(ctx context.Context, s subject, dir string) error {
	run, err := c.onnxRuntime(ctx, s, dir, innerModel, checkBatch, 1)
	r, err := ask(run, err, "ranges %d", realRows)
	if err != nil {
		return err
	}
	w, _, err := model.Load(filepath.Join(dir, trainedWeights))
	if err != nil {
		return err
	}
	ranges := map[string]onnx.Range{}
	for _, name := range onnx.Activations(s.net) {
		if found, ok := r.Ranges[name]; ok {
			ranges[name] = onnx.Range(found)
		}
	}
	return writeModel(filepath.Join(dir, int8Model), w, onnx.Options{Int8: ranges})
}

// checkerScript lets the ONNX project judge files, shapes included.
const checkerScript = `
import sys, onnx
for path in sys.argv[1:]:
    onnx.checker.check_model(path, full_check=True)
print(onnx.__version__)
`

// checker has all models of a folder checked, if there is a Python that can.
func (c *comparison) checker(ctx context.Context, dir string) error {
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

// callCost measures once what a call costs ONNX Runtime beside the network: that
// of the smallest network there is. It counts for small batches.
func (c *comparison) callCost(ctx context.Context) error {
	if c.CallMicroseconds > 0 {
		return nil
	}
	net := model.Network{Shape: model.Shape{Planes: 1, Height: 3, Width: 3, MaskPlane: -1, PolicyPlanes: 1},
		Config: model.Config{Channels: 8, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 8}}
	w := model.NewWeights(net)
	w.Init(rand.New(rand.NewPCG(1, 1)))
	path, in := filepath.Join(c.dir, "smallest.onnx"), filepath.Join(c.dir, "smallest.f32")
	if err := writeFloats(in, make([]float32, 9)); err != nil {
		return err
	}
	if err := writeModel(path, w, onnx.Options{}); err != nil {
		return err
	}
	s, err := c.startORT(ctx, task{Model: path, Threads: 1, Batch: 1, Rows: 1, Inputs: []input{{onnx.Planes, in, []int{1, 3, 3}}}})
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.ready(); err != nil {
		return err
	}
	turns, err := alternate(ctx, []*side{s}, time.Second, 200*time.Millisecond)
	if err != nil {
		return err
	}
	c.CallMicroseconds = 1e6 / summary("", "", []*side{s}, turns).Rates[0]
	fmt.Fprintf(c.out, "  a call of ONNX Runtime from JavaScript takes %.0f µs with the smallest network\n", c.CallMicroseconds)
	return nil
}
