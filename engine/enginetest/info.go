package enginetest

import "github.com/ludozero/ludozero/engine"

// checkInfo checks that the family's tables are consistent.
func (c *checker) checkInfo() {
	in := c.info
	if in != c.g.Info() {
		c.fault(nil, "Info gives another pointer each time")
	}
	if in.Name == "" || in.Sides[0] == "" || in.Sides[0] == in.Sides[1] {
		c.fault(nil, "name %q, sides %q: want a name, and two names of sides that differ", in.Name, in.Sides)
	}
	if in.NumActions < 1 || in.MaxLegal < 1 || in.PackedBytes < 1 || in.NumChance < 0 {
		c.fault(nil, "NumActions %d, MaxLegal %d, PackedBytes %d, NumChance %d: want at least 1, of NumChance 0", in.NumActions, in.MaxLegal, in.PackedBytes, in.NumChance)
	}
	f := &in.Features
	if f.Planes < 1 || f.Height < 1 || f.Width < 1 || f.MaskPlane < -1 || f.MaskPlane >= f.Planes {
		c.fault(nil, "features of %d planes, %d×%d, mask plane %d: want sizes of at least 1, and one of the planes or -1", f.Planes, f.Height, f.Width, f.MaskPlane)
	}
	c.checkLimits()
	c.checkNames("plane", f.PlaneNames, f.Planes)
	c.checkNames("global", f.GlobalNames, f.Globals)

	p := &in.Policy
	if len(p.Cells) != in.NumActions {
		c.fault(nil, "policy table has %d actions, want %d", len(p.Cells), in.NumActions)
	}
	c.checkNames("head plane", p.PlaneNames, p.Planes)
	c.checkNames("head global", p.GlobalNames, p.Globals)
	cells := p.Planes*f.Cells() + p.Globals
	for a, cell := range p.Cells {
		if cell < -1 || int(cell) >= cells {
			c.fault(nil, "action %d has head cell %d: want -1 to %d", a, cell, cells-1)
			break
		}
	}
	c.checkSymmetryTables()
	c.checkTurned()
	if len(c.faults) == 0 { // those tables are needed
		c.checkLayout()
	}
}

// checkLimits checks that a network can be built for the game, and that it can be searched.
func (c *checker) checkLimits() {
	f, p := &c.info.Features, &c.info.Policy
	for _, x := range []struct {
		what            string
		n, least, limit int
	}{
		{"height of the board", f.Height, engine.MinSide, engine.MaxHeight}, {"width of the board", f.Width, engine.MinSide, engine.MaxWidth},
		{"planes", f.Planes, 1, engine.MaxPlanes}, {"globals", f.Globals, 0, engine.MaxGlobals},
		{"planes of the policy head", p.Planes, 1, engine.MaxPlanes}, {"globals of the policy head", p.Globals, 0, engine.MaxGlobals},
	} {
		if x.n < x.least || x.n > x.limit {
			c.fault(nil, "%s: %d, networks take %d to %d", x.what, x.n, x.least, x.limit)
		}
	}
	if c.info.NumActions > engine.MaxActions || c.info.NumChance > engine.MaxActions {
		c.fault(nil, "NumActions %d, NumChance %d: searches and records take at most %d of each", c.info.NumActions, c.info.NumChance, engine.MaxActions)
	}
}

func (c *checker) checkNames(what string, names []string, n int) {
	if len(names) != n {
		c.fault(nil, "%d %s names, want %d", len(names), what, n)
	}
	seen := map[string]bool{}
	for i, name := range names {
		if name == "" || seen[name] {
			c.fault(nil, "%s %d has no name of its own: %q", what, i, name)
		}
		seen[name] = true
	}
}

func (c *checker) checkSymmetryTables() {
	ys := c.info.Symmetries
	if len(ys) == 0 || len(ys) > 32 {
		c.fault(nil, "%d symmetries: want 1, the identity, to 32", len(ys))
		return
	}
	if y := ys[0]; y.Cells != nil || y.Planes != nil || y.Globals != nil || y.Actions != nil {
		c.fault(nil, "symmetry 0, %q: want the identity, whose tables are nil", y.Name)
	}
	f := &c.info.Features
	names := map[string]bool{}
	for i, y := range ys {
		if y.Name == "" || names[y.Name] {
			c.fault(nil, "symmetry %d has no name of its own: %q", i, y.Name)
		}
		names[y.Name] = true
		if !permutes(y.Cells, f.Cells()) || !permutes(y.Planes, f.Planes) ||
			!permutes(y.Globals, f.Globals) || !permutes(y.Actions, c.info.NumActions) {
			c.fault(nil, "symmetry %q: a table is no permutation of its range", y.Name)
		}
	}
}

// permutes reports whether t is nil or holds 0 to n-1, each once.
func permutes[T ~int32](t []T, n int) bool {
	if t == nil {
		return true
	}
	if len(t) != n {
		return false
	}
	seen := make([]bool, n)
	for _, x := range t {
		if x < 0 || int(x) >= n || seen[x] {
			return false
		}
		seen[x] = true
	}
	return true
}

// image is t[i], or i if t is nil.
func image[T ~int32](t []T, i int) int {
	if t == nil {
		return i
	}
	return int(t[i])
}
