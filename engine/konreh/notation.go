package konreh

import (
	"math/bits"
	"strconv"

	"github.com/ludozero/ludozero/engine"
)

// AppendAnnotation implements [engine.Annotator] with the book's lane notation:
// the piece, the lane, the steps, what was captured, and tags in brackets. A
// special is written as the steps that Blue goes. A word without a slide has
// tags only, or nothing. Tags about the end of a turn stand with the decision
// that ended it.
func (s *State) AppendAnnotation(dst []byte, a engine.Action, after engine.State) []byte {
	t := after.(*State)
	start := len(dst)
	if a < 64*planeGive {
		dst = s.appendPath(dst, a)
	}
	n := notes{dst, start}
	plane := int(a >> 6)
	switch {
	case plane >= planeHop && plane < planeGive:
		n.tag("S:H")
	case plane >= planeStep && plane < planeHop:
		n.tag("S:D")
	case a == codeSeed:
		n.tag("Seed")
	}
	own := s.side & 1
	if t.turn != s.turn || t.why == whyReforge {
		n.turnEnd(s, t)
	}
	if s.phase <= phaseGreen && s.blueAt(own) == 64 && t.blueAt(own) < 64 {
		where := "apex"
		if a >= codeHome && a <= codeRight {
			where = words[a-codeWords]
		}
		n.tag("Plant " + where)
	}
	if s.pieces(green) != t.pieces(green) {
		now, was := greens(t), greens(s)
		if now != was {
			n.tag("G:" + strconv.Itoa(now[0]) + "-" + strconv.Itoa(now[1]))
		}
	}
	return n.text
}

// greens is the number of Greens of A and B.
func greens(s *State) (n [2]int) {
	for side := range engine.Side(2) {
		n[side] = bits.OnesCount64(s.of(side, green))
	}
	return n
}

// appendPath writes the piece, lane, steps and capture of a slide or special.
func (s *State) appendPath(dst []byte, a engine.Action) []byte {
	p := s.path(a)
	dst = append(dst, letters[s.kindAt(p.from)])
	dst = append(dst, [4]string{" onL ", " onR ", " hmL ", " hmR "}[p.lane]...)
	dst = append(dst, '0'+byte(p.steps))
	if s.occ[1-s.side&1]>>(p.target&63)&1 != 0 {
		dst = append(dst, 'x', letters[s.kindAt(p.target)])
	}
	return dst
}

// notes collects the tags of a move.
type notes struct {
	text  []byte
	start int // where this move's text begins
}

func (n *notes) tag(word string) {
	if len(n.text) > n.start {
		n.text = append(n.text, ' ')
	}
	n.text = append(n.text, '[')
	n.text = append(n.text, word...)
	n.text = append(n.text, ']')
}

// turnEnd writes the tags about the side whose turn ended between s and t.
func (n *notes) turnEnd(s, t *State) {
	r := &s.game.rules
	was, is := s.blues[s.side&1], t.blues[s.side&1]
	count := func(name string, k, of int) {
		n.tag(name + strconv.Itoa(k) + "/" + strconv.Itoa(of))
	}
	if is.rooted() > 0 {
		n.tag("Rooted")
	}
	switch {
	case is.stay() > 0:
		count("CF:in ", is.stay(), r.crossStay)
	case was.stay() > 0:
		n.tag("CF:out")
	case was.exclusion() > is.exclusion():
		count("CF:ex ", r.crossExclusion-is.exclusion(), r.crossExclusion)
	}
	if is.reforge() > 0 || t.why == whyReforge {
		count("RC ", is.reforge(), r.reforgeTurns)
	}
}
