package export

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/manual"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/onnx"
	"github.com/ludozero/ludozero/model/precision"
)

// Format and FormatVersion mark the card of an export. The version changes when a
// client that reads an older one would misunderstand a newer one.
const (
	Format        = "ludozero-export"
	FormatVersion = 1
)

// Card says all that a program has to know to use a model: what goes in, what
// comes out, in whose view, and where it is from. It is CardFile.
type Card struct {
	Format        string `json:"format"`
	FormatVersion int    `json:"format_version"`
	Name          string `json:"name"`
	model.Identity
	// Sides are the names of the two sides, in the order of Side in a position.
	Sides [2]string `json:"sides"`
	// Weights identifies the weight file that the models were made of.
	Weights string `json:"weights"`
	// Licence is an SPDX expression; empty if the network is not published.
	Licence string `json:"licence"`

	// Models are the files of the models by precision, "f32" and "int8".
	Models map[string]string `json:"models"`
	Opset  int               `json:"opset"`
	// Inputs and Outputs are the tensors of every model, float32, by name; the
	// first dimension, the batch, is open and left out here.
	Inputs  []Tensor `json:"inputs"`
	Outputs []Tensor `json:"outputs"`
	// View says in whose view inputs and outputs are.
	View string `json:"view"`
	// Planes and Globals name the inputs, one plane or number each, in order.
	Planes  []string `json:"planes"`
	Globals []string `json:"globals"`
	// MaskPlane is the plane that is 1 on the board; -1: the board is always full.
	MaskPlane int `json:"mask_plane"`
	// PolicyPlanes and PolicyGlobals name what stands in output policy: planes of
	// Height × Width head cells, then one each.
	PolicyPlanes  []string `json:"policy_planes"`
	PolicyGlobals []string `json:"policy_globals"`
	// Cells is the head cell of every action, its index in output policy; -1 for a
	// number that is no action.
	Cells []int32 `json:"cells"`
	// Boards name the squares of planes and head planes, for each board that the
	// rules below are played on.
	Boards []Board `json:"boards,omitempty"`

	Network    model.Config `json:"network"`
	Parameters int          `json:"parameters"`
	// CPuct is the exploration constant with which the network is strongest in our
	// search; 0: the default.
	CPuct float64 `json:"cpuct,omitempty"`
	// CPuctFactor is the growth of CPuct with visits; absent: the default.
	CPuctFactor *float64 `json:"cpuct_factor,omitempty"`
	// Search is the method with which it is strongest there; empty: PUCT.
	Search string `json:"search,omitempty"`
	// What was learned from: rulesets with their shares of the positions, the
	// largest first, and the counts of package model's card.
	Rules      []model.RulesShare `json:"rules"`
	Generation int                `json:"generation"`
	Step       int                `json:"step"`
	Positions  int64              `json:"positions"`
	Samples    int64              `json:"samples"`
	Spent      *model.Spent       `json:"spent,omitempty"`
	// Strength says how well it plays, with intervals, Markdown.
	Strength string `json:"strength"`
	// Vectors is the number of lines of VectorsFile.
	Vectors int `json:"vectors"`
}

// Tensor is an input or output; Shape is without the batch.
type Tensor struct {
	Name  string `json:"name"`
	Shape []int  `json:"shape"`
	What  string `json:"what"`
}

// Board is how cells row·Width + column are called in positions and moves.
type Board struct {
	// Rules are the rulesets, of those trained on, that are played on it.
	Rules []string `json:"rules"`
	// Cells are the names by side to act, "" off the board. They differ where the
	// board is turned to the side that acts.
	Cells map[string][]string `json:"cells"`
}

// Words for people and programs that do not know the strength of a network.
const unknownStrength = "Not measured."

// plainLinks are links to files that are not in an export; what they show stays.
var plainLinks = regexp.MustCompile(`\[([^]]*)\]\([^):]*\)`)

// NewCard describes n. The caller sets Vectors.
func NewCard(n *Network) (*Card, error) {
	info, err := n.info()
	if err != nil {
		return nil, err
	}
	m, f, p := n.Card, &info.Features, &info.Policy
	c := &Card{
		Format: Format, FormatVersion: FormatVersion, Name: n.Name, Identity: m.Identity, Sides: info.Sides,
		Weights: n.Digest, Licence: m.Licence, Models: map[string]string{precision.F32.String(): FloatFile, precision.Int8.String(): Int8File}, Opset: onnx.Opset,
		Inputs: []Tensor{{onnx.Planes, []int{f.Planes, f.Height, f.Width}, "input planes in the order of planes"}},
		Outputs: []Tensor{
			{onnx.Policy, []int{m.Network.Shape.HeadCells()}, "logits by head cell; those of legal actions count, their softmax is the policy"},
			{onnx.WDL, []int{3}, "logits of win, draw and loss of the player to act; P(win) - P(loss) of their softmax is the value"},
			{onnx.Turns, []int{}, "expected number of turns left, both sides' counted"},
		},
		Planes: f.PlaneNames, Globals: f.GlobalNames, MaskPlane: f.MaskPlane,
		PolicyPlanes: p.PlaneNames, PolicyGlobals: p.GlobalNames, Cells: p.Cells,
		Network: m.Network.Config, Parameters: n.Weights.Count(), CPuct: m.CPuct, CPuctFactor: m.CPuctFactor, Search: m.Search,
		Rules: slices.Clone(m.Rules), Generation: m.Generation, Step: m.Step, Positions: m.Positions, Samples: m.Samples, Spent: m.Spent,
		Strength: cmp.Or(plainLinks.ReplaceAllString(n.Strength, "$1"), unknownStrength),
	}
	if f.Globals > 0 {
		c.Inputs = append(c.Inputs, Tensor{onnx.Globals, []int{f.Globals}, "numbers in the order of globals"})
	}
	slices.SortStableFunc(c.Rules, func(a, b model.RulesShare) int { return cmp.Compare(b.Share, a.Share) })
	turned, err := c.boards(n.Family)
	if err != nil {
		return nil, err
	}
	c.View = "Inputs and outputs are the acting side's: own and other are as it sees them, win is its own."
	if turned {
		c.View += " The board is turned so that the acting side sees its own half where side " + c.Sides[0] + " sees its own; boards names the squares for both."
	} else {
		c.View += " Both sides see the board the same way round."
	}
	return c, nil
}

// boards names the squares of the boards of c.Rules and reports whether any is
// turned.
func (c *Card) boards(family *engine.Family) (turned bool, err error) {
	rules := []string{""}
	if len(c.Rules) > 0 {
		rules = rules[:0]
		for _, r := range c.Rules {
			rules = append(rules, r.Rules)
		}
	}
	for _, word := range rules {
		g, err := family.Parse(word)
		if err != nil {
			return false, fmt.Errorf("card: rules %s: %w", word, err)
		}
		cells := manual.Cells(g)
		if cells == nil {
			return false, nil
		}
		turned = turned || engine.Turned(g) != nil
		at := slices.IndexFunc(c.Boards, func(b Board) bool { return maps.EqualFunc(b.Cells, cells, slices.Equal[[]string]) })
		if at < 0 {
			at = len(c.Boards)
			c.Boards = append(c.Boards, Board{Cells: cells})
		}
		c.Boards[at].Rules = append(c.Boards[at].Rules, g.Rules())
	}
	return turned, nil
}

// Precisions lists the number formats that the card has a model in.
func (c *Card) Precisions() []precision.Precision {
	var list []precision.Precision
	for _, p := range []precision.Precision{precision.F32, precision.Int8} {
		if c.Models[p.String()] != "" {
			list = append(list, p)
		}
	}
	return list
}
