package diamondchess

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/manual"
)

var _ manual.Described = (*Game)(nil)

// Manual implements manual.Described.
func (g *Game) Manual() *manual.Manual {
	m := &manual.Manual{
		Planes: manualPlanes(), Globals: manualGlobals(), Terms: manualTerms(), Position: *manualLine(),
		Words: []manual.Word{
			{Pattern: "([0-7]{2})-([0-7]{2})", Says: "A relocation or a pounce from one square to another.", Action: manual.F("(+ (* 64 (at 1)) (at 2))")},
			{Pattern: "([0-7]{2})x([0-7]{2})(z?)", Says: "An attack by the piece on one square against one beside it; z: against the zi ri there.",
				Action: manual.F(fmt.Sprintf("(+ %d (* 16 (at 1)) (* 2 (find (- (at 2) (at 1)) -8 -7 1 9 8 7 -1 -9)) (is 3 z))", firstAttack))},
			{Pattern: "stop", Says: "Nothing more in this turn.", Action: manual.F(fmt.Sprintf("(+ %d)", actionStop))},
			{Pattern: "place:([a-z]+)", Says: "A piece for the next square of the set-up; the list pieces has them.", Action: manual.F(fmt.Sprintf("(+ %d (index pieces 1))", firstPlace))},
		},
		Lists: map[string][]string{},
		Packed: []manual.Bits{
			{Name: "pieces", Bits: 8, Count: 22, Says: "The squares of south's town, cani (3), gormoror, khtsoyis, herethroy, orren, rassimel, sleeth and zi ri, then those of north: 8·row + column, 64 for none."},
			{Name: "moved", Bits: 16, Count: 1, Says: "Which of the acting side's pieces have moved this turn, in this order."},
			{Name: "pack", Bits: 2, Count: 3, Says: "How far each cani of the acting side may still go in the pack, 0 to 3."},
			{Name: "spent", Bits: 1, Count: 4, Says: "Whether south's gormoror, rassimel and north's gormoror, rassimel have absorbed a hit."},
			{Name: "rest", Bits: 6, Count: 1, Says: "0."},
			{Name: "side", Bits: 1, Count: 1, Says: "0 for south, 1 for north."},
			{Name: "phase", Bits: 3, Count: 1, Says: strings.Join(phaseNames[:], ", ") + ", from 0."},
			{Name: "flags", Bits: 1, Count: 2, Says: "The zi ri has moved this turn; this is the second move of the turn."},
			{Name: "strikes", Bits: 2, Count: 1, Says: "Strikes that the khtsoyis has left."},
			{Name: "passes", Bits: 2, Count: 1, Says: "Forced passes in a row."},
			{Name: "rest", Bits: 6, Count: 1, Says: "0."},
			{Name: "turn", Bits: 16, Count: 1, Says: "Finished turns of the players after the set-up."},
			{Name: "quiet", Bits: 16, Count: 1, Says: "1 more than the turns in a row without an effect; 0 in a turn with one."},
			{Name: "seen", Bits: 8, Count: 1, Says: "Earlier turns that began with this position."},
		},
		Sets: map[string][]string{"river": names(river), "home-of-south": names(sides[0]), "home-of-north": names(sides[1]), "edge": names(edge)},
	}
	for kind := cani; kind < kinds; kind++ {
		m.Lists["pieces"] = append(m.Lists["pieces"], wordOf(kind))
	}
	for i, side := range info.Sides {
		for _, sq := range fill[i] {
			m.Lists["set-up-of-"+side] = append(m.Lists["set-up-of-"+side], squareName(sq))
		}
	}
	for row := range size {
		var cells []string
		for col := range size {
			cells = append(cells, squareName(size*row+col))
		}
		m.Board = append(m.Board, cells)
	}
	return m
}

func names(b uint64) (list []string) {
	for ; b != 0; b &= b - 1 {
		list = append(list, squareName(bits.TrailingZeros64(b)))
	}
	return list
}

func manualLine() *manual.Grammar {
	squares := "((?:[0-7]{2})+)"
	return manual.Line("[0-7]{2}").
		Word("([a-zA-Z~.]{8}(?:/[a-zA-Z~.]{8}){7})", "board", "Rows 0 to 7 from column 0, small letters south, capitals north: "+letters+" for "+strings.Join(kindNames[:], ", ")+"; ~ an empty square of the river, a dot another one. Zi ri are named behind.").
		Word(manual.Names(info.Sides[:]...), "side", "The side to act.").
		Word(manual.Names(phaseNames[:]...), "phase", "What the turn has come to.").
		Key("z", squares, "z", "The square of south's zi ri.").Key("Z", squares, "Z", "The square of north's zi ri.").
		Key("spent", squares, "spent", "Gormorors and rassimels that have absorbed a hit.").
		Key("moved", squares, "moved", "Pieces but the zi ri that have moved this turn.").Key("flown", "(1)", "flown", "The zi ri has moved this turn.").
		Key("pack", squares, "pack", "Cani that may still move in the pack.").Key("two", squares, "two", "Those that may go two squares or more.").Key("three", squares, "three", "Those that may go three.").
		Key("second", "(1)", "second", "The second move of the turn.").Key("strikes", "([12])", "strikes", "Strikes that the khtsoyis has left.").
		Key("effect", "(1)", "effect", "The turn has had an effect.").Key("turn", "([0-9]+)", "turn", "Finished turns after the set-up.").
		Key("quiet", "([0-9]+)", "quiet", "Turns in a row without an effect.").Key("seen", "([0-9]+)", "seen", "Earlier turns that began with this position.").
		Key("passes", "([12])", "passes", "Forced passes in a row.")
}

// eachPiece is a formula for the pieces of a kind, for either side in turn.
func eachPiece(kind int) (own, other string) {
	if kind == ziri {
		return manual.Both("(named $)", [2]string{"z", "Z"})
	}
	return manual.Both("(on $)", [2]string{letters[kind : kind+1], strings.ToUpper(letters[kind : kind+1])})
}

// manualTerms are threats and what relocations need, as formulas.
func manualTerms() map[string]manual.Formula {
	t := map[string]manual.Formula{}
	set := func(name, formula string) string {
		t[name] = manual.F(formula)
		return "(term " + name + ")"
	}
	all := [2][kinds]string{}
	for kind, name := range kindNames {
		name = strings.ReplaceAll(name, " ", "")
		own, other := eachPiece(kind)
		all[0][kind], all[1][kind] = set("own-"+name, own), set("other-"+name, other)
	}
	zis := "(or " + all[0][ziri] + " " + all[1][ziri] + ")"
	set("own", "(or "+strings.Join(all[0][:ziri], " ")+")")
	set("other", "(or "+strings.Join(all[1][:ziri], " ")+")")
	set("vacant", "(minus (board) (or (term own) (term other)))")
	set("free", "(minus (term vacant) "+zis+")")
	set("pass", "(if (option ziri_blocks true) (term free) (term vacant))")
	set("dry", "(minus (term free) (set river))")
	own, other := manual.Both("(set home-of-$)", info.Sides)
	homes := [2]string{set("own-home", own), set("other-home", other)}
	for i, who := range [2]string{"own", "other"} {
		threatTerms(set, who, [2]string{"other", "own"}[i], &all[i], &all[1-i], homes[i], homes[1-i])
	}
	return t
}

// around are the squares beside some by direction: from first on, every by-th of all.
func around(first, by int, set string) string {
	var steps []string
	for d := first; d < 8; d += by {
		steps = append(steps, fmt.Sprintf("(step %d %d %s)", rowStep[d], colStep[d], set))
	}
	return "(or " + strings.Join(steps, " ") + ")"
}

// straight are the squares to which pieces go up to n squares straight in every by-th
// direction: open ones, past those that are through.
func straight(pieces string, by int, n, open, through string) string {
	var rays []string
	for d := 0; d < 8; d += by {
		rays = append(rays, fmt.Sprintf("(ray %s %d %d %s (or %s %s))", n, rowStep[d], colStep[d], pieces, open, through))
	}
	return "(and " + open + " (or " + strings.Join(rays, " ") + "))"
}

// threatTerms are State.threats of one side as terms. On the bank the fords lead diagonally
// to the other bank.
func threatTerms(set func(name, formula string) string, who, enemy string, own, theirs *[kinds]string, home, away string) {
	fords := func(pieces string) string {
		return "(or (and " + away + " " + around(1, 2, "(and "+pieces+" "+home+")") + ") (and " + home + " " + around(1, 2, "(and "+pieces+" "+away+")") + "))"
	}
	var leaps []string
	for _, k := range knight {
		leaps = append(leaps, fmt.Sprintf("(step %d %d %s)", k[0], k[1], own[ziri]))
	}
	town := own[town]
	dry, free, pass := "(term dry)", "(term free)", "(term pass)"
	// A cani goes one square, and one more for each own cani beside it.
	one := around(0, 2, "(it)")
	near := "(count (and " + own[cani] + " " + one + "))"
	pack := "(many 1 " + own[cani] + " " + straight("(it)", 2, "(+ 1 "+near+")", dry, pass) + ")"
	set(who+"-relocations", "(or "+strings.Join([]string{
		"(and (set edge) " + free + " (if (option town_fords true) (or (and " + home + " " + around(0, 1, town) + ") " + fords(town) + ") (and " + home + " " + around(0, 1, town) + ")))",
		pack,
		straight(own[gormoror], 2, "3", dry, pass),
		"(and " + free + " " + around(0, 1, own[khtsoyis]) + ")",
		straight(own[herethroy], 1, "3", dry, pass),
		straight(own[orren], 2, "3", free, pass),
		"(if (count (and " + own[orren] + " (set river))) (and (set river) " + free + ") (none))",
		straight(own[rassimel], 2, "2", dry, "(minus "+pass+" (set river))"),
		"(and " + free + " " + fords(own[rassimel]) + ")",
		straight(own[sleeth], 1, "3", free, pass),
		"(or " + strings.Join(leaps, " ") + ")",
	}, " ")+")")
	guard := around(0, 2, "(and "+own[herethroy]+" "+home+")")
	weapons := set(who+"-weapons", "(or "+around(0, 2, "(or "+own[cani]+" "+own[gormoror]+" "+own[khtsoyis]+" "+own[rassimel]+")")+
		" (if (option herethroy_attack target-home) (and "+home+" "+guard+") "+guard+"))")
	magic := set(who+"-magic", around(1, 2, "(or "+own[orren]+" "+own[rassimel]+" "+own[ziri]+")"))
	var pounces []string
	for d := range 8 {
		pounces = append(pounces, fmt.Sprintf("(ray (if (option pounce_range adjacent) 1 3) %d %d %s %s)", rowStep[d], colStep[d], own[sleeth], pass))
	}
	pounce := set(who+"-pounces", "(and (or (term "+enemy+") (minus "+theirs[ziri]+" (term "+who+"))) (or "+strings.Join(pounces, " ")+"))")
	hit := "(or " + weapons + " " + magic + ")"
	others := strings.Join([]string{theirs[0], theirs[cani], theirs[gormoror], theirs[khtsoyis], theirs[rassimel], theirs[sleeth]}, " ")
	set(who+"-targets", "(or "+pounce+" (and "+hit+" (or "+others+")) (and "+magic+" "+theirs[herethroy]+") (and (or (minus "+weapons+" (set river)) "+magic+") "+theirs[orren]+
		") (and "+weapons+" "+theirs[ziri]+"))")
}

// whose writes sentences about either side.
var whose = [2]string{"the side to act", "the other side"}

func manualPlanes() (list []manual.Input) {
	add := func(says, formula string) {
		list = append(list, manual.Input{Name: planeNames[len(list)], Says: says, Is: manual.F(formula)})
	}
	for i, who := range whose {
		for kind, name := range kindNames {
			own, other := eachPiece(kind)
			add("Each "+name+" of "+who+".", [2]string{own, other}[i])
		}
	}
	for i, who := range whose {
		for _, kind := range []int{gormoror, rassimel} {
			add("The "+kindNames[kind]+" of "+who+", if it has absorbed a hit.", "(and (named spent) (term "+[2]string{"own-", "other-"}[i]+kindNames[kind]+"))")
		}
	}
	add("The squares of the river.", "(set river)")
	add("The squares on the acting side's bank.", "(term own-home)")
	add("Pieces that have moved this turn, but the zi ri.", "(named moved)")
	add("Cani that may still move in the pack.", "(named pack)")
	add("Those that may go two squares or more.", "(named two)")
	add("Those that may go three squares.", "(named three)")
	placed := "(+ (count (minus (term own) (term own-town))) (count (term own-ziri)))"
	add("In the set-up, the square that is filled next.", "(if (field phase setup) (side (pick set-up-of-south "+placed+") (pick set-up-of-north "+placed+")) (none))")
	for i, who := range whose {
		for _, x := range [][2]string{
			{"relocations", "Squares where a piece of %s could end a relocation, if it began a turn now."}, {"weapons", "Squares that %s could strike with a weapon, whoever stands there."},
			{"magic", "Squares that %s could strike by magic, whoever stands there."}, {"pounces", "Squares on which the sleeth of %s could take a piece."},
			{"targets", "Pieces that %s could take, or whose last hit it could use up."},
		} {
			add(fmt.Sprintf(x[1], who)+" None in the set-up.", "(if (field phase setup) (none) (term "+[2]string{"own-", "other-"}[i]+x[0]+"))")
		}
	}
	return list
}

func manualGlobals() (list []manual.Input) {
	add := func(says, formula string) {
		list = append(list, manual.Input{Name: info.Features.GlobalNames[len(list)], Says: says, Is: manual.F(formula)})
	}
	for _, name := range phaseNames {
		add("1 in the phase "+name+".", "(field phase "+name+")")
	}
	add("1 in the second move of the turn.", "(field second)")
	add("1 if the zi ri has moved this turn.", "(field flown)")
	add("1 if the khtsoyis may strike once more.", "(field strikes 1)")
	add("1 if it may strike twice more.", "(field strikes 2)")
	for i, who := range whose {
		for kind := cani; kind < kinds; kind++ {
			own, other := eachPiece(kind)
			add(fmt.Sprintf("In the set-up, the share of the %d of kind %s that %s has yet to place; else 0.", fullSet[kind], kindNames[kind], who),
				fmt.Sprintf("(if (field phase setup) (/ (- %d (count %s)) %d) 0)", fullSet[kind], [2]string{own, other}[i], fullSet[kind]))
		}
	}
	add("Turns after the set-up, divided by max_turns.", "(/ (field turn) (option "+engine.LengthOption+"))")
	add("1 more than the turns in a row without an effect, divided by 1 more than no_capture_turns; 0 in a turn with an effect.", "(if (field effect) 0 (/ (+ 1 (field quiet)) (+ 1 (option no_capture_turns))))")
	add("1 if an earlier turn began with this position.", "(min 1 (field seen))")
	add("1 if the other side had to pass.", "(min 1 (field passes))")
	for _, o := range options {
		for _, v := range o.Values {
			if o.Name != "setup" && v != o.Default {
				add("1 under "+o.Name+"="+v+".", "(option "+o.Name+" "+v+")")
			}
		}
	}
	return list
}
