package kernel

// method is a way to compute a convolution.
type method int

const (
	direct method = iota
	byWinograd
)

func (m method) String() string { return [...]string{"direct", "Winograd"}[m] }

// method chooses for a shape. Few channels do not repay the transforms, and the
// weights of a single position, four times as many for Winograd, take longer to
// read than to use.
func (v *variant) method(s ConvShape) method {
	if s.K != 3 || s.Batch == 1 || min(s.In, s.Out) < 16 {
		return direct
	}
	return byWinograd
}
