package graph

// buffers lends memory of one size for gradients that live one after another on the way
// down the tower. Every op there waits for the one above, so the next may overwrite a
// returned buffer. A nil *buffers allocates.
type buffers struct{ free [][]float32 }

func (p *buffers) take(n int) []float32 {
	if p == nil || len(p.free) == 0 {
		return make([]float32, n)
	}
	last := len(p.free) - 1
	m := p.free[last]
	p.free = p.free[:last]
	return m
}

func (p *buffers) give(m []float32) {
	if p != nil {
		p.free = append(p.free, m)
	}
}
