package train

import (
	"github.com/ludozero/ludozero/model/graph"
	"github.com/ludozero/ludozero/train/plan"
)

func adamOptions(c plan.TrainConfig) AdamConfig {
	return AdamConfig{WeightDecay: c.WeightDecay, Beta1: c.Beta1, Beta2: c.Beta2, Epsilon: c.Epsilon, ClipNorm: c.ClipNorm}
}

func graphOptions(c plan.TrainConfig, threads int) graph.Options {
	return graph.Options{
		Batch: c.Batch, Threads: bounded(threads),
		PolicyWeight: c.PolicyLoss, ValueWeight: c.ValueLoss, TurnsWeight: c.TurnsLoss, ReplyWeight: c.ReplyLoss,
		Momentum: c.NormMomentum, BFloat16: c.Precision == plan.PrecisionBF16,
	}
}

// bounded is the number of threads nearest to threads that a graph takes.
func bounded(threads int) int { return max(1, min(threads, graph.MaxThreads)) }
