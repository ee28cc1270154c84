package main

import (
	"math/rand/v2"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/replay"
)

// subject is a network that the sides compute and the game that feeds it.
type subject struct {
	name string
	game engine.Game
	net  model.Network
}

// subjects are the reference network R6x64 and the network of
// configs/konreh/quick.yaml, which has everything that R6x64 leaves out: globals,
// global pooling, a mask.
func subjects() ([]subject, error) {
	g, err := konreh.Family.Parse("")
	if err != nil {
		return nil, err
	}
	w := widened(g)
	return []subject{
		{"R6x64", w, model.Network{Shape: plan.Shape(w.Info()),
			Config: model.Config{Blocks: 6, Channels: 64, PolicyChannels: 32, ValueChannels: 16, ValueHidden: 64}}},
		{"quick", g, model.Network{Shape: plan.Shape(g.Info()), Config: model.DefaultConfig()}},
	}, nil
}

// widePlanes is the number of input planes of R6x64.
const widePlanes = 48

// wide is a game as R6x64 sees it: its planes are repeated until there are 48, it has
// no globals, and actions without a square of their own share the cells of the board.
type wide struct {
	engine.Game
	info *engine.Info
}

type wideState struct {
	engine.State
	narrow  int // values of the game's own planes
	globals []float32
}

func widened(g engine.Game) engine.Game {
	info := *g.Info()
	spatial := int32(info.Policy.Planes * info.Features.Cells())
	info.Features.Planes, info.Features.Globals, info.Features.MaskPlane = widePlanes, 0, -1
	info.Features.PlaneNames, info.Features.GlobalNames = nil, nil
	info.Policy.Globals = 0
	info.Policy.Cells = slices.Clone(info.Policy.Cells)
	for a, cell := range info.Policy.Cells {
		if cell >= spatial {
			info.Policy.Cells[a] = cell - spatial
		}
	}
	info.Symmetries = info.Symmetries[:1]
	return wide{g, &info}
}

func (w wide) Info() *engine.Info { return w.info }

func (w wide) NewState() engine.State {
	f := &w.Game.Info().Features
	return &wideState{w.Game.NewState(), f.Planes * f.Cells(), make([]float32, f.Globals)}
}

func (s *wideState) Encode(planes, _ []float32) {
	s.State.Encode(planes[:s.narrow], s.globals)
	for n := s.narrow; n < len(planes); n *= 2 {
		copy(planes[n:], planes[:n])
	}
}

// walk plays n decisions of random games, of which no chance is a part, and calls see
// before each.
func walk(g engine.Game, n int, rng *rand.Rand, see func(i int, s engine.State, legal []engine.Action)) {
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	var legal []engine.Action
	for i := range n {
		if s.Outcome().Over {
			s.Start(h)
		}
		legal = s.Legal(legal[:0], h)
		see(i, s, legal)
		s.Apply(legal[rng.IntN(len(legal))], h)
	}
}

// samples are decisions of random games with targets that a network can learn: low
// actions are likelier, and a player with many choices loses.
func samples(g engine.Game, n int, seed uint64) []replay.Sample {
	all := make([]replay.Sample, n)
	rng := rand.New(rand.NewPCG(seed, 1))
	walk(g, n, rng, func(i int, s engine.State, legal []engine.Action) {
		x := replay.Sample{Game: g, Packed: s.Pack(nil), Actions: slices.Clone(legal), TurnsLeft: float32(rng.IntN(100)), Weight: 1}
		for k := range legal {
			x.Policy = append(x.Policy, 2*float32(len(legal)-k)/float32(len(legal)*(len(legal)+1)))
		}
		x.Value[min(2, len(legal)/8)] = 1
		all[i] = x
	})
	return all
}
