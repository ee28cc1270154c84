package racegame

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
	choosing phase = iota
	rolling
	moving
)

// State is a position.
type State struct {
	game *game
	position
}

type position struct {
	tokens [2]uint8 // steps gone, by side
	turn   uint8
	phase  phase
	die    uint8 // index into dice while rolling, else 0
	roll   uint8 // while moving, else 0
}

var (
	_ engine.State    = (*State)(nil)
	_ engine.Margined = (*State)(nil)
)

func (s *State) next() engine.Side { return engine.Side(s.turn & 1) }

// Actor implements engine.State.
func (s *State) Actor() engine.Player {
	switch {
	case s.Outcome().Over:
		return engine.Nobody
	case s.phase == rolling:
		return engine.Chance
	}
	return engine.Player(s.next())
}

// Side implements engine.State.
func (s *State) Side() engine.Side { return s.next() }

// SideOf implements engine.State.
func (s *State) SideOf(p engine.Player) engine.Side { return engine.Side(p) }

// Legal implements engine.State.
func (s *State) Legal(dst []engine.Action, _ *engine.History) []engine.Action {
	switch {
	case s.Outcome().Over || s.phase == rolling:
		return dst
	case s.phase == choosing:
		return append(dst, Safe, Bold)
	case s.roll > 0 && s.tokens[1-s.next()] > 0:
		return append(dst, Forward, Push)
	}
	return append(dst, Forward)
}

// Chance implements engine.State.
func (s *State) Chance(dst []engine.Weighted) []engine.Weighted {
	if s.phase != rolling {
		return dst
	}
	return append(dst, dice[s.die]...)
}

// Apply implements engine.State.
func (s *State) Apply(a engine.Action, _ *engine.History) {
	if invariants.Enabled && !s.possible(a) {
		panic("BUG: racegame: illegal action")
	}
	switch s.phase {
	case choosing:
		s.die, s.phase = uint8(a-Safe), rolling
		return
	case rolling:
		s.die, s.roll, s.phase = 0, uint8(a), moving
		return
	}
	if own, other := s.next(), 1-s.next(); a == Forward {
		s.tokens[own] = min(s.tokens[own]+s.roll, s.game.track)
	} else {
		s.tokens[other] -= min(s.tokens[other], s.roll)
	}
	s.roll, s.phase = 0, choosing
	s.turn++
}

func (s *State) possible(a engine.Action) bool {
	if s.phase == rolling {
		return slices.ContainsFunc(dice[s.die], func(w engine.Weighted) bool { return w.Code == a })
	}
	var buf [2]engine.Action // on the stack: tests of allocation run with invariants too
	return slices.Contains(s.Legal(buf[:0], nil), a)
}

// Outcome implements engine.State.
func (s *State) Outcome() engine.Outcome {
	near, far := s.tokens[0], s.tokens[1]
	o := engine.Outcome{Over: true, Winner: engine.Nobody, Reason: "goal"}
	if near < s.game.track && far < s.game.track {
		if s.turn < s.game.turns {
			return engine.Outcome{}
		}
		o.Reason = "turns"
	}
	switch {
	case near > far:
		o.Winner = engine.First
	case far > near:
		o.Winner = engine.Second
	}
	return o
}

// Margin implements engine.Margined: a lead of half the track is clear.
func (s *State) Margin(p engine.Player) float32 {
	return 2 * float32(int(s.tokens[p])-int(s.tokens[p.Other()])) / float32(s.game.track)
}

// Turn implements engine.State.
func (s *State) Turn() int { return int(s.turn) }

// Hash implements engine.State. It is one-to-one.
func (s *State) Hash() uint64 { return kit.Mix(s.word()) }

func (s *State) word() uint64 {
	return uint64(s.tokens[0]) | uint64(s.tokens[1])<<8 | uint64(s.turn)<<16 |
		uint64(s.phase)<<24 | uint64(s.die)<<32 | uint64(s.roll)<<40
}

// EncodingHash implements engine.State. The acting side is not encoded but by
// the parity of the turn, which is.
func (s *State) EncodingHash() uint64 {
	return kit.Mix(s.word() ^ uint64(s.game.track)<<48 ^ uint64(s.game.turns)<<56)
}

// CopyFrom implements engine.State.
func (s *State) CopyFrom(src engine.State) { *s = *src.(*State) }

// Start implements engine.State.
func (s *State) Start(h *engine.History) {
	s.position = position{}
	s.Begin(h)
}

// Begin implements engine.State. No position can recur, so none is entered.
func (s *State) Begin(h *engine.History) { h.Clear() }

// Encode implements engine.State.
func (s *State) Encode(planes, globals []float32) {
	clear(planes)
	planes[width+int(s.tokens[s.next()])] = 1
	planes[height*width+width+int(s.tokens[1-s.next()])] = 1
	for row := range height {
		for col := 0; col <= int(s.game.track); col++ {
			planes[(2*height+row)*width+col] = 1
		}
	}
	clear(globals)
	if s.phase == choosing {
		globals[0] = 1
	} else {
		globals[1] = 1
	}
	globals[2] = float32(s.roll) / maxRoll
	globals[3] = float32(s.turn) / maxTurns
	globals[4] = float32(s.game.turns) / maxTurns
	globals[5] = float32(s.game.track) / maxTrack
}

// SymmetryMask implements engine.State.
func (s *State) SymmetryMask() uint32 { return 1 }

// Transform implements engine.State.
func (s *State) Transform(int) {}

const packedBytes = 6

// Pack implements engine.State.
func (s *State) Pack(dst []byte) []byte {
	return append(dst, s.tokens[0], s.tokens[1], s.turn, byte(s.phase), s.die, s.roll)
}

// Unpack implements engine.State.
func (s *State) Unpack(src []byte) error {
	if len(src) != packedBytes {
		return fmt.Errorf("packed position: %d bytes, want %d", len(src), packedBytes)
	}
	p := position{[2]uint8{src[0], src[1]}, src[2], phase(src[3]), src[4], src[5]}
	if err := s.game.check(p); err != nil {
		return fmt.Errorf("packed position: %w", err)
	}
	s.position = p
	return nil
}

// check refuses positions that break a rule.
func (g *game) check(p position) error {
	over := p.tokens[0] == g.track || p.tokens[1] == g.track || p.turn == g.turns
	switch {
	case p.tokens[0] > g.track || p.tokens[1] > g.track:
		return fmt.Errorf("tokens %d and %d: the track has %d steps", p.tokens[0], p.tokens[1], g.track)
	case p.tokens[0] == g.track && p.tokens[1] == g.track:
		return fmt.Errorf("both tokens are at the end")
	case p.turn > g.turns:
		return fmt.Errorf("turn %d: a game has %d", p.turn, g.turns)
	case p.phase > moving || over && p.phase != choosing:
		return fmt.Errorf("phase %d does not fit", p.phase)
	case p.die > 1 || p.die != 0 && p.phase != rolling:
		return fmt.Errorf("die %d does not fit", p.die)
	case p.roll > maxRoll || p.roll == 3 || p.roll != 0 && p.phase != moving:
		return fmt.Errorf("roll %d does not fit", p.roll)
	}
	return nil
}

// AppendPosition implements engine.State: near token, far token, turn, and the
// phase with its die or roll.
func (s *State) AppendPosition(dst []byte) []byte {
	dst = fmt.Appendf(dst, "%d %d %d ", s.tokens[0], s.tokens[1], s.turn)
	switch s.phase {
	case choosing:
		return append(dst, "choose"...)
	case rolling:
		return append(append(dst, "roll-"...), words[s.die]...)
	}
	return fmt.Appendf(dst, "move-%d", s.roll)
}

var words = [numActions]string{"safe", "bold", "forward", "push"}

// ParsePosition implements engine.State.
func (s *State) ParsePosition(line string) error {
	var p position
	var word string
	if _, err := fmt.Sscanf(line, "%d %d %d %s", &p.tokens[0], &p.tokens[1], &p.turn, &word); err != nil {
		return fmt.Errorf("position %q: want three numbers and a phase", line)
	}
	switch {
	case word == "choose":
	case word == "roll-safe":
		p.phase = rolling
	case word == "roll-bold":
		p.phase, p.die = rolling, 1
	case strings.HasPrefix(word, "move-") && len(word) == 6 && word[5] >= '0':
		p.phase, p.roll = moving, word[5]-'0'
	default:
		return fmt.Errorf("phase %q: want choose, roll-DIE or move-N", word)
	}
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

// AppendAction implements engine.State: a word, or the number rolled.
func (s *State) AppendAction(dst []byte, a engine.Action) []byte {
	if s.phase == rolling {
		return append(dst, '0'+byte(a))
	}
	return append(dst, words[a]...)
}

// ParseAction implements engine.State.
func (s *State) ParseAction(word string, h *engine.History) (engine.Action, error) {
	return kit.ParseWord(s, word, h)
}

// Board implements engine.State.
func (s *State) Board(bool) string {
	lane := func(at uint8, mark string) string {
		return strings.Repeat(".", int(at)) + mark + strings.Repeat(".", int(s.game.track-at)) + "\n"
	}
	return lane(s.tokens[0], "n") + lane(s.tokens[1], "f")
}
