package mcts_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/pienim"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/konkvest"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
)

func parse(t *testing.T, f *engine.Family, rules string) engine.Game {
	t.Helper()
	g, err := f.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// randomNetwork is a network of random weights for games of a family.
func randomNetwork(t *testing.T, info *engine.Info, maxBatch int) *infer.Net {
	t.Helper()
	f := &info.Features
	n := model.Network{
		Shape: model.Shape{
			Planes: f.Planes, Height: f.Height, Width: f.Width, Globals: f.Globals, MaskPlane: f.MaskPlane,
			PolicyPlanes: info.Policy.Planes, PolicyGlobals: info.Policy.Globals,
		},
		Config: model.DefaultConfig(),
	}
	n.Config.Blocks, n.Config.Channels = 2, 16
	w := model.NewWeights(n)
	w.Init(rand.New(rand.NewPCG(1, 2)))
	net, err := infer.New(n, w, infer.Options{MaxBatch: maxBatch})
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// eachDecision calls f for the players' decisions in random games.
func eachDecision(g engine.Game, games int, f func(s engine.State, legal []engine.Action)) {
	rng := rand.New(rand.NewPCG(7, 7))
	var legal []engine.Action
	var chance []engine.Weighted
	for range games {
		s, h := g.NewState(), g.NewHistory()
		s.Start(h)
		for range 150 {
			if s.Actor() == engine.Nobody {
				break
			}
			if s.Actor() == engine.Chance {
				chance = s.Chance(chance[:0])
				s.Apply(engine.Draw(chance, rng.Float64()), h)
				continue
			}
			legal = s.Legal(legal[:0], h)
			f(s, legal)
			s.Apply(legal[rng.IntN(len(legal))], h)
		}
	}
}

// judge asks a batch about one position.
func judge(t *testing.T, b *mcts.Batch, net mcts.Network, s engine.State, legal []engine.Action) (logits []float32, e mcts.Evaluation) {
	t.Helper()
	b.Clear()
	place := b.Add(s, legal)
	if place != mcts.Known {
		if err := b.Evaluate(net); err != nil {
			t.Fatal(err)
		}
	}
	return slices.Clone(b.Logits(place)), b.Evaluation(place)
}

func sameBits(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}

// TestFoldedEvaluationIsOfAllImages: folded, a network says of each image of a
// position what it says of the position, mapped, bit for bit, with a cache and
// without. Unfolded it does not, and the batch changes nothing that it says.
func TestFoldedEvaluationIsOfAllImages(t *testing.T) {
	for _, c := range []struct {
		game  engine.Game
		games int
	}{
		{parse(t, &tictactoe.Family, ""), 20},
		{parse(t, &connect4.Family, ""), 6},
		{parse(t, &konreh.Family, "standard,max_turns=600"), 2},
		{parse(t, &konreh.Family, "micro,balance=pie"), 3},
		{parse(t, &konkvest.Family, "fixed,max_plies=30"), 1},
		{pienim.New(""), 10},
		{pienim.New("shifting"), 4},
		{racegame.New(), 4},
	} {
		g, info := c.game, c.game.Info()
		net := randomNetwork(t, info, 1)
		plain, folded, cached := mcts.NewBatch(info), mcts.NewBatch(info), mcts.NewBatch(info)
		folded.Fold(g)
		cached.Fold(g)
		cached.Remember(mcts.NewCache(info, 4000))
		image := g.NewState()
		positions, images, own, different := 0, 0, 0, 0
		eachDecision(g, c.games, func(s engine.State, legal []engine.Action) {
			positions++
			raw, _ := judge(t, plain, net, s, legal)
			logits, e := judge(t, folded, net, s, legal)
			if l, x := judge(t, cached, net, s, legal); !sameBits(l, logits) || x != e {
				t.Fatalf("%s %s: a cache changes the folded evaluation", info.Name, s.AppendPosition(nil))
			}
			for i := range info.Symmetries {
				if s.SymmetryMask()>>i&1 == 0 {
					continue
				}
				y := &info.Symmetries[i]
				image.CopyFrom(s)
				image.Transform(i)
				type pair struct {
					action     engine.Action
					logit, raw float32
				}
				var want []pair
				for k, a := range legal {
					want = append(want, pair{y.Action(a), logits[k], raw[k]})
				}
				slices.SortFunc(want, func(a, b pair) int { return int(a.action) - int(b.action) })
				var mapped []engine.Action
				var wantLogits, rawLogits []float32
				for _, p := range want {
					mapped, wantLogits, rawLogits = append(mapped, p.action), append(wantLogits, p.logit), append(rawLogits, p.raw)
				}
				for name, b := range map[string]*mcts.Batch{"without": folded, "with": cached} {
					if got, x := judge(t, b, net, image, mapped); !sameBits(got, wantLogits) || x != e {
						t.Fatalf("%s %s, symmetry %q, %s a cache: folded evaluation %v, %v, of its image %v, %v",
							info.Name, s.AppendPosition(nil), y.Name, name, wantLogits, e, got, x)
					}
				}
				if cached.Len() > 0 {
					t.Fatalf("%s %s, symmetry %q: the cache does not know the image of a position that it has just met", info.Name, s.AppendPosition(nil), y.Name)
				}
				if i > 0 {
					images++
					if image.EncodingHash() == s.EncodingHash() {
						own++
					}
					if got, _ := judge(t, plain, net, image, mapped); !sameBits(got, rawLogits) {
						different++
					}
				}
			}
		})
		t.Logf("%s %s: %d positions, %d images, %d of them the position itself, %d judged otherwise unfolded",
			info.Name, g.Rules(), positions, images, own, different)
		if images > 0 && different < images/2 {
			t.Errorf("%s: %d of %d images are judged otherwise unfolded", info.Name, different, images)
		}
		if info.Name == "connect4" && own == 0 {
			t.Error("no position is its own image")
		}
	}
}

// TestFoldedBatchIsOfItsPositions: several positions in one batch, each of them
// its own way to its canonical form, get what each gets alone.
func TestFoldedBatchIsOfItsPositions(t *testing.T) {
	g := parse(t, &tictactoe.Family, "")
	net := randomNetwork(t, g.Info(), 64)
	one, many := mcts.NewBatch(g.Info()), mcts.NewBatch(g.Info())
	one.Fold(g)
	many.Fold(g)
	var states []engine.State
	var legals [][]engine.Action
	eachDecision(g, 4, func(s engine.State, legal []engine.Action) {
		u := g.NewState()
		u.CopyFrom(s)
		states, legals = append(states, u), append(legals, slices.Clone(legal))
	})
	for i, s := range states {
		if place := many.Add(s, legals[i]); place != i {
			t.Fatalf("position %d is at place %d", i, place)
		}
	}
	if err := many.Evaluate(net); err != nil {
		t.Fatal(err)
	}
	for i, s := range states {
		logits, e := judge(t, one, net, s, legals[i])
		if got := many.Logits(i); !sameBits(got, logits) || many.Evaluation(i) != e {
			t.Errorf("%s: %v, %v in a batch of %d, %v, %v alone", s.AppendPosition(nil), got, many.Evaluation(i), len(states), logits, e)
		}
	}
}

// TestPlainBatchIsTheNetwork: without folding a batch hands on what the network
// says, with a cache and without.
func TestPlainBatchIsTheNetwork(t *testing.T) {
	g := parse(t, &konreh.Family, "standard,max_turns=600")
	info, f := g.Info(), &g.Info().Features
	net := randomNetwork(t, info, 1)
	plain, cached := mcts.NewBatch(info), mcts.NewBatch(info)
	cached.Remember(mcts.NewCache(info, 100))
	planes, globals := make([]float32, f.Planes*f.Cells()), make([]float32, f.Globals)
	wdl, turns := make([]float32, 3), make([]float32, 1)
	eachDecision(g, 1, func(s engine.State, legal []engine.Action) {
		s.Encode(planes, globals)
		var cells []int32
		for _, a := range legal {
			cells = append(cells, info.Policy.Cells[a])
		}
		want := make([]float32, len(legal))
		if err := net.Forward(planes, globals, []int32{0, int32(len(cells))}, cells, want, wdl, turns); err != nil {
			t.Fatal(err)
		}
		says := mcts.Evaluation{Value: mcts.Value(wdl), Draw: mcts.Draw(wdl), Turns: turns[0]}
		for _, b := range []*mcts.Batch{plain, cached, cached} {
			if got, e := judge(t, b, net, s, legal); !sameBits(got, want) || e != says {
				t.Fatalf("%s: the batch says %v, %v, the network %v, %v", s.AppendPosition(nil), got, e, want, says)
			}
		}
	})
}
