package main

import (
	"math/rand/v2"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train"
)

// subject is a network that the sides compute, with a game that feeds it.
type subject struct {
	name string
	game engine.Game
	net  model.Network
}

// subjects are the reference network R6x64 and the network of
// configs/konreh/quick.yaml, which has all that R6x64 leaves out: globals,
// global pooling, a mask.
func subjects() ([]subject, error) {
	g, err := konreh.Family.Parse("")
	if err != nil {
		return nil, err
	}
	wide := widened(g)
	return []subject{
		{"R6x64", wide, model.Network{Shape: train.Shape(wide.Info()),
			Config: model.Config{Blocks: 6, Channels: 64, PolicyChannels: 32, ValueChannels: 16, ValueHidden: 64}}},
		{"quick", g, model.Network{Shape: train.Shape(g.Info()), Config: model.DefaultConfig()}},
	}, nil
}

// widePlanes is the number of input planes of R6x64.
const widePlanes = 48

// wide is a game as R6x64 sees it: its planes are written again and again until
// there are 48, its globals are left out, and the words that no square stands
// for have a cell of the board.
type wide struct {
	engine.Game
	info *engine.Info
}

type wideState struct {
	engine.State
	planes  int
	cells   int
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
	return &wideState{w.Game.NewState(), f.Planes, f.Cells(), make([]float32, f.Globals)}
}

func (s *wideState) Encode(planes, _ []float32) {
	size := s.planes * s.cells
	s.State.Encode(planes[:size], s.globals)
	for n := size; n < len(planes); n *= 2 {
		copy(planes[n:], planes[:n])
	}
}

// walk plays random games and calls see at every decision of a player until it
// returns false.
func walk(g engine.Game, rng *rand.Rand, see func(engine.State, []engine.Action) bool) {
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	var legal []engine.Action
	for {
		switch {
		case s.Outcome().Over:
			s.Start(h)
			continue
		case s.Actor() == engine.Chance:
			outcomes := s.Chance(nil)
			s.Apply(outcomes[rng.IntN(len(outcomes))].Code, h)
			continue
		}
		legal = s.Legal(legal[:0], h)
		if !see(s, legal) {
			return
		}
		s.Apply(legal[rng.IntN(len(legal))], h)
	}
}

// samples are n decisions of random games with targets that can be learned: the
// lowest actions are the likeliest, and who has many to choose from loses.
func samples(g engine.Game, n int, seed uint64) []train.Sample {
	var all []train.Sample
	rng := rand.New(rand.NewPCG(seed, 1))
	walk(g, rng, func(s engine.State, legal []engine.Action) bool {
		x := train.Sample{Game: g, Packed: s.Pack(nil), Actions: slices.Clone(legal), TurnsLeft: float32(rng.IntN(100)), Weight: 1}
		x.Policy = make([]float32, len(legal))
		total := float32(0)
		for i := range x.Policy {
			x.Policy[i] = 1 / float32(1+i)
			total += x.Policy[i]
		}
		for i := range x.Policy {
			x.Policy[i] /= total
		}
		x.Value[min(2, len(legal)/8)] = 1
		all = append(all, x)
		return len(all) < n
	})
	return all
}
