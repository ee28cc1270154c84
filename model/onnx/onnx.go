// Package onnx writes networks as ONNX models, which other programs run.
//
// The formulas are in package model; the layout is ONNX's:
// channels before cells. A model has these tensors, all float32, batch being
// open:
//
//	planes  [batch, Planes, Height, Width]  in, as engine.State.Encode writes them
//	globals [batch, Globals]                in, absent if the network has none
//	policy  [batch, HeadCells]              out, logits by head cell (engine.PolicyHead)
//	wdl     [batch, 3]                      out, logits of win, draw, loss of the player to act
//	turns   [batch]                         out, expected turns left in the game
//
// The head of the opponent's reply, which play does not read, is left out.
// Models are written with the operators of opset 13, which every runtime of the
// last years knows, and IR version 7. They hold their weights, so that the file
// stands alone; equal arguments give equal bytes.
//
// An int8 model is the same graph with the activations of the convolutions and
// their weights rounded on the way: QuantizeLinear and DequantizeLinear around
// every convolution, which runtimes turn into integer arithmetic (the QDQ form
// of ONNX Runtime). Weights have one scale for each output channel, activations
// one for each tensor. What the heads end with stays float32.
//
// It loses about as much as int8 does in model/infer: Kon'reh's shipped network changes its
// likeliest move in one position of twenty to thirty.
package onnx

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/model"
)

// Opset is the version of the operators that models are written with.
const Opset = 13

const (
	irVersion = 7
	producer  = "ludozero"
)

// Names of the inputs and outputs.
const (
	Planes  = "planes"
	Globals = "globals"
	Policy  = "policy"
	WDL     = "wdl"
	Turns   = "turns"
)

// Options are the choices of a model file. The zero value is a float32 model
// for play.
type Options struct {
	// Norms keeps batch normalisation in nodes of its own, for programs that
	// want the network as it was trained. Otherwise it is folded into the
	// convolutions.
	Norms bool
	// Inner gives a float32 model the tensors of Activations as further outputs,
	// by which their ranges can be measured.
	Inner bool
	// Int8 are the ranges of all Activations; the model is an int8 model then.
	Int8 map[string]Range
	// Means are the mean values of the input planes over all cells, for an int8 model,
	// whose first bias then makes up for what rounding the weights adds on average.
	// Many planes are the same in all positions. Nil means 0.
	Means []float32
	// Metadata are further properties of the model, such as its card.
	Metadata map[string]string
}

// Range is where the values of an activation lie. What is outside is cut off;
// 0 is always inside.
type Range struct {
	Min float32 `json:"min"`
	Max float32 `json:"max"`
}

// Write writes the network of w as a model. Errors name the option or the
// activation.
func Write(f io.Writer, w *model.Weights, o Options) error {
	b, err := build(w, o)
	if err != nil {
		return fmt.Errorf("onnx: %w", err)
	}
	const ( // ModelProto
		irVersionField, producerField, graphField, opsetField, metadataField = 1, 2, 7, 8, 14
		opsetVersion                                                         = 2    // OperatorSetIdProto
		key, value                                                           = 1, 2 // StringStringEntryProto
	)
	var head, opset message
	head.int(irVersionField, irVersion)
	head.string(producerField, producer)
	opset.int(opsetVersion, Opset)
	head.bytes(opsetField, opset)
	for _, k := range slices.Sorted(maps.Keys(o.Metadata)) {
		var entry message
		entry.string(key, k)
		entry.string(value, o.Metadata[k])
		head.bytes(metadataField, entry)
	}
	graph := b.graph()
	head.prefix(graphField, len(graph))
	for _, part := range []message{head, graph} {
		if _, err := f.Write(part); err != nil {
			return fmt.Errorf("onnx: %w", err)
		}
	}
	return nil
}

// Activations are the names of the tensors whose ranges an int8 model of net
// needs, in the order of the computation. net must be valid.
func Activations(net model.Network) []string {
	b := &builder{w: model.NewWeights(net), net: net, opt: Options{}, scales: map[string]float32{}}
	b.network()
	return b.rounded
}

// Ranges are the ranges of all Activations of net, from a calibration and from what the same
// infer.Calibrator calls further.
func Ranges(net model.Network, k *model.Calibration, further map[string]Range) map[string]Range {
	all := maps.Clone(further)
	all[Planes] = Range{0, slices.Max(k.Planes)}
	all["mask"] = Range{0, 1}
	for name, r := range k.Ranges {
		all[strings.TrimSuffix(name, ".output")] = Range{0, r}
	}
	ranges := map[string]Range{}
	for _, name := range Activations(net) {
		if r, ok := all[strings.TrimSuffix(name, ".relu")]; ok { // the ReLU before the mask
			ranges[name] = r
		}
	}
	return ranges
}

func build(w *model.Weights, o Options) (*builder, error) {
	b := &builder{w: w, net: w.Network(), opt: o, scales: map[string]float32{}}
	l := problems.List{b.net.Validate(), w.Check()}
	l.If(o.Int8 != nil && (o.Norms || o.Inner), "an int8 model has neither batch normalisation nor inner outputs")
	l.If(o.Means != nil && len(o.Means) != b.net.Shape.Planes, "means of %d planes: want %d", len(o.Means), b.net.Shape.Planes)
	if err := l.Err(); err != nil {
		return nil, err
	}
	b.network()
	for name := range o.Int8 {
		if !slices.Contains(b.rounded, name) {
			b.fail(fmt.Errorf("range of %s: the network has no such activation", name))
		}
	}
	return b, b.err
}
