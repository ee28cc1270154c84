package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"sync"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/model/onnx"
	"github.com/ludozero/ludozero/model/precision"
)

// cellsInput is the input that only we read: the head cells of the legal actions of
// a row, padded with -1.
const cellsInput = "cells"

// inference evaluates a batch with model/infer, its rows divided among the threads.
// It computes the logits of the legal actions, as search asks for them; ONNX Runtime
// can only compute all of them.
type inference struct {
	shape                  model.Shape
	planes, globals, cells []float32 // [rows][...]
	rows                   int
	parts                  []part // of the threads
}

// part is the share of one thread.
type part struct {
	net *infer.Net
	*batch
	err error
}

// batch holds the arguments of one Forward.
type batch struct {
	planes, globals    []float32
	offsets, cells     []int32
	logits, wdl, turns []float32
}

func newInference(t task) (worker, error) {
	p, err := precision.Parse(t.Precision)
	if err != nil {
		return nil, err
	}
	w, card, err := model.Load(t.Model)
	if err != nil {
		return nil, err
	}
	data := map[string][]float32{}
	for _, x := range t.Inputs {
		if data[x.Name], err = readFloats(x.File); err != nil {
			return nil, err
		}
	}
	net, err := infer.New(w.Network(), w, infer.Options{MaxBatch: max(t.Batch, checkBatch), Precision: p, Calibration: card.Calibration})
	if err != nil {
		return nil, err
	}
	n := &inference{shape: w.Network().Shape, rows: t.Rows, planes: data[onnx.Planes], globals: data[onnx.Globals], cells: data[cellsInput]}
	threads := min(t.Threads, t.Batch)
	for i := range threads {
		n.parts = append(n.parts, part{net: net.Fork(), batch: n.batch(i*t.Batch/threads, (i+1)*t.Batch/threads, false)})
	}
	_, err = n.step() // touches all memory
	return n, err
}

// batch is the rows [from, to), with every head cell or only those of legal actions.
func (n *inference) batch(from, to int, every bool) *batch {
	size, globals, legal := n.shape.Planes*n.shape.Cells(), n.shape.Globals, len(n.cells)/n.rows
	b := &batch{planes: n.planes[from*size : to*size], globals: n.globals[from*globals : to*globals], offsets: []int32{0}}
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

func (b *batch) forward(net *infer.Net) error {
	return net.Forward(b.planes, b.globals, b.offsets, b.cells, b.logits, b.wdl, b.turns)
}

func (n *inference) step() (count int, err error) {
	var others sync.WaitGroup
	for i := 1; i < len(n.parts); i++ {
		p := &n.parts[i]
		others.Go(func() { p.err = p.forward(p.net) })
	}
	n.parts[0].err = n.parts[0].forward(n.parts[0].net)
	others.Wait()
	for i := range n.parts {
		count += len(n.parts[i].turns)
		if err == nil {
			err = n.parts[i].err
		}
	}
	return count, err
}

// command writes all outputs of all rows.
func (n *inference) command(name, file string) (reply, error) {
	if name != "out" {
		return reply{}, fmt.Errorf("no command %q", name)
	}
	var policy, wdl, turns []float32
	net := n.parts[0].net
	for from := 0; from < n.rows; from += net.MaxBatch() {
		b := n.batch(from, min(from+net.MaxBatch(), n.rows), true)
		if err := b.forward(net); err != nil {
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
	_, err = binary.Decode(raw, binary.LittleEndian, v)
	return v, err
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
