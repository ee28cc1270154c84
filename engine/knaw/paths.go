package knaw

import (
	"cmp"
	"slices"
	"sync"
)

// maxJumps is the longest move.
const maxJumps = 6

// routes are all paths of 1 to maxJumps jumps that visit no space twice. Whether one is
// open depends on the spaces between its ends alone, so that paths which share them are
// one: 56,232 in all, a megabyte.
type routes struct {
	// ends[x][n-1] are the spaces where paths of n jumps from x end, ascending.
	ends [spaces][maxJumps][]routeEnd
	// between are the spaces of each path between its ends.
	between []set
}

// routeEnd is an end of paths, and which of routes.between lead there.
type routeEnd struct {
	space        int32
	first, after uint32
}

var allRoutes = sync.OnceValue(func() *routes {
	t := new(routes)
	for x := range spaces {
		var found [maxJumps][spaces][]set
		follow(x, 1, single(x), set{}, &found)
		for n := range found {
			for end, list := range found[n] {
				if list == nil {
					continue
				}
				slices.SortFunc(list, func(a, b set) int { return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.hi, b.hi)) })
				e := routeEnd{space: int32(end), first: uint32(len(t.between))}
				t.between = append(t.between, slices.Compact(list)...)
				e.after = uint32(len(t.between))
				t.ends[x][n] = append(t.ends[x][n], e)
			}
		}
	}
	return t
})

// follow notes the paths that go on from a space with jump number n, having visited some
// spaces, those of between and the start.
func follow(x, n int, visited, between set, found *[maxJumps][spaces][]set) {
	for b := beside[x].minus(visited); !b.empty(); b = b.rest() {
		to := b.first()
		found[n-1][to] = append(found[n-1][to], between)
		if n < maxJumps {
			follow(to, n+1, visited.or(single(to)), between.or(single(to)), found)
		}
	}
}

// reach returns the spaces of ends where a path of n jumps from a space can end without
// passing a space of barrier. Without jumps it is the space itself.
func (t *routes) reach(from, n int, barrier, ends set) (to set) {
	if n == 0 {
		return single(from).and(ends)
	}
	for _, e := range t.ends[from][n-1] {
		if !ends.has(int(e.space)) {
			continue
		}
		for _, b := range t.between[e.first:e.after] {
			if !b.meets(barrier) {
				to = to.or(single(int(e.space)))
				break
			}
		}
	}
	return to
}
