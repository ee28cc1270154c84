package konreh

import (
	"strings"

	"github.com/ludozero/ludozero/engine/manual"
)

var _ manual.Described = (*Game)(nil)

// Manual implements manual.Described.
func (g *Game) Manual() *manual.Manual {
	return &manual.Manual{
		Planes: manualPlanes(), Globals: manualGlobals(),
		Terms:    slideTerms(),
		Position: *manualLine(),
		Words: []manual.Word{
			{Pattern: "([a-h][1-8])([a-h][1-8])", Says: "A slide from one square to another.",
				Action: manual.F("(+ (at 1) (* 64 (find (- (at 2) (at 1)) 8 16 24 32 40 1 2 3 4 5 -1 -2 -3 -4 -8 -16 -24 -32)))")},
			{Pattern: `([a-h][1-8])\*([a-h][1-8])`, Says: "A Displacement by Blue from one square to another.",
				Action: manual.F("(+ (at 1) (* 64 (+ 18 (find (- (at 2) (at 1)) 8 1 -1 -8))))")},
			{Pattern: `([a-h][1-8])\^([a-h][1-8])`, Says: "A Hop by Blue from one square to another.",
				Action: manual.F("(+ (at 1) (* 64 (+ 22 (find (- (at 2) (at 1)) 16 2 -2 -16))))")},
			{Pattern: "-([a-h][1-8])", Says: "The Green on a square is given up.", Action: manual.F("(+ (at 1) (* 64 26))")},
			{Pattern: strings.Join(words[:], "|"), Says: "A decision without a square; the list words has them.", Action: manual.F("(+ (* 64 27) (index words 0))")},
		},
		Lists: map[string][]string{"words": words[:]},
		Packed: []manual.Bits{
			{Name: "pieces", Bits: 64, Count: 2, Says: "The squares of A's pieces, then those of B: bit 8·a + b, a and b from a1."},
			{Name: "kinds", Bits: 64, Count: 2, Says: "The squares with Orange and Blue, then those with Green and Blue; Red is in neither."},
			{Name: "Blue states", Bits: 32, Count: 2, Says: "Of A and B: bit 0 Hop, 1 Displacement, 2 Rooted (2 bits), 4 stay, 8 exclusion, 12 Reforge (4 bits each), 16 ban (2 bits: 1 the Sanctum left of A, 2 that on the right), 18 Home left (2 bits), 20 bought back, 21 Seeds (4 bits)."},
			{Name: "quiet", Bits: 32, Count: 1, Says: "Player turns without progress."},
			{Name: "turn", Bits: 32, Count: 1, Says: "Finished player turns."},
			{Name: "phase", Bits: 7, Count: 1, Says: "m, d, f, s, p, g, bH, bD, pie, over of a position line, from 0."},
			{Name: "side", Bits: 1, Count: 1, Says: "0 for A, 1 for B."},
			{Name: "square", Bits: 8, Count: 1, Says: "The square of the phase."},
			{Name: "lane", Bits: 4, Count: 1, Says: "OL, OR, HL, HR of a position line, from 0."},
			{Name: "runner", Bits: 4, Count: 1, Says: "Red, Orange, Green, from 0."},
			{Name: "reason", Bits: 4, Count: 1, Says: "Why the game has ended, 0 while it goes on."},
			{Name: "flags", Bits: 1, Count: 4, Says: "The opening double move has begun its second move; progress in this turn; sides exchanged; 0."},
			{Name: "occurrence", Bits: 8, Count: 1, Says: "How often the position has been there, with this time."},
		},
		Board: g.manualBoard(),
		Sets: map[string][]string{
			"Cross": squareNames(g.geo.cross), "Sanctums": squareNames(1<<g.geo.sanctums[0] | 1<<g.geo.sanctums[1]),
			"Home-of-A": squareNames(1 << g.geo.homes[0]), "Home-of-B": squareNames(1 << g.geo.homes[1]),
		},
	}
}

// manualBoard names the squares in the order of a position line.
func (g *Game) manualBoard() (rows [][]string) {
	for b := g.geo.size - 1; b >= 0; b-- {
		var row []string
		for a := range g.geo.size {
			row = append(row, string(appendSquare(nil, uint8(8*a+b))))
		}
		rows = append(rows, row)
	}
	return rows
}

func squareNames(b uint64) (names []string) {
	for ; b != 0; b &= b - 1 {
		names = append(names, string(appendSquare(nil, squareOf(b))))
	}
	return names
}

func manualLine() *manual.Grammar {
	l := manual.Line("[a-h][1-8]").
		Word("([ROGBrogb1-8]+(?:/[ROGBrogb1-8]+)+)", "board", "The rows from the highest digit, files from a, with numbers for empty squares; capitals are A's pieces.").
		Word("([AB])", "side", "The side to act.").
		Word("(pie|bH|bD|over:|[mdfspg])([a-h][1-8])?(OL|OR|HL|HR)?([ROG])?([a-z-]*)",
			"phase", "m a move; d the second move of the opening; f a special after a slide; s a Seed; p a placement after a plant; g a Green for the Apex; bH and bD a Green for a Hop or a Displacement; pie hold or swap; over: the end.",
			"square", "d: the piece that moved first; f and s: Blue.", "lane", "f: the direction of the special, onward or homeward, left or right.", "runner", "p: the piece that planted.", "reason", "over: why.")
	for _, side := range []string{"A", "B"} {
		l.Word("(HD|H|D|-),r([0-9]+),s([0-9]+),x([0-9]+),c([0-9]+),n(-|[a-h][1-8]),h([0-9]+),k([01])(?:,e([0-9]+))?",
			side+"-specials", "Blue's specials left: H Hop, D Displacement.", side+"-Rooted", "The Rooted mark.", side+"-stay", "Turns that ended in the Cross.",
			side+"-exclusion", "Turns for which the Cross is barred.", side+"-Reforge", "Turns left to plant.", side+"-ban", "The Sanctum from which Blue may not seed.",
			side+"-Home", "0 before Blue left Home, 2 in the turn in which it does, then 1.", side+"-bought", "1 once a special was bought back.", side+"-Seeds", "Seeds made, if they are limited.")
	}
	return l.Word("([0-9]+)(\\+)?", "quiet", "Player turns without progress.", "progress", "+ if this turn has made some.").
		Word("([0-9]+)(/s)?", "turn", "Finished player turns.", "swapped", "/s once the sides were exchanged.")
}

func manualPlanes() (list []manual.Input) {
	add := func(name, says, formula string) {
		list = append(list, manual.Input{Name: name, Says: says, Is: manual.F(formula)})
	}
	for i, who := range [2]string{"own ", "other "} {
		for k, name := range kindWords {
			letters := [2]string{pieceLetters[k : k+1], pieceLetters[4+k : 5+k]}
			add(who+name, name+" of the "+[2]string{"side to act.", "other side."}[i], manual.Side("(on "+letters[i]+")", "(on "+letters[1-i]+")"))
		}
	}
	add("board", "All squares of the board.", "(board)")
	own, other := manual.Both("(named $-ban)", info.Sides)
	add("own Sanctum ban", "The Sanctum from which the acting side's Blue may not seed, as the position line says.", own)
	add("other Sanctum ban", "The Sanctum from which the other side's Blue may not seed.", other)
	add("moved first", "In phase d, the piece that has moved first.", "(if (field phase d) (named square) (none))")
	add("Blue with a special or Seed to decide", "In phases f and s, the square of the phase.", "(if (max (field phase f) (field phase s)) (named square) (none))")
	add("own ZoC", "Squares beside a piece of the side to act, by an edge.", "(term own-ZoC)")
	add("other ZoC", "Squares beside a piece of the other side, by an edge.", "(term other-ZoC)")
	add("Cross", "The four squares in the middle; none if cross_stay is 0.", "(if (option cross_stay) (set Cross) (none))")
	add("own Home Apex", "The corner where the side to act sits: cell 0.", "(view 0)")
	add("other Home Apex", "The opposite corner.", manual.Side("(set Home-of-B)", "(set Home-of-A)"))
	add("Sanctums", "The two other corners.", "(set Sanctums)")
	add("own slides end", "Squares on which a slide of a piece of the side to act, Blue too, could end if it began a turn now.", "(term own-slides-end)")
	add("other slides end", "The same for the other side.", "(term other-slides-end)")
	add("own specials capture", "Enemies that the specials of the acting side's Blue could capture if it began a turn now, at once or after a slide.", "(term own-specials-capture)")
	add("other specials capture", "The same for the other side.", "(term other-specials-capture)")
	return list
}
