package main

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// result is one row: the sides by name, ours first, and how many times faster we
// are than each of the others.
type result struct {
	Name   string            `json:"name"`
	Unit   string            `json:"unit"`
	Turns  map[string][]turn `json:"turns"`
	Sides  []string          `json:"sides"`
	Rates  []float64         `json:"rates"`  // median of each side
	Ratios []ratio           `json:"ratios"` // to each side but ours
	// Peak is the speed of the FMA loop on one core before the row, in GFLOP/s.
	Peak float64 `json:"peak"`
}

// ratio compares two sides: the ratio of their medians, and quartiles and extremes
// of the ratios of consecutive turns.
type ratio struct {
	Value float64 `json:"value"`
	Least float64 `json:"least"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Most  float64 `json:"most"`
}

// pause lets threads that spin for more work fall asleep.
const pause = 30 * time.Millisecond

// alternate gives the sides turns until each has had the total time. The order is
// reversed every round, so that drift favours nobody.
func alternate(ctx context.Context, sides []*side, total, slice time.Duration) ([][]turn, error) {
	turns := make([][]turn, len(sides))
	order := make([]int, len(sides))
	for i := range order {
		order[i] = i
	}
	for range max(1, int(total/slice)) {
		for _, i := range order {
			time.Sleep(pause)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			t, err := sides[i].run(slice)
			if err != nil {
				return nil, err
			}
			turns[i] = append(turns[i], t)
		}
		slices.Reverse(order)
	}
	return turns, nil
}

func summary(name, unit string, sides []*side, turns [][]turn) result {
	r := result{Name: name, Unit: unit, Turns: map[string][]turn{}}
	rates := make([][]float64, len(sides))
	for i, s := range sides {
		for _, t := range turns[i] {
			rates[i] = append(rates[i], t.rate())
		}
		r.Sides, r.Rates = append(r.Sides, s.name), append(r.Rates, quantile(rates[i], 0.5))
		r.Turns[s.name] = turns[i]
	}
	for i := 1; i < len(sides); i++ {
		paired := make([]float64, len(rates[i]))
		for k := range paired {
			paired[k] = rates[0][k] / rates[i][k]
		}
		r.Ratios = append(r.Ratios, ratio{r.Rates[0] / r.Rates[i], quantile(paired, 0), quantile(paired, 0.25), quantile(paired, 0.75), quantile(paired, 1)})
	}
	return r
}

// quantile interpolates between the values around it; v is not empty.
func quantile(v []float64, p float64) float64 {
	v = slices.Sorted(slices.Values(v))
	at := p * float64(len(v)-1)
	i := int(at)
	if i == len(v)-1 {
		return v[i]
	}
	return v[i] + (at-float64(i))*(v[i+1]-v[i])
}

// busy lists reasons to distrust a row: a side did not get the processor, or the
// ratios scatter.
func (r *result) busy(threads int) []string {
	var why []string
	for _, name := range r.Sides {
		var cpu []float64
		for _, t := range r.Turns[name] {
			cpu = append(cpu, t.CPU)
		}
		if share := quantile(cpu, 0.5); threads == 1 && share > 0 && share < 0.95 {
			why = append(why, fmt.Sprintf("%s had %.0f %% of a processor", name, 100*share))
		}
	}
	for i, q := range r.Ratios {
		if spread := (q.High - q.Low) / q.Value; spread > 0.1 {
			why = append(why, fmt.Sprintf("the middle half of its ratios to %s is %.0f %% wide", r.Sides[i+1], 100*spread))
		}
	}
	return why
}
