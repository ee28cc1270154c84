package kernel

// generic16 is the specification, in plain Go.
var generic16 = &variant16{
	name:    "generic",
	size:    func(s ConvShape) int { return 9 * s.In * s.Out },
	scratch: func(ConvShape) int { return 0 },
	pack: func(p *Packed, w []float32) {
		for t := range 9 {
			for i := range p.In {
				for o := range p.Out {
					p.half[(t*p.In+i)*p.Out+o] = bfloat16(p.weight(w, t, i, o))
				}
			}
		}
	},
	conv: conv16Generic,
}

// chunk16 is the number of input channels that are summed up by themselves.
const chunk16 = 32

func conv16Generic(y, x []float32, batch int, p *Packed, bias, residual []float32, relu bool, _ []float32) {
	const strip = 64
	var sums, even, odd [strip]float32
	h, w := p.H, p.W
	for b := range batch {
		xb, bias := x[b*h*w*p.In:], p.biasOf(bias, b)
		for cell := range h * w {
			row, col := cell/w, cell%w
			for o := 0; o < p.Out; o += strip {
				n := min(strip, p.Out-o)
				clear(sums[:])
				for t := range 9 {
					r, c := row+t/3-1, col+t%3-1
					if r < 0 || r >= h || c < 0 || c >= w {
						for j := range sums {
							sums[j] += 0 // makes 0 of -0
						}
						continue
					}
					for from := 0; from < p.In; from += chunk16 {
						clear(even[:])
						clear(odd[:])
						for i := from; i < min(from+chunk16, p.In); i++ {
							xi, part := wide(bfloat16(xb[(r*w+c)*p.In+i])), &even
							if i%2 == 1 {
								part = &odd
							}
							for j, v := range p.half[(t*p.In+i)*p.Out+o:][:n] {
								// The product is exact, so fusing it changes nothing.
								part[j] = normal(part[j] + xi*wide(v))
							}
						}
						for j := range n {
							sums[j] = normal(sums[j] + normal(even[j]+odd[j]))
						}
					}
				}
				at := (b*h*w+cell)*p.Out + o
				for j, v := range sums[:n] {
					if bias != nil {
						v += bias[o+j]
					}
					if residual != nil {
						v += residual[at+j]
					}
					if relu && v < 0 {
						v = 0
					}
					y[at+j] = v
				}
			}
		}
	}
}
