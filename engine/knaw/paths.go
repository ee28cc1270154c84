package knaw

import (
	"cmp"
	"slices"
	"sync"
)

// maxJumps is the longest move.
const maxJumps = 6

// routes are all paths of 1 to maxJumps jumps that visit no space twice, by the space where
// they begin and the number of jumps. Whether one is open depends on the spaces between its
// ends alone, so that paths which share them are one: 20,908 in all, 650 KiB.
type routes [spaces][maxJumps][]route

// route are paths with the same spaces between, and the spaces where they end.
type route struct{ via, ends set }

var allRoutes = sync.OnceValue(func() *routes {
	t := new(routes)
	for x := range t {
		follow(x, 1, single(x), set{}, &t[x])
		for n, list := range t[x] {
			slices.SortFunc(list, func(a, b route) int { return cmp.Or(cmp.Compare(a.via.lo, b.via.lo), cmp.Compare(a.via.hi, b.via.hi)) })
			merged := list[:1]
			for _, r := range list[1:] {
				if last := &merged[len(merged)-1]; last.via == r.via {
					last.ends = last.ends.or(r.ends)
				} else {
					merged = append(merged, r)
				}
			}
			t[x][n] = slices.Clone(merged)
		}
	}
	return t
})

// follow notes the paths that go on from a space with jump number n, having visited some
// spaces, those of via and the start.
func follow(x, n int, visited, via set, found *[maxJumps][]route) {
	next := beside[x].minus(visited)
	found[n-1] = append(found[n-1], route{via, next})
	if n == maxJumps {
		return
	}
	for ; !next.empty(); next = next.rest() {
		to := single(next.first())
		follow(next.first(), n+1, visited.or(to), via.or(to), found)
	}
}

// reach returns the spaces of ends where a path of n jumps from a space can end without
// passing a space of barrier. Without jumps it is the space itself. It tries all routes
// without a branch, as which ones are open is hard to predict.
func (t *routes) reach(from, n int, barrier, ends set) (to set) {
	if n == 0 {
		return single(from).and(ends)
	}
	list := t[from][n-1]
	for i := range list {
		r := &list[i]
		stop := r.via.lo&barrier.lo | r.via.hi&barrier.hi
		open := ^uint64(int64(stop|-stop) >> 63)
		to.lo |= r.ends.lo & open
		to.hi |= r.ends.hi & open
	}
	return to.and(ends)
}
