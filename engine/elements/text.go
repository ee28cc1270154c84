package elements

import (
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
func (s *State) AppendPosition(dst []byte) []byte {
	for r := range s.game.rows {
		if r > 0 {
			dst = append(dst, '/')
		}
		for c := range s.game.cols {
			if p := s.at[size*r+c]; p != 0 {
				dst = append(dst, p.letter())
			} else {
				dst = append(dst, '.')
			}
		}
	}
	dst = append(append(dst, ' '), info.Sides[s.side]...)
	dst = append(append(dst, ' '), phaseNames[s.phase]...)
	dst = kit.AppendNumber(dst, "slot", int(s.slot))
	var reserve []byte
	for side := range uint8(2) {
		for w := s.reserve[side]; w != 0; w &= w - 1 {
			reserve = append(reserve, pieceOf(bits.TrailingZeros32(w), side).letter())
		}
	}
	dst = kit.AppendField(dst, "reserve", string(reserve))
	if s.under != 0 {
		dst = kit.AppendField(dst, "under", string(s.under.letter()))
	}
	if s.fresh && s.phase == phasePlace {
		dst = kit.AppendNumber(dst, "first", 1)
	}
	if s.lead {
		dst = kit.AppendNumber(dst, "lead", 1)
	}
	dst = kit.AppendNumber(dst, "drafts", int(s.drafts))
	dst = kit.AppendNumber(dst, "turn", int(s.turn))
	return kit.AppendNumber(dst, "seen", int(s.seen))
}

// ParsePosition implements engine.State.
func (s *State) ParsePosition(line string) error {
	t := &State{game: s.game, draft: 1<<kinds - 1}
	for kind := range t.where {
		t.where[kind] = inDraft
	}
	f := kit.NewFields(line)
	if err := t.readRows(f.Word("board")); err != nil {
		f.Fail("board: %w", err)
	}
	t.side = uint8(f.Choice("side to act", info.Sides[:]...))
	t.phase = phase(f.Choice("phase", phaseNames[:]...))
	t.slot = uint8(f.Number("slot", len(t.game.cycle)-1))
	last := -1
	for _, x := range []byte(f.Value("reserve")) {
		p, err := readPiece(x)
		at := p.kind() + kinds*int(p.side())
		switch {
		case err == nil && p.copy():
			err = fmt.Errorf("%c: a copy of Mirror has no place there", x)
		case err == nil && t.draft>>p.kind()&1 == 0:
			err = fmt.Errorf("%c: the piece is elsewhere already", x)
		case err == nil && at <= last:
			err = fmt.Errorf("%c: want the order %s, small letters first", x, letters[:kinds])
		}
		if err != nil {
			f.Fail("reserve: %w", err)
			break
		}
		last = at
		t.draft &^= 1 << p.kind()
		t.store(p.kind(), p.side())
	}
	if x := f.Value("under"); x != "" {
		p, err := readPiece(x[0])
		if err != nil || len(x) != 1 || !p.copy() && t.draft>>p.kind()&1 == 0 {
			f.Fail("under=%.40s: want the letter of a piece that is nowhere else", x)
		} else if t.under = p; !p.copy() {
			t.draft &^= 1 << p.kind()
			t.where[p.kind()] = uint8(t.game.goal)
		}
	}
	first := f.Number("first", 1) > 0
	t.lead = f.Number("lead", 1) > 0
	t.drafts = uint8(f.Number("drafts", kinds))
	t.turn = uint16(f.Number("turn", t.game.maxTurns))
	t.seen = uint8(f.Number("seen", t.game.repetition-1))
	if first && t.phase != phasePlace {
		f.Fail("first: only in the phase place")
	}
	t.fresh = first || t.phase == phaseAct && !t.lead
	err := f.End()
	if err == nil {
		err = t.check()
	}
	if err == nil {
		*s = *t
	}
	return err
}

// readRows reads the board.
func (s *State) readRows(text string) error {
	rows := strings.Split(text, "/")
	if len(rows) != s.game.rows {
		return fmt.Errorf("%d rows: want %d, with slashes between", len(rows), s.game.rows)
	}
	for r, row := range rows {
		if len(row) != s.game.cols {
			return fmt.Errorf("row %d: %d squares, want %d", r, len(row), s.game.cols)
		}
		for c := range len(row) {
			sq := size*r + c
			if row[c] == '.' {
				continue
			}
			p, err := readPiece(row[c])
			if err == nil && !p.copy() {
				if s.draft>>p.kind()&1 == 0 {
					err = fmt.Errorf("%c: there is one of each kind", row[c])
				}
				s.draft &^= 1 << p.kind()
			}
			if err != nil {
				return fmt.Errorf("square %s: %w", squareName(sq), err)
			}
			s.put(p, sq)
		}
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

// The words of actions with a square.
var squareWords = []struct {
	word  string
	first engine.Action
}{{"swap:", firstSwap}, {"leaf:", firstLeaf}, {"remove:", firstTake}, {"copy:", firstCopy}}

// AppendAction implements engine.State: 23-35 goes somewhere, swap:08 swaps Balance and
// leaf:88 Leaf with a square, pull:up and push:up-left are for Moon and Power, remove:22
// for Wood; then stop, wind, lead, place:fire-03, copy:13, draft:fire.
func (s *State) AppendAction(dst []byte, a engine.Action) []byte {
	for _, x := range squareWords {
		if a >= x.first && a < x.first+squares {
			return appendSquare(append(dst, x.word...), int(a-x.first))
		}
	}
	switch {
	case a >= firstPull && a < firstPush:
		return append(append(dst, "pull:"...), dirNames[a-firstPull]...)
	case a >= firstPush && a < firstTake:
		return append(append(dst, "push:"...), dirNames[a-firstPush]...)
	case a == actionStop:
		return append(dst, "stop"...)
	case a == actionWind:
		return append(dst, "wind"...)
	case a == actionLead:
		return append(dst, "lead"...)
	case a >= firstPlace && a < firstCopy:
		a -= firstPlace
		dst = append(append(append(dst, "place:"...), kindWord(int(a/squares))...), '-')
		return appendSquare(dst, int(a%squares))
	case a >= firstDraft && a < firstShadow:
		return append(append(dst, "draft:"...), kindWord(int(a-firstDraft))...)
	}
	from, to := s.ends(a)
	return appendSquare(append(appendSquare(dst, from), '-'), to)
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
func (s *State) ParseAction(word string, _ *engine.History) (engine.Action, error) {
	for _, a := range s.Legal(nil, nil) {
		if string(s.AppendAction(nil, a)) == word {
			return a, nil
		}
	}
	return 0, fmt.Errorf("%.40s: %s", word, s.whyNot(word))
}

// Board implements engine.State: the zones in small print, the draft area and the
// reserves below.
func (s *State) Board(color bool) string {
	var b strings.Builder
	b.WriteString(" ")
	for c := range s.game.cols {
		fmt.Fprintf(&b, "  %d", c)
	}
	paint := func(p piece, text string) string {
		if !color {
			return text
		}
		return [2]string{"\x1b[31m", "\x1b[34m"}[p.side()] + text + "\x1b[0m"
	}
	for r := range s.game.rows {
		fmt.Fprintf(&b, "\n%d", r)
		for c := range s.game.cols {
			sq := size*r + c
			text := zoneSigns[s.game.zoneOf(sq)]
			if p := s.at[sq]; p != 0 {
				text = paint(p, string(p.letter()))
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
		if b.has(sq) {
			return z
		}
	}
	return zoneWhite
}
