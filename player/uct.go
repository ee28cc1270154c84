package player

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
)

// exploration is the constant of UCB1 for values in [-1, 1]:
//
//	Q(a) + exploration * sqrt(ln N / N(a))
//
// (Kocsis and Szepesvári 2006; √2 there, for values in [0, 1]).
const exploration = 1.4

// simsPerCheck is how many simulations run between checks of the context.
const simsPerCheck = 32

// uct is plain Monte Carlo tree search: descend by UCB1, add one node, play a
// random game from it, count the result on the way back. Values are kept in the
// view of the player who acts at the edge, so that a player who moves twice or
// changes sides needs no special case. At chance nodes an outcome is drawn by
// its probability. In the tree repetition counts as in the rules; the random
// games know none, and past capTurns player turns they are drawn.
//
// It plays the action with most visits, then highest mean; the seed decides
// between equals. The tree is built anew for every decision, in memory that is
// kept. A simulation allocates nothing once that memory has reached its size.
type uct struct {
	sims, capTurns int // without a limit of time
	timer          timer
	room           int // edges, if there is one
	rng            source
	hist           *engine.History
	state          engine.State    // of the simulation under way
	only           []engine.Action // at the root; empty: all
	actions        []engine.Action
	chance         []engine.Weighted
	nodes          []uctNode // [0] is the root
	edges          []uctEdge
	path           []uctStep
}

type uctNode struct {
	first  uint32 // its edges are edges[first:first+count]
	count  int32  // -1: not expanded yet
	tried  int32  // of its edges, in their order, that have been visited
	visits int32
	actor  engine.Player
}

type uctEdge struct {
	action engine.Action
	child  uint32 // 0: none yet (the root is nobody's child)
	visits int32
	sum    float32 // of results in the view of the node's actor
	prob   float32 // of a chance outcome
}

// uctStep is an edge on the way from the root.
type uctStep struct{ node, edge uint32 }

func newUCT(g engine.Game, sims, capTurns int) *uct {
	return &uct{
		sims:     sims,
		timer:    newTimer(pace{}),
		capTurns: capTurns,
		hist:     g.NewHistory(),
		state:    g.NewState(),
		actions:  make([]engine.Action, 0, g.Info().MaxLegal),
		chance:   make([]engine.Weighted, 0, g.Info().NumChance),
		nodes:    make([]uctNode, 0, sims+1), // a simulation adds one at most
	}
}

// newTimedUCT returns a uct that searches at that pace where there is a choice, or
// until its tree might have no room, in edges, for another position. What it
// plays depends on the speed of the machine.
func newTimedUCT(g engine.Game, p pace, edges, capTurns int) *uct {
	u := newUCT(g, 0, capTurns)
	u.timer = newTimer(p)
	u.room = edges - max(g.Info().MaxLegal, g.Info().NumChance)
	return u
}

// CountsDepth implements [Limited].
func (u *uct) CountsDepth() bool { return false }

func (u *uct) NewGame(_ context.Context, seed uint64) error {
	u.rng.reseed(seed)
	u.timer.newGame()
	return nil
}

// Think implements match.Player. Values are means of the simulations' results. Where
// there is no choice it searches only for an analysis, and draws nothing.
func (u *uct) Think(ctx context.Context, s engine.State, h *engine.History, b match.Bounds) (*match.Analysis, error) {
	list, err := legal(u.actions[:0], s, h)
	if err != nil {
		return nil, err
	}
	u.actions = list
	d, err := u.timer.begin(b, u.sims, false)
	if err != nil {
		return nil, err
	}
	if choices := considered(list, b.Only); len(choices) == 1 {
		if !b.Analyze && (d.timed() || u.sims > 0) {
			return d.forced(choices[0]), nil
		}
		stream := u.rng
		defer func() { u.rng = stream }()
	}
	if err := d.divide(s, usualTurns(s)); err != nil {
		return nil, err
	}
	done := 0
	known := func() *match.Analysis {
		x := u.analysis(b.Lines > 0)
		x.Simulations = done
		return x
	}
	mark, why := u.begin(s, h), match.Ending("")
	u.only = b.Only
	for why == "" {
		if done%simsPerCheck == 0 {
			if err := d.broken(ctx); err != nil {
				return nil, err
			}
		}
		u.state.CopyFrom(s)
		u.simulate()
		u.hist.Truncate(mark)
		done++
		switch {
		case done == d.sims || done == mcts.MaxSimulations:
			why = match.EndLimit
		case u.sims == 0 && len(u.edges) > u.room:
			why = match.EndFull
		case d.up():
			why = match.EndLimit
		case done%simsPerCheck == 0:
			why = u.check(ctx, d, done, known)
		}
	}
	return d.end(known(), why), nil
}

// check says why the search ends after done simulations, if it does, and reports.
func (u *uct) check(ctx context.Context, d *decision, done int, known func() *match.Analysis) match.Ending {
	if d.Partial && ctx.Err() != nil {
		return match.EndStopped
	}
	if d.byClock {
		if first, second := u.rivals(); d.settled(first, second, done) {
			return match.EndSettled
		}
	}
	d.report(known)
	return ""
}

// begin begins the tree of s with its past h, whose length it returns.
func (u *uct) begin(s engine.State, h *engine.History) (past int) {
	u.hist.CopyFrom(h)
	u.nodes, u.edges = u.nodes[:0], u.edges[:0]
	u.add(s.Actor())
	return u.hist.Len()
}

// rivals are the visits of the two actions at the root that have most.
func (u *uct) rivals() (first, second int) {
	root := &u.nodes[0]
	for i := range max(0, root.count) {
		switch visits := int(u.edges[root.first+uint32(i)].visits); {
		case visits > first:
			first, second = visits, first
		case visits > second:
			second = visits
		}
	}
	return first, second
}

// analysis is what the tree says of its root, with a line for each move that was
// tried if lines is set.
func (u *uct) analysis(lines bool) *match.Analysis {
	root := &u.nodes[0]
	a := &match.Analysis{Judged: true, Moves: make([]match.Move, 0, root.count)}
	visits := 0
	for _, e := range u.edges[root.first : root.first+uint32(root.count)] {
		m := match.Move{Action: e.action, Visits: int(e.visits)}
		if e.visits > 0 {
			m.Value, m.Judged = float64(e.sum)/float64(e.visits), true
			if lines {
				m.Line = u.line([]engine.Action{e.action}, e.child)
			}
		}
		visits += m.Visits
		a.Value += float64(e.sum)
		a.Moves = append(a.Moves, m)
	}
	a.Value /= float64(visits)
	for i := range a.Moves {
		a.Moves[i].Prob = float64(a.Moves[i].Visits) / float64(visits)
	}
	slices.SortFunc(a.Moves, func(x, y match.Move) int { return cmp.Compare(x.Action, y.Action) })
	a.Line = u.line(nil, 0)
	a.Choice = a.Line[0]
	return a
}

// line appends the most visited line from node n.
func (u *uct) line(dst []engine.Action, n uint32) []engine.Action {
	for u.nodes[n].count > 0 {
		e := u.favourite(n)
		if e.visits == 0 {
			break
		}
		dst = append(dst, e.action)
		n = e.child
	}
	return dst
}

// favourite is the edge to play at the expanded node n: the one with most visits,
// then the highest mean.
func (u *uct) favourite(n uint32) *uctEdge {
	node := &u.nodes[n]
	edges := u.edges[node.first : node.first+uint32(node.count)]
	best := &edges[0]
	for i := range edges {
		e := &edges[i]
		// The sum decides like the mean where visits are equal.
		if e.visits > best.visits || e.visits == best.visits && e.sum > best.sum {
			best = e
		}
	}
	return best
}

// add appends a node that has no edges yet and returns its index.
func (u *uct) add(actor engine.Player) uint32 {
	u.nodes = append(u.nodes, uctNode{actor: actor, count: -1})
	return uint32(len(u.nodes) - 1)
}

// simulate plays one simulation from u.state, which is at the root.
func (u *uct) simulate() {
	u.path = u.path[:0]
	n := uint32(0)
	for {
		node := &u.nodes[n]
		if node.actor == engine.Nobody {
			break
		}
		if node.visits == 0 && n != 0 {
			u.rollout()
			break
		}
		if node.count < 0 {
			u.expand(node)
		}
		e := u.pick(node)
		edge := &u.edges[e]
		u.state.Apply(edge.action, u.hist)
		u.path = append(u.path, uctStep{n, e})
		if edge.child == 0 {
			edge.child = u.add(u.state.Actor())
		}
		n = edge.child
	}
	u.nodes[n].visits++
	value := u.state.Outcome().Value(engine.First)
	for _, step := range u.path {
		node, edge := &u.nodes[step.node], &u.edges[step.edge]
		node.visits++
		edge.visits++
		if node.actor == engine.Second {
			edge.sum -= value
		} else {
			edge.sum += value
		}
	}
}

// expand gives node, which u.state is at, its edges: a player's choices in
// random order, or the outcomes of chance.
func (u *uct) expand(node *uctNode) {
	node.first = uint32(len(u.edges))
	if node.actor == engine.Chance {
		u.chance = u.state.Chance(u.chance[:0])
		for _, w := range u.chance {
			u.edges = append(u.edges, uctEdge{action: w.Code, prob: float32(w.Prob)})
		}
	} else {
		u.actions = u.state.Legal(u.actions[:0], u.hist)
		if node == &u.nodes[0] {
			u.actions = append(u.actions[:0], considered(u.actions, u.only)...)
		}
		u.rng.shuffle(u.actions)
		for _, a := range u.actions {
			u.edges = append(u.edges, uctEdge{action: a})
		}
	}
	node.count = int32(len(u.edges)) - int32(node.first)
}

// pick returns the edge to follow from node.
func (u *uct) pick(node *uctNode) uint32 {
	if node.actor == engine.Chance {
		x := float32(u.rng.unit())
		last := node.first + uint32(node.count) - 1
		for e := node.first; e < last; e++ {
			if x -= u.edges[e].prob; x < 0 {
				return e
			}
		}
		return last
	}
	if node.tried < node.count {
		node.tried++
		return node.first + uint32(node.tried) - 1
	}
	log := math.Log(float64(node.visits))
	best, bestScore := node.first, float32(math.Inf(-1))
	for e := node.first; e < node.first+uint32(node.count); e++ {
		edge := &u.edges[e]
		n := float32(edge.visits)
		score := edge.sum/n + exploration*float32(math.Sqrt(log/float64(n)))
		if score > bestScore {
			best, bestScore = e, score
		}
	}
	return best
}

// rollout plays u.state at random to its end or to the cap.
func (u *uct) rollout() {
	last := u.state.Turn() + u.capTurns
	for {
		switch u.state.Actor() {
		case engine.Nobody:
			return
		case engine.Chance:
			u.chance = u.state.Chance(u.chance[:0])
			u.state.Apply(engine.Draw(u.chance, u.rng.unit()), nil)
		default:
			if u.state.Turn() >= last {
				return
			}
			u.actions = u.state.Legal(u.actions[:0], nil)
			u.state.Apply(u.actions[u.rng.below(len(u.actions))], nil)
		}
	}
}
