package replay

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
)

// Window is the replay window over the shards of a run's folder: the newest
// positions, counted in the order of shard names and, within a shard, of rows.
// It reads no clock, and what it draws depends on the shards and the generator
// alone. One goroutine owns it. A run that goes on from another may have shards of
// that before its own, see Inherit.
type Window struct {
	cfg    plan.WindowConfig
	family *engine.Family
	info   *engine.Info
	dir    string
	run    string

	shards []windowShard // those inherited, then all of the run by name
	seen   int64         // positions in shards, and those before the first
	size   int64         // positions drawn from: the last of them
	heritage
	// lag is how many generations the networks of its own games are behind them.
	lag int32
	// replies: samples have the opponent's reply.
	replies bool
	// rootShare is the share of the search in the value targets.
	rootShare float64
	// rootDecay is the decay of what is averaged for it.
	rootDecay float64
	// marginShare is the share of margins in what that leaves to results.
	marginShare float64
	// rules counts the positions of the run's own shards.
	rules []record.RulesRows
	// weight is the sum of the weights of all loaded positions, outside of those
	// that are older than the window; both 0 unless draws are weighted.
	weight, outside int64
	games           map[string]engine.Game
	spare           [][]float32 // policy slices of samples that had no use for them
}

// windowShard is a shard that was counted. A long run has tens of thousands, so
// that only those that reach into the window have more than this.
type windowShard struct {
	source      *plan.Ancestor // nil: the run itself
	name        string
	generation  int32 // as the shard counts
	rows        int32
	first, last int64 // numbers of its games
	end         int64 // positions up to its last, from the start of the run
	// weightEnd is the sum of the weights of the loaded shards up to this one, if
	// draws are weighted.
	weightEnd    int64
	*loadedShard // nil outside of the window
}

// loadedShard is what is drawn from a shard.
type loadedShard struct {
	columns *record.Columns
	games   []engine.Game // of columns.Rules
	replies []record.Reply
	// roots is what the searches expected, if that is a part of the targets and the
	// shard tells.
	roots []record.RootWDL
	// margins are the squashed margins of the games in the view of each row's player, or
	// marginUnknown, if they are a part of the targets.
	margins []float32
	// weights holds the partial sums of the positions' weights, if draws are weighted.
	weights []int64
}

// counted is what is kept of a shard with metadata m, played for source.
func counted(source *plan.Ancestor, name string, m *record.Meta) windowShard {
	return windowShard{source: source, name: name, generation: m.Generation, rows: int32(m.Rows), first: m.FirstGame, last: m.LastGame}
}

// NewWindow returns an empty window over the shards of one run in dir.
func NewWindow(cfg plan.WindowConfig, family *engine.Family, dir, run string) (*Window, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	g, err := family.Parse("")
	if err != nil {
		return nil, err
	}
	return &Window{cfg: cfg, family: family, info: g.Info(), dir: dir, run: run, games: map[string]engine.Game{}}, nil
}

// Open returns an empty window that draws as a run with configuration cfg does.
func Open(cfg *plan.Config, family *engine.Family, dir, run string) (*Window, error) {
	w, err := NewWindow(cfg.Window, family, dir, run)
	if err != nil {
		return nil, err
	}
	w.lag = int32(cfg.Lag)
	w.MixRootValue(cfg.Train.RootValueShare)
	w.DecayRootValue(cfg.Train.RootValueDecay)
	w.MixMargin(cfg.Train.MarginShare)
	if cfg.WantsReplies() {
		w.LoadReplies()
	}
	return w, nil
}

// LoadReplies makes Draw give samples the opponent's reply, from the shards that
// are loaded from now on: it is called before the first Refresh.
func (w *Window) LoadReplies() { w.replies = true }

// Refresh is RefreshTo without a limit.
func (w *Window) Refresh() (int64, error) { return w.RefreshTo(math.MaxInt64) }

// RefreshTo counts the shards with numbers below limit that came since the last
// call, loads those that reach into the window and lets go of those that no
// longer do. It returns the number of new positions. A damaged or foreign shard,
// or one with games that another has too, is refused by name, and the window is
// as it was. Shards from limit on are not opened: they may still be written.
func (w *Window) RefreshTo(limit int64) (int64, error) {
	fresh, rules, err := w.newShards(limit)
	if err != nil || len(fresh) == 0 && !w.unread {
		return 0, err
	}
	shards := append(slices.Clone(w.shards), fresh...)
	own := shards[w.inherited:]
	slices.SortFunc(own, func(a, b windowShard) int { return strings.Compare(a.name, b.name) })
	if err := disjoint(own); err != nil {
		return 0, err
	}
	seen := w.older
	for i := range shards {
		seen += int64(shards[i].rows)
		shards[i].end = seen
	}
	size := min(w.cfg.Positions(seen), seen-w.older)
	for i := range shards {
		s := &shards[i]
		if s.end <= seen-size {
			s.loadedShard, s.weightEnd = nil, 0
		} else if s.loadedShard == nil {
			if s.loadedShard, err = w.load(s); err != nil {
				return 0, err
			}
		}
	}
	added := seen - w.seen
	w.shards, w.seen, w.size, w.unread = shards, seen, size, false
	w.rules = record.AddRulesRows(w.rules, rules)
	if w.cfg.Weighs() {
		w.sumWeights()
	}
	return added, nil
}

// newShards verifies the shards below limit that are not counted yet, and counts
// their rows by rules. The rows are left on disk: how many of them the window
// needs is not known before all are counted.
func (w *Window) newShards(limit int64) (fresh []windowShard, rules []record.RulesRows, err error) {
	entries, err := os.ReadDir(w.dir)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		generation, number, ours := record.ParseFileName(e.Name())
		if !ours || number >= limit || w.knows(e.Name()) {
			continue
		}
		s, err := w.open(&windowShard{name: e.Name()})
		if err != nil {
			return nil, nil, err
		}
		if s.Meta.Generation != generation || s.Meta.Number != number {
			return nil, nil, fmt.Errorf("shard %s: %w: it was written as %s", s.Name, record.ErrCorrupt, record.FileName(s.Meta.Generation, s.Meta.Number))
		}
		counts, err := s.RulesRows()
		if err != nil {
			return nil, nil, err
		}
		rules = record.AddRulesRows(rules, counts)
		fresh = append(fresh, counted(nil, e.Name(), &s.Meta))
	}
	return fresh, rules, nil
}

func (w *Window) knows(name string) bool {
	_, ok := slices.BinarySearchFunc(w.shards[w.inherited:], name, func(s windowShard, name string) int { return strings.Compare(s.name, name) })
	return ok
}

// open opens a shard and refuses it unless it is of the run it is to be of.
func (w *Window) open(shard *windowShard) (*record.Shard, error) {
	dir, run := w.dir, w.run
	if a := shard.source; a != nil {
		dir, run = a.Dir, a.Run
	}
	s, err := record.Open(filepath.Join(dir, shard.name), w.info)
	if err != nil {
		return nil, err
	}
	if s.Meta.Run != run {
		return nil, fmt.Errorf("shard %s: %w: of run %q, want %q", s.Name, record.ErrForeign, s.Meta.Run, run)
	}
	return s, nil
}

// disjoint reports two shards that hold the same game: it would be trained on
// twice.
func disjoint(shards []windowShard) error {
	byGame := slices.Clone(shards)
	slices.SortFunc(byGame, func(a, b windowShard) int { return cmp.Compare(a.first, b.first) })
	for i := 1; i < len(byGame); i++ {
		a, b := &byGame[i-1], &byGame[i]
		if b.first <= a.last {
			return fmt.Errorf("shard %s: %w: games %d to %d, but %s has %d to %d", b.name, record.ErrCorrupt,
				b.first, b.last, a.name, a.first, a.last)
		}
	}
	return nil
}

// load decodes a shard and parses its rulesets.
func (w *Window) load(s *windowShard) (*loadedShard, error) {
	shard, err := w.open(s)
	if err != nil {
		return nil, err
	}
	columns, err := shard.Columns()
	if err != nil {
		return nil, err
	}
	l := &loadedShard{columns: columns, games: make([]engine.Game, len(columns.Rules))}
	for i, rules := range columns.Rules {
		if l.games[i], err = w.game(rules); err != nil {
			return nil, fmt.Errorf("shard %s: %w: %w", shard.Name, record.ErrCorrupt, err)
		}
	}
	if w.replies {
		if l.replies, err = shard.Replies(columns); err != nil {
			return nil, err
		}
	}
	if w.rootShare > 0 {
		if l.roots, err = shard.RootWDLs(); err != nil {
			return nil, err
		}
	}
	if w.marginShare > 0 {
		if l.margins, err = marginsOf(shard, l); err != nil {
			return nil, err
		}
	}
	if w.rootShare > 0 && w.rootDecay > 0 { // after the margins, which its end has
		if err := l.decayRoots(shard, w.rootDecay, w.marginShare); err != nil {
			return nil, err
		}
	}
	if w.cfg.Weighs() {
		l.weights = drawWeights(columns, &w.cfg)
	}
	columns.Surprise = nil // has done its work
	return l, nil
}

func (w *Window) game(rules string) (engine.Game, error) {
	if g, ok := w.games[rules]; ok {
		return g, nil
	}
	g, err := w.family.Parse(rules)
	if err == nil {
		w.games[rules] = g
	}
	return g, err
}

// Seen is the number of positions in the run's shards and of those that were seen
// before them, see Inherit.
func (w *Window) Seen() int64 { return w.seen }

// Len is the number of positions that are drawn from: N(Seen()), or all
// there are.
func (w *Window) Len() int64 { return w.size }

// Bytes is the memory that the loaded positions take.
func (w *Window) Bytes() int64 {
	n := 0
	for i := range w.shards {
		if l := w.shards[i].loadedShard; l != nil {
			c := l.columns
			n += 4*(cap(c.GameEnd)+cap(l.roots)+cap(l.margins)) + 8*cap(l.weights)
			n += cap(l.replies) + cap(c.Packed) + 2*(cap(c.RulesOf)+cap(c.Legal)+cap(c.Policy)) + 4*(cap(c.LegalEnd)+cap(c.PolicyEnd)+cap(c.TurnsLeft)) + cap(c.Outcome)
		}
	}
	return int64(n)
}

// Draw fills s with one position of the window, each with the same probability
// unless the configuration weighs them, independent of earlier draws; of r it takes
// one bounded integer. s is empty or
// was last filled by Draw; its Packed belongs to the window and is read only,
// its other slices are its own and are reused. Draw allocates only while they
// grow. Drawing from an empty window is a bug of the caller.
func (w *Window) Draw(r *rand.Rand, s *Sample) {
	if w.size == 0 {
		panic("BUG: drawn from an empty window")
	}
	var position int64
	if w.cfg.Weighs() {
		position = w.drawWeighted(r)
	} else {
		position = w.seen - w.size + r.Int64N(w.size)
	}
	lo, hi := 0, len(w.shards)-1
	for lo < hi {
		if mid := (lo + hi) / 2; w.shards[mid].end <= position {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	shard := &w.shards[lo]
	c := shard.columns
	i := int(position - shard.end + int64(c.Rows))

	s.Game = shard.games[c.RulesOf[i]]
	s.Packed = c.PackedOf(i)
	s.Actions = s.Actions[:0]
	for _, a := range c.LegalOf(i) {
		s.Actions = append(s.Actions, engine.Action(a))
	}
	w.setPolicy(s, c.PolicyOf(i))
	s.Value = shard.valueTarget(i, w.rootShare, w.marginShare)
	s.TurnsUnknown = c.TurnsLeft[i] == record.TurnsUnknown
	s.TurnsLeft = float32(max(0, c.TurnsLeft[i]))
	s.Generation = w.played(shard)
	s.Weight = 1
	shard.setReply(i, s)
}

// setPolicy gives s a policy target, or none: then its slice waits for a sample
// that needs one.
func (w *Window) setPolicy(s *Sample, policy []uint16) {
	if len(policy) == 0 {
		if cap(s.Policy) > 0 {
			w.spare = append(w.spare, s.Policy)
			s.Policy = nil
		}
		return
	}
	if cap(s.Policy) == 0 {
		if n := len(w.spare); n > 0 {
			s.Policy, w.spare = w.spare[n-1], w.spare[:n-1]
		} else {
			s.Policy = make([]float32, 0, w.info.MaxLegal)
		}
	}
	s.Policy = s.Policy[:0]
	for _, p := range policy {
		s.Policy = append(s.Policy, float32(p)/record.PolicyOne)
	}
}

// Rules counts the positions in the run's own shards, Own, by rules word, in the
// order of the words: those of the window and those that have left it.
func (w *Window) Rules() []record.RulesRows { return slices.Clone(w.rules) }
