package konkvesttable

import "github.com/ludozero/ludozero/engine"

// Tiles are numbered row by row from player 0's left: a1 = 0 to m6 = 113. The
// middle of tile c of row r stands at X = 2c - (length - 1), Y = r. Player 1
// sees tile 113-i where player 0 sees i.
const (
	rows   = 13
	tiles  = 114
	height = rows
	width  = 12
)

// point is a tile's middle, or the way from one tile to another.
type point struct{ x, y int }

func rowLength(r int) int { return 12 - max(r-7, 7-r) }

// points are the middles of the tiles, tileAt the reverse.
var points, tileAt = func() (p [tiles]point, at map[point]int) {
	at = map[point]int{}
	i := 0
	for r := 1; r <= rows; r++ {
		for c := range rowLength(r) {
			p[i] = point{2*c - rowLength(r) + 1, r}
			at[p[i]] = i
			i++
		}
	}
	return p, at
}()

// cell is where a tile stands on the grid of an observation: sideways steps
// change the column, forward ones the row.
func cell(tile int) int {
	p := points[tile]
	return (p.y-1)*width + (p.x+p.y)/2 + 2
}

// neighbour is the tile a step away, or -1.
func neighbour(tile int, step point) int {
	p := points[tile]
	if to, ok := tileAt[point{p.x + step.x, p.y + step.y}]; ok {
		return to
	}
	return -1
}

// seen is a tile as a player sees it, and back.
func seen(player engine.Side, tile int) int {
	if player == 1 {
		return tiles - 1 - tile
	}
	return tile
}

// turned is where a player sees the cell of a tile that the other sees in a
// cell; cells off the board stay.
var turned = func() (t [height * width]int32) {
	for c := range t {
		t[c] = int32(c)
	}
	for i := range tiles {
		t[cell(i)] = int32(cell(seen(1, i)))
	}
	return t
}()

// name is a tile's name, a1 to m6.
func name(tile int) string {
	r := points[tile].y
	c := (points[tile].x + rowLength(r) - 1) / 2
	if c >= 9 {
		return string([]byte{'a' + byte(r-1), '1', '0' + byte(c-9)})
	}
	return string([]byte{'a' + byte(r-1), '1' + byte(c)})
}

// tileNamed is the reverse of name, -1 for other words.
func tileNamed(word string) int {
	for i := range tiles {
		if name(i) == word {
			return i
		}
	}
	return -1
}

// A set of tiles.
type set [2]uint64

func (s *set) add(tile int)     { s[tile>>6] |= 1 << (tile & 63) }
func (s set) has(tile int) bool { return s[tile>>6]>>(tile&63)&1 != 0 }
func (s set) minus(t set) set   { return set{s[0] &^ t[0], s[1] &^ t[1]} }
func (s set) and(t set) set     { return set{s[0] & t[0], s[1] & t[1]} }
func (s set) or(t set) set      { return set{s[0] | t[0], s[1] | t[1]} }

// wakes are, for player 0, the tile itself and all tiles in the cone behind
// it; half is the opposing half with the divider.
var wakes, half = func() (w [tiles]set, h set) {
	for i, p := range points {
		for j, q := range points {
			if behind, aside := p.y-q.y, p.x-q.x; behind >= 0 && max(aside, -aside) <= behind {
				w[i].add(j)
			}
		}
		if p.y >= 7 {
			h.add(i)
		}
	}
	return w, h
}()
