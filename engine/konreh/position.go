package konreh

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

const pieceLetters = "ROGBrogb" // by kind, A's then B's

var laneWords = [4]string{"OL", "OR", "HL", "HR"}

var phaseWords = [numPhases]string{
	phaseMove: "m", phaseSecond: "d", phaseSpecial: "f", phaseSeed: "s", phasePlace: "p",
	phaseGreen: "g", phaseBuyHop: "bH", phaseBuyStep: "bD", phasePie: "pie", phaseOver: "over:",
}

func appendSquare(dst []byte, sq uint8) []byte { return append(dst, 'a'+sq>>3, '1'+sq&7) }

// parseSquare reads a square of the board; ok is false if word is none.
func (g *geometry) parseSquare(word string) (sq uint8, ok bool) {
	if len(word) != 2 {
		return 0, false
	}
	a, b := int(word[0])-'a', int(word[1])-'1'
	if a < 0 || a >= g.size || b < 0 || b >= g.size {
		return 0, false
	}
	return uint8(8*a + b), true
}

// AppendPosition implements [engine.State].
func (s *State) AppendPosition(dst []byte) []byte {
	g := s.game.geo
	for b := g.size - 1; b >= 0; b-- {
		gap := byte(0)
		for a := range g.size {
			sq := uint8(8*a + b)
			if (s.occ[0]|s.occ[1])>>sq&1 == 0 {
				gap++
				continue
			}
			if gap > 0 {
				dst = append(dst, '0'+gap)
				gap = 0
			}
			dst = append(dst, pieceLetters[4*(s.occ[1]>>sq&1)+uint64(s.kindAt(sq))])
		}
		if gap > 0 {
			dst = append(dst, '0'+gap)
		}
		if b > 0 {
			dst = append(dst, '/')
		}
	}
	dst = append(dst, ' ', 'A'+byte(s.side), ' ')
	dst = append(dst, phaseWords[s.phase]...)
	switch s.phase {
	case phaseSecond, phaseSeed:
		dst = appendSquare(dst, s.square)
	case phaseSpecial:
		dst = append(appendSquare(dst, s.square), laneWords[s.lane]...)
	case phasePlace:
		dst = append(dst, pieceLetters[s.runner])
	case phaseOver:
		dst = append(dst, reasonWords[s.why]...)
	}
	dst = s.appendBlue(append(dst, ' '), s.blues[0])
	dst = s.appendBlue(append(dst, ' '), s.blues[1])
	dst = strconv.AppendInt(append(dst, ' '), int64(s.quiet), 10)
	if s.progress {
		dst = append(dst, '+')
	}
	dst = strconv.AppendInt(append(dst, ' '), int64(s.turn), 10)
	if s.swapped {
		dst = append(dst, "/s"...)
	}
	return dst
}

func (s *State) appendBlue(dst []byte, b blueState) []byte {
	if b&hasHop != 0 {
		dst = append(dst, 'H')
	}
	if b&hasStep != 0 {
		dst = append(dst, 'D')
	}
	if b.specials() == 0 {
		dst = append(dst, '-')
	}
	number := func(name string, n int) {
		dst = strconv.AppendInt(append(dst, name...), int64(n), 10)
	}
	number(",r", b.rooted())
	number(",s", b.stay())
	number(",x", b.exclusion())
	number(",c", b.reforge())
	dst = append(dst, ",n"...)
	if b.ban() == 0 {
		dst = append(dst, '-')
	} else {
		dst = appendSquare(dst, s.game.geo.sanctums[b.ban()-1])
	}
	number(",h", b.left())
	number(",k", int(b>>boughtShift&1))
	if s.game.rules.seedLimit > 0 {
		number(",e", b.seeds())
	}
	return dst
}

// fieldNames name the fields of a position line in errors.
var fieldNames = [...]string{
	"board", "side", "phase", "Blue state of A", "Blue state of B", "quiet turns", "turn",
}

// ParsePosition implements [engine.State].
func (s *State) ParsePosition(line string) error {
	fields := strings.Split(line, " ")
	if len(fields) < len(fieldNames) {
		return fmt.Errorf("position: %d of %d fields separated by one space each: %s is missing",
			len(fields), len(fieldNames), fieldNames[len(fields)])
	}
	if len(fields) > len(fieldNames) {
		return fmt.Errorf("position: %q follows the last field, turn", fields[len(fieldNames)])
	}
	t := State{game: s.game, repetition: 1}
	parsers := [...]func(string) error{
		t.parseBoard, t.parseSide, t.parsePhase, t.parseBlue(sideA), t.parseBlue(sideB), t.parseQuiet, t.parseTurn,
	}
	for i, parse := range parsers {
		if err := parse(fields[i]); err != nil {
			return fmt.Errorf("position: field %d, %s, %q: %w", i+1, fieldNames[i], fields[i], err)
		}
	}
	t.second = t.phase == phaseSecond
	t.zobrist = t.zobristFromScratch()
	if err := t.check(); err != nil {
		return fmt.Errorf("position: %w", err)
	}
	*s = t
	return nil
}

func (s *State) parseBoard(field string) error {
	g := s.game.geo
	rows := strings.Split(field, "/")
	if len(rows) != g.size {
		return fmt.Errorf("%d rows, want %d", len(rows), g.size)
	}
	for i, row := range rows {
		b, a := g.size-1-i, 0
		wasGap := false
		for _, c := range []byte(row) {
			if c >= '1' && c <= '8' {
				if wasGap {
					return fmt.Errorf("row %d: two numbers in a row", b+1)
				}
				wasGap = true
				a += int(c - '0')
				continue
			}
			wasGap = false
			k := strings.IndexByte(pieceLetters, c)
			if k < 0 {
				return fmt.Errorf("row %d: unknown letter %q, want one of %s or 1 to %d", b+1, c, pieceLetters, g.size)
			}
			if a < g.size {
				s.toggle(engine.Side(k>>2), kind(k&3), uint8(8*a+b))
			}
			a++
		}
		if a != g.size {
			return fmt.Errorf("row %d: %d squares, want %d", b+1, a, g.size)
		}
	}
	return nil
}

func (s *State) parseSide(field string) error {
	switch field {
	case "A":
		s.side = sideA
	case "B":
		s.side = sideB
	default:
		return fmt.Errorf("want A or B")
	}
	return nil
}

func (s *State) parsePhase(field string) error {
	g := s.game.geo
	for p, word := range phaseWords {
		if field == word && phase(p) != phaseOver && word != "d" && word != "f" && word != "s" && word != "p" {
			s.phase = phase(p)
			return nil
		}
	}
	unknown := fmt.Errorf("unknown phase: want m, d<square>, f<square><lane>, s<square>, p<R, O or G>, g, bH, bD, pie or over:<reason>")
	if why, ok := strings.CutPrefix(field, "over:"); ok {
		for i, word := range reasonWords {
			if i > 0 && word == why {
				s.phase, s.why = phaseOver, reason(i)
				return nil
			}
		}
		return fmt.Errorf("unknown reason: want one of %s", strings.Join(reasonWords[1:], ", "))
	}
	if field == "" {
		return unknown
	}
	rest := field[1:]
	switch field[0] {
	case 'd', 's', 'f':
		s.phase = map[byte]phase{'d': phaseSecond, 's': phaseSeed, 'f': phaseSpecial}[field[0]]
		if s.phase == phaseSpecial {
			found := false
			for l, word := range laneWords {
				if head, ok := strings.CutSuffix(rest, word); ok {
					rest, s.lane, found = head, lane(l), true
				}
			}
			if !found {
				return fmt.Errorf("want a lane, one of %s, after the square", strings.Join(laneWords[:], ", "))
			}
		}
		sq, ok := g.parseSquare(rest)
		if !ok {
			return fmt.Errorf("%q is no square of this board", rest)
		}
		s.square = sq
		return nil
	case 'p':
		k := strings.Index("ROG", rest)
		if len(rest) != 1 || k < 0 {
			return fmt.Errorf("want the runner, R, O or G, after p")
		}
		s.phase, s.runner = phasePlace, kind(k)
		return nil
	}
	return unknown
}

// parseBlue returns the parser of a side's Blue state.
func (s *State) parseBlue(side engine.Side) func(string) error {
	return func(field string) error {
		r, g := &s.game.rules, s.game.geo
		parts := strings.Split(field, ",")
		names := []string{"r", "s", "x", "c", "n", "h", "k"}
		if r.seedLimit > 0 {
			names = append(names, "e")
		}
		if len(parts) != 1+len(names) {
			return fmt.Errorf("%d parts, want %d: specials,%s", len(parts), 1+len(names), strings.Join(names, ","))
		}
		var b blueState
		switch parts[0] {
		case "HD":
			b = hasHop | hasStep
		case "H":
			b = hasHop
		case "D":
			b = hasStep
		case "-":
		default:
			return fmt.Errorf("specials %q: want HD, H, D or -", parts[0])
		}
		stay, exclusion := r.crossStay, r.crossExclusion
		if stay == 0 {
			exclusion = 0
		}
		limits := map[string]struct {
			shift blueState
			max   int
		}{
			"r": {rootedShift, 2}, "s": {stayShift, stay}, "x": {exclShift, exclusion},
			"c": {reforgeShft, r.reforgeTurns}, "h": {leftShift, 2}, "k": {boughtShift, 1}, "e": {seedsShift, r.seedLimit},
		}
		for i, name := range names {
			value, ok := strings.CutPrefix(parts[1+i], name)
			if !ok {
				return fmt.Errorf("part %q: want %s and a value", parts[1+i], name)
			}
			if name == "n" {
				if value == "-" {
					continue
				}
				sq, ok := g.parseSquare(value)
				switch {
				case ok && sq == g.sanctums[0]:
					b |= 1 << banShift
				case ok && sq == g.sanctums[1]:
					b |= 2 << banShift
				default:
					return fmt.Errorf("ban %q is no Sanctum", value)
				}
				continue
			}
			limit := limits[name]
			n, err := parseCount(value)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if n > limit.max {
				return fmt.Errorf("%s is %d, above its limit of %d", name, n, limit.max)
			}
			b |= blueState(n) << limit.shift
		}
		s.blues[side] = b
		return nil
	}
}

// maxCount bounds the turn counts of a position line, far from overflow.
const maxCount = 1_000_000_000

// parseCount reads a number from 0 to maxCount in its shortest form.
func parseCount(word string) (int, error) {
	n, err := strconv.Atoi(word)
	if err != nil || strconv.Itoa(n) != word || n < 0 || n > maxCount {
		return 0, fmt.Errorf("%q is no number from 0 to %d", word, maxCount)
	}
	return n, nil
}

func (s *State) parseQuiet(field string) error {
	field, s.progress = strings.CutSuffix(field, "+")
	n, err := parseCount(field)
	s.quiet = int32(n)
	return err
}

func (s *State) parseTurn(field string) error {
	field, s.swapped = strings.CutSuffix(field, "/s")
	n, err := parseCount(field)
	s.turn = int32(n)
	return err
}
