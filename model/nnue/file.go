package nnue

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/internal/strictjson"
	"github.com/ludozero/ludozero/model/safetensors"
)

// Format and FormatVersion mark files of evaluations. The version changes when an older
// reader would misunderstand a newer file or the other way round.
const (
	Format        = "ludozero-evaluation"
	FormatVersion = 1
	cardKey       = "ludozero.card"
)

// Input is a run of bits with one meaning, as package engine describes them.
type Input struct {
	Name  string `json:"name"`
	First int    `json:"first"`
	Bits  int    `json:"bits"`
}

// RulesShare is a ruleset and its part of the positions learned from.
type RulesShare struct {
	Rules string  `json:"rules"`
	Share float64 `json:"share"`
}

// Card says what a file holds and what it learned from.
type Card struct {
	Format        string `json:"format"`
	FormatVersion int    `json:"format_version"`
	Game          string `json:"game"`
	GameVersion   int    `json:"game_version"`
	Units         int    `json:"units"`
	// Inputs are the bits of a seat, Terms the names of the terms, TermShifts their scaling.
	Inputs     []Input  `json:"inputs"`
	Terms      []string `json:"terms"`
	TermShifts []int    `json:"term_shifts"`
	// Rules are the rulesets learned from; their shares add up to 1.
	Rules []RulesShare `json:"rules"`
	// Runs are the runs whose shards it learned from, Games and Positions their number,
	// Samples the positions learned from, repeats counted.
	Runs      []string `json:"runs"`
	Games     int      `json:"games"`
	Positions int      `json:"positions"`
	Samples   int64    `json:"samples"`
	// HeldLoss is the mean cross-entropy in nats on the games held out, TermsLoss that of
	// the game's own weights of the terms (0: it has none), LeastLoss the entropy of the
	// targets, below which nothing can be.
	HeldLoss  float64 `json:"held_out_loss"`
	TermsLoss float64 `json:"terms_held_out_loss,omitempty"`
	LeastLoss float64 `json:"least_held_out_loss"`
	// Training is the configuration of the fit.
	Training json.RawMessage `json:"training,omitempty"`
	// Licence is an SPDX expression; "" if the file is not published.
	Licence string `json:"licence"`
}

func (c *Card) validate() error {
	if c.Format != Format {
		return fmt.Errorf("format = %q: want %q", c.Format, Format)
	}
	if c.FormatVersion != FormatVersion {
		return fmt.Errorf("format_version = %d: want %d", c.FormatVersion, FormatVersion)
	}
	var l problems.List
	l.If(c.Game == "", `game = "": want a name`)
	l.If(len(c.Inputs) == 0, "inputs: want at least one")
	l.If(len(c.Terms) != len(c.TermShifts), "term_shifts: %d of %d terms", len(c.TermShifts), len(c.Terms))
	end := 0
	for _, in := range c.Inputs {
		if in.First < end || in.Bits < 1 || in.First%64+in.Bits > 64 || in.First >= 64*MaxWords {
			l.If(true, "input %q: bits = %d from %d: want runs in order, each within a word", in.Name, in.Bits, in.First)
			break
		}
		end = in.First + in.Bits
	}
	for i, x := range c.TermShifts {
		l.If(x < 0 || x > MaxTermShift, "shift of term %d = %d: want 0 to %d", i, x, MaxTermShift)
	}
	for name, x := range map[string]float64{"held_out_loss": c.HeldLoss, "terms_held_out_loss": c.TermsLoss, "least_held_out_loss": c.LeastLoss} {
		l.If(math.IsNaN(x) || math.IsInf(x, 0) || x < 0, "%s = %g: want at least 0", name, x)
	}
	return l.Err()
}

func (c *Card) shape() Shape {
	last := c.Inputs[len(c.Inputs)-1]
	s := Shape{Words: last.First/64 + 1, Units: c.Units}
	for _, x := range c.TermShifts {
		s.TermShifts = append(s.TermShifts, uint8(x))
	}
	return s
}

// Fits reports why the network cannot judge positions of a game of that name and version,
// with those bits and terms; nil if it can.
func (c *Card) Fits(game string, version int, inputs []Input, terms []string) error {
	switch {
	case c.Game != game:
		return fmt.Errorf("evaluation is of %s, not %s", c.Game, game)
	case c.GameVersion != version:
		return fmt.Errorf("evaluation is of version %d of %s, not %d", c.GameVersion, game, version)
	case !slices.Equal(c.Inputs, inputs):
		return errors.New("evaluation sees other bits of a position than this program shows")
	case !slices.Equal(c.Terms, terms):
		return errors.New("evaluation counts other terms than this program")
	}
	return nil
}

// Encode writes a network and its card, whose Format, FormatVersion, Units and TermShifts
// it sets. Equal arguments give equal bytes.
func Encode(n *Network, c Card) ([]byte, error) {
	c.Format, c.FormatVersion, c.Units, c.TermShifts = Format, FormatVersion, n.Units, []int{}
	for _, x := range n.TermShifts {
		c.TermShifts = append(c.TermShifts, int(x))
	}
	if err := c.validate(); err != nil {
		return nil, err
	}
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = safetensors.Encode(&b, map[string]string{cardKey: string(text)}, tensors(n))
	return b.Bytes(), err
}

// Decode reads what Encode wrote.
func Decode(data []byte) (*Network, *Card, error) {
	meta, list, err := safetensors.Decode(data)
	if err != nil {
		return nil, nil, err
	}
	text, ok := meta[cardKey]
	if !ok {
		return nil, nil, errors.New("no evaluation: the file has no card of one")
	}
	c := new(Card)
	if err := strictjson.Decode([]byte(text), c); err != nil {
		return nil, nil, fmt.Errorf("card: %w", err)
	}
	if err := c.validate(); err != nil {
		return nil, nil, fmt.Errorf("card: %w", err)
	}
	s := c.shape()
	if err := s.Check(); err != nil {
		return nil, nil, fmt.Errorf("card: %w", err)
	}
	n := New(s)
	return n, c, n.fill(list)
}

// fill sets the weights of n to tensors, which must be those of a network of its shape.
func (n *Network) fill(list []safetensors.Tensor) error {
	if len(list) != len(n.Parts()) {
		return fmt.Errorf("%d tensors: want %d", len(list), len(n.Parts()))
	}
	for i, p := range n.Parts() {
		t := &list[i]
		if t.Name != p.Name || !slices.Equal(t.Shape, p.Shape) {
			return fmt.Errorf("tensor %q of shape %v: want %q of shape %v", t.Name, t.Shape, p.Name, p.Shape)
		}
		copy(p.Values, t.Data)
	}
	return nil
}

// tensors are the weights of n as files hold them.
func tensors(n *Network) (list []safetensors.Tensor) {
	for _, p := range n.Parts() {
		list = append(list, safetensors.Tensor{Name: p.Name, Shape: p.Shape, Data: p.Values})
	}
	return list
}
