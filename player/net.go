package player

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
)

// timedLeaves is how many positions a search for a time has evaluated at once. On
// kernels for AMX eight of them take half of the time that they take one by one;
// a search for a number of simulations takes one at a time, whose choice of lines
// is the better.
const timedLeaves = 8

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
	// counted is the method of a search for a number of simulations; by time alone it
	// is PUCT.
	counted string
	tree    *mcts.Tree
	path    *pathFinder // for a time: keeps the tree from decision to decision
	runner  *mcts.Runner
	single  *mcts.Runner // asks for one position at a time
	pcg     rand.PCG     // chance outcomes in a full tree only
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
	n, err := newNet(g, mcts.ByNetwork(g.Info(), network), cfg)
	if err != nil {
		return nil, err
	}
	return n, nil
}

func newNet(g engine.Game, evaluator mcts.Evaluator, cfg mcts.Config) (*net, error) {
	tree, err := mcts.New(g, cfg)
	if err != nil {
		return nil, err
	}
	return &net{
		sims: cfg.Simulations, counted: cfg.Search, tree: tree, timer: newTimer(pace{}),
		runner: mcts.NewRunner(g, evaluator, cfg.PendingLeaves), single: mcts.NewRunner(g, evaluator, 1),
	}, nil
}

// newTimedNet returns a player that searches with an evaluator, which it must not
// share, at that pace. Where there is no choice it takes no time. A root whose result
// is proven ends the search, and so does a tree that is full: from
// then on simulations would repeat evaluations that they already have. cfg.Edges
// is the tree's room and must be set; cfg.Simulations does not count. The search
// must be PUCT: see errPlan. It overruns by up to one batch of evaluations. By the clock of the
// game it plans for the turns that are estimated; turns may be nil. What it plays
// depends on the speed of the machine and is not reproducible.
func newTimedNet(g engine.Game, evaluator mcts.Evaluator, cfg mcts.Config, p pace, turns *turnsEstimate) (*net, error) {
	cfg.Simulations = max(1, cfg.Edges/16) // sizes a table, no search
	n, err := newNet(g, evaluator, cfg)
	if err != nil {
		return nil, err
	}
	n.sims, n.timer = 0, newTimer(p)
	n.turns = turns
	n.path = newPathFinder(g)
	return n, nil
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
	if len(list) == 1 && d.timed() && !b.Analyze {
		return d.forced(list[0]), nil
	}
	if err := d.divide(s, func() (float64, error) { return n.turns.turnsLeft(s, list) }); err != nil {
		return nil, err
	}
	runner := n.runner
	search := mcts.Search{NoContempt: b.Analyze}
	if n.path != nil && d.sims == 0 {
		n.follow(s, h)
		n.tree.SetSearch(search)
	} else {
		root := mcts.Root{State: s, History: h, Rand: rand.New(&n.pcg)}
		if d.sims != n.sims {
			root.Method = n.counted
			search.GumbelActions, search.PlannedSimulations = compared(d.sims), d.sims
		}
		root.Search = search
		n.tree.Reset(root)
		n.path.forget()
		if n.sims == 0 {
			runner = n.single
		}
	}
	if n.found = n.found[:0]; n.look != nil && len(list) > 1 {
		n.found = n.look.find(n.found, s, h, list)
	}
	base := n.tree.Stats().Simulations // the same position may have been searched before
	why, err := n.search(ctx, d, base, runner)
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

// search searches the root of n.tree, which has base simulations already.
func (n *net) search(ctx context.Context, d *decision, base int, runner *mcts.Runner) (match.Ending, error) {
	most := mcts.MaxSimulations
	if d.sims > 0 {
		most = min(most, base+d.sims)
	}
	budget := base // grows between readings of the clock
	if !d.timed() && d.sims > 0 {
		budget = most
	}
	n.tree.SetBudget(budget)
	for {
		if err := d.broken(ctx); err != nil {
			return "", err
		}
		if len(n.found) > 0 && n.tree.Stats().RootVisits > 0 {
			for _, v := range n.found {
				n.tree.Know(v.action, v.value)
			}
			n.found = n.found[:0]
		}
		if n.tree.Done() {
			low, high := n.tree.Bounds()
			switch known := n.tree.Stats().RootVisits > 0; {
			case known && low == high:
				return match.EndProven, nil
			case known && budget >= most:
				return match.EndLimit, nil
			}
			if d.byClock {
				if first, second := n.rivals(); d.settled(first, second, n.tree.Stats().Simulations-base) {
					return match.EndSettled, nil
				}
			}
			budget = min(budget+clockSimulations, most)
			n.tree.SetBudget(budget)
		}
		if _, err := runner.Step(n.tree); err != nil {
			if n.network != "" && errors.Is(err, mcts.ErrNotFinite) {
				err = fmt.Errorf("network %s: %w", n.network, err)
			}
			return "", err
		}
		switch {
		case n.sims == 0 && n.tree.Stats().Full:
			return match.EndFull, nil
		case d.up():
			return match.EndLimit, nil
		case d.Partial && ctx.Err() != nil:
			return match.EndStopped, nil
		}
		d.report(func() *match.Analysis { return n.analysis(d, base) })
	}
}

// rivals are the visits of the two actions at the root that have most.
func (n *net) rivals() (first, second int) {
	n.root = n.tree.Root(n.root[:0])
	for _, r := range n.root {
		switch {
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
	probs := n.tree.Target(nil)
	for i, r := range n.tree.Root(nil) {
		m := match.Move{
			Action: r.Action, Prob: float64(probs[i]), Visits: r.Visits, Value: float64(r.Value), Judged: r.Visits > 0,
		}
		if d.Lines && m.Judged {
			m.Line = n.tree.Variation(nil, m.Action)
		}
		a.Moves = append(a.Moves, m)
	}
	// Of equal visits the most visited line may take another action than the
	// choice, which goes by values, too.
	a.Line = n.tree.Variation(nil, a.Choice)
	return a
}
