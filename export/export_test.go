package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/zoo"
)

func shipped(t testing.TB, name string) *Network {
	t.Helper()
	file, err := zoo.File(name)
	if err != nil {
		t.Fatal(err)
	}
	w, c, err := model.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	f, err := games.All().ByName(c.Game)
	if err != nil {
		t.Fatal(err)
	}
	strength, err := zoo.Strength(name)
	if err != nil {
		t.Fatal(err)
	}
	return &Network{Name: name, Digest: zoo.Digest(file), Family: f, Weights: w, Card: c, Strength: strength}
}

// untrained is a network that knows nothing, of a game with its rules.
func untrained(t testing.TB, game string, rules ...string) *Network {
	t.Helper()
	f, err := games.All().ByName(game)
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	in := g.Info()
	net := model.Network{
		Shape: model.Shape{Planes: in.Features.Planes, Height: in.Features.Height, Width: in.Features.Width, Globals: in.Features.Globals,
			MaskPlane: in.Features.MaskPlane, PolicyPlanes: in.Policy.Planes, PolicyGlobals: in.Policy.Globals},
		Config: model.Config{Blocks: 2, Channels: 16, PoolEvery: 2, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 16},
	}
	w := model.NewWeights(net)
	w.Init(rand.New(rand.NewPCG(1, 1)))
	c := &model.Card{Identity: model.Identity{Game: in.Name, GameVersion: in.Version, EncoderVersion: in.EncoderVersion, Actions: in.NumActions}, Network: net}
	for _, r := range rules {
		c.Rules = append(c.Rules, model.RulesShare{Rules: r, Share: 1 / float64(len(rules))})
	}
	return &Network{Name: "untrained", Digest: "0", Family: f, Weights: w, Card: c}
}

func files(t testing.TB, n *Network, vectors int) map[string][]byte {
	t.Helper()
	list, err := Files(context.Background(), n, Options{Vectors: vectors, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	m := map[string][]byte{}
	for _, f := range list {
		m[f.Name] = f.Data
	}
	return m
}

func lines(t testing.TB, data []byte) []Vector {
	t.Helper()
	var list []Vector
	for line := range bytes.Lines(data) {
		var v Vector
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		list = append(list, v)
	}
	return list
}

// TestVectorsFollowFromTheirPositions: whoever has rules and encoding of the game
// gets the same of the ruleset and the position line alone.
func TestVectorsFollowFromTheirPositions(t *testing.T) {
	for _, n := range []*Network{shipped(t, "connect4"), shipped(t, "konreh"), untrained(t, "tictactoe"),
		untrained(t, "konreh", "micro", "lightning", "standard,balance=double-pie,buyback=true")} {
		t.Run(n.Name+" "+n.Card.Game, func(t *testing.T) {
			info, err := n.info()
			if err != nil {
				t.Fatal(err)
			}
			list := lines(t, files(t, n, 100)[VectorsFile])
			if len(list) != 100 {
				t.Fatalf("%d vectors, want 100", len(list))
			}
			planes, globals := make([]float32, info.Features.Planes*info.Features.Cells()), make([]float32, info.Features.Globals)
			for _, v := range list {
				g, err := n.Family.Parse(v.Rules)
				if err != nil {
					t.Fatal(err)
				}
				s, h := g.NewState(), g.NewHistory()
				if err := s.ParsePosition(v.Position); err != nil {
					t.Fatal(err)
				}
				s.Begin(h)
				if side := info.Sides[s.Side()]; side != v.Side {
					t.Errorf("%s: side %s, want %s", v.Position, v.Side, side)
				}
				legal := s.Legal(nil, h)
				if !slices.Equal(legal, v.Actions) || len(v.Logits) != len(legal) || len(v.Words) != len(legal) {
					t.Fatalf("%s: actions %v, %d words, %d logits, want %v", v.Position, v.Actions, len(v.Words), len(v.Logits), legal)
				}
				for i, word := range v.Words {
					if a, err := s.ParseAction(word, h); err != nil || a != legal[i] {
						t.Errorf("%s: word %s is %d, %v, want %d", v.Position, word, a, err, legal[i])
					}
				}
				s.Encode(planes, globals)
				for _, i := range v.Ones {
					planes[i]--
				}
				for _, x := range v.Others {
					planes[int(x[0])] -= x[1]
				}
				if i := slices.IndexFunc(planes, func(x float32) bool { return x != 0 }); i >= 0 || !slices.Equal(globals, v.Globals) {
					t.Errorf("%s: input %d of the planes is off, or globals %v are not %v", v.Position, i, v.Globals, globals)
				}
			}
		})
	}
}

// TestRareActionsAreInTheVectors: whatever could be done anywhere in the games can
// be done in one of a few vectors, however rare it is.
func TestRareActionsAreInTheVectors(t *testing.T) {
	n := shipped(t, "konreh")
	kinds := func(count int) map[string]bool {
		met := map[string]bool{}
		list, err := Sample(context.Background(), n, count, rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			t.Fatal(err)
		}
		info, area := list[0].Game.Info(), int32(64)
		for _, p := range list {
			for _, a := range p.Legal {
				if cell := info.Policy.Cells[a]; cell < area*int32(info.Policy.Planes) {
					met[info.Policy.PlaneNames[cell/area]] = true
				} else {
					met[info.Policy.GlobalNames[cell-area*int32(info.Policy.Planes)]] = true
				}
			}
		}
		return met
	}
	few, many := kinds(64), kinds(1500)
	for kind := range many {
		if !few[kind] {
			t.Errorf("%s: in many positions and not in few", kind)
		}
	}
	for _, kind := range []string{"seed", "none", "home", "apex", "hold", "swap", "Hop homeward left from here"} {
		if !few[kind] {
			t.Errorf("no vector in which %q is legal", kind)
		}
	}
}

// TestSampleGivesWhatIsAskedFor, though a usual number of games has fewer positions,
// and none of them twice.
func TestSampleGivesWhatIsAskedFor(t *testing.T) {
	list, err := Sample(context.Background(), untrained(t, "tictactoe"), 600, rand.New(rand.NewPCG(1, 1)))
	if err != nil || len(list) != 600 {
		t.Fatalf("%d positions, %v, want 600", len(list), err)
	}
	met := map[string]bool{}
	for _, p := range list {
		met[string(p.State.AppendPosition(nil))] = true
	}
	if len(met) != 600 {
		t.Errorf("%d positions are others, want 600", len(met))
	}
}

func TestEqualArgumentsGiveEqualBytes(t *testing.T) {
	n := untrained(t, "tictactoe")
	a, b := files(t, n, 20), files(t, n, 20)
	for name := range a {
		if !bytes.Equal(a[name], b[name]) {
			t.Errorf("%s differs", name)
		}
	}
	other, err := Files(context.Background(), n, Options{Vectors: 20, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range other {
		if f.Name == VectorsFile && bytes.Equal(f.Data, a[VectorsFile]) {
			t.Error("another seed gives the same positions")
		}
	}
}

func TestCardSaysWhatTheGameSays(t *testing.T) {
	for _, n := range []*Network{shipped(t, "connect4"), shipped(t, "konreh"), untrained(t, "konreh", "micro", "standard")} {
		all := files(t, n, 20)
		var c Card
		d := json.NewDecoder(bytes.NewReader(all[CardFile]))
		d.DisallowUnknownFields()
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		info, err := n.info()
		if err != nil {
			t.Fatal(err)
		}
		if c.Identity != n.Card.Identity || c.Weights != n.Digest || !slices.Equal(c.Planes, info.Features.PlaneNames) ||
			!slices.Equal(c.Globals, info.Features.GlobalNames) || !slices.Equal(c.Cells, info.Policy.Cells) || c.Vectors != 20 {
			t.Errorf("%s: the card differs from game or network: %+v", n.Name, c)
		}
		if n.Strength != "" && (strings.Contains(c.Strength, "](") || len(c.Strength) < len(n.Strength)/2) {
			t.Errorf("%s: links to files that are elsewhere: %s", n.Name, c.Strength)
		}
		for p, file := range c.Models {
			if len(all[file]) == 0 {
				t.Errorf("%s: no file %s of %s", n.Name, file, p)
			}
		}
		if page := string(all[ReadmeFile]); !strings.Contains(page, n.Digest) || !strings.Contains(page, info.Policy.PlaneNames[0]) ||
			strings.Contains(page, "<no value>") || strings.Contains(page, "%!") {
			t.Errorf("%s: page:\n%s", n.Name, page)
		}
		for _, r := range c.Rules {
			if i := slices.IndexFunc(c.Boards, func(b Board) bool { return slices.Contains(b.Rules, r.Rules) }); i < 0 {
				g, err := n.Family.Parse(r.Rules) // boards have the whole word
				if err != nil || slices.IndexFunc(c.Boards, func(b Board) bool { return slices.Contains(b.Rules, g.Rules()) }) < 0 {
					t.Errorf("%s: no board of %s", n.Name, r.Rules)
				}
			}
		}
	}
}

// TestBoardsNameTheSquaresOfTheActor: the squares of a slide's head cell are where
// its word begins, for both sides, on either board.
func TestBoardsNameTheSquaresOfTheActor(t *testing.T) {
	n := untrained(t, "konreh", "micro", "standard")
	c, err := NewCard(n)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Boards) != 2 {
		t.Fatalf("%d boards, want 2", len(c.Boards))
	}
	list, err := Sample(context.Background(), n, 200, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	area, seen := int32(64), map[string]int{}
	for _, p := range list {
		b := c.Boards[slices.IndexFunc(c.Boards, func(b Board) bool { return slices.Contains(b.Rules, p.Game.Rules()) })]
		side := c.Sides[p.State.Side()]
		for _, a := range p.Legal {
			word, cell := string(p.State.AppendAction(nil, a)), c.Cells[a]
			if cell >= area*int32(len(c.PolicyPlanes)) {
				if word != c.PolicyGlobals[cell-area*int32(len(c.PolicyPlanes))] {
					t.Errorf("%s is called %s", word, c.PolicyGlobals[cell-area*int32(len(c.PolicyPlanes))])
				}
				continue
			}
			if name := b.Cells[side][cell%area]; !strings.HasPrefix(strings.TrimPrefix(word, "-"), name) || name == "" {
				t.Fatalf("%s, side %s: %s stands on %q", p.Game.Rules(), side, word, name)
			}
			seen[side]++
		}
	}
	if seen["A"] == 0 || seen["B"] == 0 {
		t.Errorf("actions by side: %v", seen)
	}
}

func TestSampleStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Sample(ctx, untrained(t, "tictactoe"), 10, rand.New(rand.NewPCG(1, 1))); !errors.Is(err, context.Canceled) {
		t.Errorf("Sample = %v, want %v", err, context.Canceled)
	}
	bad := untrained(t, "konreh", "standard,green_cap=99")
	if _, err := Sample(context.Background(), bad, 10, rand.New(rand.NewPCG(1, 1))); err == nil || !strings.Contains(err.Error(), "green_cap=99") {
		t.Errorf("Sample = %v, want it to name the rule", err)
	}
}
