package kernel

var winogradGeneric = winogradKernels{
	lanes: 1,
	input: func(n int, x, v, tmp []float32, xRow, xPixel, vStep int) {
		winogradTile(n, 6, inputSide, x, v, tmp, xRow, xPixel, vStep)
	},
	output: func(n int, x, v, tmp []float32, xRow, xPixel, vStep int) {
		winogradTile(n, 4, outputSide, x, v, tmp, xRow, xPixel, vStep)
	},
	weights: winogradWeightsGeneric,
	products: func(sum, v, z []float32, tiles, in, out int) {
		gradWeightsGeneric(sum, v, z, 1, 1, tiles, 1, in, out)
	},
}

// inputSide multiplies by Bᵀ; see _asm/gradient_winograd.go for the matrices.
func inputSide(d [6]float32) [6]float32 {
	a, b, e, f := d[4]-4*d[2], d[3]-4*d[1], d[4]-d[2], 2*(d[3]-d[1])
	return [6]float32{4*d[0] - 5*d[2] + d[4], a + b, a - b, e + f, e - f, 4*d[1] - 5*d[3] + d[5]}
}

// outputSide multiplies four values by A.
func outputSide(d [6]float32) [6]float32 {
	a, b, e, f := d[0]+d[2], d[1]+d[3], d[0]+4*d[2], 2*d[1]+8*d[3]
	return [6]float32{d[0], a + b, a - b, e + f, e - f, d[3]}
}

// weightSide multiplies by Gᵀ.
func weightSide(u [6]float32) [3]float32 {
	a, b := u[1]+u[2], u[3]+u[4]
	return [3]float32{u[0]/4 - a/6 + b/24, (u[2]-u[1])/6 + (u[3]-u[4])/12, u[5] + (b-a)/6}
}

func winogradTile(n, size int, matrix func([6]float32) [6]float32, x, v, tmp []float32, xRow, xPixel, vStep int) {
	var d [6]float32
	for c := range n {
		for j := range size {
			for i := range size {
				d[i] = x[i*xRow+j*xPixel+c]
			}
			for i, t := range matrix(d) {
				tmp[i*size+j] = t
			}
		}
		for i := range 6 {
			copy(d[:], tmp[i*size:][:size])
			for j, t := range matrix(d) {
				v[(i*6+j)*vStep+c] = t
			}
		}
	}
}

func winogradWeightsGeneric(n int, u, dw, tmp []float32, uStep, dwStep int) {
	var d [6]float32
	for c := range n {
		for j := range 6 {
			for i := range d {
				d[i] = u[(i*6+j)*uStep+c]
			}
			for i, t := range weightSide(d) {
				tmp[i*6+j] = t
			}
		}
		for i := range 3 {
			copy(d[:], tmp[i*6:])
			for j, t := range weightSide(d) {
				dw[(i*3+j)*dwStep+c] += t
			}
		}
	}
}
