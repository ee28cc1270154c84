package enginetest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ludozero/ludozero/engine"
)

// Input is one number that a network sees.
type Input struct {
	Name string // of the plane or the global
	Cell int    // of the plane, -1 for a global
}

func (i Input) String() string {
	if i.Cell < 0 {
		return fmt.Sprintf("global %q", i.Name)
	}
	return fmt.Sprintf("plane %q, cell %d", i.Name, i.Cell)
}

// Inputs is the summary of CheckInputs.
type Inputs struct {
	Positions, Pairs int
	// Same are the inputs that no pair differed in.
	Same []Input
	// Constant names the planes and globals that no pair differed in.
	Constant []string
	// Alone counts the inputs that were the only difference of some pair. MeanOthers is,
	// over the inputs that varied only together with others, the mean number of other
	// differences in the closest pair.
	Alone      int
	MeanOthers float64
}

func (n *Inputs) String() string {
	return fmt.Sprintf("%d pairs of %d positions compared, %d inputs never differ, %d differ alone, the others with %.1f more at best",
		n.Pairs, n.Positions, len(n.Same), n.Alone, n.MeanOthers)
}

// CheckInputs holds what a network sees against the rules: positions that are encoded
// alike must have the same legal actions, and lead by them to positions that are encoded
// alike. And it compares EncodingHash with Encode, input by input: positions whose
// encodings differ must have different hashes, positions with equal encodings the same
// hash. It compares pairs that differ in few inputs, which expose a hash that leaves
// something out: a position before and after an action, after two different actions,
// under two rulesets, and with one bit of its packed bytes changed. Positions come from
// each random games of every game; the games must be of one family. The error names the
// first input that differs in a pair with one hash.
func CheckInputs(games []engine.Game, each int, seed uint64) (Inputs, error) {
	return checkInputs(games, nil, nil, each, seed)
}

// checkInputs is CheckInputs with other rulesets that the games' positions are also
// compared under, and positions that more games are played from.
func checkInputs(played, others []engine.Game, positions []string, each int, seed uint64) (Inputs, error) {
	games := slices.Concat(played, others)
	info := games[0].Info()
	c := inputChecker{
		games: games, info: info,
		rng:     rand.New(rand.NewPCG(seed, 0x696e70757473)),
		closest: make([]int, info.Features.Planes*info.Features.Cells()+info.Features.Globals),
		met:     make([]int, info.Features.Globals),
	}
	for _, g := range games {
		c.compareStarts(g)
	}
	for _, g := range played {
		for range each {
			c.play(g, "")
		}
		for _, line := range positions {
			c.play(g, line)
		}
	}
	// Rare phases need more games.
	for i := 0; i < rareGames && slices.ContainsFunc(c.constants(), func(name string) bool { return !slices.Contains(info.Features.Constant, name) }); i++ {
		c.play(played[i%len(played)], "")
	}
	return c.result(), errors.Join(c.faults...)
}

// rareGames are played on top of the others while an input has not varied that may.
const rareGames = 60

// inputChecker compares encodings, each [planes, then globals].
type inputChecker struct {
	games   []engine.Game
	info    *engine.Info
	rng     *rand.Rand
	inputs  Inputs
	closest []int // by input: the fewest inputs that a pair with this one differs in, 0 if none
	met     []int // by global: positions looked at because it was not 0, at most 8
	faults  []error
	differ  []int // scratch of compare
}

// seen is a position as it is encoded.
type seen struct {
	state engine.State
	input []float32
	hash  uint64
	under engine.Game
}

func (c *inputChecker) encode(g engine.Game, s engine.State) *seen {
	f := &c.info.Features
	split := f.Planes * f.Cells()
	e := &seen{s, make([]float32, split+f.Globals), s.EncodingHash(), g}
	s.Encode(e.input[:split], e.input[split:])
	c.inputs.Positions++
	return e
}

// unusual reports whether s has a global other than 0 that was 0 in most positions
// before, as in a rare phase.
func (c *inputChecker) unusual(g engine.Game, s engine.State) bool {
	few := false
	globals := c.info.Features.Planes * c.info.Features.Cells()
	for i, x := range c.encode(g, s).input[globals:] {
		if x != 0 && c.met[i] < 8 {
			c.met[i]++
			few = true
		}
	}
	return few
}

// play plays a random game from a position, the start if it is empty, and compares its
// positions with their neighbours, all of them early in the game, some later, and
// unusual ones.
func (c *inputChecker) play(g engine.Game, from string) {
	s, h := g.NewState(), g.NewHistory()
	if begin(s, h, from) != nil {
		return
	}
	for ply := 0; !s.Outcome().Over && ply < maxDecisions && len(c.faults) < maxFaults; ply++ {
		possible := engine.AppendPossible(nil, new([]engine.Weighted), s, h)
		unusual := decides(s) && c.unusual(g, s)
		if ply < earlyDecisions || c.rng.IntN(16) == 0 || unusual {
			c.compareActions(g, s, h, possible)
			c.compareRules(g, s)
			if c.rng.IntN(16) == 0 || unusual {
				c.compareBits(g, s)
			}
		}
		s.Apply(possible[c.rng.IntN(len(possible))], h)
	}
}

// compareStarts compares the start positions under two rules, whose text may
// be of no use to each other.
func (c *inputChecker) compareStarts(g engine.Game) {
	if s := g.NewState(); decides(s) {
		for _, other := range c.games {
			if t := other.NewState(); decides(t) {
				c.compare(c.encode(g, s), c.encode(other, t))
			}
		}
	}
}

// compareActions compares what each action, or outcome of chance, leads to with
// the position and with what the one before leads to.
func (c *inputChecker) compareActions(g engine.Game, s engine.State, h *engine.History, possible []engine.Action) {
	var here, last *seen
	if decides(s) {
		here = c.encode(g, s)
	}
	for _, a := range possible {
		t := g.NewState()
		t.CopyFrom(s)
		entered := h.Len()
		t.Apply(a, h)
		h.Truncate(entered)
		if !decides(t) {
			continue
		}
		next := c.encode(g, t)
		if here != nil {
			c.compare(here, next)
		}
		if last != nil {
			c.compare(last, next)
		}
		last = next
	}
}

// compareRules compares a position with itself under the other rules, as far as
// it is possible there.
func (c *inputChecker) compareRules(under engine.Game, s engine.State) {
	if !decides(s) {
		return
	}
	here, line := c.encode(under, s), string(s.AppendPosition(nil))
	for _, g := range c.games {
		t := g.NewState()
		if t.ParsePosition(line) == nil && decides(t) {
			c.compare(here, c.encode(g, t))
		}
	}
}

// compareBits compares a position with those that its bytes with one bit changed
// stand for: a piece more or less, another count, another phase.
func (c *inputChecker) compareBits(g engine.Game, s engine.State) {
	if !decides(s) {
		return
	}
	here, packed := c.encode(g, s), s.Pack(nil)
	t := g.NewState()
	for i := range 8 * len(packed) {
		packed[i/8] ^= 1 << (i % 8)
		if t.Unpack(packed) == nil && decides(t) {
			c.compare(here, c.encode(g, t))
		}
		packed[i/8] ^= 1 << (i % 8)
	}
}

// compare checks the hashes of a pair against its encodings.
func (c *inputChecker) compare(a, b *seen) {
	if len(c.faults) >= maxFaults {
		return
	}
	c.inputs.Pairs++
	differ := c.differ[:0]
	for i, x := range a.input {
		if math.Float32bits(x) != math.Float32bits(b.input[i]) {
			differ = append(differ, i)
		}
	}
	c.differ = differ
	for _, i := range differ {
		if c.closest[i] == 0 || len(differ) < c.closest[i] {
			c.closest[i] = len(differ)
		}
	}
	var fault error
	switch {
	case len(differ) == 0 && a.hash != b.hash:
		fault = errors.New("two encodings that agree have different hashes")
	case len(differ) > 0 && a.hash == b.hash:
		fault = fmt.Errorf("two encodings that differ in %d inputs, %v first, have one hash", len(differ), c.input(differ[0]))
	case len(differ) == 0:
		fault = alike(a, b)
	}
	if fault == nil {
		return
	}
	fault = fmt.Errorf("%s: %w\n\tin position %s\n\tand in      %s", c.info.Name, fault, a.state.AppendPosition(nil), b.state.AppendPosition(nil))
	if !slices.ContainsFunc(c.faults, func(old error) bool { return old.Error() == fault.Error() }) {
		c.faults = append(c.faults, fault)
	}
}

// alike reports what tells two positions apart that a network is shown as one: a legal
// action, or what one leads to.
func alike(a, b *seen) error {
	s, t := a.state, b.state
	legal := s.Legal(nil, nil)
	if other := t.Legal(nil, nil); !slices.Equal(legal, other) {
		return fmt.Errorf("two positions are encoded alike, but have different legal actions: %d and %d of them", len(legal), len(other))
	}
	if a.under != b.under {
		return nil // limits of turns may be written as shares
	}
	u, v := a.under.NewState(), a.under.NewState()
	for _, a := range legal {
		u.CopyFrom(s)
		v.CopyFrom(t)
		u.Apply(a, nil)
		v.Apply(a, nil)
		if u.Actor() == engine.Chance || v.Actor() == engine.Chance {
			continue
		}
		if o, p := u.Outcome(), v.Outcome(); o.Over != p.Over || o.Value(s.Actor()) != p.Value(t.Actor()) || !o.Over && u.EncodingHash() != v.EncodingHash() {
			return fmt.Errorf("two positions are encoded alike, but %s leads from them to different ones", s.AppendAction(nil, a))
		}
	}
	return nil
}

// constants returns the planes and globals that no pair differed in.
func (c *inputChecker) constants() (names []string) {
	f := &c.info.Features
	for p, name := range f.PlaneNames {
		if !slices.ContainsFunc(c.closest[p*f.Cells():(p+1)*f.Cells()], func(n int) bool { return n > 0 }) {
			names = append(names, name)
		}
	}
	for g, name := range f.GlobalNames {
		if c.closest[f.Planes*f.Cells()+g] == 0 {
			names = append(names, name)
		}
	}
	return names
}

func (c *inputChecker) input(i int) Input {
	f := &c.info.Features
	if p := i / f.Cells(); p < f.Planes {
		return Input{f.PlaneNames[p], i % f.Cells()}
	}
	return Input{f.GlobalNames[i-f.Planes*f.Cells()], -1}
}

func (c *inputChecker) result() Inputs {
	r := c.inputs
	r.Constant = c.constants()
	varied := 0
	for i, n := range c.closest {
		switch n {
		case 0:
			r.Same = append(r.Same, c.input(i))
			continue
		case 1:
			r.Alone++
			continue
		}
		varied++
		r.MeanOthers += float64(n - 1)
	}
	r.MeanOthers /= max(1, float64(varied))
	return r
}
