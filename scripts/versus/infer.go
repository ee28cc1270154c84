package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/model/onnx"
	"github.com/ludozero/ludozero/model/precision"
)

// cellsInput is what search asks of the policy beside planes and globals: the
// head cells of the legal actions, up to maxLegal of them, then -1.
const cellsInput = "cells"

// inference evaluates a batch with model/infer, its rows shared out among the
// threads. It writes down the logits of the legal actions, as search asks for
// them; ONNX Runtime has no other way than to write them all.
type inference struct {
	shape           model.Shape
	nets            []*infer.Net // of the threads
	planes, globals []float32    // [rows][...]
	cells           []float32
	rows            int
	batches         []*rows // of the threads
	start, done     []chan error
}

// rows are the arguments of one Forward.
type rows struct {
	planes, globals    []float32
	offsets, cells     []int32
	logits, wdl, turns []float32
}

func newInference(t task) (worker, error) {
	w, o, err := load(t)
	if err != nil {
		return nil, err
	}
	n := &inference{shape: w.Network().Shape, rows: t.Rows}
	for _, x := range t.Inputs {
		data, err := readFloats(x.File)
		if err != nil {
			return nil, err
		}
		*map[string]*[]float32{onnx.Planes: &n.planes, onnx.Globals: &n.globals, cellsInput: &n.cells}[x.Name] = data
	}
	first, err := infer.New(w.Network(), w, o)
	if err != nil {
		return nil, err
	}
	threads := min(t.Threads, t.Batch)
	for i := range threads {
		net := first
		if i > 0 {
			net = first.Fork()
		}
		n.nets = append(n.nets, net)
		b := n.batch(i*t.Batch/threads, (i+1)*t.Batch/threads, false)
		n.batches = append(n.batches, b)
		if i > 0 { // the first works where step is called
			start, done := make(chan error), make(chan error)
			n.start, n.done = append(n.start, start), append(n.done, done)
			go func() {
				for range start {
					done <- b.forward(net)
				}
			}()
		}
	}
	_, err = n.step() // touches all memory
	return n, err
}

// load reads the weights and how they are to be computed.
func load(t task) (*model.Weights, infer.Options, error) {
	p, err := precision.Parse(t.Precision)
	if err != nil {
		return nil, infer.Options{}, err
	}
	w, card, err := model.Load(t.Model)
	if err != nil {
		return nil, infer.Options{}, err
	}
	return w, infer.Options{MaxBatch: max(t.Batch, checkBatch), Precision: p, Calibration: card.Calibration}, nil
}

// batch is the rows [from, to), every head cell asked for or only those of
// legal actions.
func (n *inference) batch(from, to int, every bool) *rows {
	size, globals, legal := n.shape.Planes*n.shape.Cells(), n.shape.Globals, len(n.cells)/n.rows
	b := &rows{planes: n.planes[from*size : to*size], globals: n.globals[from*globals : to*globals], offsets: []int32{0}}
	for row := from; row < to; row++ {
		if every {
			for cell := range n.shape.HeadCells() {
				b.cells = append(b.cells, int32(cell))
			}
		} else {
			for _, cell := range n.cells[row*legal:][:legal] {
				if cell >= 0 {
					b.cells = append(b.cells, int32(cell))
				}
			}
		}
		b.offsets = append(b.offsets, int32(len(b.cells)))
	}
	b.logits, b.wdl, b.turns = make([]float32, len(b.cells)), make([]float32, 3*(to-from)), make([]float32, to-from)
	return b
}

func (b *rows) forward(net *infer.Net) error {
	return net.Forward(b.planes, b.globals, b.offsets, b.cells, b.logits, b.wdl, b.turns)
}

func (n *inference) step() (int, error) {
	for _, c := range n.start {
		c <- nil
	}
	err := n.batches[0].forward(n.nets[0])
	count := len(n.batches[0].turns)
	for i, c := range n.done {
		if e := <-c; err == nil {
			err = e
		}
		count += len(n.batches[i+1].turns)
	}
	return count, err
}

// command writes all outputs of all rows, a batch at a time.
func (n *inference) command(name, file string) (reply, error) {
	if name != "out" {
		return reply{}, fmt.Errorf("no command %q", name)
	}
	var policy, wdl, turns []float32
	for from := 0; from < n.rows; from += n.nets[0].MaxBatch() {
		b := n.batch(from, min(from+n.nets[0].MaxBatch(), n.rows), true)
		if err := b.forward(n.nets[0]); err != nil {
			return reply{}, err
		}
		policy, wdl, turns = append(policy, b.logits...), append(wdl, b.wdl...), append(turns, b.turns...)
	}
	return reply{}, writeFloats(file, policy, wdl, turns)
}

func readFloats(file string) ([]float32, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	v := make([]float32, len(raw)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return v, nil
}

func writeFloats(file string, parts ...[]float32) error {
	var raw []byte
	for _, part := range parts {
		for _, x := range part {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
		}
	}
	return os.WriteFile(file, raw, 0o644)
}
