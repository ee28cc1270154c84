package enginetest_test

import (
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/diamondchess"
	"github.com/ludozero/ludozero/engine/enginetest"
)

// blind is a fault of Encode that EncodingHash shares, as in a game that derives both
// from one description.
func blind(shape *engine.Features, change func(s engine.State, planes, globals []float32)) fault {
	encode := func(s *faulty, planes, globals []float32) {
		s.State.Encode(planes, globals)
		change(s, planes, globals)
	}
	return fault{encode: encode, encodingHash: func(s *faulty) uint64 {
		planes, globals := make([]float32, shape.Planes*shape.Cells()), make([]float32, shape.Globals)
		encode(s, planes, globals)
		h := fnv.New64a()
		for _, x := range slices.Concat(planes, globals) {
			b := math.Float32bits(x)
			h.Write([]byte{byte(b), byte(b >> 8), byte(b >> 16), byte(b >> 24)})
		}
		return h.Sum64()
	}}
}

// TestBlindNetworksAreFound breaks diamond chess in ways that random play survives.
func TestBlindNetworksAreFound(t *testing.T) {
	g, err := diamondchess.Family.Parse("listed")
	if err != nil {
		t.Fatal(err)
	}
	f := &g.Info().Features
	named := func(planes []float32, globals []float32, words ...string) {
		has := func(name string) bool {
			return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(name, w) })
		}
		for p, name := range f.PlaneNames {
			if has(name) {
				clear(planes[p*f.Cells() : (p+1)*f.Cells()])
			}
		}
		for i, name := range f.GlobalNames {
			if has(name) {
				globals[i] = 0
			}
		}
	}
	for name, m := range map[string]struct {
		fault
		want string
	}{
		"enemy pieces not encoded": {blind(f, func(_ engine.State, planes, globals []float32) {
			named(planes, globals, "enemy ")
		}), "encoded alike"},
		"phase not encoded": {blind(f, func(_ engine.State, planes, globals []float32) {
			named(planes, globals, "phase", "second", "moved", "pack", "own zi ri has moved", "one strike", "two strikes")
		}), "encoded alike"},
		"planes not turned": {blind(f, func(s engine.State, planes, _ []float32) {
			if s.Side() == 1 {
				for p := range f.Planes {
					slices.Reverse(planes[p*f.Cells() : (p+1)*f.Cells()])
				}
			}
		}), "in each other's place"},
		"one logit for all moves": {fault{info: func(info *engine.Info) {
			info.Policy.Cells = slices.Clone(info.Policy.Cells)
			for a, cell := range info.Policy.Cells[:64*64] {
				if cell >= 0 {
					info.Policy.Cells[a] = 0
				}
			}
		}}, "share logit 0"},
	} {
		broken := newFaulty(g, &m.fault)
		_, err := enginetest.Check(broken, 6, 1)
		if err == nil {
			_, err = enginetest.CheckInputs([]engine.Game{broken}, 2, 1)
		}
		if err == nil || !strings.Contains(err.Error(), m.want) {
			t.Errorf("%s: %v, want it to say %q", name, err, m.want)
		}
	}
	if _, err := enginetest.Check(newFaulty(g, &fault{}), 2, 1); err != nil {
		t.Errorf("without a fault: %v", err)
	}
}
