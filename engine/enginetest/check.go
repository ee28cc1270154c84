// Package enginetest holds what every game must pass: checks of the engine
// contract on random play, statistics of that play, and an exact solver for
// small games. It does not import testing, so that a command can run the checks
// too; its subpackages are small games for tests.
package enginetest

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// maxDecisions is where a random game counts as endless.
const maxDecisions = 200_000

// maxTurnDecisions is where a turn counts as endless.
const maxTurnDecisions = 1000

// maxFaults is how many faults a checker collects before it gives up.
const maxFaults = 8

// Check plays random games of g, looks at their positions for breaches of the
// engine contract, and returns what the games were like. The error joins the
// first few faults found, each with the position it was found in. The result
// depends on the arguments alone.
func Check(g engine.Game, games int, seed uint64) (Stats, error) {
	c := newChecker(g, newEncodings(), seed)
	return c.run(games)
}

// checker checks one game. Its states are working memory.
type checker struct {
	g    engine.Game
	info *engine.Info
	rng  *rand.Rand

	faults        []error
	faulted       bool   // since it was last cleared
	mirrored      uint32 // symmetries that the layout was compared under
	mapped        uint32 // symmetries that this position is mapped by
	jumps, single bool   // the turn count has grown by more than 1, by 1
	stats         Stats

	encodings *encodings
	hashes    map[string]uint64 // of Hash, by position line
	logits    map[int32]engine.Action
	mask      []float32 // the mask plane of the first position seen

	planes, globals []float32
	legal           []engine.Action
	possible        []engine.Action
	chance          []engine.Weighted
	a, b, c         engine.State // scratch
	before, after   [][]stand    // what stands on each cell
}

// encodings remembers what was encoded under which hash, over all rulesets.
type encodings struct {
	byHash, byBytes map[uint64]uint64
	legal           map[uint64]uint64 // a digest of the legal actions
}

func newEncodings() *encodings {
	return &encodings{map[uint64]uint64{}, map[uint64]uint64{}, map[uint64]uint64{}}
}

func newChecker(g engine.Game, e *encodings, seed uint64) *checker {
	info := g.Info()
	return &checker{
		g: g, info: info,
		rng:       rand.New(rand.NewPCG(seed, 0x656e67696e65)),
		encodings: e,
		hashes:    map[string]uint64{},
		logits:    map[int32]engine.Action{},
		planes:    make([]float32, info.Features.Planes*info.Features.Cells()),
		globals:   make([]float32, info.Features.Globals),
		a:         g.NewState(), b: g.NewState(), c: g.NewState(),
	}
}

// run plays games from the start, and one from each of the positions that the ruleset has.
func (c *checker) run(games int, positions ...string) (Stats, error) {
	c.checkInfo()
	if len(c.faults) == 0 { // the tables are needed below
		c.checkStart()
		lines := make([]string, games, games+len(positions))
		for _, line := range append(lines, positions...) {
			if !c.playGame(line) {
				break
			}
		}
		c.checkTurnedMask()
	}
	if games > 1 && c.jumps && !c.single {
		c.fault(nil, "the turn count never grows by 1")
	}
	return c.stats, errors.Join(c.faults...)
}

// fault notes a breach of the contract, once. s is the position, nil if none.
func (c *checker) fault(s engine.State, format string, args ...any) {
	c.faulted = true
	if len(c.faults) >= maxFaults {
		return
	}
	err := fmt.Errorf("%s %s: %s", c.info.Name, c.g.Rules(), fmt.Sprintf(format, args...))
	if s != nil {
		err = fmt.Errorf("%w\n\tin position %s", err, s.AppendPosition(nil))
	}
	for _, old := range c.faults {
		if old.Error() == err.Error() {
			return
		}
	}
	c.faults = append(c.faults, err)
}

// begin is the position of a line, or the start if that is empty.
func begin(s engine.State, h *engine.History, line string) error {
	if line == "" {
		s.Start(h)
		return nil
	}
	err := s.ParsePosition(line)
	if err == nil {
		s.Begin(h)
	}
	return err
}

// The first decisions of a game are all looked at closely, its first rolls too.
const (
	earlyDecisions = 12
	earlyRolls     = 32
)

// playGame plays one random game from a position, the start if it is empty, and checks its
// positions, all of them early in the game and ever fewer later, until it finds a fault.
// It reports whether to go on with another. A position that the rules refuse is no game.
func (c *checker) playGame(from string) bool {
	s, h := c.g.NewState(), c.g.NewHistory()
	if begin(s, h, from) != nil {
		return true
	}
	n := game{}
	var words []string
	for !s.Outcome().Over {
		early := n.decisions < earlyDecisions
		thorough := early || s.Actor() == engine.Chance && n.rolls < earlyRolls || c.rng.IntN(8+n.decisions/16) == 0
		c.drawSymmetries(s, early)
		if !c.checkPosition(s, h, thorough) {
			return len(c.faults) < maxFaults
		}
		a, ok := c.pick(s, h)
		if !ok || n.decisions >= maxDecisions {
			c.fault(s, "no way to go on after %d decisions", n.decisions)
			return false
		}
		if n.observe(s, len(c.possible)); n.turn > maxTurnDecisions {
			c.fault(s, "one player has decided %d times without a new turn", n.turn)
			return false
		}
		words = append(words, string(s.AppendAction(nil, a)))
		turn := s.Turn()
		s.Apply(a, h)
		d := s.Turn() - turn
		if d < 0 {
			c.fault(s, "%s changed the turn count by %d", words[len(words)-1], d)
		}
		c.jumps, c.single = c.jumps || d > 1, c.single || d == 1
	}
	c.drawSymmetries(s, true)
	if c.checkPosition(s, h, true) {
		c.checkReplay(s, from, words)
		c.stats.add(&n, s)
	}
	return len(c.faults) < maxFaults
}

// pick draws a legal action or, at chance, an outcome.
func (c *checker) pick(s engine.State, h *engine.History) (engine.Action, bool) {
	c.possible = engine.AppendPossible(c.possible[:0], &c.chance, s, h)
	if len(c.possible) == 0 {
		return 0, false
	}
	if s.Actor() == engine.Chance {
		return engine.Draw(c.chance, c.rng.Float64()), true
	}
	return c.possible[c.rng.IntN(len(c.possible))], true
}

// checkStart checks that Start, NewState and Begin agree.
func (c *checker) checkStart() {
	h := c.g.NewHistory()
	fresh, used := c.g.NewState(), c.g.NewState()
	used.Start(h)
	entered := h.Len()
	if a, ok := c.pick(used, h); ok {
		used.Apply(a, h)
	}
	used.Start(h)
	if !c.same(fresh, used) {
		c.fault(used, "Start after a move is not NewState")
	}
	if h.Len() != entered || entered > 1 {
		c.fault(used, "Start leaves %d positions in the history, then %d", entered, h.Len())
	}
	used.Begin(h)
	if h.Len() != entered {
		c.fault(used, "Begin at the start leaves %d positions in the history, Start %d", h.Len(), entered)
	}
	used.Start(nil)
	if !c.same(fresh, used) {
		c.fault(used, "Start without a history is not NewState")
	}
}

// checkReplay plays the words of a finished game again.
func (c *checker) checkReplay(end engine.State, from string, words []string) {
	s, h := c.b, c.g.NewHistory()
	if err := begin(s, h, from); err != nil {
		c.fault(end, "replay: %v", err)
		return
	}
	for i, w := range words {
		a, err := s.ParseAction(w, h)
		if err != nil {
			c.fault(s, "replay: word %d, %q: %v", i+1, w, err)
			return
		}
		s.Apply(a, h)
	}
	if !c.same(s, end) {
		c.fault(end, "replay of %d words ends in another position: %s", len(words), s.AppendPosition(nil))
	}
}

// same reports whether two states agree in all methods that need no history.
func (c *checker) same(s, t engine.State) bool {
	if string(s.Pack(nil)) != string(t.Pack(nil)) || s.Hash() != t.Hash() ||
		s.Actor() != t.Actor() || s.Side() != t.Side() || s.Turn() != t.Turn() || s.Outcome() != t.Outcome() ||
		s.SideOf(engine.First) != t.SideOf(engine.First) ||
		string(s.AppendPosition(nil)) != string(t.AppendPosition(nil)) ||
		!s.Outcome().Over && (engine.Settled(s) != engine.Settled(t) || engine.TurnsLeft(s) != engine.TurnsLeft(t)) {
		return false
	}
	return slices.Equal(s.Legal(nil, nil), t.Legal(nil, nil)) && slices.Equal(s.Chance(nil), t.Chance(nil))
}

// decides reports whether a player is to act, so that Encode may be asked.
func decides(s engine.State) bool {
	a := s.Actor()
	return a == engine.First || a == engine.Second
}

// encode fills planes and globals, which held NaN, and returns a digest of
// their bits.
func (c *checker) encode(s engine.State) uint64 {
	nan := float32(math.NaN())
	for i := range c.planes {
		c.planes[i] = nan
	}
	for i := range c.globals {
		c.globals[i] = nan
	}
	s.Encode(c.planes, c.globals)
	d := fnv.New64a()
	var word [4]byte
	for _, part := range [2][]float32{c.planes, c.globals} {
		for _, x := range part {
			b := math.Float32bits(x)
			word = [4]byte{byte(b), byte(b >> 8), byte(b >> 16), byte(b >> 24)}
			d.Write(word[:])
		}
	}
	return d.Sum64()
}
