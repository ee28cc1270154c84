package pienim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
	"github.com/ludozero/ludozero/internal/invariants"
)

type phase uint8

const (
	first  phase = iota // a turn begins
	second              // the second move of a turn
	pie                 // hold or swap
	over
)

// State is a position.
type State struct {
	game *game
	position
}

type position struct {
	heaps   [heaps]uint8
	side    engine.Side // to move; after the end the side that moved last
	phase   phase
	swapped bool
	drawn   bool
	seen    uint8 // occurrences of the position at which this turn began
	turn    uint16
}

var _ engine.Settler = (*State)(nil)

// Actor implements engine.State. At the pie it is Second, who owns side odd.
func (s *State) Actor() engine.Player {
	if s.phase == over {
		return engine.Nobody
	}
	return s.owner(s.side)
}

func (s *State) owner(side engine.Side) engine.Player {
	if s.swapped {
		side = 1 - side
	}
	return engine.Player(side)
}

// Side implements engine.State.
func (s *State) Side() engine.Side { return s.side }

// SideOf implements engine.State.
func (s *State) SideOf(p engine.Player) engine.Side {
	if s.swapped {
		p = p.Other()
	}
	return engine.Side(p)
}

// Settled implements engine.Settler.
func (s *State) Settled() bool {
	return !s.game.pie || s.turn > 1 || s.turn == 1 && s.phase != pie
}

// Neutral implements engine.Settler.
func (s *State) Neutral() (engine.Action, bool) { return hold, s.phase == pie }

// Legal implements engine.State.
func (s *State) Legal(dst []engine.Action, _ *engine.History) []engine.Action {
	switch s.phase {
	case over:
		return dst
	case pie:
		return append(dst, hold, swap)
	}
	for h, n := range s.heaps {
		for k := range min(n, maxTake) {
			dst = append(dst, engine.Action(h*maxTake)+engine.Action(k))
		}
	}
	if s.game.shift && s.phase == first {
		for h, n := range s.heaps {
			if n > 0 && s.heaps[(h+1)%heaps] < s.game.height {
				dst = append(dst, shift+engine.Action(h))
			}
		}
	}
	return dst
}

// Chance implements engine.State: there is none.
func (s *State) Chance(dst []engine.Weighted) []engine.Weighted { return dst }

// Apply implements engine.State.
func (s *State) Apply(a engine.Action, h *engine.History) {
	if invariants.Enabled {
		var buf [numActions]engine.Action // on the stack: tests of allocation run with invariants too
		if !slices.Contains(s.Legal(buf[:0], h), a) {
			panic("BUG: pienim: illegal action")
		}
	}
	switch {
	case s.phase == pie:
		s.swapped = a == swap
		s.begin(h)
		return
	case a >= shift:
		from := int(a - shift)
		s.heaps[from]--
		s.heaps[(from+1)%heaps]++
	default:
		heap, stones := int(a)/maxTake, a%maxTake+1
		s.heaps[heap] -= uint8(stones)
		if s.heaps == ([heaps]uint8{}) {
			s.phase = over
			s.turn++
			return
		}
		if s.phase == first && stones == again[s.side] {
			s.phase = second
			return
		}
	}
	s.turn++
	s.side = 1 - s.side
	if s.turn == 1 && s.game.pie {
		s.phase = pie
		return
	}
	s.begin(h)
}

// begin starts a turn: the position counts for repetition.
func (s *State) begin(h *engine.History) {
	s.phase = first
	s.seen = uint8(h.Push(s.Hash(), []uint64{s.identity()}))
	if s.seen == 3 {
		s.phase, s.drawn = over, true
	}
}

// Outcome implements engine.State.
func (s *State) Outcome() engine.Outcome {
	switch {
	case s.phase != over:
		return engine.Outcome{}
	case s.drawn:
		return engine.Outcome{Over: true, Winner: engine.Nobody, Reason: "threefold"}
	}
	return engine.Outcome{Over: true, Winner: s.owner(s.side), Reason: "last stone"}
}

// Turn implements engine.State.
func (s *State) Turn() int { return int(s.turn) }

// identity is what makes two positions equal: heaps, side and phase. Who owns
// the side does not count.
func (s *State) identity() uint64 {
	return uint64(s.heaps[0]) | uint64(s.heaps[1])<<8 | uint64(s.heaps[2])<<16 |
		uint64(s.side)<<24 | uint64(s.phase)<<32
}

// Hash implements engine.State.
func (s *State) Hash() uint64 { return kit.Mix(s.identity()) }

// EncodingHash implements engine.State.
func (s *State) EncodingHash() uint64 {
	w := s.identity() | uint64(s.seen)<<40 | uint64(s.game.height)<<48
	for i, on := range []bool{s.swapped, s.game.pie, s.game.shift, s.turn == 0} {
		if on {
			w |= 1 << (56 + i)
		}
	}
	return kit.Mix(w)
}

// CopyFrom implements engine.State.
func (s *State) CopyFrom(src engine.State) { *s = *src.(*State) }

// Start implements engine.State.
func (s *State) Start(h *engine.History) {
	n := s.game.height
	s.position = position{heaps: [heaps]uint8{n, n, n}, seen: 1}
	s.Begin(h)
}

// Begin implements engine.State. Only the beginning of a turn is compared.
func (s *State) Begin(h *engine.History) {
	h.Clear()
	if s.phase == first {
		h.Push(s.Hash(), []uint64{s.identity()})
	}
}

// Encode implements engine.State.
func (s *State) Encode(planes, globals []float32) {
	clear(planes)
	for h, n := range s.heaps {
		for i := range n {
			planes[h*maxHeight+int(i)] = 1
		}
		for i := range s.game.height {
			planes[(heaps+h)*maxHeight+int(i)] = 1
		}
	}
	globals[0] = float32(s.side)
	globals[1] = flag(s.phase == second)
	globals[2] = flag(s.phase == pie)
	globals[3] = flag(s.game.pie)
	globals[4] = flag(s.swapped)
	globals[5] = flag(s.game.shift)
	globals[6] = float32(s.seen) / 3
	globals[7] = flag(s.turn == 0)
}

func flag(on bool) float32 {
	if on {
		return 1
	}
	return 0
}

// SymmetryMask implements engine.State: the heaps start equal and the rules do
// not name them.
func (s *State) SymmetryMask() uint32 { return 1<<heaps - 1 }

// Transform implements engine.State.
func (s *State) Transform(i int) {
	old := s.heaps
	for h, n := range old {
		s.heaps[(h+i)%heaps] = n
	}
}

const packedBytes = 10

// Pack implements engine.State.
func (s *State) Pack(dst []byte) []byte {
	return append(dst, s.heaps[0], s.heaps[1], s.heaps[2], byte(s.side), byte(s.phase),
		byte(flag(s.swapped)), byte(flag(s.drawn)), s.seen, byte(s.turn), byte(s.turn>>8))
}

// Unpack implements engine.State.
func (s *State) Unpack(src []byte) error {
	if len(src) != packedBytes {
		return fmt.Errorf("packed position: %d bytes, want %d", len(src), packedBytes)
	}
	p := position{
		heaps:   [heaps]uint8(src[:heaps]),
		side:    engine.Side(src[3] & 1),
		phase:   phase(src[4]),
		swapped: src[5] == 1,
		drawn:   src[6] == 1,
		seen:    src[7],
		turn:    uint16(src[8]) | uint16(src[9])<<8,
	}
	t := State{s.game, p}
	if string(t.Pack(nil)) != string(src) {
		return fmt.Errorf("packed position: a field is out of range")
	}
	if err := s.game.check(p); err != nil {
		return fmt.Errorf("packed position: %w", err)
	}
	s.position = p
	return nil
}

// check refuses positions that break a rule.
func (g *game) check(p position) error {
	for h, n := range p.heaps {
		if n > g.height {
			return fmt.Errorf("heap %d has %d stones, more than %d", h+1, n, g.height)
		}
	}
	empty := p.heaps == [heaps]uint8{}
	switch {
	case p.phase > over:
		return fmt.Errorf("phase %d: there is none", p.phase)
	case empty != (p.phase == over && !p.drawn):
		return fmt.Errorf("empty heaps and a game won belong together")
	case p.drawn && (p.phase != over || !g.shift):
		return fmt.Errorf("a draw does not fit")
	case p.seen < 1 || p.seen > 3 || (p.seen == 3) != p.drawn:
		return fmt.Errorf("occurrence %d does not fit", p.seen)
	case p.phase == pie && (!g.pie || p.turn != 1):
		return fmt.Errorf("hold or swap comes after turn 1 of the pie rule")
	case p.swapped && (!g.pie || p.turn < 1 || p.phase == pie):
		return fmt.Errorf("swapped before anyone could")
	case p.phase != over && int(p.side) != int(p.turn&1):
		return fmt.Errorf("side %s cannot be to move on turn %d", info.Sides[p.side], p.turn)
	case p.drawn && int(p.side) != int(p.turn&1), p.phase == over && !p.drawn && int(p.side) == int(p.turn&1):
		return fmt.Errorf("the side does not fit turn %d", p.turn)
	}
	return nil
}

var phases = [...]string{"move", "again", "pie", "over"}

// AppendPosition implements engine.State: heaps, side, phase, turn, occurrence,
// then "swapped" or "kept", and "draw" after a drawn game.
func (s *State) AppendPosition(dst []byte) []byte {
	dst = fmt.Appendf(dst, "%d%d%d %s %s %d %d", s.heaps[0], s.heaps[1], s.heaps[2],
		info.Sides[s.side], phases[s.phase], s.turn, s.seen)
	if s.swapped {
		dst = append(dst, " swapped"...)
	} else {
		dst = append(dst, " kept"...)
	}
	if s.drawn {
		dst = append(dst, " draw"...)
	}
	return dst
}

// ParsePosition implements engine.State.
func (s *State) ParsePosition(line string) error {
	var stones, side, word, owner string
	var p position
	rest, drawn := strings.CutSuffix(line, " draw")
	if _, err := fmt.Sscanf(rest, "%s %s %s %d %d %s", &stones, &side, &word, &p.turn, &p.seen, &owner); err != nil || len(stones) != heaps {
		return fmt.Errorf("position %q: want heaps, side, phase, turn, occurrence, owner", line)
	}
	for h := range heaps {
		p.heaps[h] = stones[h] - '0'
	}
	p.side = engine.Side(max(0, slices.Index(info.Sides[:], side)))
	p.phase = phase(max(0, slices.Index(phases[:], word)))
	p.swapped, p.drawn = owner == "swapped", drawn
	if err := s.game.check(p); err != nil {
		return fmt.Errorf("position %q: %w", line, err)
	}
	t := State{s.game, p}
	if again := string(t.AppendPosition(nil)); again != line {
		return fmt.Errorf("position %q: written %q", line, again)
	}
	s.position = p
	return nil
}

// AppendAction implements engine.State: heap and stones "1-2", "hold", "swap",
// or "1>2" for a shift.
func (s *State) AppendAction(dst []byte, a engine.Action) []byte {
	switch {
	case a == hold:
		return append(dst, "hold"...)
	case a == swap:
		return append(dst, "swap"...)
	case a >= shift:
		from := int(a - shift)
		return fmt.Appendf(dst, "%d>%d", from+1, (from+1)%heaps+1)
	}
	return fmt.Appendf(dst, "%d-%d", a/maxTake+1, a%maxTake+1)
}

// ParseAction implements engine.State.
func (s *State) ParseAction(word string, h *engine.History) (engine.Action, error) {
	return kit.ParseWord(s, word, h)
}

// Board implements engine.State.
func (s *State) Board(bool) string {
	var b strings.Builder
	for h, n := range s.heaps {
		fmt.Fprintf(&b, "%d %s\n", h+1, strings.Repeat("o", int(n)))
	}
	return b.String()
}
