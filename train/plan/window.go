package plan

import (
	"math"

	"github.com/ludozero/ludozero/internal/problems"
)

// WindowConfig says how many of the newest positions batches are drawn from. Of
// d positions seen in the run the window holds
//
//	N(d) = d                                  up to d = c
//	N(d) = c · (1 + β · ((d/c)^α − 1) / α)    beyond
//
// after Wu 2020 (Accelerating Self-Play Learning in Go, section 2): it starts to
// forget at slope β and then grows ever more slowly, so that early play of weak
// networks leaves while late play is not overfitted.
type WindowConfig struct {
	// MinPositions is c, > 0: nothing is forgotten before that many positions.
	// The paper has 250,000 for runs a hundred times as long.
	MinPositions int64 `mapstructure:"min_positions"`
	// Exponent is α in (0, 1]; 1 lets the window grow in proportion.
	Exponent float64 `mapstructure:"exponent"`
	// Taper is β in (0, 1], the share of new positions by which the window grows
	// at d = c.
	Taper float64 `mapstructure:"taper"`
	// MaxPositions caps N to bound the memory; 0 is no cap. A position takes 15
	// bytes, one more with LoadReplies, four more with MixRootValue, its packed
	// form and 4 bytes a legal action: about 150 in Kon'reh.
	MaxPositions int64 `mapstructure:"max_positions"`
	// SurpriseShare is the share of the draws, in [0, 1], that go to positions in
	// proportion to how much their search surprised the network: the policy
	// surprise weighting of KataGo (docs/KataGoMethods.md), which has one half.
	// It takes 8 bytes more of a position. 0: all are drawn alike.
	SurpriseShare float64 `mapstructure:"surprise_share"`
	// CheapSkip is the share of the draws of positions without a policy target, those of
	// cheap searches, that are left out, in [0, 1): with 2/3 they are drawn a third as often
	// as others, and a new one earns a third of the passes. 0: none. It takes as much memory
	// as SurpriseShare, once for both.
	CheapSkip float64 `mapstructure:"cheap_skip"`
}

// DefaultWindowConfig suits a night on a few cores: 1.2 million positions after
// six million seen.
func DefaultWindowConfig() WindowConfig {
	return WindowConfig{MinPositions: 100_000, Exponent: 0.75, Taper: 0.4, MaxPositions: 2_000_000}
}

// Validate reports every value that is out of range.
func (c WindowConfig) Validate() error {
	var errs problems.List
	errs.If(c.MinPositions < 1, "min_positions = %d: want at least 1", c.MinPositions)
	errs.Want(c.Exponent > 0 && c.Exponent <= 1, "exponent = %g: want above 0, at most 1", c.Exponent)
	errs.Want(c.Taper > 0 && c.Taper <= 1, "taper = %g: want above 0, at most 1", c.Taper)
	errs.If(c.MaxPositions != 0 && c.MaxPositions < c.MinPositions, "max_positions = %d: want 0 or at least min_positions = %d", c.MaxPositions, c.MinPositions)
	errs.Want(c.SurpriseShare >= 0 && c.SurpriseShare <= 1, "surprise_share = %g: want 0 to 1", c.SurpriseShare)
	errs.Want(c.CheapSkip >= 0 && c.CheapSkip < 1, "cheap_skip = %g: want at least 0, below 1", c.CheapSkip)
	return errs.Err()
}

// Weighs tells whether some positions are drawn more often than others.
func (c WindowConfig) Weighs() bool { return c.SurpriseShare > 0 || c.CheapSkip > 0 }

// Positions is N(seen). It never falls and grows no faster than seen, so that a
// position which has left the window never comes back.
func (c WindowConfig) Positions(seen int64) int64 {
	n := seen
	if seen > c.MinPositions {
		least := float64(c.MinPositions)
		grown := least * (1 + c.Taper*(math.Pow(float64(seen)/least, c.Exponent)-1)/c.Exponent)
		n = min(seen, max(c.MinPositions, int64(grown)))
	}
	if c.MaxPositions > 0 {
		n = min(n, c.MaxPositions)
	}
	return n
}
