package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/graph"
	"github.com/ludozero/ludozero/train"
)

// writeLesson writes the first weights and the batch of a training row for the
// other programs. What t computes from its samples is what they get.
func (s subject) writeLesson(dir string, w *model.Weights, t *training) error {
	if err := t.fill(); err != nil {
		return err
	}
	c, shape, legal := trainingConfig(train.PrecisionF32), s.net.Shape, s.game.Info().MaxLegal
	l := lesson{Batch: trainingBatch, Planes: []int{shape.Planes, shape.Height, shape.Width}, Legal: legal, Blocks: s.net.Config.Blocks,
		Rate: c.LearningRate, Beta1: c.Beta1, Beta2: c.Beta2, Epsilon: c.Epsilon, Decay: c.WeightDecay,
		PolicyLoss: c.PolicyLoss, ValueLoss: c.ValueLoss, TurnsLoss: c.TurnsLoss,
		HuberDelta: graph.HuberDelta, TurnsUnit: model.TurnsUnit, NormEpsilon: model.BatchNormEpsilon}
	var values []float32
	for i, spec := range w.Specs() {
		if !spec.Role.Learned() {
			continue
		}
		dims, v := spec.Shape, w.Data(i)
		if len(dims) == 4 {
			k, in, out := dims[0], dims[2], dims[3]
			dims, v = []int{out, in, k, k}, transposed(v, k*k, in, out, func(tap, i, o int) int { return (o*in+i)*k*k + tap })
		} else if spec.Groups == shape.Cells() {
			channels, out := dims[0]/spec.Groups, dims[1]
			v = transposed(v, spec.Groups, channels, out, func(cell, c, o int) int { return (c*spec.Groups+cell)*out + o })
		}
		l.Tensors = append(l.Tensors, lessonTensor{spec.Name, slices.Clone(dims), spec.Decay})
		values = append(values, v...)
	}
	b := t.batch
	planes := transposed(b.Planes, trainingBatch, shape.Cells(), shape.Planes,
		func(row, cell, p int) int { return (row*shape.Planes+p)*shape.Cells() + cell })
	cells, policy := make([]float32, trainingBatch*legal), make([]float32, trainingBatch*legal)
	for row := range trainingBatch {
		for i := range legal {
			cells[row*legal+i] = -1
			if at := int(b.Offsets[row]) + i; at < int(b.Offsets[row+1]) {
				cells[row*legal+i], policy[row*legal+i] = float32(b.Cells[at]), b.Policy[at]
			}
		}
	}
	for name, v := range map[string][]float32{"weights": values, "batch.planes": planes, "batch.cells": cells, "batch.policy": policy,
		"batch.value": b.Value, "batch.turns": b.Turns} {
		if err := writeFloats(filepath.Join(dir, name+".f32"), v); err != nil {
			return err
		}
	}
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "lesson.json"), text, 0o644)
}

// transposed moves value (i, j, k) of an n × m × l array to the place to says.
func transposed(v []float32, n, m, l int, to func(i, j, k int) int) []float32 {
	y := make([]float32, len(v))
	for i := range n {
		for j := range m {
			for k := range l {
				y[to(i, j, k)] = v[(i*m+j)*l+k]
			}
		}
	}
	return y
}
