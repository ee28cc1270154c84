package model

import (
	"fmt"
	"math"
)

// Role is the purpose of a tensor.
type Role int

// The roles. Statistics are carried along, not learned.
const (
	Weight Role = iota
	Bias
	Scale
	Shift
	RunningMean
	RunningVar
)

func (r Role) String() string {
	return [...]string{"weight", "bias", "scale", "shift", "running mean", "running variance"}[r]
}

// Learned reports whether the optimiser moves tensors of this role.
func (r Role) Learned() bool { return r < RunningMean }

// Init is the rule for first values: Const everywhere, or normally distributed
// with mean 0 and standard deviation Std if that is above 0.
type Init struct {
	Const, Std float32
}

// TensorSpec describes one tensor of a network.
type TensorSpec struct {
	// Name is unique in the network and stable in files: "block.3.bn2.scale".
	Name string
	// Shape is [ky, kx, in, out] for convolutions, [in, out] for fully
	// connected layers and [channels] for the rest; the last index is the
	// fastest.
	Shape []int
	// Groups is set for a fully connected layer that reads each channel in
	// several places: its inputs are [Groups][channels].
	Groups int
	Role   Role
	// Decay tells the optimiser to apply weight decay.
	Decay bool
	Init  Init
}

// Len is the number of values.
func (t *TensorSpec) Len() int {
	n := 1
	for _, d := range t.Shape {
		n *= d
	}
	return n
}

// headGain shrinks the first weights of the layers that end the heads, so that
// a fresh network gives nearly equal probabilities to all moves and outcomes.
const headGain = 0.1

// poolFeatures is the number of features that pooling makes of a channel.
const poolFeatures = 3

// builder appends specs in the order of the computation.
type builder []TensorSpec

// weight has normal values of variance gain²/fan.
func (b *builder) weight(name string, gain float64, fan int, shape ...int) {
	*b = append(*b, TensorSpec{Name: name, Shape: shape, Role: Weight, Decay: true,
		Init: Init{Std: float32(gain / math.Sqrt(float64(fan)))}})
}

// pooled is the weight of a layer that reads pooled features.
func (b *builder) pooled(name string, gain float64, fan, channels, out int) {
	b.weight(name, gain, fan, poolFeatures*channels, out)
	(*b)[len(*b)-1].Groups = poolFeatures
}

func (b *builder) conv(name string, k, in, out int) {
	b.weight(name, math.Sqrt2, k*k*in, k, k, in, out) // gain √2: He et al. 2015, for ReLU
}

func (b *builder) bias(name string, width int) {
	*b = append(*b, TensorSpec{Name: name, Shape: []int{width}, Role: Bias})
}

func (b *builder) norm(name string, width int, scale float32) {
	shape := []int{width}
	*b = append(*b,
		TensorSpec{Name: name + ".scale", Shape: shape, Role: Scale, Init: Init{Const: scale}},
		TensorSpec{Name: name + ".shift", Shape: shape, Role: Shift},
		TensorSpec{Name: name + ".mean", Shape: shape, Role: RunningMean},
		TensorSpec{Name: name + ".var", Shape: shape, Role: RunningVar, Init: Init{Const: 1}})
}

// Tensors lists all tensors of the network in the order of the computation,
// which is also their order in Weights and in files. n must be valid.
//
// The second normalisation of a block starts with scale 0, so that a fresh
// block passes its input on unchanged (Goyal et al. 2017, 5.1); the pooling branch
// starts at 0 for the same reason.
func (n Network) Tensors() []TensorSpec {
	s, c := n.Shape, n.Config
	var b builder
	b.conv("stem.conv.weight", 3, s.Planes, c.Channels)
	if s.Globals > 0 {
		b.weight("stem.globals.weight", 1, s.Globals, s.Globals, c.Channels)
	}
	b.norm("stem.bn", c.Channels, 1)
	for i := range c.Blocks {
		block := fmt.Sprintf("block.%d.", i)
		b.conv(block+"conv1.weight", 3, c.Channels, c.Channels)
		b.norm(block+"bn1", c.Channels, 1)
		if c.Pooled(i) {
			b.pooled(block+"pool.weight", 0, 1, c.Channels, c.Channels)
			b.bias(block+"pool.bias", c.Channels)
		}
		b.conv(block+"conv2.weight", 3, c.Channels, c.Channels)
		b.norm(block+"bn2", c.Channels, 0)
	}
	b.conv("policy.conv1.weight", 1, c.Channels, c.PolicyChannels)
	b.norm("policy.bn", c.PolicyChannels, 1)
	b.weight("policy.conv2.weight", headGain, c.PolicyChannels, 1, 1, c.PolicyChannels, s.PolicyPlanes)
	b.bias("policy.conv2.bias", s.PolicyPlanes)
	if s.PolicyGlobals > 0 {
		b.pooled("policy.globals.weight", headGain, poolFeatures*c.Channels, c.Channels, s.PolicyGlobals)
		b.bias("policy.globals.bias", s.PolicyGlobals)
	}
	b.conv("value.conv.weight", 1, c.Channels, c.ValueChannels)
	b.norm("value.bn", c.ValueChannels, 1)
	flat := s.Cells() * c.ValueChannels
	b.weight("value.hidden.weight", math.Sqrt2, flat, flat, c.ValueHidden)
	b[len(b)-1].Groups = s.Cells()
	b.bias("value.hidden.bias", c.ValueHidden)
	b.weight("value.wdl.weight", headGain, c.ValueHidden, c.ValueHidden, 3)
	b.bias("value.wdl.bias", 3)
	b.weight("value.turns.weight", headGain, c.ValueHidden, c.ValueHidden, 1)
	b.bias("value.turns.bias", 1)
	if c.Reply { // last, so that the others begin with the same random numbers
		b.weight("reply.conv.weight", headGain, c.PolicyChannels, 1, 1, c.PolicyChannels, s.PolicyPlanes)
		b.bias("reply.conv.bias", s.PolicyPlanes)
		if s.PolicyGlobals > 0 {
			b.pooled("reply.globals.weight", headGain, poolFeatures*c.Channels, c.Channels, s.PolicyGlobals)
			b.bias("reply.globals.bias", s.PolicyGlobals)
		}
	}
	return b
}
