//go:build !purego

package kernel

// The passes of a transform work on n values of outer lines, see
// _asm/winograd.go; their distances are in bytes.

func (s *vectorISA) enter(p *Packed, to, x, lines []float32, b, n int) {
	g, in := p.winograd, p.In
	row := p.W * in
	for r := range g.rows {
		rs := &g.rows[r]
		first, end := rs.points()
		s.inputs[rs.size-2][flag(rs.low)][flag(rs.high)](1, row, &lines[0], g.line*4, 0, &x[rs.firstInput()*row], row*4, 0)
		for c := range g.columns {
			cs := &g.columns[c]
			j, _ := cs.points()
			pass := s.inputs[cs.size-2][flag(cs.low)][flag(cs.high)]
			for i := first; i < end; {
				next := g.alike(i, end)
				pass(next-i, in, &to[(i*points+j)*g.step+g.row(i, r, c, b, n)*in], g.step*4, points*g.step*4,
					&lines[(i-first)*g.line+cs.firstInput()*in], in*4, g.line*4)
				i = next
			}
		}
	}
}

func (s *vectorISA) leave(p *Packed, y, from, lines []float32, b, n int, bias, residual []float32, relu bool) {
	g, out := p.winograd, p.Out
	row := p.W * out
	for r := range g.rows {
		rs := &g.rows[r]
		first, end := rs.points()
		for c := range g.columns {
			cs := &g.columns[c]
			j, _ := cs.points()
			pass := s.outputs[cs.size-2]
			for i := first; i < end; {
				next := g.alike(i, end)
				pass(next-i, out, &lines[(i-first)*g.line+cs.start*out], out*4, g.line*4,
					&from[(i*points+j)*g.outStep+g.row(i, r, c, b, n)*out], g.outStep*4, points*g.outStep*4)
				i = next
			}
		}
		s.finishes[rs.size-2](p.W, out, &y[rs.start*row], row*4, out*4, &lines[0], g.line*4, out*4,
			at(bias, 0), at(residual, rs.start*row), flag(relu))
	}
}

func (s *vectorISA) transformWeights(outer, n int, y []float32, yStep, yOuter int, x []float32, xStep, xOuter int) {
	s.points(outer, n, &y[0], yStep*4, yOuter*4, &x[0], xStep*4, xOuter*4)
}

// pointProducts makes one call for a span if its rows are groups of one size, so
// that no weight is read twice, else some for each matrix.
func (s *vectorISA) pointProducts(p *Packed, to, from []float32, n int) {
	g, in, out := p.winograd, p.In, p.Out
	for _, span := range g.spans {
		rows := span.rows * n
		w := span.first * g.weights
		for o := 0; o < out; {
			width := s.panel(out - o)
			panels := 1
			for width > s.lanes && out-o-panels*width >= width && s.panel(out-o-panels*width) == width {
				panels++
			}
			tiles := s.multiplies[width/s.lanes-1]
			tail := min(width, out-o)
			call := func(t multiplyTile, groups, matrix, matrices, panel, panels, row int) {
				at := span.first + matrix
				t.f(matrices, panels, groups, in, &from[at*g.step+row*in], g.step*4,
					&p.data[w+matrix*g.weights+panel*in*width], g.weights*4,
					&to[at*g.outStep+row*out+o+panel*width], g.outStep*4, out*4, tail, g.weights*4)
			}
			if t := evenly(tiles, rows); t.rows > 0 {
				call(t, rows/t.rows, 0, span.matrices, 0, panels, 0)
			} else {
				for matrix := range span.matrices {
					for panel := range panels {
						rest := tiles
						for row := 0; row < rows; rest = rest[1:] {
							t := rest[0]
							groups := (rows - row) / t.rows
							if len(rest) > 1 && groups > 0 && (rows-row)%t.rows != 0 && (rows-row-(groups-1)*t.rows)%rest[1].rows == 0 {
								groups-- // the rest is groups of the next size
							}
							if groups > 0 {
								call(t, groups, matrix, 1, panel, 1, row)
								row += groups * t.rows
							}
						}
					}
				}
			}
			w += panels * in * width
			o += panels * width
		}
	}
}

// evenly is the first of the two largest tiles that divides rows, if one does.
func evenly(tiles []multiplyTile, rows int) multiplyTile {
	for _, t := range tiles[:2] {
		if rows%t.rows == 0 {
			return t
		}
	}
	return multiplyTile{}
}
