package elements

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/manual"
)

var _ manual.Described = (*Game)(nil)

// Manual implements manual.Described.
func (g *Game) Manual() *manual.Manual {
	m := &manual.Manual{
		Planes: manualPlanes(), Globals: manualGlobals(), Terms: manualTerms(), Position: *manualLine(), Words: manualWords(),
		Lists: map[string][]string{"directions": dirNames[:], "kinds": nil, "squares": nil},
		Packed: []manual.Bits{
			{Name: "kinds", Bits: 8, Count: kinds, Says: fmt.Sprintf("Where each of %s is: its square 9·row + column, %d more on the board of blue; %d and %d in the reserve of red and blue, %d in the draft area.", strings.Join(kindNames[:], ", "), packedSide, inReserve, inReserve+1, inDraft)},
			{Name: "copies", Bits: 88, Count: 2, Says: "Squares of red's copies of Mirror, then of blue's."},
			{Name: "slot", Bits: 8, Count: 1, Says: "The slot of the turn indicator."},
			{Name: "under", Bits: 8, Count: 1, Says: "The piece beneath another on the goal: 1 + its kind, 32 more for blue, 64 more for a copy; 0 for none."},
			{Name: "phase", Bits: 4, Count: 1, Says: strings.Join(phaseNames[:], ", ") + ", from 0."},
			{Name: "flags", Bits: 1, Count: 4, Says: "Blue acts; Leadership has given its action away; the turn begins with this decision; 0."},
			{Name: "drafts", Bits: 8, Count: 1, Says: "Drafts left in the phase draft."},
			{Name: "turn", Bits: 16, Count: 1, Says: "Finished turns."},
			{Name: "seen", Bits: 8, Count: 1, Says: "Earlier turns that began with this position."},
		},
		Sets: map[string][]string{}, Numbers: map[string]float64{},
	}
	for kind := range kinds {
		m.Lists["kinds"] = append(m.Lists["kinds"], kindWord(kind))
	}
	for sq := range squares {
		m.Lists["squares"] = append(m.Lists["squares"], string(appendSquare(nil, sq)))
	}
	for r := range g.rows {
		m.Board = append(m.Board, m.Lists["squares"][size*r:size*r+g.cols])
	}
	names := func(b set) []string {
		list := []string{}
		for ; !b.Empty(); b = b.Rest() {
			list = append(list, m.Lists["squares"][b.First()])
		}
		return list
	}
	for z, b := range g.zone {
		m.Sets["zone "+zoneLetters[z:z+1]] = names(b)
		cycled := set{}
		if z < zoneWhite && slices.Contains(g.cycle, uint8(2+z)) {
			cycled = b
		}
		m.Sets["cycled "+zoneLetters[z:z+1]] = names(cycled)
	}
	for slot, x := range g.cycle {
		now := set{}
		if x >= 2 {
			now = g.zone[x-2]
		}
		m.Sets[fmt.Sprintf("now %d", slot)] = names(now)
		for i := range territories {
			b := set{}
			if i < len(g.order[slot]) {
				b = g.zone[g.order[slot][i]]
			}
			m.Sets[fmt.Sprintf("next %d %d", slot, i)] = names(b)
		}
		for j := 1; j < maxCycle; j++ {
			owner := int(g.cycle[(slot+j)%len(g.cycle)])
			if owner >= 2 {
				owner = 2 + slices.Index(g.order[slot], uint8(owner-2))
			}
			m.Numbers[fmt.Sprintf("owner %d %d", slot, j)] = float64(owner)
		}
	}
	return m
}

func manualLine() *manual.Grammar {
	number := "([0-9]+)"
	return manual.Line("[0-8]{2}").
		Word("([a-zA-Z.]{3,9}(?:/[a-zA-Z.]{3,9}){2,8})", "board", "Rows from 0, columns from 0, a dot for an empty square; small letters red, capitals blue: "+letters[:kinds]+" for "+strings.Join(kindNames[:], ", ")+", x for a copy of Mirror.").
		Word(manual.Names(info.Sides[:]...), "side", "The side to act.").
		Word(manual.Names(phaseNames[:]...), "phase", "What the turn has come to.").
		Key("slot", number, "slot", "The slot of the turn indicator, from 0.").
		Key("reserve", "([a-zA-Z]+)", "reserve", "Letters of the reserves, red's first.").
		Key("under", "([a-zA-Z])", "under", "The piece beneath another on the goal.").
		Key("first", "(1)", "first", "The turn begins with placing.").Key("lead", "(1)", "lead", "Leadership has given its action away.").
		Key("drafts", number, "drafts", "Drafts left in the phase draft.").Key("turn", number, "turn", "Finished turns.").
		Key("seen", number, "seen", "Earlier turns that began with this position.")
}

// manualWords are the forms of words. Moves of Shadow and what Wind brings look like moves
// and have numbers of their own.
func manualWords() (list []manual.Word) {
	var steps []string
	for d := range dirNames {
		steps = append(steps, fmt.Sprintf("(* %d (count (and (cell 2) (step %d %d (on n N)))))", d, rowStep[d], colStep[d]))
	}
	wind := "(min (option wind bring-adjacent) (field phase wind))"
	// Wind's own square is the one from which the end is a step in some direction.
	brought := fmt.Sprintf("(+ %d (* 8 (index squares 1)) %s)", firstBring, strings.Join(steps, " "))
	list = append(list, manual.Word{
		Pattern: "([0-8]{2})-([0-8]{2})", Says: "A piece goes from one square to another; in the phase wind under wind=bring-adjacent, Wind brings it.",
		Action: manual.F(fmt.Sprintf("(if %s %s (if (count (and (cell 1) (on h H))) (+ %d (index squares 2)) (+ (* %d (index squares 1)) (index squares 2))))", wind, brought, firstShadow, squares)),
	})
	for _, v := range verbs {
		if v.word == "" {
			continue
		}
		w := manual.Word{Pattern: v.word, Says: v.doc + "."}
		number := fmt.Sprint(v.first)
		switch v.shape {
		case square:
			w.Pattern += ":([0-8]{2})"
			number += " (index squares 1)"
		case direction:
			w.Pattern += ":([a-z-]+)"
			number += " (index directions 1)"
		case kindAlone:
			w.Pattern += ":([a-z]+)"
			number += " (index kinds 1)"
		case kindSquare:
			w.Pattern += ":([a-z]+)-([0-8]{2})"
			number += fmt.Sprintf(" (* %d (index kinds 1)) (index squares 2)", squares)
		}
		w.Action = manual.F("(+ " + number + ")")
		list = append(list, w)
	}
	return list
}

// lettersOf are the letters of a kind for both sides.
func lettersOf(kind int) [2]string {
	return [2]string{letters[kind : kind+1], strings.ToUpper(letters[kind : kind+1])}
}

// eight are the steps to the squares around one.
const eight = "((-1 -1) (-1 0) (-1 1) (0 -1) (0 1) (1 -1) (1 0) (1 1))"

func manualTerms() map[string]manual.Formula {
	small, large := strings.Join(strings.Split(letters, ""), " "), strings.Join(strings.Split(strings.ToUpper(letters), ""), " ")
	t := map[string]manual.Formula{
		"own": manual.F(manual.Side("(on "+small+")", "(on "+large+")")), "other": manual.F(manual.Side("(on "+large+")", "(on "+small+")")),
		"cold": manual.F("(minus (spread 1 " + eight + " (on i I) (none)) (on i I))"),
	}
	t["box"] = manual.F("(or (term own-box) (term other-box))")
	t["bound"] = manual.F("(minus (term box) (on l L))")
	for i, who := range [2]string{"own", "other"} {
		enemy := [2]string{"other", "own"}[i]
		letter := lettersOf(sun)
		sun, theirs := manual.Side("(on "+letter[0]+")", "(on "+letter[1]+")"), manual.Side("(on "+letter[1]+")", "(on "+letter[0]+")")
		lotusOf := [2]string{manual.Side("(on l)", "(on L)"), manual.Side("(on L)", "(on l)")}[i]
		if i == 1 {
			sun, theirs = theirs, sun
		}
		var zones []string
		for _, z := range zoneLetters[:zoneWhite] {
			in := fmt.Sprintf("(set cycled %c)", z)
			count := func(b string) string { return "(count (and " + in + " " + b + "))" }
			lead := fmt.Sprintf("(- (+ %s %s) (+ %s %s))", count("(term "+who+")"), count(sun), count("(term "+enemy+")"), count(theirs))
			zones = append(zones, fmt.Sprintf("(if (min (< 1 %s) (not %s)) %s (none))", lead, count("(on c C)"), in))
		}
		t[who+"-control"] = manual.F("(or " + strings.Join(zones, " ") + ")")
		reachTerms(func(name, formula string) { t[name] = manual.F(formula) }, who, enemy, i)
		t[who+"-box"] = manual.F("(if (min (option ice_passives true) (count (and " + lotusOf + " (term cold)))) (none) (spread 3 " + eight + " " + lotusOf + " (board)))")
	}
	return t
}

// whose writes sentences about either side.
var whose = [2]string{"the side to act", "the other side"}

func manualPlanes() (list []manual.Input) {
	add := func(says, formula string) {
		list = append(list, manual.Input{Name: info.Features.PlaneNames[len(list)], Says: says, Is: manual.F(formula)})
	}
	for i, who := range whose {
		for kind, name := range kindNames {
			l := lettersOf(kind)
			if kind == mirror {
				l, name = [2]string{l[0] + " x", l[1] + " X"}, name+", with its copies,"
			}
			add(name+" of "+who+", on the board.", manual.Side("(on "+l[i]+")", "(on "+l[1-i]+")"))
		}
	}
	add("Copies of Mirror of both sides.", "(on x X)")
	for i, name := range [4]string{"comes first", "comes second", "comes third", "comes fourth"} {
		add("The territory whose turn "+name+" from this slot of the turn indicator on, this slot included; none if the cycle has fewer.", fmt.Sprintf("(set next (field slot) %d)", i))
	}
	add("The place area.", "(set zone w)")
	add("The neutral zone.", "(set zone n)")
	add("The goal.", "(set zone *)")
	add("All squares of the board.", "(board)")
	for i, who := range whose {
		add("Territories of the cycle in which "+who+" has at least two pieces more, where Sun counts two; none with Chaos in it.", [2]string{"(term own-control)", "(term other-control)"}[i])
	}
	add("Pieces beside Ice, also diagonally.", "(and (term cold) (or (term own) (term other)))")
	for i, who := range whose {
		add("The squares up to three rows and columns away from White Lotus of "+who+"; none if Ice silences it.", [2]string{"(term own-box)", "(term other-box)"}[i])
	}
	add("The territory that has this turn.", "(set now (field slot))")
	var goes []string
	for p, kind := range actors {
		if l := lettersOf(kind); kind != 0 {
			goes = append(goes, fmt.Sprintf("(if (field phase %s) (on %s %s) (none))", phaseNames[p], l[0], l[1]))
		}
	}
	add("The piece that the phase belongs to: Leaf, Moon, Power, Wind, Fire or Mirror.", "(or "+strings.Join(goes, " ")+")")
	for i, who := range whose {
		add("Squares to which pieces of "+who+" that are not frozen could go by their printed movement.", [2]string{"(term own-moves)", "(term other-moves)"}[i])
	}
	for i, who := range whose {
		add("Enemies that pieces of "+who+" that are not frozen, or Wood, could take.", [2]string{"(term own-takes)", "(term other-takes)"}[i])
	}
	return list
}

func manualGlobals() (list []manual.Input) {
	add := func(says, formula string) {
		list = append(list, manual.Input{Name: info.Features.GlobalNames[len(list)], Says: says, Is: manual.F(formula)})
	}
	for i, who := range whose {
		for kind, name := range kindNames {
			l := lettersOf(kind)
			add("1 if "+name+" is in the reserve of "+who+".", manual.Side("(letters reserve "+l[i]+")", "(letters reserve "+l[1-i]+")"))
		}
	}
	for kind, name := range kindNames {
		l := lettersOf(kind)
		add("1 if "+name+" is in the draft area: nowhere else.", fmt.Sprintf("(- 1 (min 1 (+ (count (on %[1]s %[2]s)) (letters reserve %[1]s%[2]s) (letters under %[1]s%[2]s))))", l[0], l[1]))
	}
	for _, name := range phaseNames {
		add("1 in the phase "+name+".", "(field phase "+name+")")
	}
	add("1 if Leadership has given its action away.", "(field lead)")
	add("Drafts left in the phase draft, divided by 20.", "(/ (field drafts) 20)")
	all := [2]string{letters[:kinds], strings.ToUpper(letters[:kinds])}
	for i, who := range whose {
		add("Pieces for which the reserve of "+who+" has room, divided by 20.", "(/ (- (option reserve_max) "+manual.Side("(letters reserve "+all[i]+")", "(letters reserve "+all[1-i]+")")+") 20)")
	}
	add("Finished turns, divided by max_turns.", "(/ (field turn) (option "+engine.LengthOption+"))")
	add("1 if an earlier turn began with this position.", "(min 1 (field seen))")
	for _, o := range options {
		for _, v := range o.Values {
			if v != o.Default {
				add("1 under "+o.Name+"="+v+".", "(option "+o.Name+" "+v+")")
			}
		}
	}
	add("The option draft_max, divided by 20.", "(/ (option draft_max) 20)")
	for j := 1; j < maxCycle; j++ {
		owner := fmt.Sprintf("(number owner (field slot) %d)", j)
		for i := range slotOwners(j) {
			says, formula := "", fmt.Sprintf("(= %s %d)", owner, i)
			switch {
			case i < 2:
				says, formula = "to "+whose[i], fmt.Sprintf("(= %s %s)", owner, manual.Side(fmt.Sprintf("(+ %d)", i), fmt.Sprintf("(+ %d)", 1-i)))
			default:
				says = "to the territory of plane " + territories[i-2]
			}
			add(fmt.Sprintf("1 if the slot %d after this one in the cycle belongs %s.", j, says), formula)
		}
	}
	return list
}
