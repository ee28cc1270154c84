package run

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/train/plan"
)

// coldBytes is twice a large second-level cache.
const coldBytes = 4 << 20

// tableNetwork answers at once, with numbers that look like a network's, so that
// what is left is the time of everything else.
//
// One that is cold reads as much memory at each call as a network's weights
// take, so that games find the caches as empty as a network leaves them.
type tableNetwork struct {
	logits  []float32
	weights []uint64
	sum     uint64
}

func newTableNetwork(cold bool) *tableNetwork {
	t := &tableNetwork{logits: make([]float32, 1<<12)}
	if cold {
		t.weights = make([]uint64, coldBytes/8)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range t.logits {
		t.logits[i] = float32(rng.NormFloat64())
	}
	return t
}

func (t *tableNetwork) Forward(planes, _ []float32, _, cells []int32, logits, wdl, _ []float32) error {
	for i, c := range cells {
		logits[i] = t.logits[(int(c)*7+i*13)%len(t.logits)]
	}
	for i := 0; i < len(t.weights); i += 8 {
		t.sum += t.weights[i]
	}
	for i := range wdl {
		wdl[i] = t.logits[(i*29+len(cells))%len(t.logits)] / 4
	}
	return nil
}

// throughputNetworks are the network that inference is compared by and that of
// the quick configurations, without training.
var throughputNetworks = map[string]model.Config{
	"R6x64": {Blocks: 6, Channels: 64, PolicyChannels: 32, ValueChannels: 16, ValueHidden: 64},
	"R4x32": model.DefaultConfig(),
}

// weightsVariable names a weight file that BenchmarkThroughput is to play with,
// for the shares of reused visits and of known positions that training gives.
const weightsVariable = "LUDOZERO_BENCH_WEIGHTS"

// throughputNetwork returns the maker of a network by its name, with "-int8" for
// that in eight bits.
func throughputNetwork(b *testing.B, name string, game engine.Game, maxBatch int) func() mcts.Network {
	switch name {
	case "cold", "free":
		return func() mcts.Network { return newTableNetwork(name == "cold") }
	}
	var w *model.Weights
	o := infer.Options{MaxBatch: maxBatch}
	name, int8 := strings.CutSuffix(name, "-int8")
	if name == "file" {
		var err error
		var card *model.Card
		if w, card, err = model.Load(os.Getenv(weightsVariable)); err != nil {
			b.Fatal(err)
		}
		if card.Game != game.Info().Name {
			b.Skipf("%s is a network for %s", os.Getenv(weightsVariable), card.Game)
		}
		o.Calibration = card.Calibration
	} else {
		w = model.NewWeights(model.Network{Shape: plan.Shape(game.Info()), Config: throughputNetworks[name]})
		w.Init(rand.New(rand.NewPCG(1, 2)))
	}
	if int8 {
		o.Precision = precision.Int8
		if o.Calibration == nil {
			o.Calibration = calibrationOnRandomGames(b, w, game)
		}
	}
	net, err := infer.New(w.Network(), w, o)
	if err != nil {
		b.Fatal(err)
	}
	return func() mcts.Network { return net.Fork() }
}

func calibrationOnRandomGames(b *testing.B, w *model.Weights, game engine.Game) *model.Calibration {
	c, err := infer.NewCalibrator(w.Network(), w)
	if err != nil {
		b.Fatal(err)
	}
	f := &game.Info().Features
	planes, globals := make([]float32, f.Planes*f.Cells()), make([]float32, f.Globals)
	rng := rand.New(rand.NewPCG(5, 6))
	s, h := game.NewState(), game.NewHistory()
	s.Start(h)
	for range 256 {
		if s.Actor() == engine.Nobody {
			s.Start(h)
		}
		s.Encode(planes, globals)
		if err := c.Add(planes, globals, 1); err != nil {
			b.Fatal(err)
		}
		legal := s.Legal(nil, h)
		s.Apply(legal[rng.IntN(len(legal))], h)
	}
	calibration, err := c.Calibration()
	if err != nil {
		b.Fatal(err)
	}
	return calibration
}
