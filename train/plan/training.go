package plan

import (
	"math"
	"slices"

	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/model/precision"
)

// TrainConfig is how a network is fitted to samples.
type TrainConfig struct {
	// Batch is the number of positions of one step.
	Batch int `mapstructure:"batch"`
	// LearningRate is the rate after the warm-up, before any decay.
	LearningRate float64 `mapstructure:"learning_rate"`
	// WarmupSteps is the number of steps over which the rate grows evenly to
	// LearningRate, while Adam's moments are young. 0: none.
	WarmupSteps int64 `mapstructure:"warmup_steps"`
	// DecaySteps is the number of steps after the warm-up over which the rate
	// falls along half a cosine to FinalLearningRate, where it stays. 0: it
	// does not fall.
	DecaySteps int64 `mapstructure:"decay_steps"`
	// DecayShare is the last share of a run's budget over which the rate falls so
	// instead, however many steps that is: see PeakAt. 0: DecaySteps decides.
	DecayShare        float64 `mapstructure:"decay_share"`
	FinalLearningRate float64 `mapstructure:"final_learning_rate"`
	// WeightDecay, Beta1, Beta2, Epsilon, ClipNorm: see AdamConfig.
	WeightDecay float64 `mapstructure:"weight_decay"`
	Beta1       float64 `mapstructure:"beta1"`
	Beta2       float64 `mapstructure:"beta2"`
	Epsilon     float64 `mapstructure:"epsilon"`
	ClipNorm    float64 `mapstructure:"clip_norm"`
	// PolicyLoss, ValueLoss and TurnsLoss weigh the losses in the total; 0
	// leaves a head untrained.
	PolicyLoss float64 `mapstructure:"policy_loss"`
	ValueLoss  float64 `mapstructure:"value_loss"`
	TurnsLoss  float64 `mapstructure:"turns_loss"`
	// RootValueShare is the share of the search's own win, draw and loss at the
	// root in the value target, in [0, 1]; the rest is the outcome of the game. 0:
	// the outcome alone. See Window.MixRootValue.
	RootValueShare float64 `mapstructure:"root_value_share"`
	// RootValueDecay averages that over the later searches of the game, each of which
	// counts less than the one before it by this factor, in [0, 1). 0: the row's own search
	// alone. See Window.DecayRootValue.
	RootValueDecay float64 `mapstructure:"root_value_decay"`
	// MarginShare is the share of the squashed margin of the finished game in what
	// RootValueShare leaves to the outcome, in [0, 1]. 0: none, and the only value for
	// games without margins (engine.Margined). See Window.MixMargin.
	MarginShare float64 `mapstructure:"margin_share"`
	// ReplyLoss weighs the loss of the opponent's reply; it has no effect on a
	// network without the head (model.Config.Reply).
	ReplyLoss float64 `mapstructure:"reply_loss"`
	// NormMomentum is the share of each batch in the running statistics of
	// batch normalisation.
	NormMomentum float64 `mapstructure:"norm_momentum"`
	// AverageDecay is the share that the exponential moving average of the
	// weights keeps at every step, for example 0.999; it forgets one half in
	// log ½ / log AverageDecay steps, there 693. Above 0 the averaged network
	// is what plays; the weights in training go on beside it. 0: no average.
	AverageDecay float64 `mapstructure:"average_decay"`
	// AverageBatches is the number of batches over which the averaged network's
	// batch normalisation statistics are recomputed; each costs about a third
	// of a step.
	AverageBatches int `mapstructure:"average_batches"`
	// Precision is the number format of what the 3×3 convolutions multiply:
	// PrecisionF32, or PrecisionBF16, which is faster where the processor has
	// matrix units, far slower in plain Go, and refused by all other kernels
	// (kernel.CheckBFloat16). Weights, sums and all else are float32 in both; see
	// graph.Options. It may be PrecisionAuto until a trainer is made.
	Precision string `mapstructure:"precision"`
}

// What Config.Precision may be.
const (
	PrecisionF32  = "f32"
	PrecisionBF16 = "bf16"
	PrecisionAuto = precision.Auto
)

// DefaultTrainConfig fits a small network for one night.
func DefaultTrainConfig() TrainConfig {
	return TrainConfig{
		Batch:        256,
		LearningRate: 1e-3, // with AdamW and batch normalisation; AlphaZero: SGD from 0.2 at batch 4096
		WarmupSteps:  200,
		WeightDecay:  0.01, // 1e-5 a step at the rate above; AlphaZero: L2 of 1e-4 in the loss
		Beta1:        0.9,
		Beta2:        0.999,
		Epsilon:      1e-8,
		ClipNorm:     5,
		PolicyLoss:   1,
		ValueLoss:    1,
		TurnsLoss:    0.2,
		ReplyLoss:    0.15, // Wu 2020, section 3.4
		NormMomentum: 0.05,

		AverageBatches: 16, // 4096 positions
		Precision:      PrecisionF32,
	}
}

// leastEpsilon keeps what is divided by above 0 in the numbers of the optimizer.
const leastEpsilon = 1e-30

// ValidateNew reports what makes no sense in a new run, though runs of earlier programs may
// have it: a rate that would rise where it is said to fall, and an Epsilon that is 0 for the
// optimizer.
func (c TrainConfig) ValidateNew() error {
	var errs problems.List
	falls := c.DecaySteps > 0 || c.DecayShare > 0
	errs.If(falls && c.FinalLearningRate > c.LearningRate, "train.final_learning_rate: %g: want at most train.learning_rate, %g, from which the rate falls", c.FinalLearningRate, c.LearningRate)
	errs.If(c.Epsilon < leastEpsilon, "train.epsilon: %g: want at least %g", c.Epsilon, leastEpsilon)
	return errs.Err()
}

// Validate reports every value out of range.
func (c TrainConfig) Validate() error {
	var errs problems.List
	check := func(ok bool, key string, value any, rule string) {
		errs.If(!ok, "%s: %v: want %s", key, value, rule)
	}
	finite := func(key string, x, lo, hi float64, rule string) { check(x >= lo && x <= hi, key, x, rule) }
	const most = 1e6 // of anything that is a factor: beyond lies a slip of the pen
	check(c.Batch >= 1 && c.Batch <= 1<<16, "batch", c.Batch, "1 to 65536")
	check(c.LearningRate > 0 && c.LearningRate <= 1, "learning_rate", c.LearningRate, "above 0, at most 1")
	check(c.WarmupSteps >= 0, "warmup_steps", c.WarmupSteps, "at least 0")
	check(c.DecaySteps >= 0, "decay_steps", c.DecaySteps, "at least 0")
	finite("decay_share", c.DecayShare, 0, 1, "0 to 1")
	if c.DecayShare > 0 {
		check(c.DecaySteps == 0, "decay_steps", c.DecaySteps, "0 with decay_share, which decides how the rate falls")
		check(c.FinalLearningRate != 0, "final_learning_rate", c.FinalLearningRate, "above 0 with decay_share: beyond the budget nothing would be learned")
	}
	finite("final_learning_rate", c.FinalLearningRate, 0, 1, "0 to 1")
	finite("weight_decay", c.WeightDecay, 0, most, "0 to 1e6")
	check(!(c.LearningRate*c.WeightDecay >= 1), "weight_decay", c.WeightDecay, "less than 1 / learning_rate")
	check(c.Beta1 >= 0 && c.Beta1 < 1, "beta1", c.Beta1, "at least 0, below 1")
	check(c.Beta2 >= 0 && c.Beta2 < 1, "beta2", c.Beta2, "at least 0, below 1")
	check(c.Epsilon > 0 && c.Epsilon <= 1, "epsilon", c.Epsilon, "above 0, at most 1")
	finite("clip_norm", c.ClipNorm, 0, most, "0 to 1e6")
	finite("policy_loss", c.PolicyLoss, 0, most, "0 to 1e6")
	finite("value_loss", c.ValueLoss, 0, most, "0 to 1e6")
	finite("turns_loss", c.TurnsLoss, 0, most, "0 to 1e6")
	finite("root_value_share", c.RootValueShare, 0, 1, "0 to 1")
	check(c.RootValueDecay >= 0 && c.RootValueDecay < 1, "root_value_decay", c.RootValueDecay, "at least 0, below 1")
	check(!(c.RootValueDecay > 0 && c.RootValueShare == 0), "root_value_decay", c.RootValueDecay, "0 where root_value_share is 0: it averages that share")
	finite("margin_share", c.MarginShare, 0, 1, "0 to 1")
	finite("reply_loss", c.ReplyLoss, 0, most, "0 to 1e6")
	check(!(c.PolicyLoss == 0 && c.ValueLoss == 0 && c.TurnsLoss == 0), "policy_loss, value_loss, turns_loss", 0, "one above 0")
	check(c.NormMomentum > 0 && c.NormMomentum <= 1, "norm_momentum", c.NormMomentum, "above 0, at most 1")
	check(c.AverageDecay >= 0 && c.AverageDecay < 1, "average_decay", c.AverageDecay, "at least 0, below 1")
	check(c.AverageBatches >= 1 && c.AverageBatches <= 1<<16, "average_batches", c.AverageBatches, "1 to 65536")
	check(slices.Contains([]string{PrecisionF32, PrecisionBF16, PrecisionAuto}, c.Precision), "precision", c.Precision, PrecisionF32+", "+PrecisionBF16+" or "+PrecisionAuto)
	return errs.Err()
}

// Rate is the learning rate of the given step, counted from 0, when the rate
// after the warm-up is peak.
func (c TrainConfig) Rate(peak float64, step uint64) float64 {
	warm := uint64(c.WarmupSteps)
	if step < warm {
		return peak * float64(step+1) / float64(warm)
	}
	if c.DecaySteps == 0 {
		return peak
	}
	return c.fallen(peak, min(float64(step-warm)/float64(c.DecaySteps), 1))
}

// PeakAt is the learning rate after the warm-up when a share of the run's budget
// is used, from 0; more than 1 is beyond its end. It is LearningRate until the
// last DecayShare of the budget and falls along half a cosine from there to
// FinalLearningRate at the end.
func (c TrainConfig) PeakAt(used float64) float64 {
	if c.DecayShare == 0 {
		return c.LearningRate
	}
	return c.fallen(c.LearningRate, max(0, min(1-(1-used)/c.DecayShare, 1)))
}

// fallen is a rate that fell from peak along a part of half a cosine, 0 to 1.
func (c TrainConfig) fallen(peak, part float64) float64 {
	return c.FinalLearningRate + (peak-c.FinalLearningRate)*(1+math.Cos(math.Pi*part))/2
}

// Averages tells whether the configuration asks for averaged weights.
func (c TrainConfig) Averages() bool { return c.AverageDecay > 0 }
