package enginetest

import (
	"math"
	"math/bits"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// drawSymmetries draws what a position is mapped by: all of its symmetries early in a
// game, later one that is not the identity, if there is one.
func (c *checker) drawSymmetries(s engine.State, early bool) {
	c.mapped = s.SymmetryMask()
	if others := bits.OnesCount32(c.mapped &^ 1); !early && others > 0 {
		c.mapped &^= 1
		for range c.rng.IntN(others) {
			c.mapped &= c.mapped - 1
		}
		c.mapped &= -c.mapped
	}
}

// checkSymmetries maps a position by the symmetries drawn and checks that the
// image is what the tables say, now and after every possible action.
func (c *checker) checkSymmetries(s engine.State, _ *engine.History) {
	mask := s.SymmetryMask()
	if mask&1 == 0 || mask>>len(c.info.Symmetries) != 0 {
		c.fault(s, "symmetry mask %b with %d symmetries", mask, len(c.info.Symmetries))
		return
	}
	for i := range c.info.Symmetries {
		if c.mapped>>i&1 == 0 {
			continue
		}
		if d, ok := s.(engine.Pictured); ok && c.mirrored>>i&1 == 0 {
			c.mirrored |= 1 << i
			c.checkLayoutSymmetry(d.Layout(), c.info.Symmetries[i].Cells)
		}
		c.checkSymmetry(s, i)
	}
}

func (c *checker) checkSymmetry(s engine.State, i int) {
	y := &c.info.Symmetries[i]
	t := c.a
	t.CopyFrom(s)
	t.Transform(i)
	if t.Actor() != s.Actor() || t.Side() != s.Side() || t.Turn() != s.Turn() || t.Outcome() != s.Outcome() {
		c.fault(s, "symmetry %q changes actor, side, turn or outcome", y.Name)
	}
	if i == 0 && !c.same(s, t) {
		c.fault(s, "the identity changes the position to %s", t.AppendPosition(nil))
	}

	legal := s.Legal(nil, nil)
	mapped := make([]engine.Action, len(legal))
	for j, a := range legal {
		mapped[j] = y.Action(a)
	}
	slices.Sort(mapped)
	if got := t.Legal(nil, nil); !slices.Equal(got, mapped) {
		c.fault(s, "symmetry %q: legal actions of the image are %v, mapped ones %v", y.Name, got, mapped)
		return
	}
	if !slices.Equal(s.Chance(nil), t.Chance(nil)) {
		c.fault(s, "symmetry %q changes the chance outcomes", y.Name)
	}
	if decides(s) {
		c.checkMappedEncoding(s, t, y)
		c.checkEncoding(t, nil)
	}

	// What Transform carries along must be what the position alone gives.
	u := c.b
	if err := u.Unpack(t.Pack(nil)); err != nil {
		c.fault(s, "symmetry %q: the image is refused: %v", y.Name, err)
		return
	}
	if !c.same(t, u) {
		c.fault(s, "symmetry %q: the image %s differs from its unpacked bytes", y.Name, t.AppendPosition(nil))
	}
	c.checkCommutes(s, t, i)
	c.checkReturns(s, i)
}

// checkMappedEncoding compares the encoding of the image t with the mapped
// encoding of s.
func (c *checker) checkMappedEncoding(s, t engine.State, y *engine.Symmetry) {
	c.encode(s)
	planes, globals := slices.Clone(c.planes), slices.Clone(c.globals)
	c.encode(t)
	f := &c.info.Features
	n := f.Cells()
	for p := range f.Planes {
		for cell := range n {
			want := planes[p*n+cell]
			got := c.planes[image(y.Planes, p)*n+image(y.Cells, cell)]
			if math.Float32bits(got) != math.Float32bits(want) {
				c.fault(s, "symmetry %q: plane %q, cell %d is %v, its image %v", y.Name, f.PlaneNames[p], cell, want, got)
				return
			}
		}
	}
	for g, want := range globals {
		if got := c.globals[image(y.Globals, g)]; math.Float32bits(got) != math.Float32bits(want) {
			c.fault(s, "symmetry %q: global %q is %v, its image %v", y.Name, f.GlobalNames[g], want, got)
			return
		}
	}
}

// checkCommutes checks that playing, then mapping is mapping, then playing. t is
// the image of s.
func (c *checker) checkCommutes(s, t engine.State, i int) {
	y := &c.info.Symmetries[i]
	for _, a := range engine.AppendPossible(nil, new([]engine.Weighted), s, nil) {
		b := a
		if s.Actor() != engine.Chance {
			b = y.Action(a)
		}
		u, v := c.b, c.c
		u.CopyFrom(s)
		u.Apply(a, nil)
		if u.SymmetryMask()>>i&1 == 0 {
			continue
		}
		u.Transform(i)
		v.CopyFrom(t)
		v.Apply(b, nil)
		if !c.same(u, v) {
			c.fault(s, "symmetry %q: %s, then mapped, is %s, but mapped, then played, %s", y.Name,
				s.AppendAction(nil, a), u.AppendPosition(nil), v.AppendPosition(nil))
			return
		}
	}
}

// checkReturns maps a position again and again until it is back.
func (c *checker) checkReturns(s engine.State, i int) {
	const longest = 64
	u := c.b
	u.CopyFrom(s)
	for range longest {
		u.Transform(i)
		if c.same(u, s) {
			return
		}
	}
	c.fault(s, "symmetry %q does not return to the position in %d steps", c.info.Symmetries[i].Name, longest)
}
