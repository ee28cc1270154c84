package design

import (
	"fmt"
	"math"

	"github.com/ludozero/ludozero/stats/rating"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Fit is the result of a factorial design. Intervals are 95 % by Student's t, each for
// one effect alone.
type Fit struct {
	Mean rating.Estimate `json:"mean"`
	// Effects are the main effects by factor: the mean of the runs with the factor
	// at its high level minus the mean of the others.
	Effects []rating.Estimate `json:"effects"`
	// Residual is the standard deviation of a run about the sum of the main effects,
	// Freedom its degrees of freedom. Real interactions make it larger.
	Residual float64 `json:"residual"`
	Freedom  int     `json:"freedom"`
	// Chains are the interactions of two factors that are not aliased with a main
	// effect, each with its estimated sum: half the difference between the effect of
	// one factor with the other high and with the other low.
	Chains []Interaction `json:"interactions"`
}

// Interaction is a chain and its estimate.
type Interaction struct {
	Chain
	Value float64 `json:"value"`
}

// Fit fits the main effects to the results of all runs by least squares. The error
// is pooled from the residuals: with N runs and k factors N-1-k degrees of freedom.
func (d *Factorial) Fit(y []float64) (*Fit, error) {
	if len(y) != d.runs {
		return nil, fmt.Errorf("%d results: want one of each of %d runs", len(y), d.runs)
	}
	if err := finite(y); err != nil {
		return nil, err
	}
	n := float64(d.runs)
	f := &Fit{Freedom: d.runs - 1 - len(d.columns)}
	mean := stat.Mean(y, nil)
	left := make([]float64, len(y)) // residuals
	for i := range y {
		left[i] = y[i] - mean
	}
	effects := make([]float64, len(d.columns))
	for i, c := range d.columns {
		effects[i] = c.contrast(y)
		for run := range left {
			left[run] -= effects[i] / 2 * c.sign(run)
		}
	}
	f.Residual = math.Sqrt(floats.Dot(left, left) / float64(f.Freedom))
	t := quantile(f.Freedom)
	f.Mean = around(mean, t*f.Residual/math.Sqrt(n))
	for _, e := range effects {
		f.Effects = append(f.Effects, around(e, t*2*f.Residual/math.Sqrt(n)))
	}
	for _, c := range d.Chains() {
		if c.Main < 0 {
			f.Chains = append(f.Chains, Interaction{c, c.column.contrast(y)})
		}
	}
	return f, nil
}

// sign is the level of a column in a run as 1 or -1.
func (w word) sign(run int) float64 {
	if w.high(run) {
		return 1
	}
	return -1
}

// contrast is the mean of the runs where the column is high minus the mean of the
// others.
func (w word) contrast(y []float64) float64 {
	sum := 0.0
	for run, v := range y {
		sum += w.sign(run) * v
	}
	return sum / float64(len(y)/2)
}

// Mean estimates the mean of runs like those with results y, at least two, by
// Student's t with one degree of freedom less than there are runs.
func Mean(y []float64) (rating.Estimate, error) {
	if len(y) < 2 {
		return rating.Estimate{}, fmt.Errorf("%d results: want at least 2", len(y))
	}
	if err := finite(y); err != nil {
		return rating.Estimate{}, err
	}
	mean, sd := stat.MeanStdDev(y, nil)
	return around(mean, quantile(len(y)-1)*sd/math.Sqrt(float64(len(y)))), nil
}

// Paired estimates by how much the results a exceed b on average, where a[i] belongs
// to b[i]: the Mean of their differences. It needs at least two.
func Paired(a, b []float64) (rating.Estimate, error) {
	if len(a) != len(b) {
		return rating.Estimate{}, fmt.Errorf("%d and %d results: want pairs", len(a), len(b))
	}
	return Mean(floats.SubTo(make([]float64, len(a)), a, b))
}

func finite(y []float64) error {
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("result %d is %g: want a finite number", i+1, v)
		}
	}
	return nil
}

// quantile is Student's 97.5 % point.
func quantile(freedom int) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(freedom)}.Quantile(0.975)
}

func around(value, error float64) rating.Estimate {
	return rating.Estimate{Value: value, Low: value - error, High: value + error}
}
