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
	if child == 0 || t.edges[child].count == 0 {
		t.clearTree()
		return
	}
	t.keepSubtree(child)
	t.beginRoot()
}

// child is the edge of action a at the root, or 0 if the root is not expanded.
func (t *Tree) child(a engine.Action) index {
	n := &t.edges[0]
	if n.count == 0 {
		return 0
	}
	for i := n.first; i < n.first+index(n.count); i++ {
		if t.edges[i].action() == a {
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
//     place into the parent and mark the edges in edge.virtual, which is 0 here;
//  2. move the marked edges down: no edge moves up, so none is overwritten
//     before it has moved;
//  3. update the children's parent indices.
func (t *Tree) keepSubtree(c index) {
	end := index(len(t.edges))
	next := index(1)
	for i := index(1); i < end; {
		p := t.edges[i].parent
		n := index(t.edges[p].count)
		kept := p == c || t.edges[p].virtual != 0
		if kept {
			t.edges[p].first = next
			next += n
		}
		for k := i; k < i+n; k++ {
			t.edges[k].virtual = 0
			if kept {
				t.edges[k].virtual = 1
			}
		}
		i += n
	}
	t.edges[0] = t.edges[c]
	to := index(1)
	for i := index(1); i < end; i++ {
		if t.edges[i].virtual != 0 {
			t.edges[to] = t.edges[i]
			t.edges[to].virtual = 0
			to++
		}
	}
	t.edges = t.edges[:to]
	for i := range t.edges {
		n := &t.edges[i]
		if n.count == 0 {
			if n.actor == engine.First || n.actor == engine.Second {
				n.actor = unknown // evaluated in a full tree; now there is room
			}
			continue
		}
		for k := n.first; k < n.first+index(n.count); k++ {
			t.edges[k].parent = index(i)
		}
	}
}
