package mcts

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// MaxSimulations is the largest budget of a root. It keeps float32 value sums
// exact enough: up to here one more visit never rounds to nothing.
const MaxSimulations = 1 << 22

// maxEdges is what a 32-bit index and 2^26 records of 32 bytes, 2 GiB, allow.
// maxPendingLeaves fits the counter of an edge's virtual visits with much room.
const (
	maxEdges         = 1 << 26
	maxPendingLeaves = 1 << 10
)

// defaultEdgesPerNode is the room for the edges of one expanded position when
// Config.Edges is zero, unless the game has fewer legal actions. Means of the
// games here are 7 to 40; a tree that runs out says so.
const defaultEdgesPerNode = 64

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
// so. Scores that are equal are decided by the higher prior, then the lower
// action. A leaf that waits for its evaluation is a virtual visit on its path:
// p of them on an edge count in N and n(a) and take VirtualLoss · p / (n + p)
// off its Q.
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
// virtual visit counts as a visit there. Scores that are equal are decided as
// with PUCT. The plan needs a budget that is known when it begins: play that is
// limited by time takes PUCT. The larger sigma, the more the first evaluation
// of an edge decides whether it is ever visited again; below a chance decision
// that evaluation is of one outcome only, and games with dice want a smaller
// GumbelCScale. Of the parameters, those of exploration, first play, Dirichlet
// noise, forced playouts and virtual loss belong to PUCT alone.
type Config struct {
	// Search is the method: SearchPUCT or SearchGumbel.
	Search string `mapstructure:"search"`
	// Simulations is the budget of a root: passes of select, expand, evaluate
	// and back up. The first of a fresh tree evaluates the root itself.
	Simulations int `mapstructure:"simulations"`
	// CountReused lets the visits that Advance carries over count against
	// Simulations. Without it each root gets that many new ones.
	CountReused bool `mapstructure:"count_reused"`
	// CPuct is the constant part of the exploration weight.
	CPuct float64 `mapstructure:"cpuct"`
	// CPuctBase and CPuctFactor let the weight grow with visits. A factor of
	// zero keeps it constant.
	CPuctBase   float64 `mapstructure:"cpuct_base"`
	CPuctFactor float64 `mapstructure:"cpuct_factor"`
	// FPU is what an unvisited edge is taken to be worth: FPUReduced, less than
	// its position, or FPUAbsolute, always the same.
	FPU string `mapstructure:"fpu"`
	// FPUReduction is how much worse than its position an unvisited edge is
	// taken to be, RootFPUReduction the same at the root. Zero: as good.
	FPUReduction     float64 `mapstructure:"fpu_reduction"`
	RootFPUReduction float64 `mapstructure:"root_fpu_reduction"`
	// FPUValue is the absolute value of an unvisited edge in the view of the
	// player who acts, RootFPUValue the same at the root: -1 is a loss, and 1
	// has every edge tried once.
	FPUValue     float64 `mapstructure:"fpu_value"`
	RootFPUValue float64 `mapstructure:"root_fpu_value"`
	// NoiseFraction is the weight of Dirichlet noise in the priors of the
	// root: 0 in play, more in self-play. Noise is drawn again at each root.
	NoiseFraction float64 `mapstructure:"noise_fraction"`
	// DirichletAlpha is the concentration of each legal action's noise.
	// DirichletTotal is the concentration of all of them together, so that
	// each has DirichletTotal / (number of legal actions). With noise, exactly
	// one of the two is set and the other is zero.
	DirichletAlpha float64 `mapstructure:"dirichlet_alpha"`
	DirichletTotal float64 `mapstructure:"dirichlet_total"`
	// ForcedPlayouts is the k of forced playouts (Wu 2020, where it is 2): a
	// visited edge of the root is visited on until it has the square root of
	// k · P(a) · (sum of the visits), and such visits are taken out of the
	// target and of the choice of the move. Zero: none.
	ForcedPlayouts float64 `mapstructure:"forced_playouts"`
	// GumbelActions is how many actions at most a Gumbel root compares.
	GumbelActions int `mapstructure:"gumbel_actions"`
	// GumbelScale is the weight of the noise at a Gumbel root: 0 in play, 1 in
	// self-play, where it makes the choice a draw from the improved policy.
	GumbelScale float64 `mapstructure:"gumbel_scale"`
	// GumbelCVisit and GumbelCScale are how much Q, in [-1, 1], counts against
	// the logits of the priors: as much as sigma says.
	GumbelCVisit float64 `mapstructure:"gumbel_cvisit"`
	GumbelCScale float64 `mapstructure:"gumbel_cscale"`
	// Proven keeps what ends of games prove, win, draw or loss, and goes by it:
	// a proven win is taken, proven losses are avoided, a value lies within what
	// is proven, and the search ends when the root's result is. Off unless it is
	// shown to train or play better: visits no longer follow the formulas alone,
	// and a network that is trained beside it sees fewer of the blunders that it
	// is to learn to refute.
	Proven bool `mapstructure:"proven"`
	// PendingLeaves is how many leaves may wait for their evaluation at once:
	// 1 in self-play, where batches are joined over games. Gumbel waits at the
	// end of each round and where the improved policy is sure: of 16 it had 7
	// pending in Connect Four and 10 to 13 in Kon'reh, where PUCT had 14 to 16
	// (random evaluations, 100 and 800 simulations).
	PendingLeaves int `mapstructure:"pending_leaves"`
	// VirtualLoss is the loss of value assumed for a virtual visit, from 0
	// (only its count matters) to 2 (from a certain win to a certain loss).
	VirtualLoss float64 `mapstructure:"virtual_loss"`
	// Edges is the room of the tree, 32 bytes each. Zero derives it from
	// Simulations at 64 edges a position (fewer if the game never has as
	// many), twice that if reused visits are not counted.
	Edges int `mapstructure:"edges"`
}

// The values of Config.FPU.
const (
	FPUReduced  = "reduction"
	FPUAbsolute = "absolute"
)

// DefaultConfig is a search for play: no noise, one leaf at a time. The growth
// of the exploration weight is that of AlphaZero (Silver et al. 2018). Half a
// point of virtual loss is enough: with random evaluations of Connect Four it
// filled 15.4 of 16 pending leaves, as 1 did and 0 did not (6.9 to 11.3), and
// moved the visits less than 1 did. Gumbel has the constants of Danihelka et
// al. for board games, a scale of 1 on values in [0, 1]; ours span twice that.
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
		GumbelActions:    16,
		GumbelCVisit:     50,
		GumbelCScale:     0.5, // untuned; games with dice want 0.1 or less
		PendingLeaves:    1,
		VirtualLoss:      0.5,
	}
}

// Validate joins every problem of c, each with its key, value and rule.
func (c *Config) Validate() error {
	var errs []error
	count := func(key string, v, min, max int) {
		if v < min || v > max {
			errs = append(errs, fmt.Errorf("%s: %d: want %d to %d", key, v, min, max))
		}
	}
	real := func(key string, v, min, max float64) {
		if !(v >= min && v <= max) {
			errs = append(errs, fmt.Errorf("%s: %g: want %g to %g", key, v, min, max))
		}
	}
	word := func(key, v string, allowed ...string) {
		if !slices.Contains(allowed, v) {
			errs = append(errs, fmt.Errorf("%s: %q: want one of %s", key, v, strings.Join(allowed, ", ")))
		}
	}
	const largest = 1e6 // any finite bound would do: it stops Inf
	count("simulations", c.Simulations, 1, MaxSimulations)
	count("pending_leaves", c.PendingLeaves, 1, maxPendingLeaves)
	count("edges", c.Edges, 0, maxEdges)
	real("cpuct", c.CPuct, 0, largest)
	real("cpuct_base", c.CPuctBase, 1, 1e9)
	real("cpuct_factor", c.CPuctFactor, 0, largest)
	word("search", c.Search, SearchPUCT, SearchGumbel)
	word("fpu", c.FPU, FPUReduced, FPUAbsolute)
	real("fpu_value", c.FPUValue, -1, 1)
	real("root_fpu_value", c.RootFPUValue, -1, 1)
	real("fpu_reduction", c.FPUReduction, 0, 2)
	real("root_fpu_reduction", c.RootFPUReduction, 0, 2)
	real("noise_fraction", c.NoiseFraction, 0, 1)
	real("dirichlet_alpha", c.DirichletAlpha, 0, largest)
	real("dirichlet_total", c.DirichletTotal, 0, largest)
	real("virtual_loss", c.VirtualLoss, 0, 2)
	real("forced_playouts", c.ForcedPlayouts, 0, largest)
	count("gumbel_actions", c.GumbelActions, 1, math.MaxUint16)
	real("gumbel_scale", c.GumbelScale, 0, largest)
	real("gumbel_cvisit", c.GumbelCVisit, 0, largest)
	real("gumbel_cscale", c.GumbelCScale, 0, largest)
	if c.NoiseFraction > 0 && (c.DirichletAlpha > 0) == (c.DirichletTotal > 0) {
		errs = append(errs, fmt.Errorf("dirichlet_alpha: %g, dirichlet_total: %g: want exactly one above 0, since noise_fraction is %g",
			c.DirichletAlpha, c.DirichletTotal, c.NoiseFraction))
	}
	if c.CPuct == 0 && c.CPuctFactor == 0 {
		errs = append(errs, errors.New("cpuct: 0: want more than 0 unless cpuct_factor is, or priors are ignored"))
	}
	if c.Search == SearchGumbel && c.GumbelCScale == 0 {
		errs = append(errs, errors.New("gumbel_cscale: 0: want more than 0, or values are ignored"))
	}
	return errors.Join(errs...)
}

// exploration is cpuct(n) · sqrt(n).
func (c *Config) exploration(n uint32) float32 {
	w := c.CPuct
	if c.CPuctFactor != 0 {
		w += c.CPuctFactor * math.Log((float64(n)+c.CPuctBase+1)/c.CPuctBase)
	}
	return float32(w * math.Sqrt(float64(n)))
}

// room is the number of edges a tree of game needs under c: Edges or what
// follows from Simulations, but never too few to expand the root.
func (c *Config) room(maxLegal, numChance int) int {
	least := 1 + maxLegal + numChance
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
