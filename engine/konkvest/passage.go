package konkvest

import (
	"slices"

	"github.com/ludozero/ludozero/engine/kit"
)

// neighbours are the ways to the hexes beside one: bit i of a key of passages is way i.
var neighbours = [...]kit.Way{left, right, frontLeft, frontRight, backLeft, backRight}

// overOne are the ways to hexes over a neighbour, of which the page gives a choice to each.
var overOne = []struct {
	to  kit.Way
	via []kit.Way
}{
	{times(left, 2), []kit.Way{left}},
	{times(right, 2), []kit.Way{right}},
	{times(frontLeft, 2), []kit.Way{frontLeft}},
	{times(frontRight, 2), []kit.Way{frontRight}},
	{ahead, []kit.Way{frontLeft, frontRight}},
	{behind, []kit.Way{backLeft, backRight}},
	{leftLeap, []kit.Way{frontLeft, left}},
	{rightLeap, []kit.Way{frontRight, right}},
}

// passages are, by row, the neighbours of a hex and those hexes of overOne to which the
// way is free if the neighbours of the key are empty. It saves a branch for each route:
// what is free is hard to predict.
var passages = func() (t [16][1 << len(neighbours)]window) {
	for i := range hexes {
		row := &t[hex.Row(i)]
		beside := steps(first+i, neighbours[:])
		for key := range row {
			row[key] |= beside
		}
		for _, way := range overOne {
			to := steps(first+i, []kit.Way{way.to})
			for key := range row {
				if slices.ContainsFunc(way.via, func(via kit.Way) bool { return key>>slices.Index(neighbours[:], via)&1 == 1 }) {
					row[key] |= to
				}
			}
		}
	}
	return t
}()

// site is where the window of a square has its neighbours: ring are those on the board;
// front and back shift those in front and behind to bits 0 and 1.
type site struct {
	ring             window
	row, front, back uint8
}

var sites = func() (t [squares]site) {
	for i := range hexes {
		row := hex.Row(i)
		s := site{ring: steps(first+i, neighbours[:]), row: uint8(row)}
		middle := first + (starts[row]+starts[row+1])/2 // has all neighbours in the rows beside
		if to := step(middle, frontLeft); to != 0 {
			s.front = uint8(here + to - middle)
		}
		if to := step(middle, backLeft); to != 0 {
			s.back = uint8(here + to - middle)
		}
		t[first+i] = s
	}
	return t
}()

// passable are the neighbours of a square and the hexes to which the way over one of them
// is free, some of them beyond the edge.
func passable(sq int, empty window) window {
	s := &sites[sq]
	ring := uint64(empty & s.ring)
	key := ring>>(here-1)&1 | ring>>here&2 | ring>>(s.front&63)&3<<2 | ring>>(s.back&63)&3<<4
	return passages[s.row&15][key]
}

// steps are the squares to which some ways lead.
func steps(sq int, ways []kit.Way) (to window) {
	for _, w := range ways {
		if t := step(sq, w); t != 0 {
			to |= 1 << (t - sq + here)
		}
	}
	return to
}
