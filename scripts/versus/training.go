package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/ludozero/ludozero/model/kernel"
)

func (c *comparison) training(ctx context.Context, s subject) error {
	checked := false
	for threads := 1; threads <= 2; threads++ {
		name := fmt.Sprintf("%s/training/batch=%d/threads=%d", s.name, trainingBatch, threads)
		if !c.only.MatchString(name) {
			continue
		}
		dir, err := c.folder(s)
		if err != nil {
			return err
		}
		if !checked {
			if err := c.checkLosses(ctx, dir); err != nil {
				return err
			}
			c.header("samples/s")
			checked = true
		}
		if err := c.trainingRow(ctx, name, dir, threads); err != nil {
			return err
		}
	}
	return nil
}

func (c *comparison) trainingRow(ctx context.Context, name, dir string, threads int) error {
	var sides []*side
	for _, start := range c.trainers(ctx, dir, threads) {
		s, err := start()
		if err != nil {
			return err
		}
		defer s.close()
		sides = append(sides, s)
	}
	return c.row(ctx, name, "samples/s", threads, c.time, c.slice, sides...)
}

// trainers are the sides of a training row, ours first.
func (c *comparison) trainers(ctx context.Context, dir string, threads int) []func() (*side, error) {
	t := task{Threads: threads, Batch: trainingBatch, Training: dir}
	own := func(name, kind string) func() (*side, error) {
		return func() (*side, error) { return start(ctx, name, []string{c.self, "side", kind}, nil, t) }
	}
	torch := func(name string, last bool) func() (*side, error) {
		return func() (*side, error) {
			t := t
			t.ChannelsLast = last
			return start(ctx, name, []string{c.python, c.py}, torchEnvironment(threads), t)
		}
	}
	all := []func() (*side, error){own("ludozero", "train")}
	if c.python != "" {
		all = append(all, torch("PyTorch", false), torch("PyTorch channels_last", true))
	} else {
		c.warn("no PyTorch: training is compared with gorgonia alone")
	}
	return append(all, own("gorgonia", "gorgonia"))
}

// torchEnvironment makes PyTorch as fast as it is known to become here. Without
// the variables of glibc's allocator every step gives its activations back to
// the system and asks for them again, which costs it a quarter of its time on one
// thread; the build of Debian uses AVX-512 in its own kernels only when told to.
func torchEnvironment(threads int) []string {
	n := fmt.Sprint(threads)
	env := []string{"OMP_NUM_THREADS=" + n, "OPENBLAS_NUM_THREADS=" + n,
		"MALLOC_MMAP_THRESHOLD_=4294967296", "MALLOC_TRIM_THRESHOLD_=4294967296", "MALLOC_TOP_PAD_=268435456"}
	if slices.Contains(kernel.Levels(), "avx512") {
		env = append(env, "ATEN_CPU_CAPABILITY=avx512")
	}
	return env
}

// checkSteps is how many losses are compared.
const checkSteps = 3

// checkLosses compares the losses of the first steps. gorgonia has another
// optimiser, so that only the first of its losses counts.
func (c *comparison) checkLosses(ctx context.Context, dir string) error {
	fmt.Fprintf(c.out, "\ntraining: losses of the first %d steps on one batch\n", checkSteps)
	var ours []float64
	for i, start := range c.trainers(ctx, dir, 2) {
		s, err := start()
		r, err := ask(s, err, "losses %d", checkSteps)
		if err != nil {
			return err
		}
		c.Losses[s.name] = r.Losses
		fmt.Fprintf(c.out, "  %-22s %.5f\n", s.name, r.Losses)
		if i == 0 {
			ours = r.Losses
		}
		for k, l := range r.Losses {
			if s.name == "gorgonia" && k > 0 {
				break
			}
			if d := math.Abs(l - ours[k]); !(d <= lossLimit*math.Abs(ours[k])) {
				return fmt.Errorf("%s: loss %d is %g, ours %g: not the same training", s.name, k+1, l, ours[k])
			}
		}
	}
	return nil
}
