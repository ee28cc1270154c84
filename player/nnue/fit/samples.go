package fit

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"

	"github.com/ludozero/ludozero/engine"
	model "github.com/ludozero/ludozero/model/nnue"
	"github.com/ludozero/ludozero/player/alphabeta/positions"
	"github.com/ludozero/ludozero/player/nnue"
	"github.com/ludozero/ludozero/selfplay/record"
)

// Choice says which positions of games are learned from, and what they are worth.
type Choice struct {
	// Every says that of the decisions that begin a turn one in Every is taken.
	Every int `json:"every"`
	// Quiet leaves out positions where a loud action changes the value. The search still
	// judges them, wherever it may stop before that action.
	Quiet bool `json:"quiet"`
	// Result is the weight of a game's result beside what the search expected, 0 to 1.
	// Rows of a teacher that gave no value have the result alone.
	Result float64 `json:"result"`
	// Seed draws the positions.
	Seed uint64 `json:"seed"`
}

// Samples are positions of games of one family, recorded under whatever rules or played for
// the purpose, with what is learned from each. Not safe for concurrent use.
type Samples struct {
	Choice
	shards *positions.Shards[*look]

	// bits holds the set bits of both views of a position after the other, that of the side
	// to act first; ends[2i] and ends[2i+1] are where those of position i end.
	bits    []uint16
	ends    []uint32
	terms   []int16 // of all positions
	targets []float32
	games   []int32 // of each position
	count   int     // of games
	runs    map[string]bool
	rules   map[string]int // positions of each
}

// look is how positions of one ruleset are seen.
type look struct {
	inputs *nnue.Inputs
	view   *nnue.View
	set    []int32
}

func newLook(g engine.Game) (*look, error) {
	in, err := nnue.InputsOf(g)
	if err != nil {
		return nil, err
	}
	return &look{inputs: in, view: in.NewView()}, nil
}

// NewSamples returns a reader of games of family f.
func NewSamples(f *engine.Family, c Choice) *Samples {
	return &Samples{
		Choice: c, shards: positions.NewShards(f, "fit-evaluation rows", c.Seed, newLook),
		runs: map[string]bool{}, rules: map[string]int{},
	}
}

// Len is the number of positions, Games that of the games added.
func (m *Samples) Len() int { return len(m.targets) }

// Games is the number of games added.
func (m *Samples) Games() int { return m.count }

// Runs names the runs that the games are of, ascending.
func (m *Samples) Runs() (names []string) {
	for name := range m.runs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Rules are the shares of the rulesets, the largest first.
func (m *Samples) Rules() (shares []model.RulesShare) {
	for rules, n := range m.rules {
		shares = append(shares, model.RulesShare{Rules: rules, Share: float64(n) / float64(m.Len())})
	}
	slices.SortFunc(shares, func(a, b model.RulesShare) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Rules, b.Rules))
	})
	return shares
}

// Add takes positions of the shard at path: of decisions that begin a turn, each in an
// image by a symmetry, of which none is preferred.
func (m *Samples) Add(path string) error {
	before := m.shards.Games()
	err := m.shards.Read(path, m.Every, func(r *record.Row, x *positions.Ruling[*look]) {
		m.runs[r.Run] = true
		if !m.Quiet || x.Calm() {
			expected := float64(r.RootValue)
			if r.PolicyKind == record.PolicyTeacher && r.RootDraw == record.DrawUnknown {
				expected = float64(r.Outcome)
			}
			if m.add(x.Own, x.State, m.count+m.shards.Games()-before-1) {
				m.targets = append(m.targets, m.target(expected, float64(r.Outcome)))
				m.rules[r.Rules]++
			}
		}
	})
	m.count += m.shards.Games() - before
	return err
}

// target is the expected score of the side to act, 0 to 1, from what the search expected and
// the result of the game, -1 to 1.
func (m *Samples) target(expected, outcome float64) float32 {
	return float32(0.5 + 0.5*(m.Result*outcome+(1-m.Result)*expected))
}

// add adds what l sees of s, but for its target. taken is false where only quiet positions are
// wanted and the side to act is in danger: what is threatened decides there.
func (m *Samples) add(l *look, s engine.State, game int) (taken bool) {
	l.inputs.Look(s, l.view)
	if l.view.Danger && m.Quiet {
		return false
	}
	for _, words := range [2][]uint64{l.view.Own, l.view.Other} {
		l.set = model.AppendBits(l.set[:0], words)
		for _, bit := range l.set {
			m.bits = append(m.bits, uint16(bit))
		}
		m.ends = append(m.ends, uint32(len(m.bits)))
	}
	for _, c := range l.view.Terms {
		m.terms = append(m.terms, int16(max(math.MinInt16, min(math.MaxInt16, c))))
	}
	m.games = append(m.games, int32(game))
	return true
}

// sample is a position as a network reads it.
type sample struct {
	own, other, terms []int32
	target            float32
}

// read sets s to position i of samples with that many terms each.
func (m *Samples) read(i, terms int, s *sample) {
	begin := uint32(0)
	if i > 0 {
		begin = m.ends[2*i-1]
	}
	s.own, s.other, s.terms = s.own[:0], s.other[:0], s.terms[:0]
	for _, bit := range m.bits[begin:m.ends[2*i]] {
		s.own = append(s.own, int32(bit))
	}
	for _, bit := range m.bits[m.ends[2*i]:m.ends[2*i+1]] {
		s.other = append(s.other, int32(bit))
	}
	for _, c := range m.terms[i*terms : (i+1)*terms] {
		s.terms = append(s.terms, int32(c))
	}
	s.target = m.targets[i]
}

// split returns the positions to learn from and those held out: of one game in held.
func (m *Samples) split() (learn, out []int32) {
	for i, game := range m.games {
		if game%held == held-1 {
			out = append(out, int32(i))
		} else {
			learn = append(learn, int32(i))
		}
	}
	return learn, out
}

// One game in held is held out.
const held = 20

// Digest identifies the positions and their targets.
func (m *Samples) Digest() string {
	h := sha256.New()
	for _, x := range []any{m.bits, m.ends, m.terms, m.targets, m.games} {
		if err := binary.Write(h, binary.LittleEndian, x); err != nil {
			panic("BUG: " + err.Error()) // of fixed size, into memory
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
