package konkvest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// appendLetters appends the letters of a kind: capitals for side 0.
func appendLetters(dst []byte, kind int, side uint8) []byte {
	if kind >= promoted {
		dst = append(dst, '+')
	}
	return append(dst, letters[plain(kind)]|32*side)
}

// AppendPosition implements engine.State: the rows from m, with numbers for empty hexes
// and a + before promoted pieces, the side to act, play or formation, and what differs
// from the usual: the reserves of south and north, their runs of attacks on the Queen, ply,
// seen, end.
func (s *State) AppendPosition(dst []byte) []byte { return kit.AppendLine(dst, s.line) }

// ParsePosition implements engine.State.
func (s *State) ParsePosition(line string) error {
	t := &State{game: s.game}
	t.clear()
	return kit.ReadLine(s, t, line, t.line, t.check)
}

// line describes a position line.
func (s *State) line(l *kit.Line) {
	l.Word("board", string(s.appendRows(nil)), s.readRows)
	kit.Choice(l, "side to act", &s.side, info.Sides[:]...)
	phase := asInt(s.step < toPlace)
	kit.Choice(l, "phase", &phase, "play", "formation")
	for side, name := range info.Sides {
		l.Text(name, s.reserveWord(side), func(text string) error { return s.readReserve(uint8(side), text) })
	}
	if l.Reading() {
		s.refresh(0)
		s.refresh(1)
		if s.step = toPlace; phase == 1 {
			s.step = uint8(max(0, min(toPlace-1, s.of[0].Count()+s.of[1].Count()-18)))
		}
	}
	for side, name := range info.Sides {
		kit.Number(l, name+"-attacks", &s.runs[side], s.game.maxPlies)
	}
	kit.Number(l, "ply", &s.ply, s.game.maxPlies)
	kit.Number(l, "seen", &s.seen, s.game.repetition-1)
	kit.Name(l, "end", &s.end, 0, reasons[:]...)
}

func (s *State) appendRows(dst []byte) []byte {
	for r := rows - 1; r >= 0; r-- {
		empty := 0
		for i := starts[r]; i <= starts[r+1]; i++ {
			kind, side := -1, uint8(0)
			if i < starts[r+1] {
				if kind, side = s.pieceAt(first + i); kind < 0 {
					empty++
					continue
				}
			}
			if empty > 0 {
				dst = strconv.AppendInt(dst, int64(empty), 10)
				empty = 0
			}
			if kind >= 0 {
				dst = appendLetters(dst, kind, side)
			}
		}
		if r > 0 {
			dst = append(dst, '/')
		}
	}
	return dst
}

func asInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// reserveWord has a letter for each piece in reserve.
func (s *State) reserveWord(side int) string {
	var b strings.Builder
	for kind, n := range s.reserve[side] {
		b.WriteString(strings.Repeat(letters[kind:kind+1], int(n)))
	}
	return b.String()
}

// readRows reads the board.
func (s *State) readRows(text string) error {
	lines := strings.Split(text, "/")
	if len(lines) != rows {
		return fmt.Errorf("%d rows: want %d, with slashes between", len(lines), rows)
	}
	for i, line := range lines {
		r := rows - 1 - i
		if err := s.readRow(line, starts[r], starts[r+1]); err != nil {
			return fmt.Errorf("row %c: %w", 'a'+r, err)
		}
	}
	return nil
}

// readRow reads a row of hexes from number i up to end.
func (s *State) readRow(line string, i, end int) error {
	n, numbered := end-i, false
	for len(line) > 0 && i < end {
		digits := 0
		for digits < len(line) && line[digits] >= '0' && line[digits] <= '9' {
			digits++
		}
		if digits > 0 {
			empty, err := strconv.Atoi(line[:digits])
			if err != nil || numbered || empty < 1 || strconv.Itoa(empty) != line[:digits] {
				return fmt.Errorf("%.20q: want the number of empty hexes", line)
			}
			i, line, numbered = i+min(empty, n+1), line[digits:], true
			continue
		}
		text, up := strings.CutPrefix(line, "+")
		kind := -1
		if text != "" {
			kind = strings.IndexByte(letters, text[0]&^32)
		}
		if kind < 0 || up && !promotes(kind) {
			return fmt.Errorf("%.20q: want a number, or a letter of %s in small or capitals, with + for promoted ones", line, letters)
		}
		side := text[0] >> 5 & 1
		if kind == queen && s.queens[side] != 0 {
			return fmt.Errorf("another Queen of %s", info.Sides[side])
		}
		if up {
			kind += promoted
		}
		s.put(side, kind, seen(side, first+i))
		i, line, numbered = i+1, text[1:], false
	}
	if i != end || line != "" {
		return fmt.Errorf("want %d hexes", n)
	}
	return nil
}

// readReserve reads the letters of a reserve.
func (s *State) readReserve(side uint8, word string) error {
	last := 0
	for _, c := range []byte(word) {
		kind := strings.IndexByte(letters[:hands], c)
		if kind < last || s.held[side] == most {
			return fmt.Errorf("want up to %d letters of %s, in this order", most, letters[:hands])
		}
		last = kind
		s.keep(side, kind, 1)
	}
	return nil
}

// AppendAction implements engine.State: c4-d5 moves, c4-d5+ promotes as well, c4+ promotes
// on the spot, S@b2 summons, place@b2 is for the formation.
func (s *State) AppendAction(dst []byte, a engine.Action) []byte {
	if s.side == 1 {
		a = turnAction(a)
	}
	x := int(a)
	switch {
	case x >= firstPlace:
		return append(append(dst, "place@"...), hex.Name(x-firstPlace)...)
	case x >= firstSummon:
		x -= firstSummon
		return append(append(dst, letters[x/hexes], '@'), hex.Name(x%hexes)...)
	}
	from, to := x/2/hexes, x/2%hexes
	dst = append(dst, hex.Name(from)...)
	if from != to {
		dst = append(append(dst, '-'), hex.Name(to)...)
	}
	if x&1 == 1 {
		dst = append(dst, '+')
	}
	return dst
}

// ParseAction implements engine.State.
func (s *State) ParseAction(word string, h *engine.History) (engine.Action, error) {
	a, err := readAction(word)
	if err != nil {
		return 0, err
	}
	if s.side == 1 {
		a = turnAction(a)
	}
	if kit.IsLegal(s, a, h) {
		return a, nil
	}
	return 0, fmt.Errorf("%s: %s", word, s.whyNot(a, h))
}

// readAction reads a word as side 0 numbers actions.
func readAction(word string) (engine.Action, error) {
	const forms = "want FROM-TO, FROM-TO+, HEX+, KIND@HEX or place@HEX"
	if what, on, ok := strings.Cut(word, "@"); ok {
		i := hex.Named(on)
		kind := strings.Index(letters[:hands], what)
		switch {
		case i < 0:
			return 0, fmt.Errorf("%.40q: no such hex", on)
		case what == "place":
			return engine.Action(firstPlace + i), nil
		case len(what) != 1 || kind < 0:
			return 0, fmt.Errorf("%.40q: want place or one of %s before the @", word, letters[:hands])
		}
		return engine.Action(firstSummon + hexes*kind + i), nil
	}
	body, up := strings.CutSuffix(word, "+")
	start, end, ok := strings.Cut(body, "-")
	if !ok {
		end = start
	}
	from, to := hex.Named(start), hex.Named(end)
	switch {
	case from < 0 && start != "" || to < 0 && end != "":
		return 0, fmt.Errorf("%.40q: no such hex; %s", word, forms)
	case from < 0 || to < 0 || ok == (from == to) || !ok && !up:
		return 0, fmt.Errorf("%.40q: %s", word, forms)
	}
	return engine.Action(2*(hexes*from+to) + asInt(up)), nil
}

// Board implements engine.State: row m on top, as south sees it.
func (s *State) Board(color bool) string {
	var b strings.Builder
	for r := rows - 1; r >= 0; r-- {
		fmt.Fprintf(&b, "%c ", 'a'+r)
		b.WriteString(strings.Repeat(" ", 2*max(r-divider, divider-r)))
		for i := starts[r]; i < starts[r+1]; i++ {
			kind, side := s.pieceAt(first + i)
			text := " " + s.ground(first+i)
			if kind >= 0 {
				text = kit.Paint(color, side, fmt.Sprintf("%2s", appendLetters(nil, kind, side)))
			}
			b.WriteString(text + "  ")
		}
		line := strings.TrimRight(b.String(), " ")
		b.Reset()
		b.WriteString(line + "\n")
	}
	return b.String()
}

// ground is what Board shows on an empty hex: whose territory it is.
func (s *State) ground(sq int) string {
	south, north := s.wake[0].Has(sq), s.wake[1].Has(sq^flip)
	switch {
	case south && north:
		return "x"
	case south:
		return ","
	case north:
		return "'"
	}
	return "."
}
