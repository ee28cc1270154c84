//go:build !purego

package kernel

import "testing"

// TestTileLayoutCoversTheBoards checks that each pixel of each board is the
// output of one row of one tile, and that what the taps read for it are its
// neighbours or the zeros around the board.
func TestTileLayoutCoversTheBoards(t *testing.T) {
	for h := MinSide; h <= MaxHeight; h++ {
		for w := MinSide; w <= MaxWidth; w++ {
			for boards := 1; boards <= maxGroup+1; boards++ {
				l := layoutFor(h, w, boards)
				if l.group > boards {
					t.Fatalf("%d×%d: %d boards in turn, %d are left", h, w, l.group, boards)
				}
				checkLayout(t, h, w, l)
			}
		}
	}
}

func checkLayout(t *testing.T, h, w int, l *tileLayout) {
	t.Helper()
	seen := make([]bool, l.group*h*w)
	cells := l.cells
	for b := 0; b < len(l.blocks); b += 3 {
		first, distance, n := l.blocks[b], l.blocks[b+1], l.blocks[b+2]/cellBytes
		for ; n > 0; n-- {
			sums, pixel := int(cells[0]), int(cells[1])
			board := pixel / (h * w)
			cells = cells[2:]
			if sums >= blockSumBytes-tileBytes || sums/tileBytes%2 != 0 || sums%tileRowBytes != 0 {
				t.Fatalf("%d×%d: sums at %d", h, w, sums)
			}
			if seen[pixel] {
				t.Fatalf("%d×%d: pixel %d is in two tiles", h, w, pixel)
			}
			seen[pixel] = true
			at := int(first) + sums%tileBytes/tileRowBytes
			if sums >= 2*tileBytes {
				at += int(distance)
			}
			row, column := pixel%(h*w)/w, pixel%w
			for tap, offset := range l.taps {
				want := ((row+tap/3)*(w+2)+column+tap%3)*l.group + board
				if at+int(offset) != want || want >= l.pixels {
					t.Fatalf("%d×%d, pixel %d: tap %d reads %d of %d, want %d", h, w, pixel, tap, at+int(offset), l.pixels, want)
				}
			}
		}
	}
	for pixel, ok := range seen {
		if !ok {
			t.Fatalf("%d×%d, %d boards: pixel %d is in no tile", h, w, l.group, pixel)
		}
	}
}

// TestTilesAreFull holds the boards that matter to the fewest tiles possible.
func TestTilesAreFull(t *testing.T) {
	for _, c := range []struct{ h, w, blocks, boards int }{
		{8, 8, 4, 2}, // of 128 pixels
		{6, 7, 3, 2}, // of 84
		{3, 3, 2, 5}, // of 45
	} {
		l := layoutFor(c.h, c.w, 64)
		if len(l.blocks)/3*c.boards > c.blocks*l.group {
			t.Errorf("%d×%d: %d blocks for %d boards, want %d for %d", c.h, c.w, len(l.blocks)/3, l.group, c.blocks, c.boards)
		}
	}
}
