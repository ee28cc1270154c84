// Command soak reads what scripts/soak.sh measured, "seconds,resident_kib,
// shard_kib", prints whether memory was flat and draws it, one line a file:
//
//	soak PICTURE.svg FILE.csv...
package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("want the name of a picture and CSV files, got %d words", len(args))
	}
	var all []*measured
	for _, path := range args[1:] {
		m, err := read(path)
		if err != nil {
			return err
		}
		fmt.Printf("%s: ", m.name)
		m.print()
		all = append(all, m)
	}
	return draw(args[0], all)
}

// measured holds the samples of a file: hours, MiB in memory, MiB on disk.
type measured struct {
	name                    string // of the file
	hours, resident, shards []float64
}

func read(path string) (*measured, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll() // of equal length
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	m := measured{name: strings.TrimSuffix(filepath.Base(path), ".csv")}
	for i, row := range rows[min(1, len(rows)):] {
		var v [3]float64
		if len(row) < len(v) {
			return nil, fmt.Errorf("%s: %d columns: want seconds, resident_kib, shard_kib", path, len(row))
		}
		for k := range v {
			if v[k], err = strconv.ParseFloat(row[k], 64); err != nil {
				return nil, fmt.Errorf("%s: sample %d: %w", path, i+1, err)
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

// growth is the growth of memory in the second half, when windows and caches are full,
// in MiB an hour by least squares.
func (m *measured) growth() float64 {
	n := len(m.hours)
	_, slope := stat.LinearRegression(m.hours[n/2:], m.resident[n/2:], nil, false)
	return slope
}

// print prints the memory of each quarter of the time, and its growth.
func (m *measured) print() {
	n := len(m.hours)
	fmt.Printf("%.2f hours, %d samples, %.0f MiB of shards\n", m.hours[n-1], n, m.shards[n-1])
	for q := range 4 {
		part := slices.Sorted(slices.Values(m.resident[q*n/4 : (q+1)*n/4]))
		fmt.Printf("quarter %d: resident memory, MiB: least %.1f, median %.1f, most %.1f\n", q+1,
			part[0], stat.Quantile(0.5, stat.Empirical, part, nil), part[len(part)-1])
	}
	fmt.Printf("second half: %+.2f MiB an hour (least squares)\n", m.growth())
}

func draw(path string, all []*measured) error {
	p := plot.New()
	p.Title.Text = "Resident memory of a training process"
	p.X.Label.Text, p.Y.Label.Text = "hours", "MiB"
	p.Add(plotter.NewGrid())
	var lines []any
	for _, m := range all {
		xys := make(plotter.XYs, len(m.hours))
		for i := range xys {
			xys[i].X, xys[i].Y = m.hours[i], m.resident[i]
		}
		if len(all) > 1 {
			lines = append(lines, m.name)
		}
		lines = append(lines, xys)
	}
	if err := plotutil.AddLines(p, lines...); err != nil {
		return err
	}
	p.Y.Min = 0
	p.Y.Max *= 1.25 // for the names
	p.Legend.Top = true
	return p.Save(18*vg.Centimeter, 8*vg.Centimeter, path)
}
