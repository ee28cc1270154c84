package konreh

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine/manual"
)

// slideTerms are the terms by which the manual defines what either side could do if it
// began a turn now: seat.slides, measureBlue and PlantTurns as formulas. Directions are
// those of the side to act, for whom the other side's onward is homeward.
func slideTerms() map[string]manual.Formula {
	t := map[string]manual.Formula{
		"own": manual.F("(side (on R O G B) (on r o g b))"), "other": manual.F("(side (on r o g b) (on R O G B))"),
		"empty":    manual.F("(minus (board) (or (term own) (term other)))"),
		"captures": manual.F("(not (< (field turn) (option no_capture_turns)))"),
		"specials": manual.F("(min (term captures) (max (min 1 (field turn)) (not (max (option balance pie) (option balance pie-double)))))"),
	}
	for i, who := range [2]string{"own", "other"} {
		w := slideWriter{t: t, who: who, enemy: [2]string{"other", "own"}[i], goal: manual.Side("(set Home-of-B)", "(set Home-of-A)"), sign: 1}
		if i == 1 {
			w.sign, w.goal = -1, manual.Side("(set Home-of-A)", "(set Home-of-B)")
		}
		w.face()
		w.all()
		w.race()
	}
	return t
}

// slideWriter writes the terms of one side.
type slideWriter struct {
	t                map[string]manual.Formula
	who, enemy, goal string
	sign             int // 1 for the side to act, else -1
}

// set adds a term with the side's name before it. In formulas $ is the side, % its enemy.
func (w *slideWriter) set(name, formula string) string {
	w.t[w.who+"-"+name] = manual.F(strings.NewReplacer("$", w.who, "%", w.enemy).Replace(formula))
	return "(term " + w.who + "-" + name + ")"
}

// by fills in # of a formula with what belongs to the side: a is A's, b is B's.
func (w *slideWriter) by(formula, a, b string) string {
	own, other := manual.Both(strings.ReplaceAll(formula, "#", "$"), [2]string{a, b})
	if w.sign > 0 {
		return own
	}
	return other
}

// lane steps a set along onward left, onward right, homeward left or homeward right.
func (w *slideWriter) lane(l int, set string) string {
	return fmt.Sprintf("(step %d %d %s)", w.sign*deltas[l][0], w.sign*deltas[l][1], set)
}

// face writes what slides meet, and the pieces that may slide.
func (w *slideWriter) face() {
	w.set("ZoC", "(or (step 1 0 (term $)) (step -1 0 (term $)) (step 0 1 (term $)) (step 0 -1 (term $)))")
	w.set("met-twice", "(many 2 (term %) (or (step 1 0 (it)) (step -1 0 (it)) (step 0 1 (it)) (step 0 -1 (it))))")
	w.set("target", "(if (term captures) (term %) (none))")
	w.set("contact", "(if (option contact_capture true) (term $-target) (none))")
	w.set("exempt", "(if (min (term captures) (option target_zoc_exempt true)) (minus (term %-ZoC) (term $-met-twice)) (none))")
	w.set("overstays", "(if (option cross_stay) (not (< "+w.by("(field #-stay)", "A", "B")+" (option cross_stay))) 0)")
	w.set("barred", "(if (max "+w.by("(field #-exclusion)", "A", "B")+" (term $-overstays)) (set Cross) (none))")
	rooted := 0 // a mark that lets Blue rest; the enemy's is one less when its turn begins
	if w.sign < 0 {
		rooted = 1
	}
	w.set("Blue", fmt.Sprintf("(if (< %d %s) (none) %s)", rooted, w.by("(field #-Rooted)", "A", "B"), w.by("(on #)", "B", "b")))
	for k, name := range kindWords[:3] {
		// A Blue that has overstayed must leave the Cross: nothing else moves.
		pieces := w.by("(on #)", pieceLetters[k:k+1], pieceLetters[4+k:5+k])
		w.set(name, "(if (min (term $-overstays) (count (and (term $-Blue) (set Cross)))) (none) "+pieces+")")
	}
}

// ground writes where pieces slide on, where they pass only to capture behind, and where they
// may end on their way or at its end, if some squares are empty.
func (w *slideWriter) ground(env, empty string) {
	w.set(env+"empty", empty)
	w.set(env+"free", "(minus (term $-"+env+"empty) (term %-ZoC))")
	w.set(env+"cross", "(and (term $-"+env+"empty) (term $-exempt))")
	w.set(env+"full", "(or (term $-"+env+"empty) (term $-target))")
	w.set(env+"short", "(or (and (term $-"+env+"empty) (term %-ZoC)) (term $-contact))")
}

// ends are the ends of the slides of pieces that go n squares onward, or up to n-1 homeward,
// over the ground of env. name begins the names of terms.
func (w *slideWriter) ends(env, name, pieces string, n int) string {
	var parts []string
	for l := range deltas {
		most := n
		if l >= 2 {
			most = n - 1
		}
		here := w.set(fmt.Sprintf("%s-%d-1", name, l), w.lane(l, pieces))
		for k := 1; ; k++ {
			if l >= 2 || k == most {
				parts = append(parts, "(and "+here+" (term $-"+env+"full))")
			} else {
				parts = append(parts, "(and "+here+" (term $-"+env+"short))")
			}
			if k == most {
				break
			}
			behind := "target"
			if l < 2 && k+1 < most {
				behind = "contact"
			}
			parts = append(parts, "(and "+w.lane(l, "(and "+here+" (term $-"+env+"cross))")+" (term $-"+behind+"))")
			here = w.set(fmt.Sprintf("%s-%d-%d", name, l, k+1), w.lane(l, "(and "+here+" (term $-"+env+"free))"))
		}
	}
	return "(or " + strings.Join(parts, " ") + ")"
}

// kindWords name kinds in terms.
var kindWords = [4]string{"Red", "Orange", "Green", "Blue"}

// all writes where slides end and what specials capture.
func (w *slideWriter) all() {
	w.ground("", "(term empty)")
	var ends, hits []string
	for k, name := range kindWords[:3] {
		ends = append(ends, w.ends("", name+"-slides", "(term $-"+name+")", reach[k]))
	}
	hits = append(hits, "(none)")
	for l := range deltas {
		to := w.set(fmt.Sprintf("Blue-ends-%d", l), "(minus (or "+strings.Join(w.blueLane(l), " ")+") (term $-barred))")
		ends = append(ends, to)
		// At once, or behind the end of a slide in the ZoC of one enemy alone.
		for _, from := range [2]string{"(term $-Blue)", "(if (option slide_special true) (minus (and " + to + " (term %-ZoC)) (term $-met-twice)) (none))"} {
			next := "(and " + w.lane(l, from) + " (term %))"
			back := fmt.Sprintf("(step %d %d (minus (term empty) (term $-barred)))", -w.sign*deltas[l][0], -w.sign*deltas[l][1])
			hits = append(hits,
				"(if "+w.by("(max (field #-specials HD) (field #-specials D))", "A", "B")+" (minus "+next+" (term $-barred)) (none))",
				"(if "+w.by("(max (field #-specials HD) (field #-specials H))", "A", "B")+" (and "+next+" "+back+") (none))")
		}
	}
	w.set("slides-end", "(or "+strings.Join(ends, " ")+")")
	w.set("specials-capture", "(if (term specials) (or "+strings.Join(hits, " ")+") (none))")
}

// blueLane are the ends of Blue's slides along a lane, but for the rules of the Cross.
func (w *slideWriter) blueLane(l int) (ends []string) {
	here := w.set(fmt.Sprintf("Blue-slides-%d-1", l), w.lane(l, "(term $-Blue)"))
	for k := 1; k <= maxSteps[l]; k++ {
		if l >= 2 || k == maxSteps[l] {
			ends = append(ends, "(and "+here+" (term empty))")
		} else {
			ends = append(ends, "(and "+here+" (term empty) (term %-ZoC))")
		}
		if k < maxSteps[l] {
			here = w.set(fmt.Sprintf("Blue-slides-%d-%d", l, k+1), w.lane(l, "(and "+here+" (term $-free))"))
		}
	}
	return ends
}

// race writes the fewest turns in which a runner could plant: for each of the next
// raceTurns, whether any has got there by then.
func (w *slideWriter) race() {
	w.ground("runner-", "(or (term empty) (it))")
	var late []string
	reached := [3]string{}
	for turn := 1; turn <= raceTurns; turn++ {
		var there []string
		for k, name := range kindWords[:3] {
			from, stay := reached[k], reached[k]
			if turn == 1 {
				// A piece on the Apex must leave it and come back.
				from, stay = "(it)", "(minus (it) "+w.goal+")"
			}
			ends := w.ends("runner-", fmt.Sprintf("%s-turn-%d", name, turn), from, reach[k])
			reached[k] = w.set(fmt.Sprintf("%s-reached-%d", name, turn), "(or "+stay+" "+ends+")")
			there = append(there, "(many 1 (term $-"+name+") (and "+reached[k]+" "+w.goal+"))")
		}
		late = append(late, "(not (count (or "+strings.Join(there, " ")+")))")
	}
	w.set("turns-to-plant", "(if (max (field A-Reforge) (field B-Reforge)) (+ 1 "+strings.Join(late, " ")+") 0)")
}
