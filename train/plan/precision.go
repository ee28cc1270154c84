package plan

import (
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/model/precision"
)

// Setting is a key with the place of its value.
type Setting struct {
	Key   string
	Value *string
}

// Precisions are the keys that choose a number format.
func (c *Config) Precisions() []Setting {
	return []Setting{{"self_play.precision", &c.SelfPlay.Precision}, {"train.precision", &c.Train.Precision}}
}

// CheckResolved refuses a configuration that still says auto. A run keeps its
// arithmetic on whatever machine it is resumed, so auto is settled before the run is
// created.
func (c *Config) CheckResolved() error {
	var errs problems.List
	for _, p := range c.Precisions() {
		errs.If(*p.Value == precision.Auto, "%s: %s: want the number format that it stands for, which a run keeps", p.Key, *p.Value)
	}
	return errs.Err()
}

// ResolveAuto replaces precision.Auto in SelfPlay.Precision and Train.Precision: by
// the number format of like, the configuration of a run that is resumed, or, if like
// is nil, by the one that kernels of that level (kernel.Level) compute fastest. It
// returns what it has settled, key=value.
func (c *Config) ResolveAuto(like *Config, level string) []string {
	var from Config
	if like != nil {
		from = *like
	} else {
		from.SelfPlay.Precision, from.Train.Precision = fastest(level)
	}
	values := from.Precisions()
	var settled []string
	for i, p := range c.Precisions() {
		if *p.Value == precision.Auto {
			*p.Value = *values[i].Value
			settled = append(settled, p.Key+"="+*p.Value)
		}
	}
	return settled
}

// fastest names the number formats in which kernels of a level (kernel.Level) play
// and train fastest, by the measurements in docs/performance.md: bfloat16 is for training
// where the processor multiplies matrices; int8 is faster in play.
func fastest(level string) (play, learn string) {
	learn = PrecisionF32
	if level == "amx" {
		learn = PrecisionBF16
	}
	return FastestPlay(level).String(), learn
}

// FastestPlay is the number format in which kernels of a level (kernel.Level) compute
// networks fastest in play: int8 where the processor multiplies bytes.
func FastestPlay(level string) precision.Precision {
	switch level {
	case "amx", "avx512vnni", "avx2vnni":
		return precision.Int8
	}
	return precision.F32
}
