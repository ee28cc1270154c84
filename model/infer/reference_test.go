package infer

import (
	"fmt"
	"math"

	"github.com/ludozero/ludozero/model"
)

// reference computes one position by the formulas of package model, one by one,
// in float64 and with no regard for speed. It shares nothing with the code
// under test but the weights.
type reference struct {
	net model.Network
	w   *model.Weights
	m   []bool // the board
}

// grid is [cell][channel].
type grid [][]float64

// outputs holds all policy logits by head cell.
type outputs struct {
	logits, wdl []float64
	turns       float64
}

func (r *reference) conv(x grid, name string, k int) grid {
	s, w := r.net.Shape, r.w.Tensor(name+".weight")
	in := len(x[0])
	out := len(w) / (k * k * in)
	y := make(grid, len(x))
	for cell := range y {
		y[cell] = make([]float64, out)
		for ky := range k {
			for kx := range k {
				row, col := cell/s.Width+ky-k/2, cell%s.Width+kx-k/2
				if row < 0 || row >= s.Height || col < 0 || col >= s.Width {
					continue
				}
				for i, v := range x[row*s.Width+col] {
					for o := range out {
						y[cell][o] += v * float64(w[((ky*k+kx)*in+i)*out+o])
					}
				}
			}
		}
	}
	return y
}

func (r *reference) fc(x []float64, name string) []float64 {
	w := r.w.Tensor(name + ".weight")
	y := make([]float64, len(w)/len(x))
	for i, v := range x {
		for o := range y {
			y[o] += v * float64(w[i*len(y)+o])
		}
	}
	return y
}

func (r *reference) biased(x []float64, name string) []float64 {
	y := r.fc(x, name)
	for o, b := range r.w.Tensor(name + ".bias") {
		y[o] += float64(b)
	}
	return y
}

// norm is m · relu(bn(x) + skip); skip may be nil.
func (r *reference) norm(x grid, name string, skip grid) grid {
	scale, shift := r.w.Tensor(name+".scale"), r.w.Tensor(name+".shift")
	mean, variance := r.w.Tensor(name+".mean"), r.w.Tensor(name+".var")
	y := make(grid, len(x))
	for cell := range x {
		y[cell] = make([]float64, len(x[cell]))
		if !r.m[cell] {
			continue
		}
		for c, v := range x[cell] {
			v = float64(scale[c])*(v-float64(mean[c]))/math.Sqrt(float64(variance[c])+model.BatchNormEpsilon) + float64(shift[c])
			if skip != nil {
				v += skip[cell][c]
			}
			y[cell][c] = math.Max(v, 0)
		}
	}
	return y
}

func (r *reference) pool(x grid) []float64 {
	width := len(x[0])
	y := make([]float64, 3*width)
	for c := range width {
		n, sum, top := 0.0, 0.0, math.Inf(-1)
		for cell := range x {
			if r.m[cell] {
				n++
				sum += x[cell][c]
				top = math.Max(top, x[cell][c])
			}
		}
		y[c] = sum / n
		y[width+c] = sum / n * (math.Sqrt(n) - model.PoolCentre) * model.PoolScale
		y[2*width+c] = top
	}
	return y
}

func add(x grid, v []float64) {
	for cell := range x {
		for c := range x[cell] {
			x[cell][c] += v[c]
		}
	}
}

func (r *reference) forward(planes, globals []float32) outputs {
	s, c := r.net.Shape, r.net.Config
	x := make(grid, s.Cells())
	r.m = make([]bool, s.Cells())
	for cell := range x {
		x[cell] = make([]float64, s.Planes)
		for p := range s.Planes {
			x[cell][p] = float64(planes[p*s.Cells()+cell])
		}
		r.m[cell] = s.MaskPlane < 0 || x[cell][s.MaskPlane] != 0
	}
	t := r.conv(x, "stem.conv", 3)
	if s.Globals > 0 {
		g := make([]float64, s.Globals)
		for i := range g {
			g[i] = float64(globals[i])
		}
		add(t, r.fc(g, "stem.globals"))
	}
	t = r.norm(t, "stem.bn", nil)
	for i := range c.Blocks {
		name := fmt.Sprintf("block.%d.", i)
		a := r.norm(r.conv(t, name+"conv1", 3), name+"bn1", nil)
		if c.Pooled(i) {
			add(a, r.biased(r.pool(a), name+"pool"))
			for cell := range a {
				for j := range a[cell] {
					if a[cell][j] = math.Max(a[cell][j], 0); !r.m[cell] {
						a[cell][j] = 0
					}
				}
			}
		}
		t = r.norm(r.conv(a, name+"conv2", 3), name+"bn2", t)
	}

	var out outputs
	p := r.norm(r.conv(t, "policy.conv1", 1), "policy.bn", nil)
	cells := r.conv(p, "policy.conv2", 1)
	for plane, b := range r.w.Tensor("policy.conv2.bias") {
		for cell := range cells {
			out.logits = append(out.logits, cells[cell][plane]+float64(b))
		}
	}
	if s.PolicyGlobals > 0 {
		out.logits = append(out.logits, r.biased(r.pool(t), "policy.globals")...)
	}
	var flat []float64
	for _, cell := range r.norm(r.conv(t, "value.conv", 1), "value.bn", nil) {
		flat = append(flat, cell...)
	}
	h := r.biased(flat, "value.hidden")
	for i := range h {
		h[i] = math.Max(h[i], 0)
	}
	out.wdl = r.biased(h, "value.wdl")
	out.turns = model.TurnsUnit * math.Log1p(math.Exp(r.biased(h, "value.turns")[0]))
	return out
}
