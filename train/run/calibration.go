package run

import (
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/train/calibration"
)

// calibrate measures the activations of the network that plays next on positions
// of the window, for inference in eight bits. They are drawn from a stream of
// their own, so that nothing else depends on it.
func (l *learner) calibrate(generation int) error {
	d := calibration.NewDraw(l.window, rand.New(seed.Stream(l.cfg.Seed, "calibration", uint64(generation+1))))
	var err error
	l.calibration, err = calibration.Measure(l.game.Info(), l.plays, calibration.Positions, func(int) (engine.State, error) {
		s, _, err := d.Next()
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
	l.calibration, err = calibration.Measure(l.game.Info(), l.plays, len(p), func(i int) (engine.State, error) { return p[i], nil })
	return err
}
