package kernel

func affineGeneric(y, x, a, b, residual []float32, n, c int, relu bool) {
	for r := range n {
		yr, xr := y[r*c:][:c], x[r*c:][:c]
		for j := range yr {
			v := xr[j]*a[j] + b[j]
			if residual != nil {
				v += residual[r*c+j]
			}
			if relu && v < 0 {
				v = 0
			}
			yr[j] = v
		}
	}
}

func combineGeneric(y, x, z, a, b, d []float32, n, c int) {
	for r := range n {
		yr, xr, zr := y[r*c:][:c], x[r*c:][:c], z[r*c:][:c]
		for j := range yr {
			yr[j] = xr[j]*a[j] + zr[j]*b[j] + d[j]
		}
	}
}

func addRowGeneric(y, x, v []float32, n, c int, relu bool) {
	for r := range n {
		yr, xr := y[r*c:][:c], x[r*c:][:c]
		for j := range yr {
			s := xr[j] + v[j]
			if relu && s < 0 {
				s = 0
			}
			yr[j] = s
		}
	}
}

func sumGeneric(s, x []float32, n, c int) {
	for r := range n {
		for j, v := range x[r*c:][:c] {
			s[j] += v
		}
	}
}

func squaresGeneric(s, x, mean []float32, n, c int) {
	for r := range n {
		for j, v := range x[r*c:][:c] {
			d := v - mean[j]
			s[j] += d * d
		}
	}
}

func reluProductsGeneric(s, t, dz, y, x, mean []float32, n, c int) {
	for r := range n {
		xr, yr := x[r*c:][:c], y[r*c:][:c]
		for j, v := range dz[r*c:][:c] {
			if !(yr[j] > 0) {
				v = 0
			}
			dz[r*c+j] = v
			s[j] += v
			t[j] += v * (xr[j] - mean[j])
		}
	}
}

// maxGeneric takes x where they are equal or one is NaN, as the vector
// instruction does.
func maxGeneric(m, x []float32, n, c int) {
	for r := range n {
		for j, v := range x[r*c:][:c] {
			if !(m[j] > v) {
				m[j] = v
			}
		}
	}
}

func reluGradGeneric(dz, dy, y []float32) {
	for i := range dz {
		if y[i] > 0 {
			dz[i] = dy[i]
		} else {
			dz[i] = 0
		}
	}
}

func poolGradGeneric(dx, x, every, top, dtop []float32, n, c int) {
	for r := range n {
		dxr := dx[r*c:][:c]
		for j, v := range x[r*c:][:c] {
			dxr[j] += every[j]
			if v == top[j] {
				dxr[j] += dtop[j]
				dtop[j] = 0
			}
		}
	}
}
