package konreh

import (
	"fmt"
	"slices"

	"github.com/ludozero/ludozero/engine/manual"
)

// manualGlobals defines the globals in the order of globalNames.
func manualGlobals() (list []manual.Input) {
	add := func(says, formula string) {
		in := manual.Input{Name: globalNames[len(list)], Says: says}
		if formula != "" {
			in.Is = manual.F(formula)
		}
		list = append(list, in)
	}
	field := func(name string, words []string, says string) {
		for _, w := range words {
			add(fmt.Sprintf(says, w), "(field "+name+" "+w+")")
		}
	}
	field("phase", []string{"m", "d", "f", "s", "p", "g", "bH", "bD", "pie"}, "1 in the phase %s of the position line.")
	field("runner", []string{"R", "O", "G"}, "1 in phase p if a piece %s has planted.")
	field("lane", laneWords[:], "1 in phase f if the special to decide goes along %s.")
	for i, whose := range [2]string{"the acting side", "the other side"} {
		of := func(says, formula string) {
			own, other := manual.Both(formula, info.Sides)
			add(fmt.Sprintf(says, whose), [2]string{own, other}[i])
		}
		of("1 if the Blue of %s has its Hop left.", "(max (field $-specials HD) (field $-specials H))")
		of("1 if the Blue of %s has its Displacement left.", "(max (field $-specials HD) (field $-specials D))")
		of("The Rooted mark of %s, divided by 2.", "(/ (field $-Rooted) 2)")
		of("Turns in a row that the Blue of %s has ended in the Cross, divided by 4.", "(/ (field $-stay) 4)")
		of("Turns for which the Cross is still barred to the Blue of %s, divided by 4.", "(/ (field $-exclusion) 4)")
		of("Turns that are left to %s to plant, divided by 5; 0 without a countdown.", "(/ (field $-Reforge) 5)")
		of("1 if the Blue of %s has left Home in its life, or does in this turn.", "(min 1 (field $-Home))")
		of("1 in the turn in which the Blue of %s leaves Home.", "(field $-Home 2)")
		of("1 if the Blue of %s has bought back a special.", "(field $-bought)")
		of("Seeds that %s has made, divided by 4; 0 if Seeds are not limited.", "(/ (field $-Seeds) 4)")
		add("Greens of "+whose+", divided by 6.", "(/ (count "+manual.Side([2]string{"(on G)", "(on g)"}[i], [2]string{"(on g)", "(on G)"}[i])+") 6)")
	}
	pie := "(< (field turn) (if (max (option balance pie) (option balance pie-double)) 1 (if (option balance double-pie) 2 -1)))"
	double := "(max (option balance double-move) (max (option balance pie-double) (option balance double-pie)))"
	add("green_cap less the Greens on the board, divided by 6.", "(/ (- (option green_cap) (count (on G g))) 6)")
	add("Player turns without progress, divided by no_progress; 0 if that is 0.", "(if (option no_progress) (/ (field quiet) (option no_progress)) 0)")
	add("Finished player turns, divided by max_turns; 0 if that is 0.", "(if (option max_turns) (/ (field turn) (option max_turns)) 0)")
	add("What no_capture_turns exceeds the finished player turns by, if it does, divided by 20.", "(/ (max 0 (- (option no_capture_turns) (field turn))) 20)")
	add("How often the position has been there before in the game, 2 at most. The position line does not tell; 0 for a line alone.", "")
	add("1 if this turn has made progress already.", "(field progress +)")
	add("1 if the second move of the opening double move is still to come.", "(min (< (field turn) 2) (not (field phase d)) "+double+")")
	add("1 if hold or swap is still to be decided.", pie)
	add("1 before the first player turn is finished.", "(not (field turn))")
	add("1 if the players have exchanged sides.", "(field swapped /s)")

	yes := func(option, value string) { add("1 under "+option+"="+value+".", "(option "+option+" "+value+")") }
	per := func(option string, scale int) {
		add(fmt.Sprintf("The option %s, divided by %d.", option, scale), fmt.Sprintf("(/ (option %s) %d)", option, scale))
	}
	yes("contact_capture", "true")
	yes("target_zoc_exempt", "true")
	yes("slide_special", "true")
	yes("rooted", "through-next-turn")
	per("cross_stay", 4)
	yes("cross_stay", "0")
	per("cross_exclusion", 4)
	per("reforge_turns", 5)
	per("green_cap", 6)
	yes("seed", "true")
	yes("mobilization", "true")
	for _, word := range balanceWords {
		yes("balance", word)
	}
	yes("progress", "speed")
	per("no_progress", quietScale)
	yes("no_progress", "0")
	per("max_turns", maxTurnsScale)
	yes("max_turns", "0")
	yes("buyback", "true")
	per("seed_limit", 4)
	yes("seed_limit", "0")
	per("no_capture_turns", 20)
	yes("specials", "1")
	yes("size", "6")
	yes("stalemate", "loss")
	for _, who := range []string{"own", "other"} {
		says := fmt.Sprintf("While either side's countdown runs: turns that any piece but Blue of the %s side would need to end a slide on the enemy Home Apex if all others stood still, %d if more than %d, divided by %d; else 0.",
			map[string]string{"own": "acting", "other": "other"}[who], raceTurns+1, raceTurns, raceTurns+1)
		add(says, fmt.Sprintf("(/ (term %s-turns-to-plant) %d)", who, raceTurns+1))
	}
	return slices.Clip(list)
}
