package model

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/internal/strictjson"
)

// Format and FormatVersion mark our weight files. The version changes when an
// older reader would misunderstand a newer file or the other way round: a new
// formula, layout or tensor name.
const (
	Format        = "ludozero-network"
	FormatVersion = 1
)

// Identity says which game and which encoding of it a network was made for.
type Identity struct {
	Game           string `json:"game"`
	GameVersion    int    `json:"game_version"`
	EncoderVersion int    `json:"encoder_version"`
	// Actions is the size of the action space.
	Actions int `json:"actions"`
}

// RulesShare is a ruleset and its part of the positions trained on.
type RulesShare struct {
	Rules string  `json:"rules"`
	Share float64 `json:"share"` // 0 < Share <= 1
}

// Card describes the network of a weight file.
type Card struct {
	Format        string `json:"format"`
	FormatVersion int    `json:"format_version"`
	Identity
	Network Network `json:"network"`
	// Rules are the rulesets trained on; their shares add up to 1. Empty for an
	// untrained network.
	Rules []RulesShare `json:"rules"`
	// Generation counts the networks of a run, Step the optimiser's updates.
	Generation int `json:"generation"`
	Step       int `json:"step"`
	// Positions is the number of positions that self-play had produced, Samples
	// the number trained on, repeats counted.
	Positions int64 `json:"positions"`
	Samples   int64 `json:"samples"`
	// CPuct is the exploration constant that players use by default. Zero: the general
	// default.
	CPuct float64 `json:"cpuct,omitempty"`
	// CPuctFactor is how cpuct grows with visits in the searches of players by default.
	// Nil: as in general.
	CPuctFactor *float64 `json:"cpuct_factor,omitempty"`
	// Search is the search method that players use by default, one of Searches. Empty:
	// the general default.
	Search string `json:"search,omitempty"`
	// Training is the resolved configuration of the run, if there was one.
	Training json.RawMessage `json:"training,omitempty"`
	// Spent is the cost of the training. The weight files of a run have none, since it
	// depends on clock and machine and they do not; published ones have it if known.
	Spent *Spent `json:"spent,omitempty"`
	// Licence is an SPDX expression; "" if the file is not published.
	Licence string `json:"licence"`

	// Calibration is needed for inference in eight bits; nil if not measured. It is
	// stored beside the card in the metadata of the weight file, where programs that do
	// not know it ignore it.
	Calibration *Calibration `json:"-"`
}

// TrainedRules are the rulesets of Rules, the largest share first.
func (c *Card) TrainedRules() []string {
	shares := slices.Clone(c.Rules)
	slices.SortStableFunc(shares, func(a, b RulesShare) int { return cmp.Compare(b.Share, a.Share) })
	var words []string
	for _, r := range shares {
		words = append(words, r.Rules)
	}
	return words
}

// Searches are the methods that a card may ask players for, as package mcts calls
// them.
var Searches = []string{"puct", "gumbel"}

// MaxCPuct bounds the exploration constant of a card, far above useful values.
const MaxCPuct = 100

// shareTolerance allows for shares that were rounded for people.
const shareTolerance = 1e-3

// value is what p points to, 0 without.
func value(p *float64) float64 {
	if p == nil {
		return 0
	}
	return *p
}

// validate reports every problem of the card itself.
func (c *Card) validate() error {
	if c.Format != Format {
		return fmt.Errorf("format = %q: want %q", c.Format, Format)
	}
	if c.FormatVersion != FormatVersion {
		return fmt.Errorf("format_version = %d: want %d", c.FormatVersion, FormatVersion)
	}
	var p sizes
	p.If(c.Game == "", `game = "": want a name`)
	p.between("game_version", c.GameVersion, 0, math.MaxInt)
	p.between("encoder_version", c.EncoderVersion, 0, math.MaxInt)
	p.between("actions", c.Actions, 1, math.MaxInt32)
	p.between("generation", c.Generation, 0, math.MaxInt)
	p.between("step", c.Step, 0, math.MaxInt)
	p.If(c.Positions < 0 || c.Samples < 0, "positions = %d, samples = %d: want at least 0", c.Positions, c.Samples)
	p.If(!(c.CPuct >= 0 && c.CPuct <= MaxCPuct), "cpuct = %g: want 0 to %d", c.CPuct, MaxCPuct)
	p.If(!(value(c.CPuctFactor) >= 0 && value(c.CPuctFactor) <= MaxCPuct), "cpuct_factor = %g: want 0 to %d", value(c.CPuctFactor), MaxCPuct)
	p.If(c.Search != "" && !slices.Contains(Searches, c.Search), "search = %q: want one of %s", c.Search, strings.Join(Searches, ", "))
	sum := 0.0
	for _, r := range c.Rules {
		p.If(!(r.Share > 0 && r.Share <= 1), "rules %s: share = %g: want above 0 and at most 1", r.Rules, r.Share)
		sum += r.Share
	}
	p.If(len(c.Rules) > 0 && math.Abs(sum-1) > shareTolerance, "rules: shares add up to %g: want 1", sum)
	return errors.Join(p.Err(), c.Spent.validate(), c.Network.Validate())
}

// Fits reports why the network cannot play the game id with the given shape.
func (c *Card) Fits(id Identity, shape Shape) error {
	switch {
	case c.Game != id.Game:
		return fmt.Errorf("network plays %s, not %s", c.Game, id.Game)
	case c.Identity != id:
		return fmt.Errorf("network is for %s version %d, encoder %d, %d actions: want version %d, encoder %d, %d actions, as this program has; only a program with the network's versions plays it",
			c.Game, c.GameVersion, c.EncoderVersion, c.Actions, id.GameVersion, id.EncoderVersion, id.Actions)
	case c.Network.Shape != shape:
		return fmt.Errorf("network has shape %+v, want %+v", c.Network.Shape, shape)
	}
	return nil
}

// parseCard reads a card and refuses fields it does not know.
func parseCard(text []byte) (*Card, error) {
	c := new(Card)
	if err := strictjson.Decode(text, c); err != nil {
		return nil, err
	}
	return c, c.validate()
}
