package onnx

import (
	"fmt"
	"math"

	"github.com/ludozero/ludozero/model"
)

// Fields of GraphProto.
const (
	graphNode, graphName, graphInitializer, graphInput, graphOutput = 1, 2, 5, 11, 12
)

// builder collects the fields of a GraphProto. Tensors are known by name; a node
// has the name of what it computes.
type builder struct {
	w    *model.Weights
	net  model.Network
	opt  Options
	mask string // the tensor [batch, 1, H, W], "" if the board is always full
	err  error

	nodes, initializers, inputs, outputs message
	// rounded lists the activations that an int8 model rounds; scales has the
	// step of those that were, by the name of the rounded tensor.
	rounded []string
	scales  map[string]float32
}

// fail keeps the first error, so that the network can be listed plainly.
func (b *builder) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

func (b *builder) graph() message {
	var m message
	m = append(m, b.nodes...)
	m.string(graphName, producer)
	m = append(m, b.initializers...)
	m = append(m, b.inputs...)
	return append(m, b.outputs...)
}

func (b *builder) input(name, doc string, shape ...int) string {
	b.inputs.bytes(graphInput, valueInfo(name, doc, shape...))
	return name
}

func (b *builder) output(name, doc string, shape ...int) {
	b.outputs.bytes(graphOutput, valueInfo(name, doc, shape...))
}

// node adds y = op(in...).
func (b *builder) node(op, y string, in []string, attributes ...attribute) string {
	const inputs, outputs, names, opType, attributeField = 1, 2, 3, 4, 5
	var m message
	for _, x := range in {
		m.string(inputs, x)
	}
	m.string(outputs, y)
	m.string(names, y)
	m.string(opType, op)
	for _, a := range attributes {
		m.bytes(attributeField, a)
	}
	b.nodes.bytes(graphNode, m)
	return y
}

// constant adds a tensor of the file.
func constant[T number](b *builder, name string, shape []int, v []T) string {
	b.initializers.bytes(graphInitializer, tensor(name, shape, v))
	return name
}

// vector is a constant of one dimension.
func vector[T number](b *builder, name string, v ...T) string {
	return constant(b, name, []int{len(v)}, v)
}

// scalar is a constant without dimensions.
func scalar[T number](b *builder, name string, v T) string {
	return constant(b, name, nil, []T{v})
}

// norm is a batch normalisation as factor and offset of a channel,
//
//	bn(x) = x · factor + offset,  factor = scale / sqrt(var + ε)
//
// computed in float64 and rounded once, as model/infer does.
type norm struct {
	factor []float64
	offset []float32
}

func (b *builder) fold(name string) norm {
	scale, shift := b.w.Tensor(name+".scale"), b.w.Tensor(name+".shift")
	mean, variance := b.w.Tensor(name+".mean"), b.w.Tensor(name+".var")
	n := norm{make([]float64, len(scale)), make([]float32, len(scale))}
	for i := range scale {
		n.factor[i] = float64(scale[i]) / math.Sqrt(float64(variance[i])+model.BatchNormEpsilon)
		n.offset[i] = float32(float64(shift[i]) - float64(mean[i])*n.factor[i])
	}
	return n
}

// scaled is w, whose last index is the output channel, times the factor of each;
// a nil factor is 1.
func (b *builder) scaled(name string, factor []float64) []float32 {
	w := b.w.Tensor(name)
	if factor == nil {
		return w
	}
	y := make([]float32, len(w))
	for i, x := range w {
		y[i] = float32(float64(x) * factor[i%len(factor)])
		if math.IsInf(float64(y[i]), 0) {
			b.fail(fmt.Errorf("tensor %s: folding batch normalisation overflows", name))
		}
	}
	return y
}

// byOutput turns weights [k·k][in][out] into [out][in][k·k].
func byOutput(w []float32, k, in, out int) []float32 {
	y := make([]float32, len(w))
	for tap := range k * k {
		for i := range in {
			for o := range out {
				y[(o*in+i)*k*k+tap] = w[(tap*in+i)*out+o]
			}
		}
	}
	return y
}

// byChannel turns weights [cells][channels][out] into [out][channels][cells].
func byChannel(w []float32, cells, channels, out int) []float32 {
	y := make([]float32, 0, len(w))
	for o := range out {
		for c := range channels {
			for cell := range cells {
				y = append(y, w[(cell*channels+c)*out+o])
			}
		}
	}
	return y
}
