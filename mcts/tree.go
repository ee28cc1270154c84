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
// The tree is a flat slice of 32-byte records, or several where it is large. A record is
// an edge together with the position it leads to: action, prior, visits and value sum of the
// edge, the evaluator's probability of a draw there, and where the edges of that
// position begin. Record 0 is the edge into the root, whose action, prior and
// parent mean nothing. The edges of a position are contiguous and stand after the
// edge into it. States are not stored: every simulation replays its line from the
// root. When there is no room left, the search continues without expanding and Stats
// reports it. With [Tuning] further sums stand beside the records.
//
// # Views
//
// Values are summed in the view of the first player; one function, view, converts
// them to the player who acts. State.Actor says who that is: the same player may
// act twice in a row, and swaps of sides change nothing. At a chance decision the
// search visits outcomes in proportion to their probabilities, by largest
// p·(N+1) - n, so that the proportion has no sampling error; one random number of each
// root says with which to begin.
//
// # Roots
//
// [Tree.Target] is the policy target for training and [Tree.TargetKind] its name;
// [Tree.Best] and [Tree.SampleAction] choose the move to play. A [Search] makes one
// root cheap or thorough. With Config.Proven, proven results are kept as bounds
// beside the statistics and overrule them.
package mcts

import (
	"fmt"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
)

// maxExplore bounds the size of Tree.explore, to 256 KiB.
const maxExplore = 1 << 16

// index is the place of an edge in the store.
type index uint32

// unknown is the actor of a position that no simulation has reached yet.
const unknown engine.Player = -1

// edge is an action at a position and the position after it.
type edge struct {
	sum    float32 // values backed up through the edge, first player's view
	visits uint32  // completed simulations through the edge
	prior  float32 // of the action; probability of a chance outcome
	first  index   // where the edges of the position begin
	parent index   // the edge into the position where code is played
	code   uint16  // of the action or chance outcome
	// draw is the mean probability of a draw over the evaluations of the position
	// itself, in units of 1/drawOne.
	draw uint16
	// virtual counts the virtual visits: pending leaves at or below the position.
	virtual uint16
	// count is the number of edges of the position, 0 before expansion.
	count uint16
	// seen is the number of those edges that a simulation has descended. They come
	// first; the next one has the highest prior of the rest.
	seen uint16
	// actor decides at the position: unknown before it was reached, Nobody if
	// the game is over. An actor without edges was evaluated in a full tree.
	actor engine.Player
	// proof bounds the position's value, first player's view.
	proof bounds
}

func (e *edge) action() engine.Action { return engine.Action(e.code) }

// slot holds a pending leaf.
type slot struct {
	state   engine.State
	actions []engine.Action
	edge    index
	serial  uint32 // of the leaf in it, 0 if it is free
	actor   engine.Player
	// detached: chance outcomes that found no room lie between edge and state.
	detached bool
}

// firstPlay is the assumed value of an edge without visits: value, or the value of
// its position less a reduction.
type firstPlay struct {
	absolute         bool
	value, reduction float32
}

// Tree is the search tree of one game. Not safe for concurrent use. After New it
// allocates only when a history outgrows its past length or a path is longer than
// any before.
type Tree struct {
	cfg  Config
	info *engine.Info
	store
	// explore[n] is cpuct(n)·sqrt(n), for n that most positions have.
	explore []float32

	root      engine.State
	only      []engine.Action // Root.Only
	rootActor engine.Player
	ownPast   *engine.History
	past      *engine.History // ownPast, or nil if repetition is off
	rng       *rand.Rand
	dice      uint64 // the root's number for firstOutcome; 0: none

	fpu, rootFPU firstPlay
	virtualLoss  float32
	forced       float32 // Config.ForcedPlayouts

	plain          bool     // PUCT without forced playouts, proofs and tuning
	tuning         Tuning   // of the present root; zero if gumbel
	tuned          bool     // PUCT by pickTuned
	contempt       float32  // at the present root
	biases         []bucket // nil without Tuning.Bias
	biasFactor     float32  // tuning.Bias
	gumbel         bool
	cvisit, cscale float32
	halving        halving // of this root, if gumbel

	budget   int // simulations of this root
	planned  int // simulations that a Gumbel search plans for, if more than budget
	compares int // actions that a Gumbel root compares; 0: as configured
	sims     int // completed, including reused ones if CountReused
	pending  int // leaves handed out
	full     bool
	// exploratory roots have noise and forced playouts as configured.
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

// New returns a tree for searches of game, and of every other ruleset of its
// family, under cfg. It has no root before Reset. The error joins every problem of
// cfg, or says that the game has more actions than a tree holds.
//
// A large tree begins small and takes memory in chunks of 2 MiB, up to its room. What is
// searched does not depend on it. Each chunk is allocated once, and stays for later
// searches.
func New(game engine.Game, cfg Config) (*Tree, error) {
	shift := uint8(oneChunk)
	if info := game.Info(); cfg.edgeRoom(info.MaxLegal, info.NumChance) > atOnce {
		shift = chunkShift
	}
	return newTree(game, cfg, shift)
}

func newTree(game engine.Game, cfg Config, shift uint8) (*Tree, error) {
	info := game.Info()
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("search of %s: %w", info.Name, err)
	}
	if info.NumActions > engine.MaxActions || info.NumChance > engine.MaxActions { // nor are more of them legal
		return nil, fmt.Errorf("search of %s: it has %d actions and %d chance outcomes, want at most %d of each", info.Name, info.NumActions, info.NumChance, engine.MaxActions)
	}
	t := &Tree{
		cfg:         cfg,
		info:        info,
		store:       newStore(cfg.edgeRoom(info.MaxLegal, info.NumChance), shift, leastRoom(info.MaxLegal, info.NumChance)),
		explore:     make([]float32, min(2*cfg.Simulations+cfg.PendingLeaves, maxExplore)),
		root:        game.NewState(),
		only:        make([]engine.Action, 0, info.MaxLegal),
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
	if cfg.Tuning.needsMoments() {
		t.keepMoments()
	}
	if cfg.Tuning.Bias > 0 {
		t.biases = make([]bucket, biasBuckets)
	}
	absolute := cfg.FPU == FPUAbsolute
	t.fpu = firstPlay{absolute, float32(cfg.FPUValue), float32(cfg.FPUReduction)}
	t.rootFPU = firstPlay{absolute, float32(cfg.RootFPUValue), float32(cfg.RootFPUReduction)}
	t.virtualLoss, t.forced = float32(cfg.VirtualLoss), float32(cfg.ForcedPlayouts)
	t.cvisit, t.cscale = float32(cfg.GumbelCVisit), float32(cfg.GumbelCScale)
	t.setMethod(cfg.Search, cfg.Tuning)
	t.halving.noise = make([]float64, info.MaxLegal)
	t.halving.compared = make([]candidate, 0, min(cfg.GumbelActions, info.MaxLegal))
	for n := range t.explore {
		t.explore[n] = cfg.exploration(uint32(n))
	}
	for i := range t.slots {
		t.slots[i].state = game.NewState()
		t.slots[i].actions = make([]engine.Action, 0, info.MaxLegal)
	}
	return t, nil
}

// view converts a value between the first player's view and player p's.
func view(v float32, p engine.Player) float32 {
	if p == engine.Second {
		return -v
	}
	return v
}
