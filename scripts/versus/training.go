package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/train/plan"
)

// precisions lists the number formats that training is measured in. Rows in bf16 multiply in
// bfloat16: ours in the 3×3 convolutions, PyTorch where torch.autocast decides.
// Without AMX neither has anything fast.
func precisions() []string {
	if kernel.CheckBFloat16() != nil || kernel.Variant() == "generic" {
		return []string{plan.PrecisionF32}
	}
	return []string{plan.PrecisionF32, plan.PrecisionBF16}
}

func (c *comparison) trainingRows(s subject) []row {
	var rows []row
	for _, p := range precisions() {
		kind := "training"
		if p != plan.PrecisionF32 {
			kind += "-" + p
		}
		for threads := 1; threads <= 2; threads++ {
			rows = append(rows, row{fmt.Sprintf("R6x64/%s/batch=%d/threads=%d", kind, trainingBatch, threads), "samples/s", threads, c.trainers(s, p, threads)})
		}
	}
	return rows
}

// trainers are the sides of a training row, ours first.
func (c *comparison) trainers(s subject, precision string, threads int) []program {
	t := task{Threads: threads, Batch: trainingBatch, Training: c.folder(s), Precision: precision}
	all := []program{{"ludozero", []string{c.self, "side", "train"}, nil, t}}
	if c.python != "" {
		last := t
		last.ChannelsLast = true
		all = append(all, program{"PyTorch", []string{c.python, c.py}, torchEnvironment(threads), t},
			program{"PyTorch channels_last", []string{c.python, c.py}, torchEnvironment(threads), last})
	}
	if precision == plan.PrecisionF32 {
		all = append(all, program{"gorgonia", []string{c.self, "side", "gorgonia"}, nil, t})
	}
	return all
}

// torchEnvironment makes PyTorch as fast as we know how to. Without the variables of
// glibc's allocator every step returns its activations to the system and asks for
// them again, which costs a quarter of the time on one thread; Debian's build uses
// AVX-512 in its own kernels only when told to.
func torchEnvironment(threads int) []string {
	n := fmt.Sprint(threads)
	env := []string{"OMP_NUM_THREADS=" + n, "OPENBLAS_NUM_THREADS=" + n,
		"MALLOC_MMAP_THRESHOLD_=4294967296", "MALLOC_TRIM_THRESHOLD_=4294967296", "MALLOC_TOP_PAD_=268435456"}
	if slices.Contains(kernel.Levels(), "avx512") {
		env = append(env, "ATEN_CPU_CAPABILITY=avx512")
	}
	return env
}

// checkSteps is the number of losses that are compared, lossLimit how far they may be
// apart, as a share.
const (
	checkSteps = 3
	lossLimit  = 1e-3
)

// checkLosses compares the first losses of all trainers with ours in float32. gorgonia
// has another optimiser, so only its first loss counts.
func (c *comparison) checkLosses(ctx context.Context, s subject) error {
	fmt.Fprintf(c.out, "\ntraining: losses of the first %d steps on one batch\n", checkSteps)
	if c.python == "" {
		c.warn("no PyTorch: training is compared with gorgonia alone")
	}
	var ours []float64
	for _, precision := range precisions() {
		for _, p := range c.trainers(s, precision, 2) {
			a, err := askOnce(ctx, p, fmt.Sprint("losses ", checkSteps))
			if err != nil {
				return err
			}
			if ours == nil {
				ours = a.Losses
			}
			name := p.name + " " + precision
			c.Losses[name] = a.Losses
			fmt.Fprintf(c.out, "  %-28s %.5f\n", name, a.Losses)
			for k, l := range a.Losses {
				if p.name == "gorgonia" && k > 0 {
					break
				}
				if d := math.Abs(l - ours[k]); !(d <= lossLimit*math.Abs(ours[k])) {
					return fmt.Errorf("%s: loss %d is %g, ours in float32 %g: not the same training", name, k+1, l, ours[k])
				}
			}
		}
	}
	return nil
}
