package sweep

import (
	"fmt"
	"math"

	"github.com/ludozero/ludozero/stats/design"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/train/rundir"
)

// Response is what one measure says of all runs.
type Response struct {
	// Name is a word for files, What says it for people, Unit is of values and of
	// their differences.
	Name string `json:"name"`
	What string `json:"what"`
	Unit string `json:"unit"`
	// Relative says that only differences mean something.
	Relative bool `json:"relative,omitempty"`
	// Low and High bound what values can be; both 0: nothing does.
	Low  float64 `json:"-"`
	High float64 `json:"-"`
	// Values has a value of each run. Their intervals are over the
	// positions or games of one network; effects do not go by them.
	Values []rating.Estimate `json:"-"`
}

// Result is what a finished sweep has shown.
type Result struct {
	Game  string `json:"game"`
	Rules string `json:"rules"`
	// CoreSeconds or Generations is what each run had, on CoresEach cores.
	CoreSeconds float64 `json:"core_seconds,omitempty"`
	Generations int     `json:"generations,omitempty"`
	CoresEach   int     `json:"cores_each"`
	// Factors and Design are of a sweep with factors.
	Factors []FactorResult `json:"factors,omitempty"`
	Design  *Design        `json:"design,omitempty"`
	Runs    []Outcome      `json:"runs"`
	// Measures are what was found, one for each measure.
	Measures []Measured `json:"measures"`
}

// FactorResult is a factor and its levels.
type FactorResult struct {
	Name string   `json:"name"`
	Low  []string `json:"low"`
	High []string `json:"high"`
}

// Design is a factorial design in figures.
type Design struct {
	// Resolution is 0 for a full factorial.
	Resolution int                `json:"resolution"`
	Generators []design.Generator `json:"generators"`
	// Chains are the interactions of two factors that are aliased with each other or
	// with a main effect.
	Chains []design.Chain `json:"aliases"`
}

// Outcome is what one run did.
type Outcome struct {
	Run
	// Order is the place in which it was begun, from 1.
	Order int `json:"order"`
	// Generation is the generation of its last network; Step, Games and Positions are what that
	// has learned from.
	Generation int `json:"generation"`
	Step       int `json:"steps"`
	Games      int `json:"games"`
	Positions  int `json:"positions"`
	// CoreSeconds is the processor time that its Processes have learned for, 0 if the
	// system does not say.
	CoreSeconds float64 `json:"core_seconds"`
	Processes   int     `json:"processes"`
	// Counted is the share of that time before its last checkpoint; the rest went into
	// a generation that was not finished. Nil if the system does not say.
	Counted *float64 `json:"counted,omitempty"`
	// Values are what the measures say of its last network.
	Values []rating.Estimate `json:"values"`
}

// Measured is what one measure shows: of factors or of arms.
type Measured struct {
	Response
	Fit  *design.Fit `json:"fit,omitempty"`
	Arms []ArmResult `json:"arms,omitempty"`
	// Missing says why there is neither.
	Missing string `json:"missing,omitempty"`
}

// ArmResult is the mean of an arm and, of all but the first, its difference from the
// first, over runs of equal seeds.
type ArmResult struct {
	Name       string           `json:"name"`
	Mean       rating.Estimate  `json:"mean"`
	Difference *rating.Estimate `json:"difference,omitempty"`
}

// Result reads what the runs did, all of which must have ended, and works out what
// the responses show.
func (s *Sweep) Result(game, rules string, responses []Response) (*Result, error) {
	p := &s.Plan
	result := &Result{Game: game, Rules: rules, CoreSeconds: p.CoreTime.Seconds(), Generations: p.Generations, CoresEach: p.CoresEach}
	if len(p.Factors) > 0 {
		d := p.Design()
		result.Design = &Design{Resolution: d.Resolution(), Generators: d.Generators(), Chains: aliases(d)}
		for _, f := range p.Factors {
			result.Factors = append(result.Factors, FactorResult(f))
		}
	}
	for i := range s.Runs {
		o, err := s.outcome(&s.Runs[i])
		if err != nil {
			return nil, err
		}
		for _, r := range responses {
			o.Values = append(o.Values, r.Values[i])
		}
		result.Runs = append(result.Runs, *o)
	}
	for place, i := range p.order() {
		result.Runs[i].Order = place + 1
	}
	for _, r := range responses {
		m, err := s.measured(r)
		if err != nil {
			return nil, err
		}
		result.Measures = append(result.Measures, *m)
	}
	return result, nil
}

// aliases are the chains of d in which something cannot be told apart.
func aliases(d *design.Factorial) []design.Chain {
	list := []design.Chain{}
	for _, c := range d.Chains() {
		if c.Main >= 0 || len(c.Pairs) > 1 {
			list = append(list, c)
		}
	}
	return list
}

func (s *Sweep) outcome(r *Run) (*Outcome, error) {
	p := s.Of(r)
	if !p.Ended {
		return nil, fmt.Errorf("run %s has not ended", r.Name)
	}
	state, err := rundir.ReadState(s.Folder(r), p.Generation)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", r.Name, err)
	}
	o := &Outcome{
		Run: *r, Generation: state.Generation, Step: state.Step, Games: state.Games, Positions: state.Rows,
		CoreSeconds: p.CoreTime.Seconds(), Processes: p.Processes,
	}
	if learned := state.CoreTime; learned != nil && p.CoreTime > 0 {
		share := learned.Seconds() / p.CoreTime.Seconds()
		o.Counted = &share
	}
	return o, nil
}

// cut ends an interval where no value between low and high can be. With a few runs
// Student's interval is wider than that.
func (r *Response) cut(e *rating.Estimate, low, high float64) {
	if r.Low < r.High {
		e.Low, e.High = max(e.Low, low), min(e.High, high)
	}
}

// measured works out what a response shows.
func (s *Sweep) measured(r Response) (*Measured, error) {
	m := &Measured{Response: r}
	y := make([]float64, len(r.Values))
	for i, v := range r.Values {
		if math.IsInf(v.Value, 0) || math.IsNaN(v.Value) {
			m.Missing = fmt.Sprintf("run %s has no finite result", s.Runs[i].Name)
			return m, nil
		}
		y[i] = v.Value
	}
	var err error
	if len(s.Plan.Factors) > 0 {
		if m.Fit, err = s.Plan.Design().Fit(y); err != nil {
			return nil, err
		}
		r.cut(&m.Fit.Mean, r.Low, r.High)
		for i := range m.Fit.Effects {
			r.cut(&m.Fit.Effects[i], r.Low-r.High, r.High-r.Low)
		}
		return m, nil
	}
	n := s.Plan.Seeds
	for i, a := range s.Plan.Arms {
		arm := ArmResult{Name: a.Name}
		if arm.Mean, err = design.Mean(y[i*n : (i+1)*n]); err != nil {
			return nil, err
		}
		r.cut(&arm.Mean, r.Low, r.High)
		if i > 0 {
			d, err := design.Paired(y[i*n:(i+1)*n], y[:n])
			if err != nil {
				return nil, err
			}
			r.cut(&d, r.Low-r.High, r.High-r.Low)
			arm.Difference = &d
		}
		m.Arms = append(m.Arms, arm)
	}
	return m, nil
}
