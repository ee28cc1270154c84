package konreh

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// asked is what each phase asks for.
var asked = [numPhases]string{
	phaseMove:    "a slide or a special",
	phaseSecond:  "a second slide or special",
	phaseSpecial: "a special onward from the slide, or none",
	phaseSeed:    "seed or noseed",
	phasePlace:   "home, left, right or apex",
	phaseGreen:   "the Green to give up",
	phaseBuyHop:  "the Green to give up",
	phaseBuyStep: "the Green to give up",
	phasePie:     "hold or swap",
}

// AppendAsked implements [engine.Explainer].
func (s *State) AppendAsked(dst []byte) []byte {
	g := s.game.geo
	switch s.phase {
	case phaseMove:
		dst = append(dst, asked[phaseMove]...)
		if s.game.rules.buyback {
			dst = append(dst, ", buyH or buyD"...)
		}
		return dst
	case phaseSeed:
		other := g.sanctums[0] ^ g.sanctums[1] ^ s.square
		return fmt.Appendf(dst, "%s: a Green on %s, for a Rooted Blue", asked[phaseSeed], appendSquare(nil, other))
	case phaseSecond:
		return fmt.Appendf(dst, "%s, of another piece than that on %s", asked[phaseSecond], appendSquare(nil, s.square))
	case phasePlace:
		return fmt.Appendf(dst, "where Blue is reforged: %s", asked[phasePlace])
	case phaseGreen, phaseBuyHop, phaseBuyStep:
		return fmt.Appendf(dst, "%s, as in -b2", asked[s.phase])
	}
	return append(dst, asked[s.phase]...)
}

// AppendStatus implements [engine.Explainer]: a line for each side's Blue, and one
// for what both share.
func (s *State) AppendStatus(dst []byte) []byte {
	for side := range engine.Side(2) {
		dst = fmt.Appendf(dst, "%c: %s\n", 'A'+byte(side), strings.Join(s.blueWords(side), "; "))
	}
	r := &s.game.rules
	words := []string{fmt.Sprintf("Greens %d of %d", bits.OnesCount64(s.pieces(green)), r.greenCap)}
	if r.noProgress > 0 {
		words = append(words, fmt.Sprintf("%d of %d turns without progress", s.quiet, r.noProgress))
	}
	if r.maxTurns > 0 {
		words = append(words, fmt.Sprintf("turn %d of %d", s.turn, r.maxTurns))
	} else {
		words = append(words, fmt.Sprintf("turn %d", s.turn))
	}
	if s.repetition > 1 {
		words = append(words, fmt.Sprintf("position for time %d of 3", s.repetition))
	}
	return fmt.Appendf(dst, "%s\n", strings.Join(words, "; "))
}

func (s *State) blueWords(side engine.Side) []string {
	var words []string
	if at := s.blueAt(side); at < 64 {
		words = append(words, fmt.Sprintf("Blue on %s", appendSquare(nil, at)))
	}
	for _, tag := range s.blueTags(side) {
		words = append(words, tag.Text)
	}
	return words
}

// blueTags are the states and counters of a side's Blue, short as in the position line
// and in words.
func (s *State) blueTags(side engine.Side) (tags []engine.Tag) {
	g, r, b := s.game.geo, &s.game.rules, s.blues[side]
	add := func(short, format string, args ...any) {
		tags = append(tags, engine.Tag{Short: short, Text: fmt.Sprintf(format, args...)})
	}
	count := func(name string, n int) string { return name + strconv.Itoa(n) }
	at := s.blueAt(side)
	switch {
	case at < 64:
		i := b & (hasHop | hasStep)
		add([4]string{"-", "H", "D", "HD"}[i], "%s left", [4]string{"no special", "Hop", "Displacement", "Hop and Displacement"}[i])
	case b.reforge() > 0:
		add(count("c", b.reforge()), "Reforge: %d of %d own turns left to plant", b.reforge(), r.reforgeTurns)
	case s.phase == phaseOver:
		add("c0", "Reforge: no turn left to plant")
	default:
		add("", "Blue is being placed")
	}
	if b.rooted() > 0 {
		add("r", "Rooted")
	}
	if n := b.stay(); n > 0 {
		add(count("s", n), "in the Cross for %d of %d turns", n, r.crossStay)
	}
	if n := b.exclusion(); n > 0 {
		add(count("x", n), "barred from the Cross for %d of %d turns", n, r.crossExclusion)
	}
	if i := b.ban(); i > 0 {
		add("n", "may not seed from %s", appendSquare(nil, g.sanctums[i-1]))
	}
	if r.seed && r.mobilization && b.left() == 0 && at == g.homes[side] {
		add("", "its first departure may not seed")
	}
	if b.bought() {
		add("k", "buyback used")
	}
	if r.seedLimit > 0 {
		add(count("e", b.seeds()), "%d of %d Seeds made", b.seeds(), r.seedLimit)
	}
	return tags
}
