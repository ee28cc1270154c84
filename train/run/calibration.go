package run

import (
	"fmt"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/train/replay"
)

const (
	// calibrationPositions is how many positions the network that plays next is
	// calibrated on.
	calibrationPositions = 512
	// calibrationBatch is how many of them are shown at a time.
	calibrationBatch = 64
)

// calibrate measures the activations of the network that plays next on positions
// of the window, for inference in eight bits. They are drawn from a stream of
// their own, so that nothing else depends on it.
func (l *learner) calibrate(generation int) error {
	d := newDraw(l.window, rand.New(seed.Stream(l.cfg.Seed, "calibration", uint64(generation+1))))
	var err error
	l.calibration, err = calibrate(l.game.Info(), l.plays, calibrationPositions, func(int) (engine.State, error) {
		s, _, err := d.next()
		return s, err
	})
	return err
}

// calibrateFirst measures those of the network that a run begins with, for which
// there are no games of its own yet, on the frozen set.
func (l *learner) calibrateFirst() error {
	var err error
	if l.frozen == nil {
		if l.frozen, err = newProbe(l.game); err != nil {
			return err
		}
	}
	p := l.frozen.positions
	l.calibration, err = calibrate(l.game.Info(), l.plays, len(p), func(i int) (engine.State, error) { return p[i], nil })
	return err
}

// calibrate measures the activations of w on positions of a game; position is
// called with the number of each.
func calibrate(info *engine.Info, w *model.Weights, positions int, position func(int) (engine.State, error)) (*model.Calibration, error) {
	c, err := infer.NewCalibrator(w.Network(), w)
	if err != nil {
		return nil, err
	}
	f := &info.Features
	size := f.Planes * f.Cells()
	planes, globals := make([]float32, calibrationBatch*size), make([]float32, calibrationBatch*f.Globals)
	for done := 0; done < positions; {
		now := min(calibrationBatch, positions-done)
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

// draw draws positions of a window.
type draw struct {
	window *replay.Window
	rng    *rand.Rand
	sample replay.Sample
	states map[string]engine.State // by rules
}

func newDraw(w *replay.Window, rng *rand.Rand) *draw {
	return &draw{window: w, rng: rng, states: map[string]engine.State{}}
}

// next returns a position and its legal actions, until the next call.
func (d *draw) next() (engine.State, []engine.Action, error) {
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
