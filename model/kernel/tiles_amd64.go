//go:build !purego

package kernel

import "fmt"

// piece is a tile of some pixels.
type piece[F any] struct {
	pixels int
	f      F
}

// cut lists the pieces of a row, left to right, by board width.
type cut [MaxWidth + 1][]int

var (
	wholeRows = cut{3: {3}, 4: {4}, 5: {5}, 6: {6}, 7: {7}, 8: {8}, 9: {9}, 10: {10}, 11: {11}, 12: {12}, 13: {13}}
	wholeTo11 = cut{3: {3}, 4: {4}, 5: {5}, 6: {6}, 7: {7}, 8: {8}, 9: {9}, 10: {10}, 11: {11}, 12: {6, 6}, 13: {7, 6}}
	piecesTo6 = cut{3: {3}, 4: {4}, 5: {5}, 6: {6}, 7: {4, 3}, 8: {4, 4}, 9: {5, 4}, 10: {5, 5}, 11: {6, 5}, 12: {6, 6}, 13: {5, 4, 4}}
	piecesTo4 = cut{3: {3}, 4: {4}, 5: {3, 2}, 6: {3, 3}, 7: {4, 3}, 8: {4, 4}, 9: {3, 3, 3}, 10: {4, 3, 3}, 11: {4, 4, 3}, 12: {4, 4, 4}, 13: {4, 3, 3, 3}}
)

// tileSet has the functions of tiles by their number of pixels: a whole row, its left
// end, a part inside, its right end.
type tileSet[F any] struct{ whole, left, middle, right map[int]F }

func cutRows[F any](c cut, set tileSet[F]) (rows [MaxWidth + 1][]piece[F]) {
	for width, pieces := range c {
		for i, n := range pieces {
			from := set.middle
			switch {
			case len(pieces) == 1:
				from = set.whole
			case i == 0:
				from = set.left
			case i == len(pieces)-1:
				from = set.right
			}
			f, ok := from[n]
			if !ok {
				panic(fmt.Sprintf("BUG: kernel: no tile of %d pixels, piece %d of a row of %d", n, i+1, width))
			}
			rows[width] = append(rows[width], piece[F]{n, f})
		}
	}
	return rows
}
