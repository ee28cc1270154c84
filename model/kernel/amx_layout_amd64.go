//go:build !purego

package kernel

import "sync/atomic"

// Matrix units multiply a tile of 16 rows at a time. For a 3×3 convolution a
// row is a pixel, and the 16 rows lie at equal distances in memory. So boards
// are copied into padded ones: a column of zeros on either side, a row of zeros
// above and below, and the pixels of several boards in turn,
//
//	copy pixel ((row+1)·(width+2) + column+1)·group + board
//
// With two boards of 8 columns, 16 neighbours in the copy are 16 pixels of a
// board row, and those that a tap reads for them are 16 neighbours too.

// tileRows is the number of pixels in a tile.
const tileRows = 16

// tileLayout says how tiles cover the pixels of boards of one size.
type tileLayout struct {
	group  int // boards that alternate
	pixels int // of the copy, with what the last tile reads beyond the boards
	wide   int // copy pixels of a row of all boards
	// blocks are pairs of tiles, three numbers each: the first tile's first
	// pixel, as tap 0 reads it; the distance to the second tile's; the bytes of its
	// part of cells.
	blocks []int32
	// cells are the outputs in the order of blocks, two numbers each: the offset
	// of its sums in the block's, in bytes; the pixel of the boards.
	cells []int32
	taps  [9]int32 // copy pixels from tap 0
}

// cellBytes is the size of an entry of cells.
const cellBytes = 2 * 4

// newTileLayout covers group boards of h × w pixels. Going through the copy in
// its order and beginning a tile at each pixel that has none yet, it takes as
// few tiles as can be.
func newTileLayout(h, w, group int) *tileLayout {
	l := &tileLayout{group: group, wide: (w + 2) * group}
	for t := range l.taps {
		l.taps[t] = int32(t/3*l.wide + t%3*group)
	}
	tiles, end := 0, 0
	for p := range h * l.wide {
		column, board := p%l.wide/group, p%group
		if column >= w {
			continue
		}
		if p >= end {
			end = p + tileRows
			if tiles%2 == 0 {
				l.blocks = append(l.blocks, int32(p), 0, 0)
			} else {
				b := l.blocks[len(l.blocks)-3:]
				b[1] = int32(p) - b[0]
			}
			tiles++
		}
		row := p - (end - tileRows) // of the tile
		// A block's sums are its tiles' for 16 output channels, then for 16 more.
		sums := (tiles-1)%2*2*tileBytes + row*tileRowBytes
		l.cells = append(l.cells, int32(sums), int32((board*h+p/l.wide)*w+column))
		l.blocks[len(l.blocks)-1] += cellBytes
	}
	l.pixels = end + int(l.taps[8])
	return l
}

const (
	tileRowBytes = 64
	tileBytes    = tileRows * tileRowBytes
	// blockSumBytes are the sums of two tiles of pixels by two of channels.
	blockSumBytes = 4 * tileBytes
)

// maxGroup is the most boards that a layout may take: what narrow boards need
// to fill a tile.
const maxGroup = tileRows / MinSide

// layouts keeps what has been asked for, by height, width and group. Group 0
// is the best one.
var layouts [MaxHeight + 1][MaxWidth + 1][maxGroup + 1]atomic.Pointer[tileLayout]

// layoutFor returns the layout for boards of h × w pixels when boards are left
// to do: the one with the fewest blocks a board, of at most that many boards.
func layoutFor(h, w, boards int) *tileLayout {
	kept := &layouts[h][w][0]
	if boards < maxGroup {
		kept = &layouts[h][w][boards]
	}
	if l := kept.Load(); l != nil {
		return l
	}
	best := newTileLayout(h, w, 1)
	for group := 2; group <= min(boards, maxGroup); group++ {
		if l := newTileLayout(h, w, group); len(l.blocks)*best.group < len(best.blocks)*group {
			best = l
		}
	}
	kept.Store(best)
	return best
}
