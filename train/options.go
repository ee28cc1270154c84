package train

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/model/graph"
	"github.com/ludozero/ludozero/train/plan"
)

// OpenWindow returns an empty window that draws as a run with configuration cfg does.
func OpenWindow(cfg *plan.Config, family *engine.Family, dir, run string) (*Window, error) {
	w, err := NewWindow(cfg.Window, family, dir, run)
	if err != nil {
		return nil, err
	}
	w.MixRootValue(cfg.Train.RootValueShare)
	w.DecayRootValue(cfg.Train.RootValueDecay)
	w.MixMargin(cfg.Train.MarginShare)
	if cfg.WantsReplies() {
		w.LoadReplies()
	}
	return w, nil
}

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
