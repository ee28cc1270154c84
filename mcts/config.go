package mcts

import (
	"math"

	"github.com/ludozero/ludozero/internal/problems"
)

// MaxSimulations is the largest budget of a root. It keeps float32 value sums
// exact enough: up to here one more visit never rounds to nothing.
const MaxSimulations = 1 << 22

const (
	// maxEdges fits a 32-bit index; at 32 bytes each they take 2 GiB.
	maxEdges = 1 << 26
	// MaxPendingLeaves fits the 16-bit counter of an edge's virtual visits.
	MaxPendingLeaves = 1 << 10
)

// defaultEdgesPerNode sizes the tree when Config.Edges is zero, unless the game has
// fewer legal actions. Games here have 7 to 70 on average, some 200 in whole phases;
// Stats.Full reports a tree that ran out of room.
const defaultEdgesPerNode = 256

// The values of Config.Search.
const (
	SearchPUCT   = "puct"
	SearchGumbel = "gumbel"
)

// Config holds the parameters of one search.
//
// # PUCT
//
// At a position with N visits, its own expansion included, the search goes down
// the edge with the highest
//
//	Q(a) + cpuct(N) · P(a) · sqrt(N) / (1 + n(a))
//	cpuct(N) = CPuct + CPuctFactor · ln((N + CPuctBase + 1) / CPuctBase)
//
// after Silver et al. 2017 and 2018 (Methods), where n(a) counts the visits of
// the edge and Q(a) is the mean of the values backed up through it, in the view
// of the player who acts. N counts the position's own expansion, so that priors
// decide the first descent too. An edge without visits takes
//
//	Q(a) = max(-1, Q - FPUReduction · sqrt(sum of the priors of visited edges))
//
// with Q the mean value of the position, or the constant FPUValue if FPU says
// so. Ties go to the higher prior, then the lower action. A pending leaf is a
// virtual visit on its path: p of them on an edge count in N and n(a) and lower its Q
// by VirtualLoss · p / (n + p).
//
// # Gumbel
//
// After Danihelka et al. 2022. With n, P and Q as above, and with
//
//	sigma(q) = (GumbelCVisit + largest n(a)) · GumbelCScale · q
//	v_mix    = (v + sum of n · (sum of P·Q / sum of P)) / (1 + sum of n)
//	pi'      = softmax(log P(a) + sigma(Q(a))), with Q = v_mix if n(a) = 0
//
// where v is the evaluation of the position itself and the sums in the bracket
// go over visited edges, pi' is the improved policy. At the root, GumbelActions
// actions with the highest g(a) + log P(a) are compared by sequential halving;
// g is noise from the standard Gumbel distribution times GumbelScale. Below, the
// search goes down the edge with the highest pi'(a) - n(a) / (1 + sum of n); a
// virtual visit counts as a visit there. Ties are broken as with PUCT. The plan needs
// a budget that is known in advance: play that is limited by time uses PUCT. The
// larger sigma, the more the first evaluation of an edge decides whether it is
// visited again; below a chance decision that evaluation covers one outcome only, so
// games with dice want a smaller GumbelCScale. The parameters of exploration, first
// play, Dirichlet noise, forced playouts and virtual loss apply to PUCT only.
type Config struct {
	// Search is the method: SearchPUCT or SearchGumbel.
	Search string `mapstructure:"search"`
	// Simulations is the budget of a root: passes of select, expand, evaluate
	// and back up. The first of a fresh tree evaluates the root itself.
	Simulations int `mapstructure:"simulations"`
	// CountReused counts the visits that Advance kept towards Simulations. Without it
	// each root gets Simulations new ones.
	CountReused bool `mapstructure:"count_reused"`
	// CPuct is the constant part of the exploration weight.
	CPuct float64 `mapstructure:"cpuct"`
	// CPuctBase and CPuctFactor let the weight grow with visits. A factor of
	// zero keeps it constant.
	CPuctBase   float64 `mapstructure:"cpuct_base"`
	CPuctFactor float64 `mapstructure:"cpuct_factor"`
	// FPU is the assumed value of an unvisited edge: FPUReduced, the value of its
	// position less a reduction, or FPUAbsolute, a constant.
	FPU string `mapstructure:"fpu"`
	// FPUReduction scales the reduction below the value of the position,
	// RootFPUReduction at the root. Zero: no reduction.
	FPUReduction     float64 `mapstructure:"fpu_reduction"`
	RootFPUReduction float64 `mapstructure:"root_fpu_reduction"`
	// FPUValue is the constant value of an unvisited edge in the view of the player
	// who acts, RootFPUValue at the root: -1 is a loss, and 1 makes the search try
	// every edge once.
	FPUValue     float64 `mapstructure:"fpu_value"`
	RootFPUValue float64 `mapstructure:"root_fpu_value"`
	// NoiseFraction is the weight of Dirichlet noise in the priors of the
	// root: 0 in play, more in self-play. Noise is drawn again at each root.
	NoiseFraction float64 `mapstructure:"noise_fraction"`
	// DirichletAlpha is the concentration of each legal action's noise.
	// DirichletTotal is their sum: each has DirichletTotal / (number of legal
	// actions). With noise, exactly one of the two is set and the other is zero.
	DirichletAlpha float64 `mapstructure:"dirichlet_alpha"`
	DirichletTotal float64 `mapstructure:"dirichlet_total"`
	// ForcedPlayouts is the k of forced playouts (Wu 2020, where it is 2): a visited
	// edge of the root gets at least the square root of k · P(a) · (sum of the visits)
	// visits. Forced visits do not count in the policy target and in the choice of the
	// move. Zero: none.
	ForcedPlayouts float64 `mapstructure:"forced_playouts"`
	// Target is the policy target of PUCT: TargetVisits, which leaves out forced visits and
	// what is proven to be worse; TargetPruned, which also leaves out the visits that an edge
	// has from root noise alone; or TargetImproved, the improved policy of Gumbel search
	// from the priors without noise and Q of this search. It changes no search and no choice.
	Target string `mapstructure:"target"`
	// GumbelActions is the largest number of actions that a Gumbel root compares.
	GumbelActions int `mapstructure:"gumbel_actions"`
	// GumbelScale is the weight of the noise at a Gumbel root: 0 in play, 1 in
	// self-play, where it makes the choice a draw from the improved policy.
	GumbelScale float64 `mapstructure:"gumbel_scale"`
	// GumbelCVisit and GumbelCScale weigh Q, in [-1, 1], against the logits of the
	// priors, in Gumbel search and in TargetImproved: see sigma.
	GumbelCVisit float64 `mapstructure:"gumbel_cvisit"`
	GumbelCScale float64 `mapstructure:"gumbel_cscale"`
	// Proven keeps proven wins, draws and losses and uses them: the search takes
	// proven wins, avoids proven losses, clamps values to what is proven, and ends when
	// the root's result is proven. Off until it is shown to train or play better:
	// visits no longer follow the formulas alone, and a network trained on such games
	// sees fewer of the blunders that it has to learn to refute.
	Proven bool `mapstructure:"proven"`
	// PendingLeaves is the largest number of leaves in evaluation at once: 1 in
	// self-play, where batches are filled from many games. Gumbel waits at the end of
	// each round and where the improved policy is sure: of 16 it had 7 pending in
	// Connect Four and 10 to 13 in Kon'reh, where PUCT had 14 to 16 (random
	// evaluations, 100 and 800 simulations).
	PendingLeaves int `mapstructure:"pending_leaves"`
	// VirtualLoss is the loss of value assumed for a virtual visit, from 0 (only its
	// count matters) to 2 (from a certain win to a certain loss).
	VirtualLoss float64 `mapstructure:"virtual_loss"`
	// Edges is the capacity of the tree, 32 bytes each, 64 with most of Tuning. Zero derives it from
	// Simulations at 256 edges a position (or the game's largest number of legal actions
	// if less), twice that if reused visits are not counted.
	Edges int `mapstructure:"edges"`
	// Tuning refines PUCT. Of it MovesLeft alone is a key of a configuration.
	Tuning Tuning `mapstructure:",squash"`
}

// The values of Config.FPU.
const (
	FPUReduced  = "reduction"
	FPUAbsolute = "absolute"
)

// DefaultConfig is a search for play: no noise, one leaf at a time. The exploration
// weight grows as in AlphaZero (Silver et al. 2018). A virtual loss of 0.5 suffices:
// with random evaluations of Connect Four it filled 15.4 of 16 pending leaves, like 1
// and unlike 0 (6.9 to 11.3), and changed the visits less than 1 did. The Gumbel
// constants come from Danihelka et al.: for board games, a scale of 1 on values in
// [0, 1]; our values span twice that.
func DefaultConfig() Config {
	return Config{
		Search:           SearchPUCT,
		Simulations:      800,
		CPuct:            1.25,
		CPuctBase:        19652,
		CPuctFactor:      1,
		FPU:              FPUReduced,
		FPUReduction:     0.2,
		RootFPUReduction: 0.2,
		FPUValue:         -1,
		RootFPUValue:     -1,
		DirichletTotal:   10,
		Target:           TargetVisits,
		GumbelActions:    16,
		GumbelCVisit:     50,
		GumbelCScale:     0.5, // untuned; games with dice want 0.1 or less
		PendingLeaves:    1,
		VirtualLoss:      0.5,
	}
}

// Validate joins every problem of c, each with its key, value and rule.
func (c *Config) Validate() error {
	var l problems.List
	const largest = 1e6 // any finite bound would do: it keeps Inf out
	problems.Range(&l, "simulations", c.Simulations, 1, MaxSimulations)
	problems.Range(&l, "pending_leaves", c.PendingLeaves, 1, MaxPendingLeaves)
	problems.Range(&l, "edges", c.Edges, 0, maxEdges)
	problems.Range(&l, "cpuct", c.CPuct, 0, largest)
	problems.Range(&l, "cpuct_base", c.CPuctBase, 1, 1e9)
	problems.Range(&l, "cpuct_factor", c.CPuctFactor, 0, largest)
	l.Word("search", c.Search, SearchPUCT, SearchGumbel)
	l.Word("fpu", c.FPU, FPUReduced, FPUAbsolute)
	l.Word("target", c.Target, TargetVisits, TargetPruned, TargetImproved)
	problems.Range(&l, "fpu_value", c.FPUValue, -1, 1)
	problems.Range(&l, "root_fpu_value", c.RootFPUValue, -1, 1)
	problems.Range(&l, "fpu_reduction", c.FPUReduction, 0, 2)
	problems.Range(&l, "root_fpu_reduction", c.RootFPUReduction, 0, 2)
	problems.Range(&l, "noise_fraction", c.NoiseFraction, 0, 1)
	problems.Range(&l, "dirichlet_alpha", c.DirichletAlpha, 0, largest)
	problems.Range(&l, "dirichlet_total", c.DirichletTotal, 0, largest)
	problems.Range(&l, "virtual_loss", c.VirtualLoss, 0, 2)
	problems.Range(&l, "forced_playouts", c.ForcedPlayouts, 0, largest)
	problems.Range(&l, "gumbel_actions", c.GumbelActions, 1, math.MaxUint16)
	problems.Range(&l, "gumbel_scale", c.GumbelScale, 0, largest)
	problems.Range(&l, "gumbel_cvisit", c.GumbelCVisit, 0, largest)
	problems.Range(&l, "gumbel_cscale", c.GumbelCScale, 0, largest)
	l.If(c.NoiseFraction > 0 && (c.DirichletAlpha > 0) == (c.DirichletTotal > 0),
		"dirichlet_alpha: %g, dirichlet_total: %g: want exactly one above 0, since noise_fraction is %g",
		c.DirichletAlpha, c.DirichletTotal, c.NoiseFraction)
	l.If(c.CPuct == 0 && c.CPuctFactor == 0, "cpuct: 0: want more than 0 unless cpuct_factor is, or priors are ignored")
	l.If(c.Search == SearchGumbel && c.GumbelCScale == 0, "gumbel_cscale: 0: want more than 0, or values are ignored")
	c.Tuning.validate(&l)
	return l.Err()
}

// exploration is cpuct(n) · sqrt(n).
func (c *Config) exploration(n uint32) float32 {
	w := c.CPuct
	if c.CPuctFactor != 0 {
		w += c.CPuctFactor * math.Log((float64(n)+c.CPuctBase+1)/c.CPuctBase)
	}
	return float32(w * math.Sqrt(float64(n)))
}

// leastRoom is enough to expand the root.
func leastRoom(maxLegal, numChance int) int { return 1 + maxLegal + numChance }

// edgeRoom is the tree's capacity in edges: Edges or what follows from Simulations,
// and at least enough to expand the root.
func (c *Config) edgeRoom(maxLegal, numChance int) int {
	least := leastRoom(maxLegal, numChance)
	if c.Edges > 0 {
		return max(c.Edges, least)
	}
	perNode := min(maxLegal, defaultEdgesPerNode) + min(numChance, defaultEdgesPerNode)
	n := 1 + c.Simulations*perNode
	if !c.CountReused {
		n *= 2
	}
	return max(min(n, maxEdges), least)
}
