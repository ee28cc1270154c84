package selfplay

import (
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/selfplay/record"
)

// game is one game in flight. Its moves depend on its seed and its player, not on other
// games in flight. A game and its tree are reused for the next game.
type game struct {
	cfg  *Config
	job  *Job
	tree *mcts.Tree
	past *engine.History // up to the first search; the tree keeps its own
	rng  *rand.Rand

	lane      *lane // of its network
	ruleset   engine.Game
	opening   opening
	number    int64
	seed      uint64
	beginning string // of record's
	// simulations are the budgets of the generation's searches.
	simulations struct{ full, fast int }
	ply         int32
	begun       bool // the search of the present decision
	full        bool // it is one in full
	rows        []record.Row
	before      []engine.Action // applied since the last row
	resign      resignation
	taught      taught

	leaf    [1]mcts.Leaf
	place   int // of the leaf in the batch
	legal   []engine.Action
	chances []engine.Weighted
	target  []float32
	root    []mcts.RootAction
}

func newGame(cfg *Config, job *Job) (*game, error) {
	tree, err := mcts.New(job.Game, cfg.Search)
	return &game{cfg: cfg, job: job, tree: tree}, err
}

// start begins game number n with the network of a lane.
func (g *game) start(n int64, l *lane) {
	gameSeed, rules := g.job.Begins(n)
	g.lane, g.number, g.seed = l, n, gameSeed
	g.simulations.full, g.simulations.fast = g.cfg.SimulationsAt(l.player.Generation)
	g.rng = rand.New(seed.Stream(g.seed, "self-play", 0))
	g.ply, g.rows, g.before, g.begun = 0, nil, nil, false
	g.resign = newResignation(&g.cfg.Resignation, g.rng)
	g.taught = newTaught(&g.cfg.Teacher, l.player.Generation, g.seed)
	if rules != g.ruleset {
		g.ruleset, g.past = rules, rules.NewHistory()
	}
	s := g.ruleset.NewState()
	s.Start(g.past)
	g.begin(s)
}

// work counts decisions and cache hits.
type work struct{ decisions, hits int64 }

// advance continues the game until a position must be evaluated, which it puts into
// g.leaf and the lane's batch (true), or the game is over or the teacher decides (false).
// Evaluations in the batch's cache are backed up at once.
func (g *game) advance(done *work) bool {
	if g.opening.state != nil && g.open(done) {
		return true
	}
	for {
		s := g.tree.RootState()
		if !g.begun {
			switch s.Actor() {
			case engine.Nobody:
				return false
			case engine.Chance:
				g.chances = s.Chance(g.chances[:0])
				g.apply(engine.Draw(g.chances, g.rng.Float64()))
				continue
			}
			if g.legal = s.Legal(g.legal[:0], g.tree.History()); len(g.legal) == 1 {
				g.apply(g.legal[0]) // nothing to search, nothing to learn
				g.ply++
				continue
			}
			if g.taught.rng != nil {
				return false
			}
			g.beginSearch()
		}
		for g.tree.Collect(g.leaf[:]) == 1 {
			g.place = g.lane.batch.Add(g.leaf[0].State, g.leaf[0].Actions)
			if g.place != mcts.Known {
				return true
			}
			g.backup()
			done.hits++
		}
		if !g.tree.Done() {
			panic("BUG: a search with one leaf at a time has none to evaluate and is not done")
		}
		g.decide(s)
		done.decisions++
		if g.resign.over() {
			return false
		}
	}
}

// backup backs up the batch's evaluation of the leaf.
func (g *game) backup() {
	b := g.lane.batch
	g.tree.Backup(&g.leaf[0], b.Logits(g.place), b.Evaluation(g.place))
}

// beginSearch chooses the search of the current decision: full or fast.
func (g *game) beginSearch() {
	g.begun, g.full = true, g.cfg.FullShare == 1 || g.rng.Float64() < g.cfg.FullShare
	simulations := g.simulations.fast
	if g.full {
		simulations = g.simulations.full
	}
	g.tree.SetSearch(mcts.Search{Simulations: simulations, NoExploration: !g.full})
}

func (g *game) apply(a engine.Action) {
	g.before = append(g.before, a)
	g.tree.Advance(a)
}

// decide records the searched position and plays a move.
func (g *game) decide(s engine.State) {
	temperature := g.cfg.FinalTemperature
	if s.Turn() < g.cfg.TemperatureTurns {
		temperature = g.cfg.Temperature
	}
	a := g.tree.SampleAction(temperature, g.rng)
	g.root = g.tree.Root(g.root[:0])
	legal := make([]engine.Action, len(g.root))
	visits := make([]int32, len(g.root))
	for i, r := range g.root {
		legal[i], visits[i] = r.Action, int32(r.Visits)
	}
	kind, policy, surprise := record.PolicyNone, []uint16(nil), float32(0)
	if g.full {
		kind = g.tree.TargetKind()
		g.target = g.tree.Target(g.target[:0])
		policy = record.AppendPolicy(make([]uint16, 0, len(legal)), g.target)
		surprise = surpriseOf(g.target, g.root)
	}
	row := g.newRow(s)
	row.Legal, row.PolicyKind, row.Policy, row.Visits = legal, kind, policy, visits
	row.RootValue, row.RootDraw, row.NetworkValue = g.tree.RootValue(), g.tree.RootDraw(), g.tree.NetworkValue()
	row.Surprise, row.Full, row.Action = surprise, g.full, a
	g.rows = append(g.rows, row)
	g.before, g.begun = nil, false
	g.ply++
	g.tree.Advance(a)
	r := &g.rows[len(g.rows)-1]
	r.Resigns = g.resign.judge(engine.Player(r.Player), r.RootValue, int(r.Turn), g.tree.RootState().Actor() == engine.Nobody)
}

// newRow returns what a row says of the game and of its position s, before the decision.
func (g *game) newRow(s engine.State) record.Row {
	return record.Row{
		Run:        g.job.Run,
		Game:       g.job.Game.Info().Name,
		Rules:      g.ruleset.Rules(),
		Generation: int32(g.lane.player.Generation),
		GameNumber: g.number,
		Seed:       g.seed,
		Beginning:  g.beginning,
		Ply:        g.ply,
		Turn:       int32(s.Turn()),
		Player:     int8(s.Actor()),
		Side:       int8(s.Side()),
		Position:   string(s.AppendPosition(nil)),
		Packed:     s.Pack(make([]byte, 0, g.job.Game.Info().PackedBytes)),
		Before:     g.before,
	}
}

// finish fills in the outcome in all rows and returns the game.
func (g *game) finish() *Finished {
	s := g.tree.RootState()
	o := s.Outcome()
	if g.resign.over() {
		o = g.resign.outcome()
	}
	for i := range g.rows {
		r := &g.rows[i]
		r.Outcome = int8(o.Value(engine.Player(r.Player)))
		r.Reason = o.Reason
		r.TurnsLeft = int32(s.Turn()) - r.Turn
	}
	if len(g.rows) > 0 {
		g.rows[len(g.rows)-1].After = g.before
	}
	return &Finished{
		Number: g.number, Generation: g.lane.player.Generation, Rules: g.ruleset.Rules(), Rows: g.rows, Outcome: o, Turns: s.Turn(),
	}
}
