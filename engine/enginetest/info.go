package enginetest

// checkInfo checks that the family's tables are consistent.
func (c *checker) checkInfo() {
	in := c.info
	if in != c.g.Info() {
		c.fault(nil, "Info gives another pointer each time")
	}
	if in.Name == "" || in.Sides[0] == "" || in.Sides[0] == in.Sides[1] {
		c.fault(nil, "name %q, sides %q", in.Name, in.Sides)
	}
	if in.NumActions < 1 || in.MaxLegal < 1 || in.PackedBytes < 1 || in.NumChance < 0 {
		c.fault(nil, "NumActions %d, MaxLegal %d, PackedBytes %d, NumChance %d", in.NumActions, in.MaxLegal, in.PackedBytes, in.NumChance)
	}
	f := &in.Features
	if f.Planes < 1 || f.Height < 1 || f.Width < 1 || f.MaskPlane < -1 || f.MaskPlane >= f.Planes {
		c.fault(nil, "features %d×%d×%d, mask plane %d", f.Planes, f.Height, f.Width, f.MaskPlane)
	}
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
			c.fault(nil, "action %d has head cell %d of %d", a, cell, cells)
			break
		}
	}
	c.checkSymmetryTables()
	c.checkTurned()
	if len(c.faults) == 0 { // those tables are needed
		c.checkLayout()
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
		c.fault(nil, "%d symmetries", len(ys))
		return
	}
	if y := ys[0]; y.Cells != nil || y.Planes != nil || y.Globals != nil || y.Actions != nil {
		c.fault(nil, "symmetry 0, %q, is not the identity", y.Name)
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
