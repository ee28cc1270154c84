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
	t.only = t.only[:0]
	if child == 0 || t.at(child).count == 0 {
		t.clearTree()
		return
	}
	t.keepSubtree(child)
	if t.biasFactor > 0 {
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
// The edges of a position are contiguous and come after the edge into it:
//
//  1. go through the subtree and mark the first edge of each position in edge.virtual,
//     which is 0 here, with the number of its edges;
//  2. go through all edges in order and assign the marked ones new places, packed in
//     order: no edge moves up, so none is overwritten before it has moved;
//  3. move them;
//  4. update the children's parent indices.
//
// Only the second step looks at all edges, in the order in which memory is fastest.
func (t *Tree) keepSubtree(c index) {
	t.markSubtree(c)
	next := index(1)
	var link edge // whose parent is the first position's first edge, and so on
	last := &link
	for k, chunk := range t.chunks[:t.last+1] {
		for i := t.begin(k); i < len(chunk); i++ {
			first := &chunk[i]
			if first.virtual == 0 {
				continue
			}
			t.at(first.parent).first, next = t.place(next, index(first.virtual))
			last.parent = t.indexOf(k, i)
			last = first
			i += int(first.virtual) - 1
		}
	}
	last.parent = 0
	*t.at(0) = *t.at(c)
	t.at(0).virtual = 0
	if t.moments != nil {
		*t.moment(0) = *t.moment(c)
	}
	t.move(link.parent)
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

// markSubtree marks the first edges of the positions behind edge c and below: depth
// first, by the parents of edges.
func (t *Tree) markSubtree(c index) {
	for i := c; ; {
		n := t.at(i)
		if n.count > 0 {
			t.at(n.first).virtual = n.count
			i = n.first
			continue
		}
		for i != c {
			n = t.at(t.at(i).parent)
			if i++; i < n.first+index(n.count) {
				break
			}
			i = t.at(i - 1).parent
		}
		if i == c {
			return
		}
	}
}

// move packs the edges that keepSubtree has marked behind the root, beginning with the
// group at i, and gives up the places of all others.
func (t *Tree) move(i index) {
	next, to := index(1), 0 // to is the chunk that is filled
	for i != 0 {
		first := t.at(i)
		n, link := index(first.virtual), first.parent
		from, after := t.place(next, n)
		if c := t.chunkOf(from); c != to {
			t.resize(to, next)
			to = c
		}
		k, at := t.chunkOf(i), t.offset(i)
		moved := t.chunks[to][:cap(t.chunks[to])][t.offset(from):][:n]
		copy(moved, t.chunks[k][:cap(t.chunks[k])][at:])
		if t.moments != nil {
			copy(t.moments[to][t.offset(from):][:n], t.moments[k][at:])
		}
		moved[0].virtual = 0
		i, next = link, after
	}
	for k := to + 1; k <= t.last; k++ {
		t.chunks[k] = t.chunks[k][:0]
	}
	t.resize(to, next)
	t.last = to
}
