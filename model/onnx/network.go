package onnx

import (
	"fmt"
	"math"

	"github.com/ludozero/ludozero/model"
)

// network adds the whole network of package model, line by line as its
// documentation has it.
func (b *builder) network() {
	s, c := b.net.Shape, b.net.Config
	x := b.input(Planes, "input planes, 0 off the board", batchDim, s.Planes, s.Height, s.Width)
	globals := ""
	if s.Globals > 0 {
		globals = b.input(Globals, "inputs that are the same over the whole board", batchDim, s.Globals)
	}
	if s.MaskPlane >= 0 {
		b.mask = b.round(b.node("Slice", "mask", []string{x, vector(b, "mask.from", int64(s.MaskPlane)), vector(b, "mask.to", int64(s.MaskPlane+1)),
			vector(b, "mask.axis", int64(1))}), 1)
	}
	t := b.stem(b.round(x, s.Planes), globals)
	for i := range c.Blocks {
		t = b.block(t, fmt.Sprintf("block.%d", i), c.Pooled(i))
	}
	b.policy(t)
	b.value(t)
}

const stemWeight = "stem.conv.weight"

func (b *builder) stem(x, globals string) string {
	s, c := b.net.Shape, b.net.Config
	if globals == "" {
		return b.relu("stem", b.conv("stem.sum", x, "stem.conv", "stem.bn", 3, s.Planes, c.Channels), c.Channels)
	}
	// The normalisation follows the sum of both.
	n := b.fold("stem.bn")
	if b.opt.Norms {
		n = norm{}
	}
	y := b.round(b.convolve("stem.board", x, stemWeight, n, 3, s.Planes, c.Channels), c.Channels)
	g := b.node("MatMul", "stem.globals", []string{globals,
		constant(b, "stem.globals.weight", []int{s.Globals, c.Channels}, b.scaled("stem.globals.weight", n.factor))})
	y = b.node("Add", "stem.both", []string{y, b.toCells(g, c.Channels)})
	if b.opt.Norms {
		y = b.normalise("stem.sum", y, "stem.bn", c.Channels)
	}
	return b.relu("stem", y, c.Channels)
}

func (b *builder) block(t, name string, pooled bool) string {
	wide := b.net.Config.Channels
	a := b.relu(name+".inner", b.conv(name+".sum1", t, name+".conv1", name+".bn1", 3, wide, wide), wide)
	if pooled {
		v := b.linear(name+".pool", b.pool(name+".features", a, wide), name+".pool", 3*wide, wide)
		a = b.relu(name+".pooled", b.node("Add", name+".pool.sum", []string{a, b.toCells(v, wide)}), wide)
	}
	y := b.round(b.conv(name+".sum2", a, name+".conv2", name+".bn2", 3, wide, wide), wide)
	return b.relu(name, b.node("Add", name+".sum", []string{y, t}), wide)
}

func (b *builder) policy(t string) {
	s, c := b.net.Shape, b.net.Config
	p := b.relu("policy.inner", b.conv("policy.sum", t, "policy.conv1", "policy.bn", 1, c.Channels, c.PolicyChannels), c.PolicyChannels)
	spatial := s.PolicyPlanes * s.Cells()
	cells := b.node("Conv", "policy.cells", []string{p,
		constant(b, "policy.conv2.weight", []int{s.PolicyPlanes, c.PolicyChannels, 1, 1}, byOutput(b.w.Tensor("policy.conv2.weight"), 1, c.PolicyChannels, s.PolicyPlanes)),
		b.bias("policy.conv2", s.PolicyPlanes)})
	parts := []string{b.reshape("policy.flat", cells, -1, spatial)} // plane by plane: the numbers of head cells
	if s.PolicyGlobals > 0 {
		parts = append(parts, b.linear("policy.more", b.pool("policy.features", t, c.Channels), "policy.globals", 3*c.Channels, s.PolicyGlobals))
	}
	b.node("Concat", Policy, parts, intAttribute("axis", 1))
	b.output(Policy, "logits by head cell", batchDim, s.HeadCells())
}

func (b *builder) value(t string) {
	s, c := b.net.Shape, b.net.Config
	flat := s.Cells() * c.ValueChannels
	v := b.relu("value.inner", b.conv("value.sum", t, "value.conv", "value.bn", 1, c.Channels, c.ValueChannels), c.ValueChannels)
	hidden := byChannel(b.w.Tensor("value.hidden.weight"), s.Cells(), c.ValueChannels, c.ValueHidden)
	h := b.node("Gemm", "value.hidden.sum", []string{b.reshape("value.flat", v, -1, flat),
		constant(b, "value.hidden.weight", []int{c.ValueHidden, flat}, hidden), b.bias("value.hidden", c.ValueHidden)}, intAttribute("transB", 1))
	h = b.node("Relu", "value.hidden", []string{h})
	b.linear(WDL, h, "value.wdl", c.ValueHidden, 3)
	b.output(WDL, "logits of win, draw and loss of the player to act", batchDim, 3)
	u := b.node("Softplus", "value.turns.softplus", []string{b.linear("value.turns", h, "value.turns", c.ValueHidden, 1)})
	u = b.node("Mul", "value.turns.scaled", []string{u, scalar(b, "value.turns.unit", float32(model.TurnsUnit))})
	b.reshape(Turns, u, -1)
	b.output(Turns, "expected number of turns left", batchDim)
}

// conv is a convolution with the normalisation that follows it.
func (b *builder) conv(y, x, name, bn string, k, in, out int) string {
	if !b.opt.Norms {
		return b.convolve(y, x, name+".weight", b.fold(bn), k, in, out)
	}
	return b.normalise(y, b.convolve(y+".conv", x, name+".weight", norm{}, k, in, out), bn, out)
}

// convolve is a convolution whose weights and bias take n in; the zero norm
// leaves it without a bias. If x is rounded, so are the weights.
func (b *builder) convolve(y, x, name string, n norm, k, in, out int) string {
	w := byOutput(b.scaled(name, n.factor), k, in, out)
	shape := []int{out, in, k, k}
	if step, rounded := b.scales[x]; rounded {
		var means []float32
		if name == stemWeight {
			means = b.opt.Means
		}
		return b.convNode(y, append([]string{x}, b.roundedWeights(name, shape, w, n.offset, step, means)...), k)
	}
	args := []string{x, constant(b, name, shape, w)}
	if n.offset != nil {
		args = append(args, vector(b, name+".offset", n.offset...))
	}
	return b.convNode(y, args, k)
}

func (b *builder) convNode(y string, args []string, k int) string {
	return b.node("Conv", y, args, intsAttribute("kernel_shape", k, k), intsAttribute("pads", k/2, k/2, k/2, k/2))
}

func (b *builder) normalise(y, x, name string, width int) string {
	args := []string{x}
	for _, part := range []string{".scale", ".shift", ".mean", ".var"} {
		args = append(args, constant(b, name+part, []int{width}, b.w.Tensor(name+part)))
	}
	return b.node("BatchNormalization", y, args, floatAttribute("epsilon", model.BatchNormEpsilon))
}

// relu is m · relu(x), an activation.
func (b *builder) relu(y, x string, channels int) string {
	if b.mask == "" {
		return b.round(b.node("Relu", y, []string{x}), channels)
	}
	x = b.round(b.node("Relu", y+".relu", []string{x}), channels)
	return b.round(b.node("Mul", y, []string{x, b.mask}), channels)
}

// linear is a fully connected layer with bias.
func (b *builder) linear(y, x, name string, in, out int) string {
	return b.node("Gemm", y, []string{x, constant(b, name+".weight", []int{in, out}, b.w.Tensor(name+".weight")), b.bias(name, out)})
}

func (b *builder) bias(name string, width int) string {
	return constant(b, name+".bias", []int{width}, b.w.Tensor(name+".bias"))
}

func (b *builder) reshape(y, x string, shape ...int) string {
	v := make([]int64, len(shape))
	for i, n := range shape {
		v[i] = int64(n)
	}
	return b.node("Reshape", y, []string{x, vector(b, y+".shape", v...)})
}

// toCells makes [batch, channels] something to add to every cell.
func (b *builder) toCells(x string, channels int) string {
	return b.reshape(x+".cells", x, -1, channels, 1, 1)
}

// pool is the pooled features of x, [batch, 3·channels]. x is at least 0 and 0
// off the board, so the maximum over all cells is the maximum over the board.
func (b *builder) pool(y, x string, channels int) string {
	top := b.reshape(y+".top", b.node("GlobalMaxPool", y+".max", []string{x}), -1, channels)
	var mean, factor string
	if b.mask == "" {
		mean = b.reshape(y+".mean", b.node("GlobalAveragePool", y+".average", []string{x}), -1, channels)
		factor = scalar(b, y+".factor", float32((math.Sqrt(float64(b.net.Shape.Cells()))-model.PoolCentre)*model.PoolScale))
	} else {
		axes := vector(b, y+".axes", int64(2), int64(3))
		n := b.node("ReduceSum", y+".n", []string{b.mask, axes}, intAttribute("keepdims", 0))
		mean = b.node("Div", y+".mean", []string{b.node("ReduceSum", y+".sum", []string{x, axes}, intAttribute("keepdims", 0)), n})
		side := b.node("Sub", y+".offset", []string{b.node("Sqrt", y+".side", []string{n}), scalar(b, y+".centre", float32(model.PoolCentre))})
		factor = b.node("Mul", y+".factor", []string{side, scalar(b, y+".scale", float32(model.PoolScale))})
	}
	return b.node("Concat", y, []string{mean, b.node("Mul", y+".second", []string{mean, factor}), top}, intAttribute("axis", 1))
}
