// Command soak reads what scripts/soak.sh measured, "seconds,resident_kib,
// shard_kib", prints whether memory was flat and draws it:
//
//	soak FILE.csv FILE.svg
package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("want a CSV file and the name of a picture, got %d words", len(args))
	}
	m, err := read(args[0])
	if err != nil {
		return err
	}
	m.print()
	return m.draw(args[1])
}

// measured holds one entry a sample: hours, MiB, MiB on disk.
type measured struct {
	hours, resident, shards []float64
}

func read(path string) (*measured, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	var m measured
	for i, row := range rows[min(1, len(rows)):] {
		var v [3]float64
		for k := range v {
			if v[k], err = strconv.ParseFloat(row[k], 64); err != nil {
				return nil, fmt.Errorf("%s: sample %d: %w", path, i, err)
			}
		}
		m.hours = append(m.hours, v[0]/3600)
		m.resident = append(m.resident, v[1]/1024)
		m.shards = append(m.shards, v[2]/1024)
	}
	if len(m.hours) < 8 {
		return nil, fmt.Errorf("%s: %d samples: want at least 8", path, len(m.hours))
	}
	return &m, nil
}

// print gives the memory of each quarter of the time, and how fast it grew in
// the second half, when windows and caches are full.
func (m *measured) print() {
	n := len(m.hours)
	fmt.Printf("%.2f hours, %d samples, %.0f MiB of shards\n", m.hours[n-1], n, m.shards[n-1])
	for q := range 4 {
		part := slices.Sorted(slices.Values(m.resident[q*n/4 : (q+1)*n/4]))
		fmt.Printf("quarter %d: resident memory, MiB: least %.1f, median %.1f, most %.1f\n", q+1,
			part[0], stat.Quantile(0.5, stat.Empirical, part, nil), part[len(part)-1])
	}
	_, slope := stat.LinearRegression(m.hours[n/2:], m.resident[n/2:], nil, false)
	fmt.Printf("second half: %+.2f MiB an hour (least squares)\n", slope)
}

func (m *measured) draw(path string) error {
	p := plot.New()
	p.Title.Text = fmt.Sprintf("Resident memory of a training process, %.1f hours", m.hours[len(m.hours)-1])
	p.X.Label.Text, p.Y.Label.Text = "hours", "MiB"
	p.Add(plotter.NewGrid())
	xys := make(plotter.XYs, len(m.hours))
	for i := range xys {
		xys[i].X, xys[i].Y = m.hours[i], m.resident[i]
	}
	line, err := plotter.NewLine(xys)
	if err != nil {
		return err
	}
	p.Add(line)
	p.Y.Min = 0 // adding a line moves it
	return p.Save(18*vg.Centimeter, 8*vg.Centimeter, path)
}
