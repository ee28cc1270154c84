package konreh

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// The pieces of A and B by kind, as in position lines, and the ANSI colours of
// the kinds; A's pieces are bold.
const (
	letters   = "ROGBrogb"
	ansiBold  = "\x1b[1m"
	ansiReset = "\x1b[0m"
)

var ansiKind = [4]string{red: "\x1b[31m", orange: "\x1b[33m", green: "\x1b[32m", blue: "\x1b[34m"}

// Board implements [engine.State]: the board as it lies on the table, A's Home
// Apex at the bottom and B's at the top. The names at either end of a row
// belong to its outer squares. Empty squares are +, in the Cross, *, a Sanctum,
// ^, a Home Apex, or a dot. Below stand the side to move, its phase and each
// side's Blue state as in the position line.
func (s *State) Board(color bool) string {
	size := s.game.geo.size
	var b strings.Builder
	for rank := 2*size - 2; rank >= 0; rank-- {
		// Squares of a rank from the left have a = left, left-1, ...
		left := min(rank, size-1)
		right := max(rank-size+1, 0)
		indent := 2 * (size - 1 - left + right)
		fmt.Fprintf(&b, "%*s%c%c ", indent, "", 'a'+left, '1'+rank-left)
		for a := left; a >= right; a-- {
			s.drawSquare(&b, uint8(8*a+rank-a), color)
			if a > right {
				b.WriteString("   ")
			}
		}
		fmt.Fprintf(&b, " %c%c\n", 'a'+right, '1'+rank-right)
	}
	line := strings.Fields(string(s.AppendPosition(nil)))
	fmt.Fprintf(&b, "%s to move, phase %s, turn %s, quiet %s\n", line[1], line[2], line[6], line[5])
	fmt.Fprintf(&b, "A %s\nB %s\n", line[3], line[4])
	return b.String()
}

func (s *State) drawSquare(b *strings.Builder, sq uint8, color bool) {
	for side := range engine.Side(2) {
		if s.occ[side]>>sq&1 == 0 {
			continue
		}
		k := s.kindAt(sq)
		letter := letters[4*int(side)+int(k)]
		if !color {
			b.WriteByte(letter)
			return
		}
		if side == sideA {
			b.WriteString(ansiBold)
		}
		b.WriteString(ansiKind[k])
		b.WriteByte(letter)
		b.WriteString(ansiReset)
		return
	}
	g := s.game.geo
	switch {
	case s.game.rules.crossStay > 0 && g.inCross(sq):
		b.WriteByte('+')
	case sq == g.sanctums[0] || sq == g.sanctums[1]:
		b.WriteByte('*')
	case sq == g.homes[0] || sq == g.homes[1]:
		b.WriteByte('^')
	default:
		b.WriteByte('.')
	}
}
