package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ludozero/ludozero/model/safetensors"
)

// Weights are the values of all tensors of one network, running statistics
// included. Their memory is one array in the order of Network.Tensors, so that
// sums and averages over all of them are one loop. Weights that are shared
// between goroutines must no longer be changed.
type Weights struct {
	net   Network
	specs []TensorSpec
	data  [][]float32 // by spec, parts of all
	all   []float32
	index map[string]int
}

// NewWeights returns weights of a valid network with constant values: scales and
// variances as Tensors says, random values 0. Init draws those.
func NewWeights(n Network) *Weights {
	w := &Weights{net: n, specs: n.Tensors(), index: map[string]int{}}
	total := 0
	for i := range w.specs {
		w.index[w.specs[i].Name] = i
		total += w.specs[i].Len()
	}
	w.all = make([]float32, total)
	w.data = make([][]float32, len(w.specs))
	rest := w.all
	for i := range w.specs {
		k := w.specs[i].Len()
		w.data[i], rest = rest[:k:k], rest[k:]
		fill(w.data[i], w.specs[i].Init.Const)
	}
	return w
}

func fill(v []float32, x float32) {
	for i := range v {
		v[i] = x
	}
}

// Init sets the values that training starts from. Equal generators in equal
// states give equal bits.
func (w *Weights) Init(rng *rand.Rand) {
	for i := range w.specs {
		w.specs[i].draw(w.data[i], rng)
	}
}

// Network is the architecture that the weights belong to.
func (w *Weights) Network() Network { return w.net }

// Specs describes the tensors, in order. Callers must not change it.
func (w *Weights) Specs() []TensorSpec { return w.specs }

// Data is the values of tensor i; a view, not a copy.
func (w *Weights) Data(i int) []float32 { return w.data[i] }

// All is the values of all tensors one after the other; a view, not a copy.
func (w *Weights) All() []float32 { return w.all }

// Tensor is the values of the tensor of that name; a view, not a copy. A name
// that the network does not have is a bug.
func (w *Weights) Tensor(name string) []float32 {
	i, ok := w.index[name]
	if !ok {
		panic("BUG: no tensor " + name)
	}
	return w.data[i]
}

// Count is the number of learned values: all but the running statistics.
func (w *Weights) Count() int {
	n := 0
	for i := range w.specs {
		if w.specs[i].Role.Learned() {
			n += len(w.data[i])
		}
	}
	return n
}

// Clone returns an independent copy.
func (w *Weights) Clone() *Weights {
	c := NewWeights(w.net)
	copy(c.all, w.all)
	return c
}

// CopyFrom makes w equal to src, weights of the same network.
func (w *Weights) CopyFrom(src *Weights) {
	if w.net != src.net {
		panic("BUG: weights copied between networks")
	}
	copy(w.all, src.all)
}

// Equal reports whether both have the same network and the same values, bit for bit.
func (w *Weights) Equal(v *Weights) bool {
	return w.net == v.net && slices.EqualFunc(w.all, v.all, func(a, b float32) bool {
		return math.Float32bits(a) == math.Float32bits(b)
	})
}

// Check reports the first value that no network can be computed with: one that
// is not finite, or a negative variance.
func (w *Weights) Check() error {
	for i := range w.specs {
		for j, x := range w.data[i] {
			if x-x != 0 { // infinite or not a number
				return fmt.Errorf("tensor %s: value %d is %g, want a finite number", w.specs[i].Name, j, x)
			}
			if w.specs[i].Role == RunningVar && x < 0 {
				return fmt.Errorf("tensor %s: value %d is %g, want at least 0", w.specs[i].Name, j, x)
			}
		}
	}
	return nil
}

func (w *Weights) tensors() []safetensors.Tensor {
	ts := make([]safetensors.Tensor, len(w.specs))
	for i := range w.specs {
		ts[i] = safetensors.Tensor{Name: w.specs[i].Name, Shape: w.specs[i].Shape, Data: w.data[i]}
	}
	return ts
}

// weightsOf makes weights of a valid network from the tensors of a file, which must be
// exactly the network's.
func weightsOf(n Network, tensors []safetensors.Tensor) (*Weights, error) {
	byName := make(map[string]*safetensors.Tensor, len(tensors))
	for i := range tensors {
		byName[tensors[i].Name] = &tensors[i]
	}
	specs := n.Tensors()
	for i := range specs { // before NewWeights, so that memory is bounded by the file
		t := byName[specs[i].Name]
		if t == nil {
			return nil, fmt.Errorf("tensor %s: missing", specs[i].Name)
		}
		if !slices.Equal(t.Shape, specs[i].Shape) {
			return nil, fmt.Errorf("tensor %s: shape %v, want %v", t.Name, t.Shape, specs[i].Shape)
		}
	}
	w := NewWeights(n)
	for i := range tensors {
		at, ok := w.index[tensors[i].Name]
		if !ok {
			return nil, fmt.Errorf("tensor %s: the network has none of that name", tensors[i].Name)
		}
		copy(w.data[at], tensors[i].Data)
	}
	if err := w.Check(); err != nil {
		return nil, err
	}
	return w, nil
}
