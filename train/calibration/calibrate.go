// Package calibration measures the activations of networks on recorded positions, for
// inference in eight bits, and how far that agrees with inference in float32.
package calibration

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/replay"
	"github.com/ludozero/ludozero/train/rundir"
)

const (
	// Positions is how many positions a network is calibrated on.
	Positions = 512
	// batchRows is how many of them are shown at a time.
	batchRows = 64
)

// agreementPositions is how many positions Calibrate compares precisions on: a
// share of them is off by a hundredth at most.
const agreementPositions = 2048

// Calibrated is what Calibrate did.
type Calibrated struct {
	Path string `json:"path"`
	// Fresh says that the calibration was measured now; otherwise the file had it.
	Fresh bool `json:"fresh"`
	model.Calibration
	// Agreement is how far int8 with it agrees with f32, on other draws.
	Agreement Agreement `json:"agreement"`
}

// Calibrate measures the activations of the network in the weight file at path
// and adds that to the file, whose tensors and card stay as they are. One that
// has a calibration keeps it unless again is set. Positions come from the shards
// of one run in folder shards, up to the generation of the network, from a window
// with the default configuration; they are drawn from streams of their own, so
// that the same files give the same bytes. All shards are read before any change.
func Calibrate(ctx context.Context, games engine.Families, path, shards string, again bool) (*Calibrated, error) {
	w, card, err := model.Load(path)
	if err != nil {
		return nil, err
	}
	c := &Calibrated{Path: path, Fresh: again || card.Calibration == nil}
	if err := c.work(ctx, games, w, card, shards); err != nil {
		return nil, fmt.Errorf("calibration of %s: %w", path, err)
	}
	if c.Fresh {
		err = model.Save(path, w, *card)
	}
	return c, err
}

// Agree measures what Calibrate does of a network that is calibrated and stays as
// it is, called name.
func Agree(ctx context.Context, games engine.Families, name string, w *model.Weights, card *model.Card, shards string) (*Calibrated, error) {
	if card.Calibration == nil {
		return nil, fmt.Errorf("%s: it is not calibrated", name)
	}
	c := &Calibrated{Path: name}
	if err := c.work(ctx, games, w, card, shards); err != nil {
		return nil, fmt.Errorf("calibration of %s: %w", name, err)
	}
	return c, nil
}

func (c *Calibrated) work(ctx context.Context, games engine.Families, w *model.Weights, card *model.Card, shards string) error {
	family, err := games.ByName(card.Game)
	if err != nil {
		return err
	}
	game, err := family.Parse("")
	if err != nil {
		return err
	}
	info := game.Info()
	if err := card.Fits(plan.Identity(info), plan.Shape(info)); err != nil {
		return err
	}
	window, err := windowUpTo(family, info, shards, card.Generation)
	if err != nil {
		return err
	}
	draws := func(purpose string) func(int) (engine.State, []engine.Action, error) {
		d := NewDraw(window, rand.New(seed.Stream(0, purpose, uint64(card.Generation))))
		return func(int) (engine.State, []engine.Action, error) {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			return d.Next()
		}
	}
	if c.Fresh {
		next := draws("calibrate")
		card.Calibration, err = Measure(info, w, Positions, func(i int) (engine.State, error) {
			s, _, err := next(i)
			return s, err
		})
		if err != nil {
			return err
		}
	}
	c.Calibration = *card.Calibration
	var nets [2]*infer.Net
	for i, p := range []precision.Precision{precision.F32, precision.Int8} {
		nets[i], err = infer.New(card.Network, w, infer.Options{MaxBatch: batchRows, Precision: p, Calibration: card.Calibration})
		if err != nil {
			return err
		}
	}
	a, err := agreement(info, nets[0], nets[1], agreementPositions, batchRows, draws("agreement"))
	if err == nil {
		c.Agreement = *a
	}
	return err
}

// windowUpTo loads the shards of the run that has them in folder dir, up to those
// of a generation.
func windowUpTo(family *engine.Family, info *engine.Info, dir string, generation int) (*replay.Window, error) {
	files, err := rundir.ListShards(dir)
	if err != nil {
		return nil, err
	}
	run, limit := "", int64(0)
	for _, f := range files {
		if f.Generation > generation {
			break
		}
		if run == "" {
			shard, err := record.Open(f.Path, info)
			if err != nil {
				return nil, err
			}
			run = shard.Meta.Run
		}
		limit = max(limit, f.Number+1)
	}
	window, err := replay.NewWindow(plan.DefaultWindowConfig(), family, dir, run)
	if err == nil {
		_, err = window.RefreshTo(limit)
	}
	if err == nil && window.Len() == 0 {
		err = fmt.Errorf("%s: it has no games up to generation %d", dir, generation)
	}
	return window, err
}

// Measure measures the activations of w on positions of a game; position is
// called with the number of each.
func Measure(info *engine.Info, w *model.Weights, positions int, position func(int) (engine.State, error)) (*model.Calibration, error) {
	c, err := infer.NewCalibrator(w.Network(), w)
	if err != nil {
		return nil, err
	}
	f := &info.Features
	size := f.Planes * f.Cells()
	planes, globals := make([]float32, batchRows*size), make([]float32, batchRows*f.Globals)
	for done := 0; done < positions; {
		now := min(batchRows, positions-done)
		for i := range now {
			s, err := position(done + i)
			if err != nil {
				return nil, err
			}
			s.Encode(planes[i*size:][:size], globals[i*f.Globals:][:f.Globals])
		}
		if err := c.Add(planes[:now*size], globals[:now*f.Globals], now); err != nil {
			return nil, fmt.Errorf("%s: %w", info.Name, err)
		}
		done += now
	}
	return c.Calibration()
}

// Draw draws positions of a window.
type Draw struct {
	window *replay.Window
	rng    *rand.Rand
	sample replay.Sample
	states map[string]engine.State // by rules
}

// NewDraw draws from a window with its own source.
func NewDraw(w *replay.Window, rng *rand.Rand) *Draw {
	return &Draw{window: w, rng: rng, states: map[string]engine.State{}}
}

// Next returns a position and its legal actions, until the next call.
func (d *Draw) Next() (engine.State, []engine.Action, error) {
	d.window.Draw(d.rng, &d.sample)
	rules := d.sample.Game.Rules()
	s, ok := d.states[rules]
	if !ok {
		s = d.sample.Game.NewState()
		d.states[rules] = s
	}
	if err := s.Unpack(d.sample.Packed); err != nil {
		return nil, nil, fmt.Errorf("calibration: position of %s: %w", rules, err)
	}
	return s, d.sample.Actions, nil
}
