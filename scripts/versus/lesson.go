package main

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/graph"
	"github.com/ludozero/ludozero/train/plan"
)

// lesson describes a training step to programs that count channels before cells. Each
// tensor and each input of the batch is a file of float32.
type lesson struct {
	// Tensors are the learned ones: convolutions [out, in, k, k], linear layers
	// [in, out].
	Tensors []lessonTensor `json:"tensors"`
	Batch   int            `json:"batch"`
	Planes  []int          `json:"planes"` // [planes, height, width]
	Legal   int            `json:"legal"`  // columns of batch.cells and batch.policy
	Blocks  int            `json:"blocks"`
	// Constants of AdamW and of the losses.
	Rate, Beta1, Beta2, Epsilon, Decay float64
	PolicyLoss, ValueLoss, TurnsLoss   float64
	HuberDelta, TurnsUnit, NormEpsilon float64
}

type lessonTensor struct {
	Name  string `json:"name"`
	Shape []int  `json:"shape"`
	Decay bool   `json:"decay"`
}

func floatFile(dir, name string) string { return filepath.Join(dir, name+".f32") }

// writeLesson writes the first weights and the batch of t for the other trainers.
func (s subject) writeLesson(dir string, w *model.Weights, t *training) error {
	if err := t.fill(); err != nil {
		return err
	}
	c, shape, legal := trainingConfig(plan.PrecisionF32), s.net.Shape, s.game.Info().MaxLegal
	l := lesson{Batch: trainingBatch, Planes: []int{shape.Planes, shape.Height, shape.Width}, Legal: legal, Blocks: s.net.Config.Blocks,
		Rate: c.LearningRate, Beta1: c.Beta1, Beta2: c.Beta2, Epsilon: c.Epsilon, Decay: c.WeightDecay,
		PolicyLoss: c.PolicyLoss, ValueLoss: c.ValueLoss, TurnsLoss: c.TurnsLoss,
		HuberDelta: graph.HuberDelta, TurnsUnit: model.TurnsUnit, NormEpsilon: model.BatchNormEpsilon}
	files := map[string][]float32{}
	for i, spec := range w.Specs() {
		if !spec.Role.Learned() {
			continue
		}
		dims, v := spec.Shape, w.Data(i)
		if len(dims) == 4 {
			k, in, out := dims[0], dims[2], dims[3]
			dims, v = []int{out, in, k, k}, permuted(v, [3]int{k * k, in, out}, [3]int{2, 1, 0})
		} else if spec.Groups == shape.Cells() {
			v = permuted(v, [3]int{spec.Groups, dims[0] / spec.Groups, dims[1]}, [3]int{1, 0, 2})
		}
		l.Tensors = append(l.Tensors, lessonTensor{spec.Name, dims, spec.Decay})
		files[spec.Name] = v
	}
	b := t.batch
	cells, policy := make([]float32, trainingBatch*legal), make([]float32, trainingBatch*legal)
	for row := range trainingBatch {
		for i := range legal {
			cells[row*legal+i] = -1
			if at := int(b.Offsets[row]) + i; at < int(b.Offsets[row+1]) {
				cells[row*legal+i], policy[row*legal+i] = float32(b.Cells[at]), b.Policy[at]
			}
		}
	}
	files["batch.planes"] = permuted(b.Planes, [3]int{trainingBatch, shape.Cells(), shape.Planes}, [3]int{0, 2, 1})
	files["batch.cells"], files["batch.policy"], files["batch.value"], files["batch.turns"] = cells, policy, b.Value, b.Turns
	for name, v := range files {
		if err := writeFloats(floatFile(dir, name), v); err != nil {
			return err
		}
	}
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "lesson.json"), text, 0o644)
}

func readLesson(dir string) (l lesson, err error) {
	text, err := os.ReadFile(filepath.Join(dir, "lesson.json"))
	if err == nil {
		err = json.Unmarshal(text, &l)
	}
	return l, err
}

// permuted is the array v of the given dimensions with its axes in another order.
func permuted(v []float32, dims, axes [3]int) []float32 {
	stride := [3]int{dims[1] * dims[2], dims[2], 1}
	y := make([]float32, 0, len(v))
	for i := range dims[axes[0]] {
		for j := range dims[axes[1]] {
			for k := range dims[axes[2]] {
				y = append(y, v[i*stride[axes[0]]+j*stride[axes[1]]+k*stride[axes[2]]])
			}
		}
	}
	return y
}
