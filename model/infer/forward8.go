package infer

import "github.com/ludozero/ludozero/model/kernel"

// scratch8 is what inference in eight bits needs beside the scratch of a Net,
// for chunk positions.
type scratch8 struct {
	input, tower, inner []uint8 // [chunk][cells][stem's inputs], [chunk][cells][channels] twice
}

func newScratch8(chunk, inputs, channels, cells int) scratch8 {
	return scratch8{
		input: kernel.Alloc8(chunk * cells * inputs),
		tower: kernel.Alloc8(chunk * cells * channels),
		inner: kernel.Alloc8(chunk * cells * channels),
	}
}

// load8 quantises batch positions of planes, [planes][cells], into the input,
// [cells][stem's inputs], and takes the mask out of them.
func (n *Net) load8(batch int, planes []float32) {
	s := n.net.Shape
	cells := s.Cells()
	size := s.Planes * cells
	inputs := n.eight.stem.w.In
	kernel.QuantizePlanes8(n.eights.input[:batch*cells*inputs], planes[:batch*size], n.eight.factor, batch, s.Planes, cells, inputs)
	if n.mask == nil {
		return
	}
	for b := range batch {
		copy(n.mask[b*cells:][:cells], planes[b*size+s.MaskPlane*cells:])
	}
}

// forward8 computes in eight bits what forward computes.
func (n *Net) forward8(batch int, globals []float32, asked []int32) {
	s, c, l := n.net.Shape, n.net.Config, n.eight
	h, w, cells, wide := s.Height, s.Width, s.Cells(), c.Channels
	input := n.eights.input[:batch*cells*l.stem.w.In]
	tower, inner := n.eights.tower[:batch*cells*wide], n.eights.inner[:batch*cells*wide]
	vector, pooled := n.vector[:batch*wide], n.pooled[:batch*3*wide]
	mask := n.boards(batch)

	bias := l.stem.bias
	if s.Globals > 0 { // it differs from position to position
		linear(vector, globals, batch, &l.globals, false)
		bias = vector
	}
	kernel.Conv8(tower, input, batch, h, w, l.stem.w, l.stem.scale, bias, nil, 0)
	kernel.Mask8(tower, mask, batch, cells, wide)

	for i := range l.blocks {
		b := &l.blocks[i]
		kernel.Conv8(inner, tower, batch, h, w, b.conv1.w, b.conv1.scale, b.conv1.bias, nil, 0)
		kernel.Mask8(inner, mask, batch, cells, wide)
		if b.pool.w != nil {
			kernel.GlobalPool8(pooled, inner, mask, batch, cells, wide, b.step, poolScale)
			linear(vector, pooled, batch, &b.pool, false)
			kernel.AddChannels8(inner, inner, vector, mask, batch, cells, wide, b.rescale)
		}
		kernel.Conv8(tower, inner, batch, h, w, b.conv2.w, b.conv2.scale, b.conv2.bias, tower, b.residual)
		kernel.Mask8(tower, mask, batch, cells, wide)
	}

	rows := gather(inner, tower, asked, wide)
	kernel.Conv8Float(n.policy[:len(asked)*c.PolicyChannels], rows, len(asked), 1, 1, l.policy1.w, l.policy1.scale, l.policy1.bias, true)
	kernel.Conv8Float(n.value[:batch*cells*c.ValueChannels], tower, batch, h, w, l.value1.w, l.value1.scale, l.value1.bias, true)
	if s.PolicyGlobals > 0 {
		kernel.GlobalPool8(pooled, tower, mask, batch, cells, wide, l.step, poolScale)
	}
	n.ends(batch, mask, asked)
}
