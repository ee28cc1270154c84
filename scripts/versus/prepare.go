package main

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/model/onnx"
	"github.com/ludozero/ludozero/train"
)

// Files of a subject's folder.
const (
	firstWeights   = "first.safetensors"
	trainedWeights = "trained.safetensors"
	floatModel     = "f32.onnx"
	normsModel     = "norms.onnx"
	innerModel     = "inner.onnx"
	int8Model      = "int8.onnx"
)

// Half of the inputs are positions of random games, the rest noise, on which a
// wrong index shows better.
const (
	realRows  = 256
	inputRows = 2 * realRows
)

// lessonSteps is how many steps the networks learn before they are compared, so
// that their activations are those of a network at work.
const lessonSteps = 30

// prepare writes weights, models and inputs of s into its folder. Between the
// first and the trained weights lie that many steps.
func (s subject) prepare(dir string, steps int) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	w := model.NewWeights(s.net)
	w.Init(rand.New(rand.NewPCG(1, 1)))
	info := s.game.Info()
	card := model.Card{Identity: model.Identity{Game: "versus-" + s.name, Actions: info.NumActions}}
	if err := model.Save(filepath.Join(dir, firstWeights), w, card); err != nil {
		return err
	}
	t, err := newTrainer(s, w, train.PrecisionF32, 2)
	if err != nil {
		return err
	}
	defer t.trainer.Close()
	if err := s.writeLesson(dir, w, t); err != nil {
		return err
	}
	for range steps {
		if _, err := t.step(); err != nil {
			return err
		}
	}
	w = t.trainer.Weights()
	planes, globals, err := s.writeInputs(dir)
	if err != nil {
		return err
	}
	if card.Calibration, err = s.calibrate(w, planes, globals); err != nil {
		return err
	}
	if err := model.Save(filepath.Join(dir, trainedWeights), w, card); err != nil {
		return err
	}
	for name, o := range map[string]onnx.Options{floatModel: {}, normsModel: {Norms: true}, innerModel: {Inner: true}} {
		if err := writeModel(filepath.Join(dir, name), w, o); err != nil {
			return err
		}
	}
	return nil
}

// calibrate measures our int8 network on the positions that the int8 model of
// ONNX Runtime has its ranges from.
func (s subject) calibrate(w *model.Weights, planes, globals []float32) (*model.Calibration, error) {
	c, err := infer.NewCalibrator(s.net, w)
	if err != nil {
		return nil, err
	}
	if err := c.Add(planes[:realRows*s.net.Shape.Planes*s.net.Shape.Cells()], globals[:realRows*s.net.Shape.Globals], realRows); err != nil {
		return nil, err
	}
	return c.Calibration()
}

func writeModel(path string, w *model.Weights, o onnx.Options) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := onnx.Write(f, w, o); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// inputs are the files of s that a network reads, and those of its legal actions.
func (s subject) inputs(dir string) (network []input, cells input) {
	shape := s.net.Shape
	network = []input{{onnx.Planes, filepath.Join(dir, "planes.f32"), []int{shape.Planes, shape.Height, shape.Width}}}
	if shape.Globals > 0 {
		network = append(network, input{onnx.Globals, filepath.Join(dir, "globals.f32"), []int{shape.Globals}})
	}
	return network, input{cellsInput, filepath.Join(dir, "cells.f32"), []int{s.game.Info().MaxLegal}}
}

func (s subject) writeInputs(dir string) (planes, globals []float32, err error) {
	shape, info := s.net.Shape, s.game.Info()
	size, legalMost := shape.Planes*shape.Cells(), info.MaxLegal
	planes, globals = make([]float32, inputRows*size), make([]float32, inputRows*shape.Globals)
	cells := make([]float32, inputRows*legalMost)
	for i := range cells {
		cells[i] = -1
	}
	row, rng := 0, rand.New(rand.NewPCG(3, 1))
	walk(s.game, rng, func(state engine.State, legal []engine.Action) bool {
		state.Encode(planes[row*size:][:size], globals[row*shape.Globals:][:shape.Globals])
		for i, a := range legal {
			cells[row*legalMost+i] = float32(info.Policy.Cells[a])
		}
		row++
		return row < realRows
	})
	for i := realRows * size; i < len(planes); i++ {
		planes[i] = float32(rng.IntN(2))
		if shape.MaskPlane >= 0 && i/shape.Cells()%shape.Planes == shape.MaskPlane {
			planes[i] = 1
		}
	}
	for i := realRows * shape.Globals; i < len(globals); i++ {
		globals[i] = rng.Float32()
	}
	network, legal := s.inputs(dir)
	files := map[string][]float32{onnx.Planes: planes, onnx.Globals: globals, cellsInput: cells}
	for _, x := range append(network, legal) {
		if err := writeFloats(x.File, files[x.Name]); err != nil {
			return nil, nil, err
		}
	}
	return planes, globals, nil
}

// lesson is a training step for programs that count channels before cells.
type lesson struct {
	// Tensors are the learned ones, whose values follow each other in
	// weights.f32: convolutions [out, in, k, k], linear layers [in, out].
	Tensors []lessonTensor `json:"tensors"`
	Batch   int            `json:"batch"`
	Planes  []int          `json:"planes"` // [planes, height, width]
	Legal   int            `json:"legal"`  // columns of cells.f32 and policy.f32
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

// readLesson reads the lesson and the values of its tensors.
func readLesson(dir string) (l lesson, values map[string][]float32, err error) {
	text, err := os.ReadFile(filepath.Join(dir, "lesson.json"))
	if err == nil {
		err = json.Unmarshal(text, &l)
	}
	if err != nil {
		return l, nil, err
	}
	all, err := readFloats(filepath.Join(dir, "weights.f32"))
	values = map[string][]float32{}
	for _, t := range l.Tensors {
		n := 1
		for _, d := range t.Shape {
			n *= d
		}
		values[t.Name], all = all[:n], all[n:]
	}
	return l, values, err
}
