package infer

import (
	"fmt"
	"math"
	"slices"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/kernel"
)

// Forward evaluates one batch, 1 <= B <= MaxBatch. planes is [B, P, H, W],
// globals [B, G]. Row i asks for the head cells cells[offsets[i]:offsets[i+1]],
// with offsets [B+1] from 0 to len(cells); logits, as long as cells, receives
// their raw policy logits in that order, wdl [B, 3] the logits of win, draw and
// loss of the player to act, and turns [B], which may be nil, the expected
// number of turns left.
//
// A row's results do not depend on the other rows or on B, bit for bit. Forward
// keeps no argument and does not allocate. It returns an error that wraps
// ErrShape before any work.
func (n *Net) Forward(planes, globals []float32, offsets, cells []int32, logits, wdl, turns []float32) error {
	s := n.net.Shape
	batch := len(offsets) - 1
	if err := n.check(batch, planes, globals, offsets, cells, logits, wdl, turns); err != nil {
		return err
	}
	chunks := (batch + n.chunk() - 1) / n.chunk()
	size := (batch + chunks - 1) / chunks // nearly equal: small ones are slower
	if n.chunk()%fill == 0 {
		size = (size + fill - 1) / fill * fill
	}
	for lo := 0; lo < batch; lo += size {
		hi := min(lo+size, batch)
		n.run(hi-lo, planes[lo*s.Planes*s.Cells():], globals[lo*s.Globals:hi*s.Globals], offsets[lo:hi+1], cells)
		for i := lo; i < hi; i++ {
			from, to := offsets[i], offsets[i+1]
			n.policyLogits(i-lo, cells[from:to], logits[from:to])
			out := n.out[(i-lo)*valueOutputs:][:valueOutputs]
			copy(wdl[3*i:3*i+3], out)
			if turns != nil {
				turns[i] = turnsLeft(out[3])
			}
		}
	}
	return nil
}

func (n *Net) check(batch int, planes, globals []float32, offsets, cells []int32, logits, wdl, turns []float32) error {
	s := n.net.Shape
	switch {
	case batch < 1 || batch > n.maxBatch:
		return fmt.Errorf("%w: batch of %d, want 1 to %d", ErrShape, batch, n.maxBatch)
	case len(planes) != batch*s.Planes*s.Cells():
		return fmt.Errorf("%w: %d plane values, want %d × %d × %d × %d", ErrShape, len(planes), batch, s.Planes, s.Height, s.Width)
	case len(globals) != batch*s.Globals:
		return fmt.Errorf("%w: %d globals, want %d × %d", ErrShape, len(globals), batch, s.Globals)
	case len(logits) != len(cells):
		return fmt.Errorf("%w: %d logits for %d cells", ErrShape, len(logits), len(cells))
	case len(wdl) != 3*batch:
		return fmt.Errorf("%w: %d win, draw, loss values, want %d × 3", ErrShape, len(wdl), batch)
	case turns != nil && len(turns) != batch:
		return fmt.Errorf("%w: %d turns, want %d", ErrShape, len(turns), batch)
	case offsets[0] != 0 || int(offsets[batch]) != len(cells):
		return fmt.Errorf("%w: offsets from %d to %d, want 0 to %d", ErrShape, offsets[0], offsets[batch], len(cells))
	}
	for i := range batch {
		if offsets[i] > offsets[i+1] {
			return fmt.Errorf("%w: offset %d is %d, the next %d", ErrShape, i, offsets[i], offsets[i+1])
		}
	}
	for i, c := range cells {
		if uint32(c) >= uint32(len(n.heads)) {
			return fmt.Errorf("%w: cell %d is %d, want 0 to %d", ErrShape, i, c, len(n.heads)-1)
		}
	}
	return nil
}

// run computes the heads' outputs of batch positions, at most a chunk, those of the
// policy where cells asks for them.
func (n *Net) run(batch int, planes, globals []float32, offsets, cells []int32) {
	asked := n.pick(batch, offsets, cells)
	if n.eight != nil {
		n.load8(batch, planes)
		n.forward8(batch, globals, asked)
		return
	}
	n.load(batch, planes)
	n.forward(batch, globals, asked)
}

// pick lists the cells that logits of batch positions are asked of, each once, in
// n.picked. They are few where many moves begin on one cell: 7 of 64 on average in
// random games of Kon'reh, 22 of 156 in those of Konkvest.
func (n *Net) pick(batch int, offsets, cells []int32) []int32 {
	board, count := n.net.Shape.Cells(), int32(0)
	clear(n.rows[:batch*board])
	for b := range batch {
		rows := n.rows[b*board:][:board]
		for _, c := range cells[offsets[b]:offsets[b+1]] {
			if cell := n.heads[c].cell; cell >= 0 && rows[cell] == 0 {
				n.picked[count] = int32(b*board) + cell
				count++
				rows[cell] = count
			}
		}
	}
	return n.picked[:count]
}

// gather copies the rows of x, [rows][width], that picked names.
func gather[T float32 | uint8](y, x []T, picked []int32, width int) []T {
	for i, row := range picked {
		copy(y[i*width:][:width], x[int(row)*width:])
	}
	return y[:len(picked)*width]
}

// load turns batch positions of planes, [planes][cells], into the input,
// [cells][planes], and takes the mask out of them.
func (n *Net) load(batch int, planes []float32) {
	s := n.net.Shape
	cells, width := s.Cells(), s.Planes
	for b := range batch {
		src := planes[b*width*cells:][:width*cells]
		dst := n.input[b*cells*width:][:cells*width]
		p := 0
		for ; p+4 <= width; p += 4 { // four planes at a time fill a quarter of a cache line
			p0, p1, p2, p3 := src[p*cells:][:cells], src[(p+1)*cells:][:cells], src[(p+2)*cells:][:cells], src[(p+3)*cells:][:cells]
			for c := range cells {
				d := dst[c*width+p:][:4]
				d[0], d[1], d[2], d[3] = p0[c], p1[c], p2[c], p3[c]
			}
		}
		for ; p < width; p++ {
			for c, v := range src[p*cells:][:cells] {
				dst[c*width+p] = v
			}
		}
		if n.mask != nil {
			copy(n.mask[b*cells:][:cells], src[s.MaskPlane*cells:])
		}
	}
}

// boards is the mask of the batch positions loaded, or nil if all their cells
// are on the board, which means the same and costs nothing to apply.
func (n *Net) boards(batch int) []float32 {
	if n.mask == nil {
		return nil
	}
	mask := n.mask[:batch*n.net.Shape.Cells()]
	if !slices.Contains(mask, 0) {
		return nil
	}
	return mask
}

// forward computes the heads' outputs of the batch positions loaded, those of the policy
// on the cells asked for.
func (n *Net) forward(batch int, globals []float32, asked []int32) {
	s, c := n.net.Shape, n.net.Config
	cells, wide := s.Cells(), c.Channels
	tower, inner := n.tower[:batch*cells*wide], n.inner[:batch*cells*wide]
	vector, pooled := n.vector[:batch*wide], n.pooled[:batch*3*wide]
	mask := n.boards(batch)

	input := n.input[:batch*cells*s.Planes]
	n.watch.begin(input)
	bias := n.stem.bias
	if s.Globals > 0 { // it differs from position to position
		linear(vector, globals, batch, &n.globals, false)
		bias = vector
	}
	kernel.Conv(tower, input, batch, n.stem.w, bias, nil, true, n.conv)
	kernel.Mask(tower, mask, batch, cells, wide)
	n.watch.next(tower)
	if s.Globals > 0 {
		n.watch.part(n, batch, &n.stem, input, tower)
	}

	for i := range n.blocks {
		b := &n.blocks[i]
		kernel.Conv(inner, tower, batch, b.conv1.w, b.conv1.bias, nil, true, n.conv)
		kernel.Mask(inner, mask, batch, cells, wide)
		n.watch.next(inner)
		if b.pool.w != nil {
			kernel.GlobalPool(pooled, inner, mask, batch, cells, wide, poolScale)
			linear(vector, pooled, batch, &b.pool, false)
			kernel.AddChannels(inner, inner, vector, mask, batch, cells, wide, true)
			n.watch.next(inner)
		}
		kernel.Conv(tower, inner, batch, b.conv2.w, b.conv2.bias, tower, true, n.conv)
		kernel.Mask(tower, mask, batch, cells, wide)
		n.watch.next(tower)
		n.watch.part(n, batch, &b.conv2, inner, tower)
	}

	rows := gather(inner, tower, asked, wide)
	linear(n.policy[:len(asked)*c.PolicyChannels], rows, len(asked), &n.policy1, true)
	linear(n.value[:batch*cells*c.ValueChannels], tower, batch*cells, &n.value1, true)
	if s.PolicyGlobals > 0 {
		kernel.GlobalPool(pooled, tower, mask, batch, cells, wide, poolScale)
	}
	n.ends(batch, mask, asked)
}

// ends computes what follows the first layers of the heads and, for policy
// globals, the pooling of the tower.
func (n *Net) ends(batch int, mask []float32, asked []int32) {
	s, c := n.net.Shape, n.net.Config
	cells := s.Cells()
	policy, value := n.policy[:len(asked)*c.PolicyChannels], n.value[:batch*cells*c.ValueChannels]
	if mask != nil {
		for i, cell := range asked {
			if mask[cell] == 0 {
				clear(policy[i*c.PolicyChannels:][:c.PolicyChannels])
			}
		}
	}
	linear(n.logits[:len(asked)*s.PolicyPlanes], policy, len(asked), &n.policy2, false)
	if s.PolicyGlobals > 0 {
		linear(n.more[:batch*s.PolicyGlobals], n.pooled[:batch*3*c.Channels], batch, &n.more1, false)
	}
	kernel.Mask(value, mask, batch, cells, c.ValueChannels)
	n.watch.heads(policy, value)
	hidden := n.hidden[:batch*c.ValueHidden]
	linear(hidden, value, batch, &n.hidden1, true)
	linear(n.out[:batch*valueOutputs], hidden, batch, &n.outcomes, false)
}

var poolScale = kernel.PoolScale{Centre: model.PoolCentre, Factor: model.PoolScale}

// linear computes y = x · w + bias for rows of x.
func linear(y, x []float32, rows int, l *layer, relu bool) {
	kernel.Conv(y, x, rows, l.w, l.bias, nil, relu, nil)
}

// policyLogits picks the logits of some head cells of position b of the chunk.
func (n *Net) policyLogits(b int, cells []int32, logits []float32) {
	s := n.net.Shape
	rows, more := n.rows[b*s.Cells():][:s.Cells()], n.more[b*s.PolicyGlobals:][:s.PolicyGlobals]
	for i, c := range cells {
		if h := n.heads[c]; h.cell >= 0 {
			logits[i] = n.logits[int(rows[h.cell]-1)*s.PolicyPlanes+int(h.plane)]
		} else {
			logits[i] = more[h.plane]
		}
	}
}

// turnsLeft turns the raw output of the turns-left head into turns.
func turnsLeft(u float32) float32 {
	x := float64(u) // log(1 + e^x), written so that e^x cannot overflow
	return float32(model.TurnsUnit * (max(x, 0) + math.Log1p(math.Exp(-math.Abs(x)))))
}
