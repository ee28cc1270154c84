package health

import (
	"fmt"

	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// gradientClipped: clipping is meant for the odd step, and healthy runs had
// hardly any.
func gradientClipped(rows []rundir.Metrics, cfg *plan.Config) string {
	m := &rows[len(rows)-1]
	if m.Steps == 0 || 2*m.ClippedSteps < m.Steps {
		return ""
	}
	return fmt.Sprintf("The gradient was cut down in %d of %d steps: its mean norm is %.1f, the limit %g (train.clip_norm), so that steps follow the limit and not the losses. "+
		"Expected: hardly any. Try a lower train.learning_rate or a higher train.clip_norm.",
		m.ClippedSteps, m.Steps, m.GradientNorm, cfg.Train.ClipNorm)
}

// gradientSpike: healthy runs had maxima of two to five times the mean.
func gradientSpike(rows []rundir.Metrics, _ *plan.Config) string {
	m := &rows[len(rows)-1]
	if m.Steps == 0 || m.GradientNormMax < 20*m.GradientNorm {
		return ""
	}
	return fmt.Sprintf("A step had a gradient of norm %.1f, where the mean is %.2f (expected: at most 5 times the mean): the training is near falling apart. Try a lower train.learning_rate or train.clip_norm.",
		m.GradientNormMax, m.GradientNorm)
}
