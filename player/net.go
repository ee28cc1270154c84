package player

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
)

// timedLeaves is how many leaves a search for a time has pending on one thread: one
// batch. A search for a number of simulations has one, whose choice of lines is the
// better.
const timedLeaves = groupLeaves

// MaxThreads is the most threads of a search.
const MaxThreads = 256

// clockSimulations is how many simulations may pass between two readings of the
// clock where none of them asks the network: some ten microseconds.
const clockSimulations = 32

// net searches with a network: no noise, and the most visited action unless it has
// a temperature.
// For a number of simulations it searches every decision anew, so that it decides
// alike wherever it is asked; it is then the player whose strength a training run
// is measured by. For a time it keeps what the last search found out about the
// position, if the game went on from there.
type net struct {
	network string // its PATH in the description; empty for rollouts
	sims    int    // simulations of a decision; 0: limited by time
	// countedTuning is the tuning of a search for a number of simulations.
	countedTuning mcts.Tuning
	// counted is the method of a search for a number of simulations; by time alone it
	// is PUCT.
	counted string
	game    engine.Game
	cfg     mcts.Config
	tree    *mcts.Tree
	path    *pathFinder // for a time: keeps the tree from decision to decision
	// leaves are pending at once, of every search; 0: as many as suit it.
	leaves   int
	pipeline *pipeline
	// evaluators has one a thread so far; more makes another, nil if there can
	// be none.
	evaluators []mcts.Evaluator
	more       func() (mcts.Evaluator, error)
	pcg        rand.PCG // chance outcomes in a full tree only
	// temperature is Sampling.Temperature for all its decisions; 0: it plays the best.
	temperature float64
	draws       rand.PCG // a stream of its own, so that searches do not depend on it
	// ratings reads the network's measured table, if it has one. unlike is an option
	// that makes it search differently than the table was measured, "" for none.
	ratings func() (*Ratings, error)
	unlike  string
	timer   timer
	look    *look             // nil: none
	found   []verdict         // by the look, until the tree knows them
	turns   *turnsEstimate    // for a time by the clock; nil: the game's own estimate
	legal   []engine.Action   // scratch
	root    []mcts.RootAction // scratch
}

// NewNet returns a player that searches with network, which it must not share.
func NewNet(g engine.Game, network mcts.Network, cfg mcts.Config) (match.Player, error) {
	n, err := newNet(g, evaluating{first: mcts.ByNetwork(g.Info(), network), threads: 1, leaves: cfg.PendingLeaves}, cfg)
	if err != nil {
		return nil, err
	}
	return n, nil
}

// evaluating is how the leaves of a player's searches are evaluated.
type evaluating struct {
	first   mcts.Evaluator                 // of the first thread
	more    func() (mcts.Evaluator, error) // of the others; nil: there is one thread
	threads int
	leaves  int // pending at once; 0: see pendingLeaves
}

func newNet(g engine.Game, e evaluating, cfg mcts.Config) (*net, error) {
	n := &net{
		sims: cfg.Simulations, counted: cfg.Search, countedTuning: cfg.Tuning, game: g, cfg: cfg, timer: newTimer(pace{}),
		leaves: e.leaves, evaluators: []mcts.Evaluator{e.first}, more: e.more,
	}
	return n, n.SetThreads(e.threads)
}

// Threaded is a player that can search with several threads.
type Threaded interface {
	match.Player
	// Threads is the number of threads of its searches.
	Threads() int
	// SetThreads changes it, from 1 to MaxThreads, between two searches. Nothing has
	// changed if it fails.
	SetThreads(threads int) error
}

// Threads implements [Threaded].
func (n *net) Threads() int { return 1 + len(n.pipeline.more) }

// SetThreads implements [Threaded]. With the number of leaves that may be pending the
// tree changes, and what it knows is lost.
func (n *net) SetThreads(threads int) error {
	if threads < 1 || threads > MaxThreads {
		return fmt.Errorf("threads=%d: want 1 to %d", threads, MaxThreads)
	}
	for len(n.evaluators) < threads {
		if n.more == nil {
			return fmt.Errorf("threads=%d: this player has %d", threads, len(n.evaluators))
		}
		e, err := n.more()
		if err != nil {
			return err
		}
		n.evaluators = append(n.evaluators, e)
	}
	n.cfg.PendingLeaves = cmp.Or(n.leaves, pendingLeaves(n.sims > 0, threads))
	if n.pipeline == nil || len(n.pipeline.leaves) != n.cfg.PendingLeaves {
		tree, err := mcts.New(n.game, n.cfg)
		if err != nil {
			return err
		}
		n.tree = tree
		n.path.forget()
	}
	n.pipeline = newPipeline(n.game, n.cfg.PendingLeaves, n.evaluators[:threads]...)
	return nil
}

// pendingLeaves is how many leaves are pending at once if nobody says: one in a search
// for a number of simulations, which thus does not depend on the threads and gains
// nothing from them.
func pendingLeaves(counted bool, threads int) int {
	switch {
	case counted:
		return 1
	case threads == 1:
		return timedLeaves
	}
	return min(threads*pendingPerThread, mcts.MaxPendingLeaves)
}

// newTimedNet returns a player that searches with evaluators, which it must not
// share, at that pace. Where there is no choice it takes no time. A root whose result
// is proven ends the search, and so does a tree that is full: from
// then on simulations would repeat evaluations that they already have. cfg.Edges
// bounds the tree's room and must be set; cfg.Simulations does not count. The search
// must be PUCT: see errPlan. It overruns by up to two batches of evaluations. By the clock of the
// game it plans for the turns that are estimated; turns may be nil. What it plays
// depends on the speed of the machine and is not reproducible.
func newTimedNet(g engine.Game, e evaluating, cfg mcts.Config, p pace, turns *turnsEstimate) (*net, error) {
	cfg.Simulations = max(1, cfg.Edges/16) // sizes a table, no search
	n := &net{
		counted: cfg.Search, countedTuning: cfg.Tuning, game: g, cfg: cfg, timer: newTimer(p), turns: turns, path: newPathFinder(g),
		leaves: e.leaves, evaluators: []mcts.Evaluator{e.first}, more: e.more,
	}
	return n, n.SetThreads(e.threads)
}

func (n *net) NewGame(_ context.Context, number uint64) error {
	n.pcg.Seed(number, 0)
	n.draws.Seed(seed.State(number, "net temperature", 0))
	n.timer.newGame()
	n.path.forget()
	return nil
}

// CountsDepth implements [Limited].
func (n *net) CountsDepth() bool { return false }

// Think implements match.Player. Limited by time alone a player whose description has
// a time begins with what the last search found out, and evaluates several leaves at
// once; a number of simulations is always the same search.
func (n *net) Think(ctx context.Context, s engine.State, h *engine.History, b match.Bounds) (*match.Analysis, error) {
	list, err := legal(n.legal[:0], s, h)
	if err != nil {
		return nil, err
	}
	n.legal = list
	d, err := n.timer.begin(b, n.sims, false)
	if err != nil {
		return nil, err
	}
	choices := considered(list, b.Only)
	if len(choices) == 1 && d.timed() && !b.Analyze {
		return d.forced(choices[0]), nil
	}
	if err := d.divide(s, func() (float64, error) { return n.turns.turnsLeft(s, list) }); err != nil {
		return nil, err
	}
	search := mcts.Search{NoContempt: b.Analyze && !b.Play}
	window := n.cfg.PendingLeaves
	root := mcts.Root{State: s, History: h, Rand: rand.New(&n.pcg), Only: b.Only}
	switch {
	case n.path != nil && d.sims == 0 && len(b.Only) == 0:
		n.follow(s, h)
		n.tree.SetSearch(search)
	case n.path != nil && d.sims == 0: // not the tree of another search of this position
		root.Search = search
		n.tree.Reset(root)
		n.path.forget()
	default:
		if d.sims != n.sims {
			root.Method, root.Tuning = n.counted, &n.countedTuning
			search.GumbelActions = compared(d.sims)
		}
		search.PlannedSimulations = d.sims
		root.Search = search
		n.tree.Reset(root)
		n.path.forget()
		window = cmp.Or(n.leaves, pendingLeaves(true, 1))
	}
	if n.found = n.found[:0]; n.look != nil && len(choices) > 1 {
		n.found = n.look.find(n.found, s, h, choices, d.partOfTime())
	}
	base := n.tree.Stats().Simulations // the same position may have been searched before
	n.pipeline.begin()
	why, err := n.search(ctx, d, base, window)
	n.pipeline.end(n.tree)
	if err != nil {
		return nil, err
	}
	x := n.analysis(d, base)
	if n.temperature > 0 {
		x.Choice = Draw(x, n.temperature, rand.New(&n.draws).Float64())
		x.Line = n.tree.Variation(nil, x.Choice)
	}
	if n.path != nil {
		n.path.choice = x.Choice
	}
	return d.end(x, why), nil
}

// search searches the root of n.tree, which has base simulations already, with up to
// window leaves pending.
func (n *net) search(ctx context.Context, d *decision, base, window int) (match.Ending, error) {
	most := mcts.MaxSimulations
	if d.sims > 0 {
		most = min(most, base+d.sims)
	}
	bounded := !d.timed() && d.sims > 0
	n.tree.SetBudget(most)
	looked := base // simulations when it was last asked whether the choice is settled
	for {
		if err := d.broken(ctx); err != nil {
			return "", err
		}
		n.tell()
		sims := n.tree.Simulations()
		if !bounded {
			n.tree.SetBudget(min(most, sims+n.pipeline.count()+max(clockSimulations, window)))
		}
		if n.tree.Done() {
			if low, high := n.tree.Bounds(); low == high {
				return match.EndProven, nil
			}
			return match.EndLimit, nil
		}
		if d.byClock && sims-looked >= clockSimulations {
			if first, second := n.rivals(); d.settled(first, second, sims-base) {
				return match.EndSettled, nil
			}
			looked = sims
		}
		if err := n.pipeline.step(n.tree, window); err != nil {
			if n.network != "" && errors.Is(err, mcts.ErrNotFinite) {
				err = fmt.Errorf("network %s: %w", n.network, err)
			}
			return "", err
		}
		n.tell() // before time is up
		switch {
		case n.tree.Full():
			return match.EndFull, nil
		case d.up():
			return match.EndLimit, nil
		case d.Partial && ctx.Err() != nil:
			return match.EndStopped, nil
		}
		d.report(func() *match.Analysis { return n.analysis(d, base) })
	}
}

// tell tells the tree, once its root is expanded, what a look has found.
func (n *net) tell() {
	if len(n.found) == 0 || n.tree.Stats().RootVisits == 0 {
		return
	}
	for _, v := range n.found {
		n.tree.Know(v.action, v.value)
	}
	n.found = n.found[:0]
}

// rivals are the visits of the two actions at the root that have most, without those that
// are known to lose and will not be chosen.
func (n *net) rivals() (first, second int) {
	n.root = n.tree.Root(n.root[:0])
	for _, r := range n.root {
		switch {
		case r.High < 0:
		case r.Visits > first:
			first, second = r.Visits, first
		case r.Visits > second:
			second = r.Visits
		}
	}
	return first, second
}

// analysis is what the tree says of its root, which is expanded.
func (n *net) analysis(d *decision, base int) *match.Analysis {
	low, high := n.tree.Bounds()
	a := &match.Analysis{
		Choice: n.tree.Best(), Value: float64(n.tree.RootValue()), Judged: true, Solved: low == high,
		Simulations: n.tree.Stats().Simulations - base,
	}
	var draws []float32
	if d.Draws {
		a.Draw, a.HasDraw = float64(n.tree.RootDraw()), true
		draws = n.tree.Draws(nil)
	}
	probs := n.tree.Target(nil)
	for i, r := range n.tree.Root(nil) {
		m := match.Move{
			Action: r.Action, Prob: float64(probs[i]), Visits: r.Visits, Value: float64(r.Value), Judged: r.Visits > 0, Prior: float64(r.Prior),
		}
		if d.Draws {
			m.Draw = float64(draws[i])
		}
		if d.Lines > 0 && m.Judged {
			m.Line = n.tree.Variation(nil, m.Action)
		}
		a.Moves = append(a.Moves, m)
	}
	// Of equal visits the most visited line may take another action than the
	// choice, which goes by values, too.
	a.Line = n.tree.Variation(nil, a.Choice)
	return a
}
