package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/train"
)

// trainingRow is one row of training: rows in bf16 multiply in bfloat16, ours in
// the 3×3 convolutions, PyTorch wherever it thinks fit (torch.autocast).
type trainingRow struct {
	precision string
	threads   int
}

func (r trainingRow) String() string {
	format := "training"
	if r.precision != train.PrecisionF32 {
		format += "-" + r.precision
	}
	return fmt.Sprintf("R6x64/%s/batch=%d/threads=%d", format, trainingBatch, r.threads)
}

func (c *comparison) trainingRows() []trainingRow {
	var rows []trainingRow
	for _, p := range []string{train.PrecisionF32, train.PrecisionBF16} {
		if p == train.PrecisionBF16 && (kernel.CheckBFloat16() != nil || kernel.Variant() == "generic") {
			continue // nor has PyTorch anything fast there
		}
		for threads := 1; threads <= 2; threads++ {
			if r := (trainingRow{p, threads}); c.only.MatchString(r.String()) {
				rows = append(rows, r)
			}
		}
	}
	return rows
}

func (c *comparison) training(ctx context.Context, s subject) error {
	rows := c.trainingRows()
	if len(rows) == 0 {
		return nil
	}
	dir, err := c.folder(s)
	if err != nil {
		return err
	}
	if err := c.checkLosses(ctx, rows, dir); err != nil {
		return err
	}
	c.header("samples/s")
	for _, r := range rows {
		if err := c.measureTraining(ctx, r, dir); err != nil {
			return fmt.Errorf("%s: %w", r, err)
		}
	}
	return nil
}

func (c *comparison) measureTraining(ctx context.Context, r trainingRow, dir string) error {
	var sides []*side
	for _, start := range c.trainers(ctx, r, dir) {
		s, err := start()
		if err != nil {
			return err
		}
		defer s.close()
		sides = append(sides, s)
	}
	return c.row(ctx, r.String(), "samples/s", r.threads, c.time, c.slice, sides...)
}

// trainers are the sides of a training row, ours first.
func (c *comparison) trainers(ctx context.Context, r trainingRow, dir string) []func() (*side, error) {
	t := task{Threads: r.threads, Batch: trainingBatch, Training: dir, Precision: r.precision}
	own := func(name, kind string) func() (*side, error) {
		return func() (*side, error) { return start(ctx, name, []string{c.self, "side", kind}, nil, t) }
	}
	torch := func(name string, last bool) func() (*side, error) {
		return func() (*side, error) {
			t := t
			t.ChannelsLast = last
			return start(ctx, name, []string{c.python, c.py}, torchEnvironment(r.threads), t)
		}
	}
	all := []func() (*side, error){own("ludozero", "train")}
	if c.python != "" {
		all = append(all, torch("PyTorch", false), torch("PyTorch channels_last", true))
	}
	if r.precision == train.PrecisionF32 {
		all = append(all, own("gorgonia", "gorgonia"))
	}
	return all
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

// checkLosses compares the losses of the first steps of all sides that the rows
// will time with ours in float32. gorgonia has another optimiser, so that only
// the first of its losses counts.
func (c *comparison) checkLosses(ctx context.Context, rows []trainingRow, dir string) error {
	fmt.Fprintf(c.out, "\ntraining: losses of the first %d steps on one batch\n", checkSteps)
	if c.python == "" {
		c.warn("no PyTorch: training is compared with gorgonia alone")
	}
	var ours []float64
	done := map[string]bool{}
	for _, r := range append([]trainingRow{{train.PrecisionF32, 2}}, rows...) {
		if done[r.precision] {
			continue
		}
		done[r.precision] = true
		for _, start := range c.trainers(ctx, trainingRow{r.precision, 2}, dir) {
			s, err := start()
			a, err := ask(s, err, "losses %d", checkSteps)
			if err != nil {
				return err
			}
			if ours == nil {
				ours = a.Losses
			}
			name := s.name + " " + r.precision
			c.Losses[name] = a.Losses
			fmt.Fprintf(c.out, "  %-28s %.5f\n", name, a.Losses)
			for k, l := range a.Losses {
				if s.name == "gorgonia" && k > 0 {
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
