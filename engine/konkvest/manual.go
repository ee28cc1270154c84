package konkvest

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/manual"
)

var _ manual.Described = (*Game)(nil)

// Manual implements manual.Described.
func (g *Game) Manual() *manual.Manual {
	m := &manual.Manual{
		Planes: manualPlanes(), Globals: manualGlobals(), Terms: manualTerms(), Position: *manualLine(), Words: manualWords(),
		Lists: map[string][]string{"hexes": nil, "kinds": strings.Split(letters[:hands], "")},
		Packed: []manual.Bits{
			{Name: "hexes", Bits: 5, Count: hexes, Says: fmt.Sprintf("What stands on each hex, in the order of the list hexes: 0 for nothing, else 1 + its kind, %d more for north. Kinds: %s, from 0.", kinds, strings.Join(kindNames[:], ", "))},
			{Name: "rest", Bits: 8*packedBoard - 5*hexes, Count: 1, Says: "0."},
			{Name: "reserves", Bits: 4, Count: 2 * hands, Says: "How many of each kind south and north have in reserve, pawn to general: for each kind south's, then north's."},
			{Name: "side", Bits: 1, Count: 1, Says: "0 for south, 1 for north."},
			{Name: "step", Bits: 7, Count: 1, Says: "Decisions of the formation made, 16 after it."},
			{Name: "end", Bits: 8, Count: 1, Says: "0 while the game goes on, else " + strings.Join(reasons[1:], ", ") + ", from 1."},
			{Name: "seen", Bits: 8, Count: 1, Says: "Earlier occurrences of this position."},
			{Name: "runs", Bits: 16, Count: 2, Says: "Turns in a row that ended with an attack on the Queen, of south and of north."},
			{Name: "ply", Bits: 16, Count: 1, Says: "Actions after the formation."},
		},
		Sets: map[string][]string{"base-of-south": {hex.Name(cellOf(base))}, "base-of-north": {hex.Name(cellOf(base ^ flip))}},
	}
	for i := range hexes {
		name := hex.Name(i)
		m.Lists["hexes"] = append(m.Lists["hexes"], name)
		if hex.Row(i) >= divider {
			m.Sets["beyond-of-south"] = append(m.Sets["beyond-of-south"], name)
		}
		if hex.Row(i) <= divider {
			m.Sets["beyond-of-north"] = append(m.Sets["beyond-of-north"], name)
		}
	}
	for r := rows - 1; r >= 0; r-- {
		m.Board = append(m.Board, m.Lists["hexes"][starts[r]:starts[r+1]])
	}
	return m
}

func manualLine() *manual.Grammar {
	l := manual.Line("[a-m][0-9]+").
		Word("((?:\\+?[A-Za-z]|[0-9])+(?:/(?:\\+?[A-Za-z]|[0-9])+){12})", "board", "Rows m to a from hex 1, numbers for empty hexes; capitals south, small letters north: "+letters+" for "+strings.Join(kindNames[:promoted], ", ")+"; + before a promoted piece.").
		Word(manual.Names(info.Sides[:]...), "side", "The side to act.").
		Word("(play|formation)", "phase", "Whether pieces are still set up.")
	for _, side := range info.Sides {
		l.Key(side, "(["+letters[:hands]+"]+)", side, "What "+side+" has in reserve.")
	}
	for _, side := range info.Sides {
		l.Key(side+"-attacks", "([0-9]+)", side+"-attacks", "Turns in a row of "+side+" that ended with an attack on the Queen.")
	}
	return l.Key("ply", "([0-9]+)", "ply", "Actions after the formation.").Key("seen", "([0-9]+)", "seen", "Earlier occurrences of this position.").
		Key("end", "([a-z-]+)", "end", "Why the game has ended.")
}

func manualWords() []manual.Word {
	seen := func(group int) string {
		return fmt.Sprintf("(side (index hexes %d) (- %d (index hexes %d)))", group, hexes-1, group)
	}
	return []manual.Word{
		{Pattern: "([a-m][0-9]+)-([a-m][0-9]+)(\\+?)", Says: "A move from one hex to another; +: with a promotion.",
			Action: manual.F(fmt.Sprintf("(+ (* %d %s) (* 2 %s) (is 3 +))", 2*hexes, seen(1), seen(2)))},
		{Pattern: "([a-m][0-9]+)\\+", Says: "A promotion where the piece stands.", Action: manual.F(fmt.Sprintf("(+ (* %d %s) 1)", 2*hexes+2, seen(1)))},
		{Pattern: "([" + letters[:hands] + "])@([a-m][0-9]+)", Says: "A piece is summoned from the reserve.", Action: manual.F(fmt.Sprintf("(+ %d (* %d (index kinds 1)) %s)", firstSummon, hexes, seen(2)))},
		{Pattern: "place@([a-m][0-9]+)", Says: "The next piece of the formation is placed.", Action: manual.F(fmt.Sprintf("(+ %d %s)", firstPlace, seen(1)))},
	}
}

// whose writes sentences about either side.
var whose = [2]string{"the side to act", "the other side"}

// pieceOn is a formula for the pieces of some kinds, of the side to act or the other.
func pieceOn(own int, kinds ...int) string {
	var text [2]string
	for side := range text {
		for _, k := range kinds {
			text[side] += " " + string(appendLetters(nil, k, uint8(side)))
		}
	}
	return manual.Side("(on"+text[own]+")", "(on"+text[1-own]+")")
}

func manualPlanes() (list []manual.Input) {
	add := func(says, formula string) {
		list = append(list, manual.Input{Name: info.Features.PlaneNames[len(list)], Says: says, Is: manual.F(formula)})
	}
	for own, who := range whose {
		for kind, name := range kindNames {
			add("Each "+name+" of "+who+".", pieceOn(own, kind))
		}
	}
	add("All hexes.", "(board)")
	add("The base of the side to act.", manual.Side("(set base-of-south)", "(set base-of-north)"))
	add("The base of the other side.", manual.Side("(set base-of-north)", "(set base-of-south)"))
	add("Hexes in the wake of the acting side's pawns and Queen and not of the other's. A wake is, by the option wake, all that a step back left or back right after another leads to (cone), all straight behind (column), or all from the piece's row back (rows); with the piece's own hex.", "(minus (term own-wake) (term other-wake))")
	add("Hexes in the wake of the other side's pawns and Queen and not of the acting side's.", "(minus (term other-wake) (term own-wake))")
	add("Hexes in the wakes of both sides.", "(and (term own-wake) (term other-wake))")
	add("Own territory from the divider on, all of it without own pawns.", "(term own-promotional)")
	add("The same of the other side.", "(term other-promotional)")
	for i, who := range [2]string{"own", "other"} {
		add("Hexes that a piece of "+whose[i]+" attacks, whoever stands there.", "(many 1 (term "+who+"-pieces) (term "+who+"-attacks))")
		add("Hexes that two or more of its pieces attack.", "(many 2 (term "+who+"-pieces) (term "+who+"-attacks))")
		add("Empty hexes to which a piece of "+whose[i]+" could go by a move that cannot capture.", "(term "+who+"-relocations)")
	}
	return list
}

func manualGlobals() (list []manual.Input) {
	add := func(says, formula string) {
		list = append(list, manual.Input{Name: info.Features.GlobalNames[len(list)], Says: says, Is: manual.F(formula)})
	}
	for own, who := range whose {
		for k, name := range kindNames[:hands] {
			l := letters[k : k+1]
			add("Pieces of kind "+name+" in the reserve of "+who+", divided by 4.",
				fmt.Sprintf("(/ %s 4)", manual.Side("(letters "+info.Sides[own]+" "+l+")", "(letters "+info.Sides[1-own]+" "+l+")")))
		}
	}
	for i, k := range formation {
		// 18 pieces stand before the first decision.
		placed := "(- (+ (count (term own-pieces)) (count (term other-pieces))) 18)"
		add("1 in the formation if a "+kindNames[k]+" is placed next.", fmt.Sprintf("(min (field phase formation) (< %d %s) (< %s %d))", 4*i-1, placed, placed, 4*i+4))
	}
	add("Actions after the formation, divided by max_plies.", "(/ (field ply) (option "+engine.PliesOption+"))")
	for own, who := range whose {
		add("Turns in a row of "+who+" that ended with an attack on the Queen, 4 at most, divided by 4.",
			"(/ (min 4 "+manual.Side("(field "+info.Sides[own]+"-attacks)", "(field "+info.Sides[1-own]+"-attacks)")+") 4)")
	}
	add("1 if the position was there before.", "(min 1 (field seen))")
	for _, o := range options {
		for _, v := range o.Values {
			if o.Name != "formation" && v != o.Default {
				add("1 under "+o.Name+"="+v+".", "(option "+o.Name+" "+v+")")
			}
		}
	}
	return list
}
