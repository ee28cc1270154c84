package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/ludozero/ludozero/report/figure"
	"gonum.org/v1/plot"
)

// ends are the ends of the vertical axis: of the chart, or to fit all values and those
// intervals that are not much wider.
func (c *chart) ends() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	values := [2]float64{low, high}
	each := func(do func(*point)) {
		for i := range c.lines {
			for k := range c.lines[i].points {
				do(&c.lines[i].points[k])
			}
		}
	}
	each(func(q *point) {
		for _, v := range []float64{q.v, q.arrow()} {
			if !math.IsNaN(v) {
				values = [2]float64{min(values[0], v), max(values[1], v)}
			}
		}
	})
	room := max(values[1]-values[0], math.Abs(values[1])/10, c.span, 1e-9)
	low, high = values[0], values[1]
	each(func(q *point) {
		if q.low >= values[0]-2*room {
			low = min(low, q.low)
		}
		if q.high <= values[1]+2*room {
			high = max(high, q.high)
		}
	})
	if missing := c.span - (high - low); missing > 0 {
		low, high = low-missing/2, high+missing/2
	}
	margin := max(high-low, math.Abs(high)/10, 1e-9) / 20
	low, high = low-margin, high+margin
	if !math.IsNaN(c.low) {
		low = c.low
	}
	if !math.IsNaN(c.high) {
		high = c.high
	}
	if !(low < high) {
		high = low + 1
	}
	return low, high
}

// acrossAxis is the horizontal axis: learning or core time with the generations
// reached, generations alone in a run of a few seconds, or values.
type acrossAxis struct {
	label    string
	from, to float64
	points   []point // by generation, each once
	times    []point
	unit     time.Duration // 0: no time
	plain    bool
}

func (c *chart) axis() acrossAxis {
	if c.plain != "" {
		return acrossAxis{label: c.plain, from: -1, to: 1, plain: true}
	}
	x := acrossAxis{label: "generation", times: c.times}
	for i := range c.lines {
		for _, q := range c.lines[i].points {
			at, found := slices.BinarySearchFunc(x.points, q, func(a, b point) int { return a.generation - b.generation })
			if !found {
				x.points = slices.Insert(x.points, at, q)
			}
		}
	}
	last := &x.points[len(x.points)-1]
	from, to := time.Duration(0), last.after
	if n := len(c.times); n > 0 {
		to = max(to, c.times[n-1].after) // all plots of a run that count the same have one axis
		if c.times[0].generation == 0 {
			from = c.times[0].after
		}
	}
	unit := ""
	switch {
	case to >= 3*time.Hour:
		x.unit, unit = time.Hour, "hours"
	case to >= 3*time.Minute:
		x.unit, unit = time.Minute, "minutes"
	case to >= 10*time.Second:
		x.unit, unit = time.Second, "seconds"
	}
	if x.unit == 0 {
		x.to = x.of(last)
		if n := len(c.times); n > 0 {
			x.to = max(x.to, x.of(&c.times[n-1]))
		}
		return x
	}
	x.label = c.over.axis(unit) + ", and the generation reached"
	x.from, x.to = from.Seconds()/x.unit.Seconds(), to.Seconds()/x.unit.Seconds()
	return x
}

func (x *acrossAxis) of(q *point) float64 {
	switch {
	case x.plain:
		return q.across
	case x.unit == 0:
		return float64(q.generation)
	}
	return q.after.Seconds() / x.unit.Seconds()
}

// ticks are some five marks.
func (x *acrossAxis) ticks() []plot.Tick {
	step := figure.Nice(max(x.to-x.from, 1e-9) / 5)
	if x.unit == 0 && !x.plain {
		step = max(1, step)
	}
	return figure.Ticks(x.from, x.to, step, func(v float64, digits int) string {
		label := strconv.FormatFloat(v, 'f', digits, 64)
		if x.unit == 0 {
			return label
		}
		generation := 0
		for i := range x.times {
			if q := &x.times[i]; x.of(q) <= v*(1+1e-9) {
				generation = q.generation
			}
		}
		return fmt.Sprintf("%s\ngen %d", label, generation)
	})
}
