package kernel

// generic8 is the specification of the int8 kernels, in plain Go.
var generic8 = &variant8{
	name: "generic",
	pack: func(p *Packed8, w []int8) { p.data = append([]int8(nil), w...) },
	conv: conv8Generic,
	rows: rowKernels8{
		pool:   pool8Generic,
		addRow: addRow8Generic,
		planes: planes8Generic,
	},
	dot: dot8Generic,
}

// conv8Generic works on strips of output channels, as convGeneric does.
func conv8Generic(x []uint8, batch, h, w int, p *Packed8, f finish8) {
	const strip = 64
	var buffer [strip]int32
	half := p.K / 2
	for b := range batch {
		xb := x[b*h*w*p.In:]
		for cell := range h * w {
			row, col := cell/w, cell%w
			for o := 0; o < p.Out; o += strip {
				sums := buffer[:min(strip, p.Out-o)]
				clear(sums)
				for t := range p.K * p.K {
					r, c := row+t/p.K-half, col+t%p.K-half
					if r < 0 || r >= h || c < 0 || c >= w {
						continue
					}
					for i, xi := range xb[(r*w+c)*p.In:][:p.In] {
						ws := p.data[(t*p.In+i)*p.Out+o:][:len(sums)]
						for j := range sums {
							sums[j] += int32(xi) * int32(ws[j])
						}
					}
				}
				f.write(sums, (b*h*w+cell)*p.Out+o, b*f.bias1+o, o)
			}
		}
	}
}

// write finishes neighbouring channels of one cell: the outputs from at on,
// with the bias from biasAt on, the first of them channel o.
func (f *finish8) write(sums []int32, at, biasAt, o int) {
	for j, sum := range sums {
		// The conversion forbids to fuse the product with the sum, which some
		// processors would do: the specification rounds both.
		v := float32(float32(sum) * f.scale[o+j])
		bias := float32(0) // added even if there is none: -0 becomes 0
		if f.bias != nil {
			bias = f.bias[biasAt+j]
		}
		v += bias
		if f.bytes == nil {
			if f.relu && v < 0 {
				v = 0
			}
			f.floats[at+j] = v
			continue
		}
		if f.residual != nil {
			v += float32(float32(f.residual[at+j]) * f.residualScale)
		}
		f.bytes[at+j] = saturate(v)
	}
}

func pool8Generic(s, m []float32, x []uint8, n, c int) {
	for r := range n {
		for j, v := range x[r*c:][:c] {
			s[j] += float32(v)
			m[j] = max(m[j], float32(v))
		}
	}
}

func addRow8Generic(y, x []uint8, v []float32, scale float32, n, c int) {
	for r := range n {
		yr, xr := y[r*c:][:c], x[r*c:][:c]
		for j := range yr {
			yr[j] = saturate(float32(float32(xr[j])*scale) + v[j])
		}
	}
}

func planes8Generic(y []uint8, x, factor []float32, cells, channels int) {
	for p, f := range factor {
		for cell, v := range x[p*cells:][:cells] {
			y[cell*channels+p] = saturate(v * f)
		}
	}
}

// dot8Generic multiplies and adds one number after the other, four at a time.
func dot8Generic(n int) int {
	a, b, c, d := int32(1), int32(2), int32(3), int32(4)
	for i := range n / 4 {
		x := int32(uint8(i))
		a, b, c, d = a+x*3, b+x*5, c+x*7, d+x*9
	}
	if a+b+c+d == 0 { // hardly ever; keeps the loop
		return 0
	}
	return n / 4 * 8
}
