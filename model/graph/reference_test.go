package graph

import (
	"math"

	"github.com/ludozero/ludozero/model"
)

// reference computes the losses of a network in float64 and plain loops, after
// the formulas of package model. Statistics of batch normalisation come from
// the batch if training is set, else the running ones.
type reference struct {
	net      model.Network
	opt      Options
	training bool
	tensor   map[string][]float64
	masks    []float64 // [B, cells]
	rows     int
	height   int
	width    int

	mean, vari map[string][]float64 // of the batch, by normalisation
	// seen are the inputs of each normalisation on the board, [cells][channels],
	// of all runs.
	seen map[string][]float64
	// policy, reply, wdl and turns are outputs as in Outputs; answers and asides
	// are to reply what cells and more are to policy.
	policy, wdl, turns, cells, more []float64
	reply, answers, asides          []float64
}

func newReference(net model.Network, w *model.Weights, opt Options, training bool) *reference {
	r := &reference{net: net, opt: opt, training: training, rows: opt.Batch,
		height: net.Shape.Height, width: net.Shape.Width,
		tensor: map[string][]float64{}, mean: map[string][]float64{}, vari: map[string][]float64{}, seen: map[string][]float64{}}
	for i, s := range w.Specs() {
		r.tensor[s.Name] = wide(w.Data(i))
	}
	return r
}

func wide(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

// conv is a convolution of side k on a board of h × w.
func (r *reference) conv(x []float64, h, w, in int, name string, k, out int) []float64 {
	weight := r.tensor[name+".weight"]
	y := make([]float64, r.rows*h*w*out)
	for b := range r.rows {
		for row := range h {
			for col := range w {
				for ky := range k {
					for kx := range k {
						ry, cx := row+ky-k/2, col+kx-k/2
						if ry < 0 || ry >= h || cx < 0 || cx >= w {
							continue
						}
						for i := range in {
							xi := x[((b*h+ry)*w+cx)*in+i]
							for o := range out {
								y[((b*h+row)*w+col)*out+o] += xi * weight[((ky*k+kx)*in+i)*out+o]
							}
						}
					}
				}
			}
		}
	}
	if bias, ok := r.tensor[name+".bias"]; ok {
		for i := range y {
			y[i] += bias[i%out]
		}
	}
	return y
}

func (r *reference) fc(x []float64, in int, name string, out int) []float64 {
	return r.conv(x, 1, 1, in, name, 1, out)
}

// norm is mask · relu(bn(x) + skip).
func (r *reference) norm(x []float64, name string, c int, skip []float64) []float64 {
	for i, m := range r.masks {
		if m == 1 {
			r.seen[name] = append(r.seen[name], x[i*c:i*c+c]...)
		}
	}
	mean, vari := make([]float64, c), make([]float64, c)
	if r.training {
		n := 0.0
		for i, m := range r.masks {
			n += m
			for j := range c {
				mean[j] += m * x[i*c+j]
			}
		}
		for j := range c {
			mean[j] /= n
		}
		for i, m := range r.masks {
			for j := range c {
				d := x[i*c+j] - mean[j]
				vari[j] += m * d * d / n
			}
		}
		r.mean[name], r.vari[name] = mean, vari
	} else {
		mean, vari = r.tensor[name+".mean"], r.tensor[name+".var"]
	}
	y := make([]float64, len(x))
	for i := range x {
		j := i % c
		y[i] = r.tensor[name+".scale"][j]*(x[i]-mean[j])/math.Sqrt(vari[j]+model.BatchNormEpsilon) + r.tensor[name+".shift"][j]
		if skip != nil {
			y[i] += skip[i]
		}
		y[i] = max(y[i], 0) * r.masks[i/c]
	}
	return y
}

func (r *reference) pool(x []float64, c int) []float64 {
	cells := r.height * r.width
	y := make([]float64, r.rows*3*c)
	for b := range r.rows {
		for j := range c {
			n, sum, top := 0.0, 0.0, math.Inf(-1)
			for i := b * cells; i < (b+1)*cells; i++ {
				if r.masks[i] == 1 {
					n++
					sum += x[i*c+j]
					top = max(top, x[i*c+j])
				}
			}
			y[b*3*c+j] = sum / n
			y[b*3*c+c+j] = sum / n * (math.Sqrt(n) - model.PoolCentre) * model.PoolScale
			y[b*3*c+2*c+j] = top
		}
	}
	return y
}

func relu(x []float64) []float64 {
	for i := range x {
		x[i] = max(x[i], 0)
	}
	return x
}

// run computes the outputs and the losses.
func (r *reference) run(t *Batch) Losses {
	s, cfg := r.net.Shape, r.net.Config
	cells, c := s.Cells(), cfg.Channels
	r.masks = make([]float64, r.rows*cells)
	for i := range r.masks {
		r.masks[i] = 1
		if s.MaskPlane >= 0 {
			r.masks[i] = float64(t.Planes[i*s.Planes+s.MaskPlane])
		}
	}
	x := r.conv(wide(t.Planes), s.Height, s.Width, s.Planes, "stem.conv", 3, c)
	if s.Globals > 0 {
		g := r.fc(wide(t.Globals), s.Globals, "stem.globals", c)
		for i := range x {
			x[i] += g[i/(cells*c)*c+i%c]
		}
	}
	x = r.norm(x, "stem.bn", c, nil)
	for i := range cfg.Blocks {
		name := "block." + string(rune('0'+i)) + "."
		a := r.norm(r.conv(x, s.Height, s.Width, c, name+"conv1", 3, c), name+"bn1", c, nil)
		if cfg.Pooled(i) {
			p := r.fc(r.pool(a, c), 3*c, name+"pool", c)
			for i := range a {
				a[i] = max(a[i]+p[i/(cells*c)*c+i%c], 0) * r.masks[i/c]
			}
		}
		x = r.norm(r.conv(a, s.Height, s.Width, c, name+"conv2", 3, c), name+"bn2", c, x)
	}
	p := r.norm(r.conv(x, s.Height, s.Width, c, "policy.conv1", 1, cfg.PolicyChannels), "policy.bn", cfg.PolicyChannels, nil)
	r.cells = r.conv(p, s.Height, s.Width, cfg.PolicyChannels, "policy.conv2", 1, s.PolicyPlanes)
	if s.PolicyGlobals > 0 {
		r.more = r.fc(r.pool(x, c), 3*c, "policy.globals", s.PolicyGlobals)
	}
	if cfg.Reply {
		r.answers = r.conv(p, s.Height, s.Width, cfg.PolicyChannels, "reply.conv", 1, s.PolicyPlanes)
		if s.PolicyGlobals > 0 {
			r.asides = r.fc(r.pool(x, c), 3*c, "reply.globals", s.PolicyGlobals)
		}
	}
	v := r.norm(r.conv(x, s.Height, s.Width, c, "value.conv", 1, cfg.ValueChannels), "value.bn", cfg.ValueChannels, nil)
	h := relu(r.fc(v, cells*cfg.ValueChannels, "value.hidden", cfg.ValueHidden))
	r.wdl = r.fc(h, cfg.ValueHidden, "value.wdl", 3)
	r.turns = r.fc(h, cfg.ValueHidden, "value.turns", 1)
	return r.losses(t)
}

// losses is the part that follows the outputs.
func (r *reference) losses(t *Batch) Losses {
	s, cells := r.net.Shape, r.net.Shape.Cells()
	var l Losses
	mean := func(weights []float32, f func(row int) float64) float64 {
		total, sum := 0.0, 0.0
		for row, w := range weights {
			if w > 0 {
				total += float64(w) * f(row)
				sum += float64(w)
			}
		}
		return total / max(sum, 1e-300)
	}
	// policy is the mean of one policy loss and the probabilities.
	policy := func(offsets, at []int32, target, weights []float32, board, more []float64) (float64, []float64) {
		probs := make([]float64, len(at))
		for row := range r.rows {
			from, to := offsets[row], offsets[row+1]
			logits := make([]float64, to-from)
			for i := range logits {
				if h := int(at[int(from)+i]); h < s.PolicyPlanes*cells {
					logits[i] = board[(row*cells+h%cells)*s.PolicyPlanes+h/cells]
				} else {
					logits[i] = more[row*s.PolicyGlobals+h-s.PolicyPlanes*cells]
				}
			}
			copy(probs[from:to], softmax(logits))
		}
		return mean(weights, func(row int) (loss float64) {
			for i := offsets[row]; i < offsets[row+1]; i++ {
				loss -= float64(target[i]) * math.Log(probs[i])
			}
			return loss
		}), probs
	}
	l.Policy, r.policy = policy(t.Offsets, t.Cells, t.Policy, t.PolicyWeight, r.cells, r.more)
	if r.net.Config.Reply {
		l.Reply, r.reply = policy(t.ReplyOffsets, t.ReplyCells, t.ReplyPolicy, t.ReplyWeight, r.answers, r.asides)
	}
	l.Value = mean(t.ValueWeight, func(row int) (loss float64) {
		for k, p := range softmax(r.wdl[row*3 : row*3+3]) {
			loss -= float64(t.Value[row*3+k]) * math.Log(p)
		}
		return loss
	})
	l.Turns = mean(t.TurnsWeight, func(row int) float64 {
		e := math.Abs(math.Log(1+math.Exp(r.turns[row])) - float64(t.Turns[row])/model.TurnsUnit)
		if e <= HuberDelta {
			return e * e / 2
		}
		return HuberDelta * (e - HuberDelta/2)
	})
	l.Total = r.opt.PolicyWeight*l.Policy + r.opt.ValueWeight*l.Value + r.opt.TurnsWeight*l.Turns + r.opt.ReplyWeight*l.Reply
	return l
}

func softmax(logits []float64) []float64 {
	top := math.Inf(-1)
	for _, x := range logits {
		top = max(top, x)
	}
	p, sum := make([]float64, len(logits)), 0.0
	for i, x := range logits {
		p[i] = math.Exp(x - top)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}
