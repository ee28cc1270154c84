package race

import (
	"math/bits"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// near has the distances of squares from the enemy Apex, from a side's seat.
type near struct {
	// within[k][n] are the squares from which a runner of kind k, Red, Orange or
	// Green, might plant in n turns.
	within [3][16]uint64
	cross  uint64
}

func (m *near) init(g *konreh.Game) {
	size := g.Size()
	last := size - 1
	for k, reach := range [3]int{2, 3, 4} {
		for a := range size {
			for b := range size {
				turns := (last-a+reach-1)/reach + (last-b+reach-1)/reach
				if turns == 0 {
					turns = 2 // it must leave and come back
				}
				for n := turns; n < 16; n++ {
					m.within[k][n] |= 1 << (8*a + b)
				}
			}
		}
	}
	for _, a := range [2]int{size/2 - 1, size / 2} {
		for _, b := range [2]int{size/2 - 1, size / 2} {
			m.cross |= 1 << (8*a + b)
		}
	}
}

// reaches reports whether some runner of the army might plant in n turns.
func (m *near) reaches(army *[4]uint64, n int) bool {
	return army[0]&m.within[0][n]|army[1]&m.within[1][n]|army[2]&m.within[2][n] != 0
}

// settle answers from distances alone whether hunter runs out the countdown in s, a
// position where a turn begins. left is the number of turns that the racer has to plant.
func (m *near) settle(s *konreh.State, hunter engine.Side, left int) (answer, known bool) {
	own := s.Army(hunter)
	racing := s.Side() != hunter
	if c := s.Reforge(hunter); c > 0 && (c < left || c == left && !racing) {
		// The hunter's own countdown is over first.
		return false, !m.reaches(&own, c)
	}
	other := s.Army(1 - hunter)
	if m.reaches(&other, left) || own[3]&m.cross != 0 {
		return false, false
	}
	// Only a draw helps the racer. From now on the hunter only steps homeward with
	// pieces other than Blue. Before its last move it has made left-1 turns, one less if
	// the racer is to move, and the racer left-1; the racer's last move comes after the
	// same number of turns, and one more of the hunter's if the hunter is to move.
	if racing {
		return true, left == 1 || steady(&own, left-2, left-1) && steady(&other, left-1, left-1)
	}
	return true, steady(&own, left-1, left-1) && steady(&other, left-1, left)
}

// fromRank[n] are the squares n steps or more from Home; inner those on no edge of
// Home.
var (
	fromRank = func() (t [16]uint64) {
		for n := range t {
			for sq := range 64 {
				if sq>>3+sq&7 >= n {
					t[n] |= 1 << sq
				}
			}
		}
		return t
	}()
	inner uint64 = 0xfefefefefefefe00
)

// steady reports that a side certainly has a move after that many moves with pieces
// other than Blue and that many lost pieces.
//
// A piece other than Blue can step homeward unless both squares there are off the board
// or occupied by its own side. Follow own pieces homeward from a piece n steps from
// Home, around Blue, which an edge could make impossible: if no piece on the way can
// step, the whole way is full of them, n+1 pieces, or n with Blue at Home. So a side
// whose n pieces (without Blue) include one at n or more steps from Home, or at n+1 and
// on no edge if it has a Blue, can move. Each lost piece lowers n and may have been that
// piece; so may each moved one.
func steady(army *[4]uint64, moves, lost int) bool {
	pieces := army[0] | army[1] | army[2]
	n := bits.OnesCount64(pieces)
	if army[3] != 0 {
		pieces &= inner
	}
	for j := 0; j <= lost; j++ {
		rank := n - j // with none left the count below cannot suffice
		if army[3] != 0 {
			rank++
		}
		if bits.OnesCount64(pieces&fromRank[min(rank, 15)]) <= moves+j {
			return false
		}
	}
	return true
}
