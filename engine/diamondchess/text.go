package diamondchess

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// letters has a letter for each kind: small for side 0, capital for side 1.
const letters = "tcgkhorsz"

func letter(kind int, side uint8) byte { return letters[kind] - 'a' + "aA"[side] }

// AppendPosition implements engine.State: the rows from 0, the side to act, the phase,
// and what differs from the usual: z and Z the squares of the zi ri, spent, moved (with
// flown for the zi ri), pack with each member's allowance, second, strikes, effect,
// turn, quiet, seen, passes.
func (s *State) AppendPosition(dst []byte) []byte { return kit.AppendLine(dst, s.line) }

// ParsePosition implements engine.State.
func (s *State) ParsePosition(line string) error {
	t := &State{game: s.game}
	return kit.ReadLine(s, t, line, t.line, t.check)
}

// line describes a position line.
func (s *State) line(l *kit.Line) {
	water := uint64(0)
	l.Board(kit.Letters{
		Rows: size, Cols: size, At: func(row, col int) byte { return s.sign(size*(size-1-row) + col) },
		Known: letters[:ziri] + strings.ToUpper(letters[:ziri]) + "~",
		Put: func(i, row, col int) {
			if sq := size*(size-1-row) + col; i == 2*ziri {
				water |= 1 << sq
			} else {
				s.put(uint8(i/ziri), i%ziri, sq)
			}
		},
	})
	if water != river&^s.occupied() {
		l.Fail("board: want ~ on the empty squares of the river, a dot on others")
	}
	kit.Choice(l, "side to act", &s.side, info.Sides[:]...)
	kit.Choice(l, "phase", &s.phase, phaseNames[:]...)
	named := func(key string, b *uint64) {
		l.Text(key, squareNames(*b), func(text string) (err error) {
			*b, err = readSquares(text)
			return err
		})
	}
	named("z", &s.pieces[0][ziri])
	named("Z", &s.pieces[1][ziri])
	spent := s.spent[0] | s.spent[1]
	named("spent", &spent)
	if spent&^s.occupied() != 0 {
		l.Fail("spent: nothing stands on %s", squareNames(spent&^s.occupied()))
	}
	if l.Reading() {
		s.spent = [2]uint64{spent & s.of(0), spent & s.of(1)}
	}
	named("moved", &s.moved)
	l.Flag("flown", &s.flown)
	named("pack", &s.pack)
	named("two", &s.two)
	named("three", &s.three)
	l.Flag("second", &s.second)
	kit.Number(l, "strikes", &s.strikes, 2)
	effect, quiet := s.quiet < 0, max(s.quiet, 0)
	l.Flag("effect", &effect)
	kit.Number(l, "turn", &s.turn, s.game.maxTurns)
	kit.Number(l, "quiet", &quiet, s.game.noCapture)
	if effect && quiet > 0 {
		l.Fail("quiet: none in a turn with an effect")
	}
	if effect {
		quiet = -1
	}
	if l.Reading() {
		s.quiet = quiet
	}
	kit.Number(l, "seen", &s.seen, s.game.repetition-1)
	kit.Number(l, "passes", &s.passes, 2)
}

// sign is the character of a square in a position line, where no zi ri shows.
func (s *State) sign(sq int) byte {
	switch kind, side := s.kindAt(sq); {
	case kind >= 0:
		return letter(kind, side)
	case river>>sq&1 != 0:
		return '~'
	}
	return '.'
}

// squareNames lists squares without a separator.
func squareNames(b uint64) string {
	var dst []byte
	for ; b != 0; b &= b - 1 {
		dst = appendSquare(dst, bits.TrailingZeros64(b))
	}
	return string(dst)
}

// readSquares reads squares in ascending order.
func readSquares(text string) (b uint64, err error) {
	if len(text)%2 != 0 {
		return 0, errors.New("want squares of two digits")
	}
	for i := 0; i < len(text); i += 2 {
		sq, err := readSquare(text[i : i+2])
		if err != nil {
			return 0, err
		}
		if b>>sq != 0 {
			return 0, errors.New("want the squares in ascending order")
		}
		b |= 1 << sq
	}
	return b, nil
}

func readSquare(text string) (int, error) {
	if len(text) != 2 || text[0] < '0' || text[0] > '7' || text[1] < '0' || text[1] > '7' {
		return 0, fmt.Errorf("square %q: want a row and a column, 0 to 7 each", text)
	}
	return int(text[0]-'0')<<3 | int(text[1]-'0'), nil
}

// AppendAction implements engine.State: 22-33 relocates or pounces, 44x45 strikes,
// 44x45z strikes the zi ri there, then stop and place:KIND.
func (s *State) AppendAction(dst []byte, a engine.Action) []byte {
	if s.side == 1 {
		a = turnAction(a)
	}
	switch {
	case a >= firstPlace:
		return append(append(dst, "place:"...), wordOf(int(a-firstPlace)+cani)...)
	case a == actionStop:
		return append(dst, "stop"...)
	case a >= firstAttack:
		a -= firstAttack
		from := int(a >> 4)
		dst = appendSquare(append(appendSquare(dst, from), 'x'), int(next[from][a>>1&7]))
		if a&1 != 0 {
			dst = append(dst, 'z')
		}
		return dst
	}
	return appendSquare(append(appendSquare(dst, int(a>>6)), '-'), int(a&63))
}

// wordOf is the name of a kind in one word.
func wordOf(kind int) string {
	if kind == ziri {
		return "ziri"
	}
	return kindNames[kind]
}

// ParseAction implements engine.State.
func (s *State) ParseAction(word string, h *engine.History) (engine.Action, error) {
	a, err := s.readAction(word)
	if err != nil {
		return 0, err
	}
	if s.side == 1 {
		a = turnAction(a)
	}
	if kit.IsLegal(s, a, h) {
		return a, nil
	}
	return 0, fmt.Errorf("%s: %s", word, s.whyNot(word))
}

// readAction reads a word as side 0 numbers actions.
func (s *State) readAction(word string) (engine.Action, error) {
	if word == "stop" {
		return actionStop, nil
	}
	if name, ok := strings.CutPrefix(word, "place:"); ok {
		for kind := cani; kind < kinds; kind++ {
			if wordOf(kind) == name {
				return engine.Action(firstPlace + kind - cani), nil
			}
		}
		return 0, fmt.Errorf("%.40q: no such piece to place", word)
	}
	body, z := strings.CutSuffix(word, "z")
	if len(body) != 5 || body[2] != '-' && body[2] != 'x' || z && body[2] == '-' {
		return 0, fmt.Errorf("%.40q: want FROM-TO, FROMxTO, FROMxTOz, stop or place:PIECE", word)
	}
	from, err := readSquare(body[:2])
	if err != nil {
		return 0, err
	}
	to, err := readSquare(body[3:])
	if err != nil {
		return 0, err
	}
	if body[2] == '-' {
		return engine.Action(squares*from + to), nil
	}
	for d, n := range next[from] {
		if int(n) == to {
			return engine.Action(firstAttack + 16*from + 2*d + int(asBit(z))), nil
		}
	}
	return 0, fmt.Errorf("%s: %s", word, whyFar)
}

// whyNot says why a well-formed word is no legal action.
func (s *State) whyNot(word string) string {
	switch {
	case s.Outcome().Over:
		return "the game is over"
	case s.phase == phaseSetup:
		return "a piece that is still in hand must be placed"
	case strings.HasPrefix(word, "place:"):
		return "the set-up is over"
	case word == "stop":
		return "a move or an attack is possible, and one must be made"
	}
	from, _ := readSquare(word[:2])
	to, _ := readSquare(word[3:5])
	strike := word[2] == 'x'
	switch {
	case s.ownKind(from) < 0:
		return info.Sides[s.side] + " has no piece there"
	case strike && s.phase != phaseStart && s.phase != phaseStrike:
		return "no attack after a move"
	case s.phase == phaseStrike && (!strike || s.ownKind(from) != khtsoyis):
		return "only the khtsoyis may strike again, or stop"
	case strike:
		return s.whyNoStrike(from, to, word[5:] != "")
	case s.phase == phasePack && s.pack>>from&1 == 0:
		return "only the other cani of the pack may move, or stop"
	case s.hasMoved(from):
		return "the piece has moved this turn"
	case s.phase == phaseSecond && s.ownKind(from) == sleeth && s.enemies()>>to&1 != 0:
		return "no attack after a move"
	}
	return s.whyNoMove(from, to)
}

// Board implements engine.State.
func (s *State) Board(color bool) string {
	var b strings.Builder
	b.WriteString("    0  1  2  3  4  5  6  7\n")
	for sq := range squares {
		if sq&7 == 0 {
			fmt.Fprintf(&b, "%d  ", sq>>3)
		}
		text := string(s.sign(sq))
		kind, side := s.kindAt(sq)
		for z := range uint8(2) {
			if s.pieces[z][ziri]>>sq&1 != 0 {
				if kind < 0 {
					text = ""
				}
				text += string(letter(ziri, z))
				side = z
			}
		}
		b.WriteString(kit.Paint(color && (kind >= 0 || s.zis()>>sq&1 != 0), side, text))
		if sq&7 == 7 {
			b.WriteByte('\n')
		} else {
			b.WriteString(strings.Repeat(" ", 3-len(text)))
		}
	}
	return b.String()
}
