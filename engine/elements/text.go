package elements

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// AppendPosition implements engine.State: the rows from 0, the side to act, the phase,
// and what differs from the usual: slot, reserve, under (the piece beneath another on the
// goal), first (the turn begins with placing), lead, drafts, turn, seen. Pieces that are
// nowhere else are in the draft area.
func (s *State) AppendPosition(dst []byte) []byte { return kit.AppendLine(dst, s.line) }

// ParsePosition implements engine.State.
func (s *State) ParsePosition(line string) error {
	t := s.game.undrafted()
	return kit.ReadLine(s, t, line, t.line, t.check)
}

// line describes a position line; pieces that it does not name stay in the draft area.
func (s *State) line(l *kit.Line) {
	l.Board(kit.Letters{
		Rows: s.game.rows, Cols: s.game.cols, At: func(row, col int) byte {
			if p := s.at[s.squareOf(row, col)]; p != 0 {
				return p.letter()
			}
			return '.'
		},
		Known: letters + strings.ToUpper(letters), Put: func(i, row, col int) {
			p, _ := readPiece((letters + strings.ToUpper(letters))[i])
			if sq := s.squareOf(row, col); s.take(p) {
				s.put(p, sq)
			} else {
				l.Fail("square %s: %c: there is one of each kind", squareName(sq), p.letter())
			}
		},
	})
	kit.Choice(l, "side to act", &s.side, info.Sides[:]...)
	kit.Choice(l, "phase", &s.phase, phaseNames[:]...)
	kit.Number(l, "slot", &s.slot, len(s.game.cycle)-1)
	l.Text("reserve", s.reserveText(), s.readReserve)
	under := ""
	if s.under != 0 {
		under = string(s.under.letter())
	}
	l.Text("under", under, func(text string) error {
		p, err := readPiece(text[0])
		if err != nil || len(text) != 1 || !s.take(p) {
			return errors.New("want the letter of a piece that is nowhere else")
		}
		if s.under = p; !p.copy() {
			s.where[p.kind()] = uint8(s.game.goal)
		}
		return nil
	})
	first := s.fresh && s.phase == phasePlace
	if l.Flag("first", &first); first && s.phase != phasePlace {
		l.Fail("first: only in the phase place")
	}
	l.Flag("lead", &s.lead)
	if l.Reading() {
		s.fresh = first || s.phase == phaseAct && !s.lead
	}
	kit.Number(l, "drafts", &s.drafts, kinds)
	kit.Number(l, "turn", &s.turn, s.game.maxTurns)
	kit.Number(l, "seen", &s.seen, s.game.repetition-1)
}

// squareOf is the square of a row, counted from the bottom of this board, and a column.
func (s *State) squareOf(row, col int) int { return size*(s.game.rows-1-row) + col }

// take takes a piece that is no copy out of the draft area, and tells whether it was there.
func (s *State) take(p piece) bool {
	was := p.copy() || s.draft>>p.kind()&1 != 0
	if !p.copy() {
		s.draft &^= 1 << p.kind()
	}
	return was
}

// reserveText has the letters of the reserves, side 0's first.
func (s *State) reserveText() string {
	var text []byte
	for side, r := range s.reserve {
		for ; r != 0; r &= r - 1 {
			text = append(text, pieceOf(bits.TrailingZeros32(r), uint8(side)).letter())
		}
	}
	return string(text)
}

func (s *State) readReserve(text string) error {
	last := -1
	for _, x := range []byte(text) {
		p, err := readPiece(x)
		at := p.kind() + kinds*int(p.side())
		switch {
		case err != nil:
			return err
		case p.copy():
			return fmt.Errorf("%c: a copy of Mirror has no place there", x)
		case !s.take(p):
			return fmt.Errorf("%c: the piece is elsewhere already", x)
		case at <= last:
			return fmt.Errorf("%c: want the order %s, small letters first", x, letters[:kinds])
		}
		last = at
		s.store(p.kind(), p.side())
	}
	return nil
}

// readPiece reads the letter of a piece.
func readPiece(x byte) (piece, error) {
	kind := strings.IndexByte(letters, x|0x20)
	side := uint8(0)
	if x < 'a' {
		side = 1
	}
	switch {
	case kind < 0:
		return 0, fmt.Errorf("%q: want a letter of %s in small or capitals", x, letters)
	case kind == kinds:
		return pieceOf(mirror, side) | copyBit, nil
	}
	return pieceOf(kind, side), nil
}

func readSquare(text string) (int, error) {
	if len(text) != 2 || text[0] < '0' || text[0] > '8' || text[1] < '0' || text[1] > '8' {
		return 0, fmt.Errorf("square %.40q: want a row and a column, 0 to 8 each", text)
	}
	return size*int(text[0]-'0') + int(text[1]-'0'), nil
}

// kindWord is the name of a kind in one word.
func kindWord(kind int) string {
	return strings.ToLower(strings.ReplaceAll(kindNames[kind], " ", ""))
}

// AppendAction implements engine.State: 23-35 goes somewhere, swap:08 swaps Balance and
// leaf:88 Leaf with a square, pull:up and push:up-left are for Moon and Power, remove:22
// for Wood; then stop, wind, lead, place:fire-03, copy:13, draft:fire.
func (s *State) AppendAction(dst []byte, a engine.Action) []byte {
	v, x := verbOf(a)
	if v.word == "" {
		from, to := s.ends(a)
		return appendSquare(append(appendSquare(dst, from), '-'), to)
	}
	if dst = append(dst, v.word...); v.shape != alone {
		dst = append(dst, ':')
	}
	switch v.shape {
	case square:
		dst = appendSquare(dst, x)
	case direction:
		dst = append(dst, dirNames[x]...)
	case kindSquare:
		dst = appendSquare(append(append(dst, kindWord(x/squares)...), '-'), x%squares)
	case kindAlone:
		dst = append(dst, kindWord(x)...)
	}
	return dst
}

// ends are the squares from which and to which a legal action goes; they are the same if
// it has one square only, and -1 without.
func (s *State) ends(a engine.Action) (from, to int) {
	switch {
	case a < firstSwap:
		return int(a) / squares, int(a) % squares
	case a < firstLeaf:
		return int(s.where[balance]), int(a - firstSwap)
	case a < firstPull:
		return int(s.where[leaf]), int(a - firstLeaf)
	case a < firstTake:
		v := s.view(s.side)
		if a < firstPush {
			return s.pulled(int(a-firstPull), &v)
		}
		return s.pushed(int(a-firstPush), &v)
	case a < actionStop:
		return int(s.where[wood]), int(a - firstTake)
	case a == actionWind:
		return int(s.where[wind]), int(s.where[wind])
	case a == actionLead:
		return int(s.where[leadership]), int(s.where[leadership])
	case a >= firstPlace && a < firstCopy:
		to = int(a-firstPlace) % squares
		return to, to
	case a >= firstCopy && a < firstDraft:
		return int(s.where[mirror]), int(a - firstCopy)
	case a >= firstBring:
		return s.brought(a)
	case a >= firstShadow:
		return int(s.where[shadow]), int(a - firstShadow)
	}
	return -1, -1
}

// ParseAction implements engine.State.
func (s *State) ParseAction(word string, h *engine.History) (engine.Action, error) {
	a, err := kit.ParseWord(s, word, h)
	if err != nil {
		err = fmt.Errorf("%.40s: %s", word, s.whyNot(word))
	}
	return a, err
}

// Board implements engine.State: the zones in small print, the draft area and the
// reserves below.
func (s *State) Board(color bool) string {
	var b strings.Builder
	b.WriteString(" ")
	for c := range s.game.cols {
		fmt.Fprintf(&b, "  %d", c)
	}
	for r := range s.game.rows {
		fmt.Fprintf(&b, "\n%d", r)
		for c := range s.game.cols {
			sq := size*r + c
			text := zoneSigns[s.game.zoneOf(sq)]
			if p := s.at[sq]; p != 0 {
				text = kit.Paint(color, p.side(), string(p.letter()))
			}
			b.WriteString("  " + text)
		}
	}
	b.WriteByte('\n')
	return b.String()
}

// zoneSigns are the characters of empty squares.
var zoneSigns = [zones]string{"ᵃ", "ᵇ", "ᶜ", "ᵈ", ".", ":", "*"}

// zoneOf is the zone of a square of the board.
func (g *Game) zoneOf(sq int) int {
	for z, b := range g.zone {
		if b.Has(sq) {
			return z
		}
	}
	return zoneWhite
}
