package rating

import "math"

// matrix is a small square one, by rows. Problems have one unknown a player, and
// intervals solve many of them: gonum's Cholesky allocates on each call.
type matrix struct {
	n int
	a []float64
	l []float64 // scratch of invert
}

func newMatrix(n int) matrix {
	return matrix{n, make([]float64, n*n), make([]float64, n*n)}
}

func (m matrix) at(i, j int) float64     { return m.a[i*m.n+j] }
func (m matrix) add(i, j int, x float64) { m.a[i*m.n+j] += x }

// times sets out to m·x.
func (m matrix) times(out, x []float64) {
	for i := range out {
		out[i] = dot(m.a[i*m.n:(i+1)*m.n], x)
	}
}

// quadratic is x'·m·x.
func (m matrix) quadratic(x []float64) float64 {
	s := 0.0
	for i, xi := range x {
		if xi != 0 {
			s += xi * dot(m.a[i*m.n:(i+1)*m.n], x)
		}
	}
	return s
}

// invert replaces m, symmetric and positive definite, by its inverse, through
// the Cholesky factor.
func (m matrix) invert() error {
	n, l := m.n, m.l
	for j := range n {
		d := m.a[j*n+j]
		for k := range j {
			d -= l[j*n+k] * l[j*n+k]
		}
		if !(d > 1e-14*math.Abs(m.a[j*n+j])) {
			return ErrDiverged
		}
		d = math.Sqrt(d)
		l[j*n+j] = d
		for i := j + 1; i < n; i++ {
			s := m.a[i*n+j]
			for k := range j {
				s -= l[i*n+k] * l[j*n+k]
			}
			l[i*n+j] = s / d
		}
	}
	// The columns of the inverse, by forward and backward substitution.
	for c := range n {
		x := m.a[c*n : (c+1)*n] // a row is a column: the inverse is symmetric
		for i := range n {
			s := 0.0
			if i == c {
				s = 1
			}
			for k := c; k < i; k++ {
				s -= l[i*n+k] * x[k]
			}
			if i < c {
				s = 0
			}
			x[i] = s / l[i*n+i]
		}
		for i := n - 1; i >= 0; i-- {
			s := x[i]
			for k := i + 1; k < n; k++ {
				s -= l[k*n+i] * x[k]
			}
			x[i] = s / l[i*n+i]
		}
	}
	return nil
}
