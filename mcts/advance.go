package mcts

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
)

// Advance plays a, an action or chance outcome that is possible at the root, and
// keeps the subtree after it. The new root is searched as Config says, with fresh
// noise. No leaf may be pending. The cost is linear in the size of the tree.
func (t *Tree) Advance(a engine.Action) {
	if t.pending > 0 {
		panic(fmt.Sprintf("BUG: the tree advances while %d leaves are pending", t.pending))
	}
	child := t.child(a)
	t.root.Apply(a, t.past)
	if child == 0 || t.at(child).count == 0 {
		t.clearTree()
		return
	}
	t.keepSubtree(child)
	if t.biases != nil {
		t.recount()
	}
	n := t.at(0) // what Know said of the move played does not follow from the edges
	n.proof = n.proof&hasBounds | combine(n.actor, t.children(n))
	t.beginRoot()
}

// child is the edge of action a at the root, or 0 if the root is not expanded.
func (t *Tree) child(a engine.Action) index {
	n := t.at(0)
	if n.count == 0 {
		return 0
	}
	for i := n.first; i < n.first+index(n.count); i++ {
		if t.at(i).action() == a {
			return i
		}
	}
	panic(fmt.Sprintf("BUG: %d is not possible at the root of the tree", a))
}

// keepSubtree makes edge c the root and moves its subtree to the front, in place.
//
// The edges of a position are contiguous and come after the edge into it, so one
// pass in order meets every parent before its children:
//
//  1. assign new places to the edges of kept positions, packed in order, write the
//     place into the parent and mark the edges in edge.virtual, which is 0 here, with
//     their number;
//  2. move the marked edges down: no edge moves up, so none is overwritten
//     before it has moved;
//  3. update the children's parent indices.
func (t *Tree) keepSubtree(c index) {
	next := index(1)
	for k, chunk := range t.chunks[:t.last+1] {
		for i := t.begin(k); i < len(chunk); {
			p := chunk[i].parent
			parent := t.at(p)
			n, mark := parent.count, uint16(0)
			if p == c || parent.virtual != 0 {
				mark = n
				parent.first, next = t.place(next, index(n))
			}
			for j := range chunk[i : i+int(n)] {
				chunk[i+j].virtual = mark
			}
			i += int(n)
		}
	}
	*t.at(0) = *t.at(c)
	t.at(0).virtual = 0
	if t.moments != nil {
		*t.moment(0) = *t.moment(c)
	}
	t.move()
	for k, chunk := range t.chunks[:t.last+1] {
		for i := range chunk {
			n := &chunk[i]
			if n.count == 0 {
				if n.actor == engine.First || n.actor == engine.Second {
					n.actor = unknown // evaluated in a full tree; now there is room
				}
				continue
			}
			children := t.children(n)
			for j := range children {
				children[j].parent = t.indexOf(k, i)
			}
		}
	}
}

// move packs the edges that keepSubtree has marked behind the root and gives up the
// places of all others.
func (t *Tree) move() {
	next, to := index(1), 0 // to is the chunk that is filled
	for k, chunk := range t.chunks[:t.last+1] {
		for i := t.begin(k); i < len(chunk); {
			n := index(chunk[i].virtual)
			if n == 0 {
				i++
				continue
			}
			from, after := t.place(next, n)
			if c := t.chunkOf(from); c != to {
				t.resize(to, next)
				to = c
			}
			moved := t.chunks[to][:cap(t.chunks[to])][t.offset(from):][:n]
			copy(moved, chunk[i:])
			if t.moments != nil {
				copy(t.moments[to][t.offset(from):][:n], t.moments[k][i:])
			}
			for j := range moved {
				moved[j].virtual = 0
			}
			i, next = i+int(n), after
		}
	}
	for k := to + 1; k <= t.last; k++ {
		t.chunks[k] = t.chunks[k][:0]
	}
	t.resize(to, next)
	t.last = to
}
