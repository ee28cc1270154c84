package knaw

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
		Lists: map[string][]string{"spaces": names[:], "pieces": pieceNames[:]},
		Links: map[string]map[string][]string{"borders": {}, "opposite": {}},
		Packed: []manual.Bits{
			{Name: "pieces", Bits: 8, Count: sides * pieces, Says: "The spaces of south's " + strings.Join(pieceNames[:], ", ") + ", then those of north: numbers in the list spaces, from 0."},
			{Name: "rolled", Bits: 64, Count: 4, Says: "Points of contention at which south has rolled: spaces 0 to 49, then 50 to 99, from bit 0; then those of north."},
			{Name: "dice", Bits: 8, Count: 2, Says: "What was rolled; 0 for no die."},
			{Name: "carried", Bits: 8, Count: 1, Says: "The die that the side to act keeps."},
			{Name: "piece", Bits: 8, Count: 1, Says: "The piece on an errand or Path, or moved first; 6 for none."},
			{Name: "barred", Bits: 8, Count: 1, Says: "The piece that lost its errand in this turn; 6 for none."},
			{Name: "space", Bits: 8, Count: 1, Says: "The space that a Path challenges."},
			{Name: "phase", Bits: 4, Count: 1, Says: strings.Join(phaseNames[:], ", ") + ", from 0."},
			{Name: "errand die", Bits: 4, Count: 1, Says: "1 if an errand is for the second die."},
			{Name: "side", Bits: 1, Count: 1, Says: "0 for south, 1 for north."},
			{Name: "resolver", Bits: 7, Count: 1, Says: "0 before a resolution, else 1 for south, 2 for north."},
			{Name: "turn", Bits: 16, Count: 1, Says: "Finished turns."},
		},
		Sets: map[string][]string{"black": nil},
	}
	list := func(b set) (list []string) {
		for ; !b.empty(); b = b.rest() {
			list = append(list, names[b.first()])
		}
		return list
	}
	for x, name := range names {
		m.Links["borders"][name] = list(beside[x])
		m.Links["opposite"][name] = []string{names[opposite(x)]}
		if quarterSpaces[x%quarter].black {
			m.Sets["black"] = append(m.Sets["black"], name)
		}
	}
	for i, b := range tier {
		m.Sets[strings.ReplaceAll(tierNames[i], " ", "-")] = list(b)
	}
	return m
}

func manualLine() *manual.Grammar {
	spaces := "((?:[CSFR][0-9]+,?)+)"
	return manual.Line("[CSFR][0-9]+").
		Word(spaces, "south", "The spaces of south's "+strings.Join(pieceNames[:], ", ")+", with commas between.").
		Word(spaces, "north", "The same of north.").
		Word(manual.Names(info.Sides[:]...), "side", "The side to act.").
		Word(manual.Names(phaseNames[:]...), "phase", "What the turn has come to.").
		Key("dice", `([1-6])(?:\+([1-6]))?`, "die", "What was rolled.", "second-die", "The other die of a turn with two.").
		Key("die", "(2)", "errand-die", "2 if an errand is for the second die.").
		Key("carried", "([1-6])", "carried", "The die that the side to act keeps.").
		Key("piece", manual.Names(pieceNames[:]...), "piece", "The piece on an errand or Path, or moved first.").
		Key("barred", manual.Names(pieceNames[:]...), "barred", "The piece that lost its errand in this turn.").
		Key("space", "([CSFR][0-9]+)", "space", "The space that a Path challenges.").
		Key("south", spaces, "south-rolled", "Points of contention at which south has rolled.").
		Key("north", spaces, "north-rolled", "The same of north.").
		Key("resolver", manual.Names(info.Sides[:]...), "resolver", "The side that has resolved.").
		Key("turn", "([0-9]+)", "turn", "Finished turns.")
}

func manualWords() []manual.Word {
	// The space across the hub is 50 numbers away, where side 1 sees what side 0 sees here.
	space := fmt.Sprintf("(side (index spaces 2) (mod (+ %d (index spaces 2)) %d))", half, spaces)
	names := "([a-z]+-[ab])"
	return []manual.Word{
		{Pattern: "go", Says: "Go on without.", Action: manual.F(fmt.Sprintf("(+ %d)", actionGo))},
		{Pattern: names + ">([CSFR][0-9]+)(:2)?", Says: "A piece moves to a space; :2 by the second die.",
			Action: manual.F(fmt.Sprintf("(+ %d (* %d (index pieces 1)) %s (* %d (is 3 :2)))", firstMove, spaces, space, firstSecond-firstMove))},
		{Pattern: "path:" + names + ">([CSFR][0-9]+)", Says: "A piece declares a Solipsistic Path to a space.",
			Action: manual.F(fmt.Sprintf("(+ %d (* %d (index pieces 1)) %s)", firstPath, spaces, space))},
		{Pattern: "errand:" + names + "(:2)?", Says: "A piece asks for a Significant Errand; :2 by the second die.",
			Action: manual.F(fmt.Sprintf("(+ %d (index pieces 1) (* %d (is 2 :2)))", firstErrand, secondErrand-firstErrand))},
	}
}

// whose writes sentences about either side.
var whose = [2]string{"the side to act", "the other side"}

// at is where a piece of a side in a formula stands.
func at(own, piece int) string {
	return fmt.Sprintf("(side (named %s %d) (named %s %d))", info.Sides[own], piece, info.Sides[1-own], piece)
}

func manualTerms() map[string]manual.Formula {
	t := map[string]manual.Formula{}
	for own, who := range [2]string{"own", "other"} {
		set := func(name, formula string) { t[who+"-"+name] = manual.F(formula) }
		set("influence", fmt.Sprintf("(linked borders (side (named %s) (named %s)))", info.Sides[own], info.Sides[1-own]))
		var all []string
		for piece := range pieces {
			set("connected-"+pieceNames[piece], fmt.Sprintf("(and %s (linked opposite %s))", at(own, piece), at(own, piece^1)))
			all = append(all, "(term "+who+"-connected-"+pieceNames[piece]+")")
		}
		set("connected", "(or "+strings.Join(all, " ")+")")
		// A resolution: bards, fools and heralds connected, on three tiers.
		var tierings []string
		outer := []string{"(set second-tier)", "(set first-tier)", "(set rim)"}
		for _, p := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			var on []string
			for k, tier := range p {
				on = append(on, "(count (and "+all[2*k]+" "+outer[tier]+"))")
			}
			tierings = append(tierings, "(min "+strings.Join(on, " ")+")")
		}
		set("resolved", "(max "+strings.Join(tierings, " ")+")")
		set("score", "(+ (count (minus (linked borders (term "+who+"-connected)) (and (term own-influence) (term other-influence)))) (* (option resolution_bonus) (term "+who+"-resolved)))")
	}
	return t
}

func manualPlanes() (list []manual.Input) {
	add := func(says, formula string) {
		list = append(list, manual.Input{Name: info.Features.PlaneNames[len(list)], Says: says, Is: manual.F(formula)})
	}
	for own, who := range whose {
		for piece, name := range pieceNames {
			add("The "+name+" of "+who+".", at(own, piece))
		}
	}
	for _, name := range tierNames {
		add("The spaces of the tier: "+name+".", "(set "+strings.ReplaceAll(name, " ", "-")+")")
	}
	add("The black spaces.", "(set black)")
	add("Spaces that border one of the acting side's pieces.", "(term own-influence)")
	add("Spaces that border one of the other side's pieces.", "(term other-influence)")
	for own, who := range whose {
		add("Points of contention at which "+who+" has rolled since they came up.", manual.Side("(named "+info.Sides[own]+"-rolled)", "(named "+info.Sides[1-own]+"-rolled)"))
	}
	add("Pieces of the acting side opposite to the other one of their type.", "(term own-connected)")
	add("Pieces of the other side opposite to the other one of their type.", "(term other-connected)")
	for _, x := range [][2]string{{"piece", "The acting side's piece that is on an errand or Path, or has moved first."}, {"barred", "The acting side's piece that has lost its errand in this turn."}} {
		var one []string
		for piece, name := range pieceNames {
			one = append(one, "(if (field "+x[0]+" "+name+") "+at(0, piece)+" (none))")
		}
		add(x[1], "(or "+strings.Join(one, " ")+")")
	}
	add("In the phase path, the space that the Path challenges.", "(if (field phase path) (named space) (none))")
	add("All spaces.", "(board)")
	return list
}

func manualGlobals() (list []manual.Input) {
	add := func(says, formula string) {
		list = append(list, manual.Input{Name: info.Features.GlobalNames[len(list)], Says: says, Is: manual.F(formula)})
	}
	for _, p := range decisions {
		add("1 in the phase "+phaseNames[p]+".", "(field phase "+phaseNames[p]+")")
	}
	for n := 1; n <= 6; n++ {
		add(fmt.Sprintf("1 if the die, or the one that is kept, shows %d.", n), fmt.Sprintf("(= %d (max (field die) (field carried)))", n))
	}
	for n := 1; n <= 6; n++ {
		add(fmt.Sprintf("1 if the second die shows %d.", n), fmt.Sprintf("(= %d (field second-die))", n))
	}
	add("1 if the errand is for the second die.", "(field errand-die 2)")
	for own, who := range whose {
		add("Spaces that border connected pieces of "+who+" and are no points of contention, and resolution_bonus if it has connected all types on three tiers outside the center, divided by 30.", "(/ (term "+[2]string{"own", "other"}[own]+"-score) 30)")
	}
	add("Finished turns, divided by max_turns.", "(/ (field turn) (option "+engine.LengthOption+"))")
	add("The option resolution_bonus, divided by 30.", "(/ (option resolution_bonus) 30)")
	for _, o := range options {
		for _, v := range o.Values {
			if v != o.Default {
				add("1 under "+o.Name+"="+v+".", "(option "+o.Name+" "+v+")")
			}
		}
	}
	return list
}
