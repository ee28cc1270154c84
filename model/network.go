// Package model describes a network once, for the two programs that compute
// it: the training graph (model/graph) and the inference path (model/infer).
// It owns the list of tensors with their names, shapes and first values, the
// weight file and its card. It knows shapes, never rules, and computes nothing.
//
// # The network
//
// A residual convolutional tower with global pooling and three heads, and an
// auxiliary one that play leaves out. Below, C
// is Config.Channels, H, W, P (planes) and G (globals) come from Shape, cells
// are numbered row·W + column, activations are [batch][cell][channel]. m[cell]
// is 1 on the board and 0 off it: plane Shape.MaskPlane of the input, or 1
// everywhere if that is -1. n = Σ m is the number of board cells of a row; it is
// at least 1. Input planes are expected to be 0 off the board.
//
//	conv(x, w)[cell][o]  = Σ over taps ky, kx and inputs i of
//	                       x[row+ky-k/2][col+kx-k/2][i] · w[ky][kx][i][o]
//	                       with zeros outside H × W; k is 3 or 1; no bias
//	fc(x, w)[o]          = Σ over i of x[i] · w[i][o]
//	bn(x)[cell][c]       = scale[c] · (x - mean[c]) / sqrt(var[c] + BatchNormEpsilon) + shift[c]
//	relu(x)              = max(x, 0)
//	pool(x)              = 3·channels features: for every channel the mean, then
//	                       for every channel mean · (√n - PoolCentre) · PoolScale,
//	                       then for every channel the maximum; all three over
//	                       board cells only
//	flat(x)              = x[cell·channels + channel]
//
// In play mean and var are the running statistics. In training they are taken
// over all board cells of the batch, var being the mean squared deviation
// (divided by the count, not the count less one); the running statistics follow
// both.
//
// Tower, with t the activations handed from one line to the next and g the
// vector of globals (the term fc(g, …) is added to every cell; absent if G = 0):
//
//	t = m · relu(bn(conv3x3(planes, stem.conv) + fc(g, stem.globals)))
//	block i, for i = 0 … Blocks-1:
//	    a = m · relu(bn1(conv3x3(t, conv1)))
//	    a = m · relu(a + fc(pool(a), pool.weight) + pool.bias)     only if Pooled(i)
//	    t = m · relu(bn2(conv3x3(a, conv2)) + t)
//
// Heads, all from the last t:
//
//	p      = m · relu(bn(conv1x1(t, policy.conv1)))                 [cell][PolicyChannels]
//	cells  = conv1x1(p, policy.conv2) + policy.conv2.bias           [cell][PolicyPlanes]
//	more   = fc(pool(t), policy.globals.weight) + policy.globals.bias [PolicyGlobals], if any
//	v      = m · relu(bn(conv1x1(t, value.conv)))                   [cell][ValueChannels]
//	h      = relu(fc(flat(v), value.hidden.weight) + value.hidden.bias) [ValueHidden]
//	wdl    = fc(h, value.wdl.weight) + value.wdl.bias               [3]
//	u      = fc(h, value.turns.weight) + value.turns.bias           [1]
//
// With Config.Reply the policy head ends a second time, for training alone:
//
//	reply  = conv1x1(p, reply.conv.weight) + reply.conv.bias        [cell][PolicyPlanes]
//	answer = fc(pool(t), reply.globals.weight) + reply.globals.bias [PolicyGlobals], if any
//
// They are the logits of the opponent's next decision, read by head cell like the
// policy logits, with cells as the player to act sees the board
// (engine.Info.TurnedCell). As in KataGo (Wu 2020, section 3.4) they share
// everything up to p, which is what they are for: p and the tower learn more
// from the same game. Nothing in play reads them.
//
// Policy logits are read by head cell, as engine.PolicyHead numbers them: head
// cell plane·H·W + cell is cells[cell][plane], head cell PolicyPlanes·H·W + j is
// more[j]. The policy is the softmax over the legal actions' logits. wdl are
// logits of win, draw and loss in the view of the player to act. The turns left
// are TurnsUnit · softplus(u), softplus(u) = log(1 + e^u).
//
// Values off the board are 0 after every line except cells and reply, whose logits there
// are not used.
package model

import (
	"errors"

	"github.com/ludozero/ludozero/internal/problems"
)

const (
	// BatchNormEpsilon is added to the variance in batch normalisation.
	BatchNormEpsilon = 1e-5
	// PoolCentre is the board side at which the second pooled feature is 0.
	PoolCentre = 8
	// PoolScale keeps its factor, which encodes the size of the board, between -1.25 for
	// 3 × 3 cells and 1.6 for 16 × 13.
	PoolScale = 0.25
	// TurnsUnit is the number of turns that the turns-left head counts as 1.
	TurnsUnit = 100
)

// Limits of shapes: the board sizes that the kernels are made for, and bounds
// on the rest that keep a damaged card from asking for absurd memory.
const (
	MinSide     = 3
	MaxHeight   = 16
	MaxWidth    = 13
	MaxPlanes   = 512
	MaxBlocks   = 64
	MaxChannels = 512
	maxGlobals  = 4096
	// channelStep divides every width: the kernels' narrowest vector.
	channelStep = 8
)

// Shape is the part of a network's architecture that follows from the game's
// engine.Info.
type Shape struct {
	Planes int `json:"planes"` // input planes
	Height int `json:"height"` // rows of the largest board
	Width  int `json:"width"`  // columns of the largest board
	// Globals is the length of the input vector beside the planes; 0: none.
	Globals int `json:"globals"`
	// MaskPlane is the input plane that is 1 on the board and 0 off it; -1: the
	// board always fills Height × Width.
	MaskPlane int `json:"mask_plane"`
	// PolicyPlanes × Height × Width logits, then PolicyGlobals more.
	PolicyPlanes  int `json:"policy_planes"`
	PolicyGlobals int `json:"policy_globals"`
}

// Cells is Height × Width.
func (s Shape) Cells() int { return s.Height * s.Width }

// HeadCells is the number of policy logits of a position.
func (s Shape) HeadCells() int { return s.PolicyPlanes*s.Cells() + s.PolicyGlobals }

// Config is the part of a network's architecture that the user chooses.
type Config struct {
	// Blocks is the number of residual blocks; 0 leaves stem and heads.
	Blocks int `mapstructure:"blocks" yaml:"blocks" json:"blocks"`
	// Channels is the width of the tower, a multiple of 8 as all widths here.
	Channels int `mapstructure:"channels" yaml:"channels" json:"channels"`
	// PoolEvery gives every n-th block a global pooling branch; 0, or more than
	// Blocks: none.
	PoolEvery int `mapstructure:"pool_every" yaml:"pool_every" json:"pool_every"`
	// PolicyChannels is the width of the policy head before its logits.
	PolicyChannels int `mapstructure:"policy_channels" yaml:"policy_channels" json:"policy_channels"`
	// ValueChannels is the width of the value head on the board.
	ValueChannels int `mapstructure:"value_channels" yaml:"value_channels" json:"value_channels"`
	// ValueHidden is the width of the layer that value and turns left share.
	ValueHidden int `mapstructure:"value_hidden" yaml:"value_hidden" json:"value_hidden"`
	// Reply adds the head that predicts the opponent's reply. It costs a little
	// training time and none in play. Cards omit it if it is off, so that programs
	// that do not know it read them; they refuse cards that have it.
	Reply bool `mapstructure:"reply" yaml:"reply" json:"reply,omitempty"`
}

// DefaultConfig is a small network for one night on a few cores.
func DefaultConfig() Config {
	return Config{Blocks: 4, Channels: 32, PoolEvery: 2, PolicyChannels: 32, ValueChannels: 16, ValueHidden: 64}
}

// Network is one architecture. It is a comparable value.
type Network struct {
	Shape  Shape  `json:"shape"`
	Config Config `json:"config"`
}

// Pooled reports whether block i, counted from 0, has a global pooling branch.
func (c Config) Pooled(i int) bool { return c.PoolEvery > 0 && (i+1)%c.PoolEvery == 0 }

// sizes collects "key = value: rule" lines.
type sizes struct{ problems.List }

func (p *sizes) between(key string, value, lo, hi int) {
	p.If(value < lo || value > hi, "%s = %d: want %d to %d", key, value, lo, hi)
}

func (p *sizes) width(key string, value int) {
	p.If(value < channelStep || value > MaxChannels || value%channelStep != 0,
		"%s = %d: want a multiple of %d from %d to %d", key, value, channelStep, channelStep, MaxChannels)
}

// Validate reports every value that no network can be built from.
func (c Config) Validate() error {
	var p sizes
	p.between("blocks", c.Blocks, 0, MaxBlocks)
	p.width("channels", c.Channels)
	p.between("pool_every", c.PoolEvery, 0, MaxBlocks)
	p.width("policy_channels", c.PolicyChannels)
	p.width("value_channels", c.ValueChannels)
	p.width("value_hidden", c.ValueHidden)
	return p.Err()
}

// Validate reports every size that the network does not support.
func (s Shape) Validate() error {
	var p sizes
	p.between("planes", s.Planes, 1, MaxPlanes)
	p.between("height", s.Height, MinSide, MaxHeight)
	p.between("width", s.Width, MinSide, MaxWidth)
	p.between("globals", s.Globals, 0, maxGlobals)
	p.between("mask_plane", s.MaskPlane, -1, s.Planes-1)
	p.between("policy_planes", s.PolicyPlanes, 1, MaxPlanes)
	p.between("policy_globals", s.PolicyGlobals, 0, maxGlobals)
	return p.Err()
}

// Validate reports every problem of shape and config.
func (n Network) Validate() error { return errors.Join(n.Shape.Validate(), n.Config.Validate()) }
