// Package mcts is Monte Carlo tree search with priors over any game of package
// engine: PUCT, or Gumbel, which plans a known number of simulations.
//
// A [Tree] belongs to one game. [Tree.Collect] hands out positions that need an
// evaluation and [Tree.Backup] takes the evaluations back, so that one goroutine
// can drive many trees and fill one batch from all of them. The package starts
// no goroutine and knows no clock, file or network; the same configuration,
// seed and evaluations give the same tree.
//
// # The tree
//
// The tree is one flat slice of 32-byte records. A record is an edge together
// with the position it leads to: action, prior, visits and value sum of the
// edge, what the evaluator said of a draw there, and where the edges of that
// position begin. Record 0 is the edge into the root, whose action, prior and
// parent mean nothing. The edges of a position
// are contiguous and stand after the edge into it. A position is played again
// from the root for every simulation; states are not stored. When the slice is
// full the search goes on without expanding and Stats says so.
//
// # Views
//
// Values are summed in the view of the first player and turned to the player
// who acts by one function, view. Who acts is asked of State.Actor: the same
// player may act twice in a row, and swaps of sides change nothing. At a
// chance decision the outcomes are visited in proportion to their
// probabilities, by largest p·(N+1) - n: the visits never stray from the
// proportion by chance, so the mean is as good as enumeration allows, and no
// random number is used up.
//
// # Roots
//
// [Tree.Target] is what to learn from a search and [Tree.TargetKind] its name;
// [Tree.Best] and [Tree.SampleAction] are what to play. [Tree.SetSearch] makes
// one root cheap or thorough. With Config.Proven, results that ends of games
// prove are kept as bounds beside the statistics and overrule them.
package mcts

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
)

// index is the place of an edge in Tree.edges.
type index uint32

// unknown is the actor of a position that was not reached yet.
const unknown engine.Player = -1

// edge is an action at a position and the position after it.
type edge struct {
	sum    float32 // values backed up through the edge, first player's view
	visits uint32  // completed simulations through the edge
	prior  float32 // of the action; probability of a chance outcome
	first  index   // where the edges of the position begin
	parent index   // the edge into the position where code is played
	code   uint16  // of the action or chance outcome
	// draw is the mean probability of a draw by the evaluations of the position
	// itself, in 1/drawOne: what a visit that ended here found.
	draw uint16
	// waiting counts the leaves below that are being evaluated.
	waiting uint16
	// count is the number of edges of the position, 0 before expansion.
	count uint16
	// seen is how many of those were ever descended; they stand in front, and
	// of the others the one with the highest prior stands first.
	seen uint16
	// actor decides at the position: unknown before it was reached, Nobody if
	// the game is over. An actor without edges was evaluated in a full tree.
	actor engine.Player
	// proof is what is certain of the position's value, first player's view.
	proof bounds
}

// action is the action or chance outcome of the edge.
func (e *edge) action() engine.Action { return engine.Action(e.code) }

// slot holds a leaf that waits for its evaluation.
type slot struct {
	state   engine.State
	actions []engine.Action
	edge    index
	serial  uint32 // of the leaf in it, 0 if it is free
	actor   engine.Player
	// detached: chance outcomes that found no room lie between edge and state.
	detached bool
}

// firstPlay is what an edge without visits is taken to be worth: value, or the
// value of its position less a reduction.
type firstPlay struct {
	absolute         bool
	value, reduction float32
}

// Tree is the search tree of one game. Not safe for concurrent use. After New
// nothing allocates but a history that outgrows its past length, and a
// path longer than any before.
type Tree struct {
	cfg   Config
	info  *engine.Info
	edges []edge // cap is the room
	// explore[n] is cpuct(n)·sqrt(n).
	explore []float32

	root      engine.State
	rootActor engine.Player
	ownPast   *engine.History
	past      *engine.History // ownPast, or nil if repetition is off
	rng       *rand.Rand

	fpu, rootFPU firstPlay
	virtualLoss  float32
	forced       float32 // Config.ForcedPlayouts

	plain          bool // PUCT by its formula alone
	gumbel         bool
	cvisit, cscale float32
	halving        halving // of this root, if gumbel

	budget   int // simulations of this root
	horizon  int // those that a Gumbel search plans for, if more
	compares int // actions that it compares; 0: as configured
	sims     int // completed, with those carried over if they count
	pending  int // leaves handed out
	full     bool
	// exploratory: this root has noise and forced playouts as configured.
	exploratory bool

	slots    []slot
	free     []int32 // slots without a leaf
	serial   uint32
	path     []engine.Action
	outcomes []engine.Weighted
	scratch  []float32 // [MaxLegal], of the position being expanded or left
	noise    []float64 // [MaxLegal]
	logits   []float64 // [MaxLegal]

	// rootActions are the legal actions of an expanded root in ascending order
	// and rootPriors their priors without noise.
	rootActions []engine.Action
	rootPriors  []float32
	report      []RootAction
}

// New returns a tree that fits searches of game, and of every other ruleset of
// its family, under cfg, which must be valid. It has no root before Reset.
func New(game engine.Game, cfg Config) *Tree {
	if err := cfg.Validate(); err != nil {
		panic("BUG: search configuration was not validated: " + err.Error())
	}
	info := game.Info()
	if info.NumActions > math.MaxUint16 || info.NumChance > math.MaxUint16 { // nor are more of them legal
		panic(fmt.Sprintf("BUG: %s has %d actions and %d chance outcomes, a tree holds %d", info.Name, info.NumActions, info.NumChance, math.MaxUint16))
	}
	t := &Tree{
		cfg:         cfg,
		info:        info,
		edges:       make([]edge, 0, cfg.room(info.MaxLegal, info.NumChance)),
		explore:     make([]float32, 2*cfg.Simulations+cfg.PendingLeaves),
		root:        game.NewState(),
		ownPast:     game.NewHistory(),
		slots:       make([]slot, cfg.PendingLeaves),
		free:        make([]int32, 0, cfg.PendingLeaves),
		path:        make([]engine.Action, 0, 1024), // longer than a game of most rulesets
		outcomes:    make([]engine.Weighted, 0, info.NumChance),
		scratch:     make([]float32, info.MaxLegal),
		noise:       make([]float64, info.MaxLegal),
		logits:      make([]float64, info.MaxLegal),
		rootActions: make([]engine.Action, 0, info.MaxLegal),
		rootPriors:  make([]float32, 0, info.MaxLegal),
		report:      make([]RootAction, 0, info.MaxLegal),
	}
	absolute := cfg.FPU == FPUAbsolute
	t.fpu = firstPlay{absolute, float32(cfg.FPUValue), float32(cfg.FPUReduction)}
	t.rootFPU = firstPlay{absolute, float32(cfg.RootFPUValue), float32(cfg.RootFPUReduction)}
	t.virtualLoss, t.forced = float32(cfg.VirtualLoss), float32(cfg.ForcedPlayouts)
	t.cvisit, t.cscale = float32(cfg.GumbelCVisit), float32(cfg.GumbelCScale)
	t.halving.noise = make([]float64, info.MaxLegal)
	t.halving.compared = make([]candidate, 0, min(cfg.GumbelActions, info.MaxLegal))
	t.setMethod(cfg.Search)
	for n := range t.explore {
		t.explore[n] = cfg.exploration(uint32(n))
	}
	for i := range t.slots {
		t.slots[i].state = game.NewState()
		t.slots[i].actions = make([]engine.Action, 0, info.MaxLegal)
	}
	return t
}

// Reset makes a copy of s, of any ruleset of the family, the root of an empty
// tree and h, the past of s, its own; a nil h turns repetition off. Leaves still
// pending are dropped: they must not be backed up any more. rng draws root noise,
// SampleAction's choices and chance outcomes that a full tree has no room for;
// without any of them it may be nil.
func (t *Tree) Reset(s engine.State, h *engine.History, rng *rand.Rand) {
	t.root.CopyFrom(s)
	t.past = nil
	if h != nil {
		t.past = t.ownPast
		t.past.CopyFrom(h)
	}
	t.rng = rng
	t.setMethod(t.cfg.Search)
	t.pending = 0
	t.free = t.free[:0]
	for i := range t.slots {
		t.slots[i].serial = 0
		t.free = append(t.free, int32(i))
	}
	t.plant()
}

// plant makes the tree a single unevaluated root.
func (t *Tree) plant() {
	t.edges = append(t.edges[:0], edge{actor: unknown})
	t.settle()
}

// settle prepares the search of a new root, expanded or not.
func (t *Tree) settle() {
	t.full = false
	t.rootActor = t.root.Actor()
	t.rootActions = t.rootActions[:0]
	t.rootPriors = t.rootPriors[:0]
	t.sims = 0
	if t.cfg.CountReused {
		t.sims = int(t.edges[0].visits)
	}
	t.budget = t.cfg.Simulations
	t.horizon, t.compares = 0, 0
	t.exploratory = true
	t.halving.planned = false
	t.dressRoot()
}

// SetBudget replaces Config.Simulations for the present root. A smaller budget
// than the simulations already done ends the search. Gumbel plans with the
// budget that it finds at its first choice; what is added later goes to the
// actions that are left.
func (t *Tree) SetBudget(simulations int) { t.budget = simulations }

// Plan has a Gumbel search of the present root compare so many actions in the place of
// Config.GumbelActions, which must not be less, and plan for so many simulations although
// its budget may be less for now, as it is where somebody looks at a clock now and then.
func (t *Tree) Plan(actions, simulations int) { t.compares, t.horizon = actions, simulations }

// SetMethod replaces Config.Search until the next Reset. It is to be called right
// after one.
func (t *Tree) SetMethod(search string) {
	if len(t.rootActions) > 0 || t.pending > 0 {
		panic("BUG: the method changes within a search")
	}
	t.setMethod(search)
}

func (t *Tree) setMethod(search string) {
	t.gumbel = search == SearchGumbel
	t.plain = search == SearchPUCT && t.cfg.ForcedPlayouts == 0 && !t.cfg.Proven
}

// SetSearch replaces Config.Simulations for the present root as SetBudget does,
// and says whether the root is explored beyond what play needs: with root noise
// and forced playouts as configured, which is how each root begins, or without
// any. Self-play that
// varies its budget (playout cap randomisation, Wu 2020) has cheap searches for
// the move alone and exploratory ones to learn from. It is to be called before
// the root's first simulation. Noise that is switched off and on is drawn again.
func (t *Tree) SetSearch(simulations int, exploratory bool) {
	t.budget = simulations
	if exploratory == t.exploratory {
		return
	}
	t.exploratory = exploratory
	if len(t.rootActions) == 0 {
		return
	}
	if exploratory {
		t.disturb()
	} else {
		t.calm()
	}
}

// Done reports whether the present root has had its simulations. It is always
// true at the end of a game, and once the result is proven.
func (t *Tree) Done() bool {
	if t.rootActor == engine.Nobody {
		return true
	}
	return t.pending == 0 && (t.sims >= t.budget || t.edges[0].proof.settled())
}

// Advance plays a, an action or chance outcome that is possible at the root,
// and keeps what is known of the position after it. Root noise is drawn again.
// No leaf may be pending. The cost is linear in the size of the tree.
func (t *Tree) Advance(a engine.Action) {
	if t.pending > 0 {
		panic(fmt.Sprintf("BUG: the tree advances while %d leaves are pending", t.pending))
	}
	child := t.child(a)
	t.root.Apply(a, t.past)
	if child == 0 || t.edges[child].count == 0 {
		t.plant()
		return
	}
	t.keep(child)
	t.settle()
}

// child is the edge of action a at the root, or 0 if the root is not expanded.
func (t *Tree) child(a engine.Action) index {
	n := &t.edges[0]
	if n.count == 0 {
		return 0
	}
	for i := n.first; i < n.first+index(n.count); i++ {
		if t.edges[i].action() == a {
			return i
		}
	}
	panic(fmt.Sprintf("BUG: %d is not possible at the root of the tree", a))
}

// keep makes edge c the root and moves its subtree to the front, in place.
//
// The edges of a position stand together and after the edge into it, so one
// pass in order meets every parent before its children:
//
//  1. give the edges of kept positions new places, packed in order, write the
//     place into the parent and mark the edges;
//  2. move the marked edges down: no edge moves up, so none is overwritten
//     before it has moved;
//  3. tell the children where their parents are now.
func (t *Tree) keep(c index) {
	end := index(len(t.edges))
	next := index(1)
	for i := index(1); i < end; {
		p := t.edges[i].parent
		n := index(t.edges[p].count)
		kept := p == c || t.edges[p].waiting != 0
		if kept {
			t.edges[p].first = next
			next += n
		}
		for k := i; k < i+n; k++ {
			t.edges[k].waiting = 0
			if kept {
				t.edges[k].waiting = 1
			}
		}
		i += n
	}
	t.edges[0] = t.edges[c]
	to := index(1)
	for i := index(1); i < end; i++ {
		if t.edges[i].waiting != 0 {
			t.edges[to] = t.edges[i]
			t.edges[to].waiting = 0
			to++
		}
	}
	t.edges = t.edges[:to]
	for i := range t.edges {
		n := &t.edges[i]
		if n.count == 0 {
			if n.actor == engine.First || n.actor == engine.Second {
				n.actor = unknown // there is room for it now
			}
			continue
		}
		for k := n.first; k < n.first+index(n.count); k++ {
			t.edges[k].parent = index(i)
		}
	}
}

// view turns a value of the first player into one of player p, and back.
func view(v float32, p engine.Player) float32 {
	if p == engine.Second {
		return -v
	}
	return v
}
