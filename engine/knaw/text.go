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
func (s *State) AppendPosition(dst []byte) []byte { return kit.AppendLine(dst, s.line) }

// ParsePosition implements engine.State.
func (s *State) ParsePosition(line string) error {
	t := &State{game: s.game, piece: noPiece, barred: noPiece, resolver: -1}
	return kit.ReadLine(s, t, line, t.line, t.check)
}

// line describes a position line.
func (s *State) line(l *kit.Line) {
	for side := range s.at {
		var at []string
		for _, x := range s.at[side] {
			at = append(at, names[x])
		}
		l.Word("pieces of "+info.Sides[side], strings.Join(at, ","), func(word string) error { return s.readPieces(side, word) })
	}
	if l.Reading() {
		s.settleBoth()
	}
	kit.Choice(l, "side to act", &s.side, info.Sides[:]...)
	kit.Choice(l, "phase", &s.phase, phaseNames[:]...)
	l.Text("dice", diceText(s.dice), s.readDice)
	kit.Name(l, "die", &s.die, 0, "", "2")
	kit.Number(l, "carried", &s.carried, 6)
	kit.Name(l, "piece", &s.piece, noPiece, pieceNames[:]...)
	kit.Name(l, "barred", &s.barred, noPiece, pieceNames[:]...)
	space := ""
	if s.onPath() && !l.Reading() {
		space = names[s.space]
	}
	l.Text("space", space, func(word string) error {
		x, err := named(word)
		s.space, space = uint8(x), word
		return err
	})
	switch {
	case space != "" && !s.onPath():
		l.Fail("space: only for a Path")
	case space == "" && s.onPath():
		l.Fail("space: missing: what does the Path challenge?")
	}
	for side, name := range info.Sides {
		l.Text(name, setText(s.rolled[side]), func(text string) (err error) {
			s.rolled[side], err = readSet(text)
			return err
		})
	}
	kit.Name(l, "resolver", &s.resolver, -1, info.Sides[:]...)
	kit.Number(l, "turn", &s.turn, s.game.maxTurns)
}

func (s *State) onPath() bool { return s.phase == phasePathRoll || s.phase == phasePath }

func diceText(dice [2]uint8) (text string) {
	for _, n := range dice {
		if n != 0 && text != "" {
			text += "+"
		}
		if n != 0 {
			text += strconv.Itoa(int(n))
		}
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

// readPieces reads where the pieces of a side stand.
func (s *State) readPieces(side int, text string) error {
	words := strings.Split(text, ",")
	if len(words) != pieces {
		return fmt.Errorf("%.60q: want 6 spaces with commas between", text)
	}
	for piece, word := range words {
		x, err := named(word)
		if err != nil {
			return fmt.Errorf("%s: %w", pieceNames[piece], err)
		}
		s.at[side][piece] = uint8(x)
	}
	return nil
}

func (s *State) readDice(text string) error {
	for i, one := range strings.Split(text, "+") {
		n := strings.Index("0123456", one)
		if len(one) != 1 || n < 1 || i > 1 {
			return errors.New("want a number from 1 to 6, or two with + between")
		}
		s.dice[i] = uint8(n)
	}
	return nil
}

// readSet reads spaces in ascending order of their numbers.
func readSet(text string) (b set, err error) {
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
	if a := s.action(d); kit.IsLegal(s, a, h) {
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
	width := len(text)
	for side := range s.at {
		for piece, at := range s.at[side] {
			if int(at) == x {
				text += ":" + letters(piece, side)
				width = len(text)
				text = kit.Paint(color, uint8(side), text)
			}
		}
	}
	return text + strings.Repeat(" ", 8-width)
}

// letters are the type and the letter of a piece, in capitals for side 1.
func letters(piece, side int) string {
	text := pieceNames[piece][:1] + pieceNames[piece][len(pieceNames[piece])-1:]
	if side == 1 {
		return strings.ToUpper(text)
	}
	return text
}
