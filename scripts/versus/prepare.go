package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/model/onnx"
	"github.com/ludozero/ludozero/train/plan"
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

// Half of the inputs are positions of random games, the rest noise, which shows a
// wrong index better.
const (
	realRows  = 256
	inputRows = 2 * realRows
)

// lessonSteps is the number of steps that the networks learn before they are compared,
// so that their activations resemble those of a network in use.
const lessonSteps = 30

// prepare writes weights, models and inputs of s into its folder; the trained weights
// have learned for the given number of steps.
func (s subject) prepare(dir string, steps int) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	w := model.NewWeights(s.net)
	w.Init(rand.New(rand.NewPCG(1, 1)))
	card := model.Card{Identity: model.Identity{Game: "versus-" + s.name, Actions: s.game.Info().NumActions}}
	if err := model.Save(filepath.Join(dir, firstWeights), w, card); err != nil {
		return err
	}
	t, err := newTrainer(s, w, plan.PrecisionF32, 2)
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
	if card.Calibration, err = s.writeInputs(dir, w); err != nil {
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

// inputs are the files of s that a network reads.
func (s subject) inputs(dir string) []input {
	shape := s.net.Shape
	list := []input{{onnx.Planes, floatFile(dir, onnx.Planes), []int{shape.Planes, shape.Height, shape.Width}}}
	if shape.Globals > 0 {
		list = append(list, input{onnx.Globals, floatFile(dir, onnx.Globals), []int{shape.Globals}})
	}
	return list
}

// legalInput is the file of the legal actions of s.
func (s subject) legalInput(dir string) input {
	return input{cellsInput, floatFile(dir, cellsInput), []int{s.game.Info().MaxLegal}}
}

// writeInputs writes the files of inputs and legalInput, and calibrates w for our int8
// on the same positions from which the int8 model of ONNX Runtime has its ranges.
func (s subject) writeInputs(dir string, w *model.Weights) (*model.Calibration, error) {
	shape, info := s.net.Shape, s.game.Info()
	size, most := shape.Planes*shape.Cells(), info.MaxLegal
	planes, globals, cells := make([]float32, inputRows*size), make([]float32, inputRows*shape.Globals), make([]float32, inputRows*most)
	for i := range cells {
		cells[i] = -1
	}
	rng := rand.New(rand.NewPCG(3, 1))
	walk(s.game, realRows, rng, func(row int, state engine.State, legal []engine.Action) {
		state.Encode(planes[row*size:][:size], globals[row*shape.Globals:][:shape.Globals])
		for i, a := range legal {
			cells[row*most+i] = float32(info.Policy.Cells[a])
		}
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
	for name, v := range map[string][]float32{onnx.Planes: planes, onnx.Globals: globals, cellsInput: cells} {
		if err := writeFloats(floatFile(dir, name), v); err != nil {
			return nil, err
		}
	}
	c, err := infer.NewCalibrator(s.net, w)
	if err != nil {
		return nil, err
	}
	if err := c.Add(planes[:realRows*size], globals[:realRows*shape.Globals], realRows); err != nil {
		return nil, err
	}
	return c.Calibration()
}

// outputs are the answers of a side for all rows: policy logits [rows][HeadCells],
// win, draw and loss logits [rows][3], turns left [rows].
type outputs struct {
	policy, wdl, turns []float32
}

func readOutputs(file string, s model.Shape) (outputs, error) {
	v, err := readFloats(file)
	p := inputRows * s.HeadCells()
	if want := p + 4*inputRows; err == nil && len(v) != want {
		err = fmt.Errorf("%s: %d values, want %d", file, len(v), want)
	}
	if err != nil {
		return outputs{}, err
	}
	return outputs{v[:p], v[p : p+3*inputRows], v[p+3*inputRows:]}, nil
}
