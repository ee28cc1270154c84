package model

import (
	"fmt"
	"math/rand/v2"
)

// CanGrow reports every reason why weights of n cannot be grown into weights of to, see
// Config.CanGrow. Both are for the same game.
func (n Network) CanGrow(to Network) error {
	if n.Shape != to.Shape {
		return fmt.Errorf("shape: %+v: want that of the network to grow, %+v", to.Shape, n.Shape)
	}
	return n.Config.CanGrow(to.Config)
}

// CanGrow reports by key every reason why networks of c cannot be grown into networks of
// to: sizes that would shrink, and sizes that no network can have.
func (c Config) CanGrow(to Config) error {
	if err := to.Validate(); err != nil {
		return err
	}
	var p sizes
	least := func(key string, value, present int) {
		p.If(value < present, "%s = %d: want at least %d, a network cannot grow smaller", key, value, present)
	}
	least("blocks", to.Blocks, c.Blocks)
	least("channels", to.Channels, c.Channels)
	least("policy_channels", to.PolicyChannels, c.PolicyChannels)
	least("value_channels", to.ValueChannels, c.ValueChannels)
	least("value_hidden", to.ValueHidden, c.ValueHidden)
	for i := range c.Blocks {
		if c.Pooled(i) && !to.Pooled(i) {
			p.Add("pool_every = %d: block %d would lose its pooling branch", to.PoolEvery, i)
			break
		}
	}
	p.If(c.Reply && !to.Reply, "reply = false: the network would lose a head")
	return p.Err()
}

// Grow returns weights of the larger network to that compute what w computes,
// except for rounding, in play and in training. New blocks come last.
//
// Every value that both networks have is kept. A new output of a layer begins as in a
// fresh network, with random weights from all inputs; weights from it to old outputs are
// 0. A new block passes its input on, its last scale being 0, and so does a new pooling
// branch, which is 0; a head for the reply begins as in a fresh network. So the new parts
// change nothing at first, and still learn: the zeros have gradients at once (Goyal et
// al. 2017, 5.1), the layers before them a step later.
//
// The idea of growing a network in training without changing its function is
// Net2Net's (Chen, Goodfellow, Shlens 2016). That copies units and splits what
// leaves them, and breaks the tie by noise; here new units are random and silent,
// so that none is a twin of another, batch normalisation needs no care, and the
// function is kept with no noise.
//
// Random numbers are drawn for new values alone, in the order of to.Tensors.
func Grow(w *Weights, to Network, rng *rand.Rand) (*Weights, error) {
	if err := w.net.CanGrow(to); err != nil {
		return nil, fmt.Errorf("grow: %w", err)
	}
	g := NewWeights(to)
	for i := range g.specs {
		spec := &g.specs[i]
		k, ok := w.index[spec.Name]
		if !ok {
			spec.draw(g.data[i], rng)
			continue
		}
		grow(g.data[i], w.data[k], spec, &w.specs[k], rng)
	}
	return g, nil
}

// draw sets fresh values.
func (t *TensorSpec) draw(v []float32, rng *rand.Rand) {
	if t.Init.Std == 0 {
		fill(v, t.Init.Const)
		return
	}
	for j := range v {
		v[j] = t.Init.Std * float32(rng.NormFloat64())
	}
}

// grow fills a tensor of the larger network from the smaller network's, both seen as
// [group][input][output].
func grow(dst, src []float32, to, from *TensorSpec, rng *rand.Rand) {
	groups, in, out := to.layout()
	_, oldIn, oldOut := from.layout()
	for g := range groups {
		for i := range in {
			row := dst[(g*in+i)*out:][:out]
			if i < oldIn {
				copy(row, src[(g*oldIn+i)*oldOut:][:oldOut])
			} else {
				clear(row[:oldOut])
			}
			to.draw(row[oldOut:], rng)
		}
	}
}

// layout is the shape of a tensor as [group][input][output]: what reads one unit
// of the layer before, or is one of its own units, has the same input, or output,
// in every group.
func (t *TensorSpec) layout() (groups, in, out int) {
	out = t.Shape[len(t.Shape)-1]
	switch len(t.Shape) {
	case 1:
		return 1, 1, out
	case 2:
		groups = max(1, t.Groups)
		return groups, t.Shape[0] / groups, out
	}
	return t.Shape[0] * t.Shape[1], t.Shape[2], out
}
