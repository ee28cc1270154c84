package knaw

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// AppendPosition implements engine.State: the spaces of each side's pieces, the side to
// act, the phase, and what there is of: dice, die (2 if the errand is for the second),
// carried, piece, barred, space, south and north (points of contention at which they have
// rolled), resolver, turn.
func (s *State) AppendPosition(dst []byte) []byte {
	for side := range s.at {
		for piece, x := range s.at[side] {
			if piece > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, names[x]...)
		}
		dst = append(dst, ' ')
	}
	dst = append(dst, info.Sides[s.side]...)
	dst = append(append(dst, ' '), phaseNames[s.phase]...)
	if s.dice[0] != 0 {
		dst = kit.AppendField(dst, "dice", diceText(s.dice))
	}
	if s.die != 0 {
		dst = kit.AppendNumber(dst, "die", 2)
	}
	dst = kit.AppendNumber(dst, "carried", int(s.carried))
	for _, f := range [...]struct {
		key   string
		piece uint8
	}{{"piece", s.piece}, {"barred", s.barred}} {
		if f.piece != noPiece {
			dst = kit.AppendField(dst, f.key, pieceNames[f.piece])
		}
	}
	if s.onPath() {
		dst = kit.AppendField(dst, "space", names[s.space])
	}
	for side, b := range s.rolled {
		dst = kit.AppendField(dst, info.Sides[side], setText(b))
	}
	if s.resolver >= 0 {
		dst = kit.AppendField(dst, "resolver", info.Sides[s.resolver])
	}
	return kit.AppendNumber(dst, "turn", int(s.turn))
}

func (s *State) onPath() bool { return s.phase == phasePathRoll || s.phase == phasePath }

func diceText(dice [2]uint8) string {
	text := strconv.Itoa(int(dice[0]))
	if dice[1] != 0 {
		text += "+" + strconv.Itoa(int(dice[1]))
	}
	return text
}

// setText lists spaces with commas between.
func setText(b set) string {
	var list []string
	for ; !b.empty(); b = b.rest() {
		list = append(list, names[b.first()])
	}
	return strings.Join(list, ",")
}

// ParsePosition implements engine.State.
func (s *State) ParsePosition(line string) error {
	t := &State{game: s.game, piece: noPiece, barred: noPiece, resolver: -1}
	f := kit.NewFields(line)
	for side := range t.at {
		t.readPieces(f, side)
	}
	t.side = uint8(f.Choice("side to act", info.Sides[:]...))
	t.phase = phase(f.Choice("phase", phaseNames[:]...))
	t.readDice(f)
	if n := f.Number("die", 2); n == 1 {
		f.Fail("die=1: leave it out")
	} else if n == 2 {
		t.die = 1
	}
	t.carried = uint8(f.Number("carried", 6))
	for _, x := range [...]struct {
		key   string
		piece *uint8
	}{{"piece", &t.piece}, {"barred", &t.barred}} {
		if word := f.Value(x.key); word != "" {
			if *x.piece = pieceNamed(word); *x.piece == noPiece {
				f.Fail("%s=%.20s: want %s", x.key, word, strings.Join(pieceNames[:], ", "))
			}
		}
	}
	if word := f.Value("space"); word != "" {
		if b, err := readSet(word); err != nil || b.count() != 1 {
			f.Fail("space=%.20s: want one space", word)
		} else {
			t.space = uint8(b.first())
		}
		if !t.onPath() {
			f.Fail("space: only for a Path")
		}
	} else if t.onPath() {
		f.Fail("space: missing: what does the Path challenge?")
	}
	for side := range t.rolled {
		word := f.Value(info.Sides[side])
		b, err := readSet(word)
		if err != nil {
			f.Fail("%s=%.60s: %w", info.Sides[side], word, err)
		}
		t.rolled[side] = b
	}
	if word := f.Value("resolver"); word != "" {
		t.resolver = int8(slices.Index(info.Sides[:], word))
		if t.resolver < 0 {
			f.Fail("resolver=%.20s: want %s", word, strings.Join(info.Sides[:], ", "))
		}
	}
	t.turn = uint16(f.Number("turn", t.game.maxTurns))
	err := f.End()
	if err == nil {
		t.settle(0)
		t.settle(1)
		err = t.check()
	}
	if err == nil {
		*s = *t
	}
	return err
}

// readPieces reads where the pieces of a side stand.
func (s *State) readPieces(f *kit.Fields, side int) {
	text := f.Word("pieces of " + info.Sides[side])
	words := strings.Split(text, ",")
	if len(words) != pieces {
		f.Fail("pieces of %s: %.60q: want 6 spaces with commas between", info.Sides[side], text)
		return
	}
	for piece, word := range words {
		x, err := named(word)
		if err != nil {
			f.Fail("%s of %s: %w", pieceNames[piece], info.Sides[side], err)
		}
		s.at[side][piece] = uint8(x)
	}
}

func (s *State) readDice(f *kit.Fields) {
	word := f.Value("dice")
	if word == "" {
		return
	}
	for i, one := range strings.Split(word, "+") {
		n := strings.Index("0123456", one)
		if len(one) != 1 || n < 1 || i > 1 {
			f.Fail("dice=%.20s: want a number from 1 to 6, or two with + between", word)
			return
		}
		s.dice[i] = uint8(n)
	}
}

// readSet reads spaces in ascending order of their numbers.
func readSet(text string) (b set, err error) {
	if text == "" {
		return set{}, nil
	}
	for _, word := range strings.Split(text, ",") {
		x, err := named(word)
		if err != nil {
			return set{}, err
		}
		b = b.or(single(x))
	}
	if setText(b) != text {
		return set{}, fmt.Errorf("want spaces once each in the order %s", setText(b))
	}
	return b, nil
}

// pieceNamed is the piece of a name, noPiece for other words.
func pieceNamed(word string) uint8 {
	if i := slices.Index(pieceNames[:], word); i >= 0 {
		return uint8(i)
	}
	return noPiece
}

// AppendAction implements engine.State: go, PIECE>SPACE, errand:PIECE, path:PIECE>SPACE,
// and :2 behind what uses the second die. Dice are numbers, with + between those of a
// turn and - between those of a Path.
func (s *State) AppendAction(dst []byte, a engine.Action) []byte {
	switch {
	case s.phase == phasePathRoll:
		return append(dst, '1'+byte(a/6), '-', '1'+byte(a%6))
	case s.phase == phaseRoll && s.game.symmetric:
		return append(dst, '1'+byte(a/6), '+', '1'+byte(a%6))
	case s.Actor() == engine.Chance:
		return append(dst, '1'+byte(a))
	}
	d := s.decode(a)
	switch d.kind {
	case doGo:
		return append(dst, "go"...)
	case doErrand:
		dst = append(append(dst, "errand:"...), pieceNames[d.piece]...)
	default:
		if d.kind == doPath {
			dst = append(dst, "path:"...)
		}
		dst = append(append(append(dst, pieceNames[d.piece]...), '>'), names[d.space]...)
	}
	return append(dst, dieName(d.die)...)
}

// ParseAction implements engine.State.
func (s *State) ParseAction(word string, h *engine.History) (engine.Action, error) {
	switch s.Actor() {
	case engine.Nobody:
		return 0, errors.New("the game is over")
	case engine.Chance:
		return s.parseRoll(word, h)
	}
	d, err := readDeed(word)
	if err != nil {
		return 0, err
	}
	if a := s.action(d); slices.Contains(s.Legal(nil, nil), a) {
		return a, nil
	}
	return 0, fmt.Errorf("%s: %s", word, s.whyNot(&d))
}

func (s *State) parseRoll(word string, h *engine.History) (engine.Action, error) {
	a, err := kit.ParseWord(s, word, h)
	if err == nil {
		return a, nil
	}
	want := "a number from 1 to 6"
	switch {
	case s.phase == phasePathRoll:
		want = "two numbers such as 5-3, the mover's first, that give no tie"
	case s.phase == phaseRoll && s.game.symmetric:
		want = "two numbers such as 5+3"
	case s.phase == phaseErrandRoll && s.game.tie == tieReroll:
		want += ", no tie with " + strconv.Itoa(int(s.dice[s.die]))
	}
	return 0, fmt.Errorf("roll %.20q: want %s", word, want)
}

func readDeed(word string) (d deed, err error) {
	if word == "go" {
		return d, nil
	}
	body, second := strings.CutSuffix(word, dieName(1))
	if second {
		d.die = 1
	}
	d.kind = doMove
	if rest, ok := strings.CutPrefix(body, "path:"); ok && !second {
		body, d.kind = rest, doPath
	} else if rest, ok := strings.CutPrefix(body, "errand:"); ok {
		body, d.kind = rest, doErrand
	}
	name, to, ok := strings.Cut(body, ">")
	piece := pieceNamed(name)
	if piece == noPiece || ok == (d.kind == doErrand) {
		return d, fmt.Errorf("%.40q: want go, PIECE>SPACE, errand:PIECE or path:PIECE>SPACE, with one of %s", word, strings.Join(pieceNames[:], ", "))
	}
	d.piece = int(piece)
	if ok {
		d.space, err = named(to)
	}
	return d, err
}

// Board implements engine.State: a line for each wedge from the top clockwise, its spaces
// from the hub to the rim. * is a point of contention.
func (s *State) Board(color bool) string {
	var b strings.Builder
	for wedge := range wedges {
		var line [slots]string
		for x := range spaces {
			if w, slot := place(x); w == wedge {
				line[slot] = s.cellText(x, color)
			}
		}
		b.WriteString(strings.TrimRight(strings.Join(line[:], ""), " ") + "\n")
	}
	return b.String()
}

// cellText is a space of eight columns.
func (s *State) cellText(x int, color bool) string {
	text := names[x]
	if s.contention().has(x) {
		text += "*"
	}
	paint := ""
	for side := range s.at {
		for piece, at := range s.at[side] {
			if int(at) == x {
				text += ":" + letters(piece, side)
				paint = [sides]string{"\x1b[31m", "\x1b[34m"}[side]
			}
		}
	}
	pad := strings.Repeat(" ", 8-len(text))
	if color && paint != "" {
		return paint + text + "\x1b[0m" + pad
	}
	return text + pad
}

// letters are the type and the letter of a piece, in capitals for side 1.
func letters(piece, side int) string {
	text := pieceNames[piece][:1] + pieceNames[piece][len(pieceNames[piece])-1:]
	if side == 1 {
		return strings.ToUpper(text)
	}
	return text
}
