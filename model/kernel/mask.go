package kernel

// run finds the next run of cells whose mask is on (1) or off (0), at or after
// cell from of one position: cells [lo, hi); lo = hi if there is none. A nil
// mask is on everywhere.
func run(mask []float32, from, cells int, on bool) (lo, hi int) {
	if mask == nil {
		if on {
			return from, cells
		}
		return cells, cells
	}
	for lo = from; lo < cells && (mask[lo] != 0) != on; lo++ {
	}
	for hi = lo; hi < cells && (mask[hi] != 0) == on; hi++ {
	}
	return lo, hi
}

// ofPosition is the part of a mask that belongs to position b.
func ofPosition(mask []float32, b, cells int) []float32 {
	if mask == nil {
		return nil
	}
	return mask[b*cells:][:cells]
}

func onBoard(mask []float32, cells int) int {
	if mask == nil {
		return cells
	}
	n := 0
	for _, m := range mask[:cells] {
		if m != 0 {
			n++
		}
	}
	return n
}

// Mask sets y, [batch][cells][channels], to 0 off the board, whatever stood
// there. A nil mask changes nothing.
func Mask(y, mask []float32, batch, cells, channels int) {
	need("Mask", "y", y, batch*cells*channels)
	needOr("Mask", "mask", mask, batch*cells)
	if mask == nil {
		return
	}
	for i, m := range mask {
		if m == 0 {
			clear(y[i*channels:][:channels])
		}
	}
}
