package sweep

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/stats/design"
	"github.com/ludozero/ludozero/stats/rating"
)

// Fits is the plan of a comparison on recorded games alone: every arm fits a network to
// the same frozen window, once with each seed. Package train/fit does the work.
type Fits struct {
	// Config is the run file that all arms begin with, Set lists key=value in its place. In
	// a file Config is relative to the folder of the plan.
	Config string   `mapstructure:"config"`
	Set    []string `mapstructure:"set"`
	// Games is the run whose shards are the window, relative to the working folder. Those
	// with numbers from Until on, if that is above 0, do not belong to it, the newest
	// HeldOut of the others are held out, and of what is left the newest Positions are
	// learned from, all if that is 0.
	Games     string `mapstructure:"games"`
	Until     int64  `mapstructure:"until"`
	HeldOut   int    `mapstructure:"held_out"`
	Positions int64  `mapstructure:"positions"`
	// Steps are taken by each fit on that many Threads.
	Steps   int `mapstructure:"steps"`
	Threads int `mapstructure:"threads"`
	// Measure is what fits are measured on.
	Measure FitMeasure `mapstructure:"measure"`
	// Seed is the seed of the first fit of each arm, Seeds how many it has.
	Seed  uint64   `mapstructure:"seed"`
	Seeds int      `mapstructure:"seeds"`
	Arms  []FitArm `mapstructure:"arms"`
}

// FitArm is one alternative: settings "key=value" and, if Games is set, another run to learn
// from, with the same Until, HeldOut and Positions. All are measured on the games of the plan.
type FitArm struct {
	Name  string   `mapstructure:"name"`
	Set   []string `mapstructure:"set"`
	Games string   `mapstructure:"games"`
}

// FitMeasure says on what fits are measured.
type FitMeasure struct {
	// Batches of 256 positions are drawn from the shards held out.
	Batches int `mapstructure:"batches"`
	// Network searches Positions of them with Simulations; without one there is no
	// reference.
	Network     string  `mapstructure:"network"`
	Simulations int     `mapstructure:"simulations"`
	Positions   int     `mapstructure:"positions"`
	CPuct       float64 `mapstructure:"cpuct"`
}

// DefaultFits lacks what only its user can say.
func DefaultFits() Fits {
	return Fits{HeldOut: 10, Threads: 1, Seed: 1, Measure: FitMeasure{Batches: 32, Simulations: 400, Positions: 1024, CPuct: 1.25}}
}

// Validate joins every problem of p.
func (p *Fits) Validate() error {
	var errs []error
	check := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	check(p.Config != "", "config: want a run file")
	check(p.Games != "", "games: want the folder of a run")
	checkSettings(p.Set, func(format string, args ...any) { errs = append(errs, fmt.Errorf("set: "+format, args...)) })
	check(p.Until >= 0, "until: %d: want 0 or more", p.Until)
	check(p.HeldOut >= 1, "held_out: %d: want at least 1 shard", p.HeldOut)
	check(p.Positions >= 0, "positions: %d: want 0 or more", p.Positions)
	check(p.Steps >= 1, "steps: %d: want at least 1", p.Steps)
	check(p.Threads >= 1, "threads: %d: want at least 1", p.Threads)
	m := &p.Measure
	check(m.Batches >= 1, "measure.batches: %d: want at least 1", m.Batches)
	check(m.Simulations >= 2, "measure.simulations: %d: want at least 2", m.Simulations)
	check(m.Positions >= 1, "measure.positions: %d: want at least 1", m.Positions)
	check(m.CPuct > 0, "measure.cpuct: %g: want above 0", m.CPuct)
	check(len(p.Arms) >= 2, "arms: %d: want at least 2", len(p.Arms))
	check(p.Seeds >= 2 && p.Seeds*len(p.Arms) <= maxRuns, "seeds: %d: want 2 or more, and no more than %d fits in all", p.Seeds, maxRuns)
	arms := make([]Arm, len(p.Arms))
	for i, a := range p.Arms {
		arms[i] = Arm{Name: a.Name, Set: a.Set}
	}
	return errors.Join(append(errs, (&Plan{Arms: arms}).checkList()...)...)
}

// All lists the fits of a valid plan, seed by seed, so that a plan that is stopped has
// fits of all arms.
func (p *Fits) All() []Run {
	var list []Run
	for i := range p.Seeds {
		for _, a := range p.Arms {
			s := p.Seed + uint64(i)
			list = append(list, Run{Name: fmt.Sprintf("%s-%d", a.Name, s), Seed: s, Arm: a.Name, Settings: a.Set})
		}
	}
	return list
}

// FitsResult is what fits show.
type FitsResult struct {
	Game  string `json:"game"`
	Steps int    `json:"steps"`
	// Positions are learned from; of HeldOut positions some are measured on.
	Positions int64       `json:"positions"`
	HeldOut   int64       `json:"held_out"`
	Fits      []FitResult `json:"fits"`
	Measures  []Measured  `json:"measures"`
	// Sizes of the arms' networks.
	Sizes []Size `json:"sizes"`
}

// Size is what a network costs.
type Size struct {
	Parameters int `json:"parameters"`
	// MultiplyAdds of one sample in a training step.
	MultiplyAdds int64 `json:"multiply_adds"`
}

// FitResult is one fit, with a value for each measure.
type FitResult struct {
	Run
	Values []float64 `json:"values"`
}

// Work works out what the values of all fits show. responses name the measures; they have
// no values.
func (r *FitsResult) Work(p *Fits, responses []Response) error {
	for k, response := range responses {
		m := Measured{Response: response}
		of := map[string][]float64{}
		for i := range r.Fits {
			of[r.Fits[i].Arm] = append(of[r.Fits[i].Arm], r.Fits[i].Values[k])
		}
		for i, a := range p.Arms {
			arm := ArmResult{Name: a.Name}
			var err error
			if arm.Mean, err = design.Mean(of[a.Name]); err != nil {
				return err
			}
			if i > 0 {
				var d rating.Estimate
				if d, err = design.Paired(of[a.Name], of[p.Arms[0].Name]); err != nil {
					return err
				}
				arm.Difference = &d
			}
			m.Arms = append(m.Arms, arm)
		}
		r.Measures = append(r.Measures, m)
	}
	return nil
}

// WriteText writes the result for people.
func (r *FitsResult) WriteText(w io.Writer) error {
	t := &text{tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)}
	n := len(r.Fits) / len(r.Sizes)
	t.line("%s: %d fits of %d steps to %d positions, measured on some of %d others", r.Game, len(r.Fits), r.Steps, r.Positions, r.HeldOut)
	t.line("intervals 95 %%, Student's t over %d seeds (%d degrees of freedom), each for one number alone; less is better", n, n-1)
	for _, m := range r.Measures {
		t.line("")
		t.line("%s, in %s", m.What, m.Unit)
		t.line("  arm\tmean\tless %s, over equal seeds\tparameters\tmillion multiply-adds a sample", m.Arms[0].Name)
		for i, a := range m.Arms {
			difference := ""
			if a.Difference != nil {
				difference = fine(*a.Difference, true)
			}
			t.line("  %s\t%s\t%s\t%d\t%.1f", a.Name, fine(a.Mean, false), difference, r.Sizes[i].Parameters, float64(r.Sizes[i].MultiplyAdds)/1e6)
		}
	}
	return t.w.Flush()
}

// fine is around with the digits that losses need.
func fine(e rating.Estimate, signed bool) string {
	if signed {
		return fmt.Sprintf("%+.4f (%+.4f to %+.4f)", e.Value, e.Low, e.High)
	}
	return fmt.Sprintf("%.4f (%.4f to %.4f)", e.Value, e.Low, e.High)
}

// CSV has a row for each fit.
func (r *FitsResult) CSV() *sheet.CSV {
	head := []string{"fit", "arm", "seed"}
	for _, m := range r.Measures {
		head = append(head, m.Name)
	}
	return &sheet.CSV{Rows: append([][]string{head}, sheet.Rows(r.Fits, func(f *FitResult) []string {
		row := sheet.Row(f.Name, f.Arm, strconv.FormatUint(f.Seed, 10))
		for _, v := range f.Values {
			row = append(row, number(v))
		}
		return row
	})...)}
}
