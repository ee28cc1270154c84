package heuristics

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// MaxReadings bounds the readings of a move that are followed: the first ones found.
const MaxReadings = 256

// Reading is one way to read a move: the position before it and the words played.
type Reading struct {
	Before konreh.State
	Words  []string
	After  konreh.State
}

// ReadMove is what became of a move of the book's game.
type ReadMove struct {
	ID, Side string
	// Text is what the book says, as logs write it; "" if it says no move.
	Text string
	// Readings are the legal ones; none if the move is refused.
	Readings []Reading
	// Refused are reasons why it is, the most frequent ones first: a piece that might
	// be meant, and the rule.
	Refused []string
}

// ReadGame plays the game of the book from the start under the rules of g, in all ways
// that it can be read at once. A part that no reading allows is left out, and the turn
// passes: what follows is read from there. History and repetitions are left aside.
func ReadGame(g *konreh.Game, moves []BookMove) []ReadMove {
	s := g.NewState().(*konreh.State)
	s.Start(nil)
	at := []konreh.State{*s}
	var list []ReadMove
	for _, m := range moves {
		side := engine.Side(0)
		if m.Side == "B" {
			side = 1
		}
		for i, part := range m.Play {
			x := ReadMove{ID: m.ID, Side: m.Side, Text: part.String()}
			if len(m.Play) > 1 {
				x.ID = fmt.Sprintf("%s.%d", m.ID, i+1)
			}
			x.Readings = readAll(at, side, &part)
			if len(x.Readings) > 0 {
				at = nil
				for k := range x.Readings {
					if after := x.Readings[k].After; !slices.ContainsFunc(at, func(o konreh.State) bool { return line(&o) == line(&after) }) {
						at = append(at, after)
					}
				}
			} else {
				x.Refused = reasons(at, side, &part)
			}
			list = append(list, x)
		}
		if len(m.Play) == 0 {
			list = append(list, ReadMove{ID: m.ID, Side: m.Side})
		}
		at = passed(at, side)
	}
	return list
}

func line(s *konreh.State) string { return string(s.AppendPosition(nil)) }

// passed are the positions with the other side to move, as if a turn that is not over
// were: one that was refused, or the rest of the double move.
func passed(at []konreh.State, side engine.Side) []konreh.State {
	var list []konreh.State
	for i := range at {
		s := at[i]
		if s.Outcome().Over {
			continue
		}
		if s.Side() == side {
			fields := strings.Fields(line(&s))
			fields[1] = []string{"B", "A"}[side]
			fields[2] = "m"
			turn, _ := strconv.Atoi(fields[6])
			fields[5], fields[6] = strings.TrimSuffix(fields[5], "+"), strconv.Itoa(turn+1)
			if s.ParsePosition(strings.Join(fields, " ")) != nil {
				continue // a Blue that is being placed cannot wait
			}
		}
		list = append(list, s)
	}
	return list
}

// String is what the book says, as logs write it.
func (p *BookPart) String() string {
	words := []string{}
	add := func(format, value string) {
		if value != "" {
			words = append(words, fmt.Sprintf(format, value))
		}
	}
	add("%s", p.Piece)
	add("%s", p.Way)
	add("x%s", p.Takes)
	add("[S:%s]", p.Special)
	add("into %s", strings.ReplaceAll(p.Into, "-", " "))
	if p.Seed {
		words = append(words, "[Seed]")
	}
	if p.Plants {
		words = append(words, "a runner [Plant]")
	}
	return strings.Join(words, " ")
}

// seenPart is what the decisions of a part have done so far.
type seenPart struct {
	piece, way, special, takes, end string
	seed, plants                    bool
}

const pieceLetters = "ROGB"

// readAll lists the readings of part in all positions.
func readAll(at []konreh.State, side engine.Side, part *BookPart) []Reading {
	var list []Reading
	for i := range at {
		if at[i].Side() != side || at[i].Outcome().Over {
			continue
		}
		follow(&at[i], &at[i], part, seenPart{}, nil, func(r Reading) {
			if len(list) < MaxReadings {
				list = append(list, r)
			}
		})
	}
	return list
}

// follow tries all decisions of the part from s, which began in before.
func follow(before, s *konreh.State, part *BookPart, seen seenPart, words []string, found func(Reading)) {
	legal := s.Legal(nil, nil)
	if strings.IndexByte("pg", phaseOf(s)) >= 0 {
		legal = legal[:1] // where Blue is placed is not said
	}
	for _, a := range legal {
		next := *s
		next.Apply(a, nil)
		x := seen
		x.add(s, &next, a)
		said := append(slices.Clip(words), string(s.AppendAction(nil, a)))
		if next.Side() == s.Side() && next.Turn() == s.Turn() && !next.Outcome().Over && strings.IndexByte("spfg", phaseOf(&next)) >= 0 {
			follow(before, &next, part, x, said, found)
			continue
		}
		if x.fits(part, before.Side()) {
			found(Reading{*before, said, next})
		}
	}
}

// phaseOf is the first letter of the phase in the position line.
func phaseOf(s *konreh.State) byte { return strings.Fields(line(s))[2][0] }

// add notes what action a, played in s and leading to next, does.
func (x *seenPart) add(s, next *konreh.State, a engine.Action) {
	word := string(s.AppendAction(nil, a))
	f := s.Effect(a)
	if f.Mover != konreh.NoPiece {
		x.piece, x.end = pieceLetters[f.Mover:f.Mover+1], word[len(word)-2:]
		x.plants = x.plants || f.Plants
	}
	if f.Captured != konreh.NoPiece {
		x.takes = pieceLetters[f.Captured : f.Captured+1]
	}
	switch {
	case word == "seed":
		x.seed = true
	case len(word) == 5 && word[2] == '^':
		x.special = "H"
	case len(word) == 5 && word[2] == '*':
		x.special = "D"
	case f.Mover != konreh.NoPiece:
		note := strings.Fields(string(s.AppendAnnotation(nil, a, next))) // "R onL 2xG"
		steps, _, _ := strings.Cut(note[2], "x")
		x.way = note[1] + " " + steps
	}
}

// fits tells whether what was done is what the book says, and no Seed besides.
func (x *seenPart) fits(p *BookPart, side engine.Side) bool {
	said := func(want, got string) bool { return want == "" || want == got }
	return said(p.Piece, x.piece) && said(p.Way, x.way) && p.Special == x.special && said(p.Takes, x.takes) &&
		p.Seed == x.seed && (!p.Plants || x.plants) && inZone(p.Into, x.end, side)
}

func inZone(zone, square string, side engine.Side) bool {
	switch zone {
	case "cross":
		return slices.Contains([]string{"d4", "d5", "e4", "e5"}, square)
	case "sanctum":
		return square == "h1" || square == "a8"
	case "right-sanctum":
		return square == []string{"a8", "h1"}[side]
	}
	return true
}

// reasons says why no position allows the part.
func reasons(at []konreh.State, side engine.Side, part *BookPart) []string {
	counts := map[string]int{}
	for i := range at {
		s := &at[i]
		if s.Side() != side {
			continue
		}
		kind := strings.Index(pieceLetters, part.Piece)
		if part.Piece == "" || part.Way == "" || kind < 0 {
			counts["no such move is legal"]++
			continue
		}
		army := s.Game().Seen(side, s.Army(side)[kind])
		if army == 0 {
			counts["no such piece is on the board"]++
		}
		for sq := range 64 {
			if army>>sq&1 != 0 {
				counts[refusal(s, sq, side, part)]++
			}
		}
	}
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}

// refusal says why the piece on square sq cannot go the way of the part, or what fails
// if it can.
func refusal(s *konreh.State, sq int, side engine.Side, part *BookPart) string {
	lane, number, _ := strings.Cut(part.Way, " ")
	steps, _ := strconv.Atoi(number)
	step := map[string][2]int{"onL": {1, 0}, "onR": {0, 1}, "hmL": {0, -1}, "hmR": {-1, 0}}[lane]
	if side == 1 {
		step[0], step[1] = -step[0], -step[1]
	}
	a, b := sq>>3+steps*step[0], sq&7+steps*step[1]
	from := konreh.SquareName(sq)
	if a < 0 || a > 7 || b < 0 || b > 7 {
		return from + ": the way leads off the board"
	}
	word := from + konreh.SquareName(8*a+b)
	if _, err := s.ParseAction(word, nil); err != nil {
		_, why, _ := strings.Cut(err.Error(), ": ")
		return word + ": " + why
	}
	return word + " is legal, but not with all that is said of it"
}
