package kernel

// method is a way to compute a convolution.
type method int

const (
	direct method = iota
	byWinograd
)

func (m method) String() string { return [...]string{"direct", "Winograd"}[m] }

// method chooses for a shape, by what BenchmarkMethods measured on a processor
// with AVX-512 and 2 MiB of second-level cache. How many times as fast as the
// direct method Winograd is, as many channels in as out, 8 positions a call:
//
//	channels         8     16    24    32    64    128   256
//	3×3   AVX-512    1.00  1.83  2.42  1.88  2.48  1.99  2.24
//	      AVX2       1.03  1.46  1.56  2.12  2.21  2.18  2.37
//	5×5   AVX-512    0.73  1.24  1.52  1.37  1.95  1.81  1.25
//	      AVX2       0.76  1.13  1.76  1.95  2.18  2.42  1.86
//	6×7   AVX-512    0.86  1.41  1.65  1.75  2.31  2.26  1.58
//	      AVX2       0.93  1.84  1.97  2.15  2.60  2.57  2.33
//	8×8   AVX-512    1.00  1.65  1.84  1.98  2.74  2.67  1.91
//	      AVX2       1.16  2.13  2.28  2.59  2.96  2.59  2.71
//	13×13 AVX-512    0.73  1.37  1.44  1.82  2.21  2.00  1.89
//	      AVX2       0.88  1.84  2.21  2.25  2.80  2.62  2.38
//
// One position a call fills the rows of a product worse and pays for reading
// four times as many weights:
//
//	3×3   AVX-512    0.24  0.48  0.53  0.50  0.67  0.56  0.55
//	      AVX2       0.26  0.49  0.57  0.67  0.82  0.70  0.48
//	5×5   AVX-512    0.37  0.69  0.80  0.88  1.29  1.00  0.77
//	      AVX2       0.48  0.84  1.48  1.56  1.93  1.71  1.16
//	8×8   AVX-512    0.62  1.00  1.17  1.55  2.00  1.24  1.10
//	      AVX2       1.16  2.11  2.26  2.23  2.88  2.06  1.70
//
// The rule is wrong by more than a tenth for 8 channels on 8×8 with AVX2; for
// single positions on 5×5 with 32 or 256 channels (AVX-512) or 16 (AVX2), on 9×9
// with 16 (AVX-512); for pairs on 3×3 and 4×4 with 24 channels and more.
//
// Plain Go gains a tenth to all of twice on boards of several tiles and loses up
// to a fifth on the smallest.
func (v *variant) method(s ConvShape) method {
	if s.K != 3 {
		return direct
	}
	tiles := len(segments(s.H)) * len(segments(s.W))
	rows, many := tiles*s.Batch, s.Batch == 0
	channels := min(s.In, s.Out)
	switch {
	case v.lanes == 1 && tiles > 1,
		v.lanes > 1 && channels >= 16 && (many || rows >= 8),
		v.lanes > 1 && channels >= 2*v.lanes && rows >= 4:
		return byWinograd
	}
	return direct
}
