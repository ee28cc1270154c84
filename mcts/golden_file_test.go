package mcts

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// goldenCase is one of testdata/golden.json, which scripts/golden/search.py
// writes: an implementation of its own, in another language, from the
// documentation. `make golden` runs it again.
type goldenCase struct {
	Name     string           `json:"name"`
	Config   goldenConfig     `json:"config"`
	Chance   []float64        `json:"chance"` // probabilities of outcomes 0, 1, ...
	Game     []goldenPosition `json:"game"`
	Searches []goldenSearch   `json:"searches"`
}

type goldenConfig struct {
	Search           string  `json:"search"`
	Simulations      int     `json:"simulations"`
	CountReused      bool    `json:"count_reused"`
	CPuct            float64 `json:"cpuct"`
	CPuctBase        float64 `json:"cpuct_base"`
	CPuctFactor      float64 `json:"cpuct_factor"`
	FPU              string  `json:"fpu"`
	FPUReduction     float64 `json:"fpu_reduction"`
	RootFPUReduction float64 `json:"root_fpu_reduction"`
	FPUValue         float64 `json:"fpu_value"`
	RootFPUValue     float64 `json:"root_fpu_value"`
	GumbelActions    int     `json:"gumbel_actions"`
	GumbelCVisit     float64 `json:"gumbel_cvisit"`
	GumbelCScale     float64 `json:"gumbel_cscale"`
	PendingLeaves    int     `json:"pending_leaves"`
	VirtualLoss      float64 `json:"virtual_loss"`
}

func (c *goldenConfig) config() Config {
	return Config{
		Target: TargetVisits,
		Search: c.Search, Simulations: c.Simulations, CountReused: c.CountReused,
		CPuct: c.CPuct, CPuctBase: c.CPuctBase, CPuctFactor: c.CPuctFactor,
		FPU: c.FPU, FPUReduction: c.FPUReduction, RootFPUReduction: c.RootFPUReduction, FPUValue: c.FPUValue, RootFPUValue: c.RootFPUValue,
		GumbelActions: c.GumbelActions, GumbelCVisit: c.GumbelCVisit, GumbelCScale: c.GumbelCScale,
		PendingLeaves: c.PendingLeaves, VirtualLoss: c.VirtualLoss,
	}
}

// goldenPosition is a position that the search of the script came to. Value is
// the evaluation in the view of the player who acts, or the result of the game
// in that of the first.
type goldenPosition struct {
	Actor   string          `json:"actor"`
	Actions []engine.Action `json:"actions"`
	After   []*int          `json:"after"` // nil where the script never came
	Logits  []float32       `json:"logits"`
	Value   float32         `json:"value"`
}

// goldenSearch is the tree of one root when its search is done, and the moves
// that follow.
type goldenSearch struct {
	Noise  []float64         `json:"noise"`
	Visits uint32            `json:"visits"`
	Sum    float32           `json:"sum"`
	Tree   []json.RawMessage `json:"tree"` // [action, prior, visits, sum, [...]]
	Target []float64         `json:"target"`
	Value  float64           `json:"value"`
	Chosen engine.Action     `json:"chosen"`
	Moves  []engine.Action   `json:"moves"`
}

// goldenGame plays what is in the file.
type goldenGame struct {
	c    *goldenCase
	info engine.Info
}

func (g *goldenGame) Info() *engine.Info          { return &g.info }
func (g *goldenGame) Rules() string               { return g.c.Name }
func (g *goldenGame) NewHistory() *engine.History { return engine.NewHistory(1) }
func (g *goldenGame) NewState() engine.State      { return &goldenState{game: g} }

type goldenState struct {
	engine.State // the methods that a search does not call
	game         *goldenGame
	at           int
}

func (s *goldenState) pos() *goldenPosition { return &s.game.c.Game[s.at] }

func (s *goldenState) Actor() engine.Player {
	return map[string]engine.Player{"first": engine.First, "second": engine.Second, "chance": engine.Chance, "over": engine.Nobody}[s.pos().Actor]
}

func (s *goldenState) Outcome() engine.Outcome {
	if s.pos().Actor != "over" {
		return engine.Outcome{}
	}
	return engine.Outcome{Over: true, Winner: map[float32]engine.Player{1: engine.First, -1: engine.Second, 0: engine.Nobody}[s.pos().Value]}
}

func (s *goldenState) Legal(dst []engine.Action, _ *engine.History) []engine.Action {
	return append(dst, s.pos().Actions...)
}

func (s *goldenState) Chance(dst []engine.Weighted) []engine.Weighted {
	for i, p := range s.game.c.Chance {
		dst = append(dst, engine.Weighted{Code: engine.Action(i), Prob: p})
	}
	return dst
}

func (s *goldenState) Apply(a engine.Action, _ *engine.History) {
	next := s.pos().After[slices.Index(s.pos().Actions, a)]
	if next == nil {
		panic(fmt.Sprintf("%s: the script never played %d in position %d", s.game.c.Name, a, s.at))
	}
	s.at = *next
}

func (s *goldenState) CopyFrom(src engine.State) { *s = *src.(*goldenState) }
func (s *goldenState) Start(*engine.History)     { s.at = 0 }

// Evaluate gives the evaluations of the file.
func (g *goldenGame) Evaluate(leaves []Leaf, offsets []int32, logits []float32, evaluations []Evaluation) error {
	clear(evaluations)
	for i := range leaves {
		p := leaves[i].State.(*goldenState).pos()
		copy(logits[offsets[i]:offsets[i+1]], p.Logits)
		evaluations[i].Value = p.Value
	}
	return nil
}

// diff returns the first difference between the edges of the position behind
// edge i of t and want.
func (g *goldenGame) diff(t *Tree, i index, want []json.RawMessage, path []engine.Action) error {
	n := t.at(i)
	if int(n.count) != len(want) {
		return fmt.Errorf("after %v: %d edges, want %d", path, n.count, len(want))
	}
	for _, raw := range want {
		var (
			action     engine.Action
			prior, sum float64
			visits     uint32
			below      []json.RawMessage
		)
		if err := json.Unmarshal(raw, &[]any{&action, &prior, &visits, &sum, &below}); err != nil {
			return err
		}
		here := append(path[:len(path):len(path)], action)
		k := n.first
		for k < n.first+index(n.count) && t.at(k).action() != action {
			k++
		}
		if k == n.first+index(n.count) {
			return fmt.Errorf("after %v: no edge", here)
		}
		e := t.at(k)
		if e.visits != visits || float64(e.sum) != sum || math.Abs(float64(e.prior)-prior) > 1e-6 {
			return fmt.Errorf("after %v: %d visits of sum %g and prior %g, want %d, %g, %g", here, e.visits, e.sum, e.prior, visits, sum, prior)
		}
		if err := g.diff(t, k, below, here); err != nil {
			return err
		}
	}
	return nil
}

// TestTreesOfIndependentScript holds whole trees, targets, values and choices to
// those of scripts/golden/search.py. Visits and sums must be equal: the script
// leaves out games where rounding could decide.
func TestTreesOfIndependentScript(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("testdata", "golden.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []goldenCase
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	for i := range cases {
		t.Run(cases[i].Name, cases[i].run)
	}
	if len(cases) < 15 {
		t.Errorf("only %d cases", len(cases))
	}
}

func (c *goldenCase) run(t *testing.T) {
	g := &goldenGame{c, engine.Info{Name: "golden", NumActions: 64, MaxLegal: 5, NumChance: len(c.Chance)}}
	tree := must(New(g, c.Config.config()))
	runner := NewRunner(g, g, c.Config.PendingLeaves)
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	tree.Reset(Root{State: s, History: h})
	for i := range c.Searches {
		want := &c.Searches[i]
		if want.Noise != nil {
			if tree.at(0).count == 0 { // noise is of a root that is expanded
				if _, err := runner.Step(tree); err != nil {
					t.Fatal(err)
				}
			}
			copy(tree.halving.noise, want.Noise)
			tree.halving.noisy = true
		}
		if err := runner.Run(tree); err != nil {
			t.Fatal(err)
		}
		checkTree(t, tree, false)
		root := tree.at(0)
		if root.visits != want.Visits || root.sum != want.Sum {
			t.Fatalf("search %d: root of %d visits and sum %g, want %d and %g", i, root.visits, root.sum, want.Visits, want.Sum)
		}
		if err := g.diff(tree, 0, want.Tree, nil); err != nil {
			t.Fatalf("search %d: %v", i, err)
		}
		for k, p := range tree.Target(nil) {
			if math.Abs(float64(p)-want.Target[k]) > 1e-5 {
				t.Errorf("search %d: target %v, want %v", i, tree.Target(nil), want.Target)
				break
			}
		}
		if v := float64(tree.RootValue()); math.Abs(v-want.Value) > 1e-4 {
			t.Errorf("search %d: value %g, want %g", i, v, want.Value)
		}
		chosen := tree.Best()
		if want.Noise != nil {
			chosen = tree.SampleAction(1, nil)
		}
		if chosen != want.Chosen {
			t.Errorf("search %d: chose %d, want %d", i, chosen, want.Chosen)
		}
		for _, a := range want.Moves {
			tree.Advance(a)
		}
	}
}
