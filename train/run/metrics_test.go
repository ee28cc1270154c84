package run

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestMetricsAreThoseOfTheRun works out the columns again from shards, states
// and events.
func TestMetricsAreThoseOfTheRun(t *testing.T) {
	cfg := tiny()
	rows, err := rundir.ReadMetrics(wholeDir)
	if err != nil || len(rows) != 2 {
		t.Fatalf("ReadMetrics = %d rows, %v, want 2", len(rows), err)
	}
	events, err := rundir.ReadEvents(wholeDir)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range rows {
		g := i + 1
		s, err := rundir.ReadState(wholeDir, g)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(*s.Metrics, m) {
			t.Errorf("generation %d: the file has\n%+v, the checkpoint\n%+v", g, m, *s.Metrics)
		}
		before, err := rundir.ReadState(wholeDir, g-1)
		if err != nil {
			t.Fatal(err)
		}
		p, l := events[3*i+1].SelfPlay, events[3*i+2].Training
		want := m
		want.Generation, want.Step, want.Games, want.Positions = int32(g), int64(s.Step), int64(s.Games), int64(s.Rows)
		want.LearnedSeconds = s.Elapsed.Seconds()
		want.NewGames, want.NewPositions = 14, int64(s.Rows-before.Rows)
		want.MeanTurns, want.DrawRate, want.FirstScore = p.MeanTurns, p.DrawRate, p.FirstScore
		want.PositionsPerSecond, want.EvaluationsPerSecond, want.CacheHits = p.PositionsPerSecond, p.EvaluationsPerSecond, p.CacheHits
		want.Parameters = int64(events[0].Start.Parameters)
		want.Steps, want.WindowPositions = int64(s.Step-before.Step), int64(l.WindowPositions)
		want.PolicyLoss, want.ValueLoss, want.TurnsLoss, want.GradientNorm = l.PolicyLoss, l.ValueLoss, l.TurnsLoss, l.GradientNorm
		want.LearningRate, want.SamplesPerSecond = l.LearningRate, l.SamplesPerSecond
		want.FullShare, want.Simulations = 1, 8
		value, nats, surprise, n := 0.0, 0.0, 0.0, 0.0
		ends := map[string]map[int64]bool{}
		for _, r := range rowsOf(t, cfg, int64(4*i), int64(4*i+3)) {
			value += float64(r.RootValue) * float64(1-2*r.Player)
			surprise += float64(r.Surprise)
			for _, q := range r.Policy {
				if q > 0 {
					nats -= float64(q) / 65535 * math.Log(float64(q)/65535)
				}
			}
			if ends[r.Reason] == nil {
				ends[r.Reason] = map[int64]bool{}
			}
			ends[r.Reason][r.GameNumber] = true
			n++
		}
		played := map[string]bool{}
		var z, v, zz, dd, d float64
		var moves []byte
		all := rowsOf(t, cfg, int64(4*i), int64(4*i+3))
		for j, r := range all {
			moves = append(append(moves, fmt.Sprint(r.Before, r.Action)...), ' ')
			if j+1 == len(all) || all[j+1].GameNumber != r.GameNumber {
				played[string(moves)] = true
				moves = nil
			}
			e := float64(r.Outcome) - float64(r.NetworkValue)
			z, zz, d, dd, v = z+float64(r.Outcome), zz+float64(r.Outcome*r.Outcome), d+e, dd+e*e, v+float64(r.NetworkValue)
		}
		want.RepeatedGames = 14 - int64(len(played))
		near := func(name string, got, want float64) {
			if math.Abs(got-want) > 1e-9 || want == 0 {
				t.Errorf("generation %d: %s is %g, want %g", g, name, got, want)
			}
		}
		near("root value", m.MeanRootValue, value/n)
		near("entropy", m.PolicyEntropy, nats/n)
		near("surprise", m.Surprise, surprise/n)
		near("explained variance", m.ValueExplained, 1-(dd/n-d*d/n/n)/(zz/n-z*z/n/n))
		var inBins, sum, predicted float64
		for _, b := range m.ValueBins {
			inBins += float64(b.Positions)
			sum += b.Outcome * float64(b.Positions)
			predicted += b.Predicted * float64(b.Positions)
		}
		near("positions in bins", inBins, n)
		near("outcomes in bins", sum, z)
		near("values in bins", predicted, v)
		if m.RootExplained <= m.ValueExplained || len(m.RootBins) != valueBins {
			t.Errorf("generation %d: the root's value explains %g, the network's %g", g, m.RootExplained, m.ValueExplained)
		}
		last := ""
		for _, e := range m.Ends {
			if int64(len(ends[e.Reason])) != e.Games || e.Reason <= last {
				t.Errorf("generation %d: ends are %v, want %v in order", g, m.Ends, ends)
			}
			last = e.Reason
		}
		if len(m.Ends) != len(ends) {
			t.Errorf("generation %d: ends are %v, want %v", g, m.Ends, ends)
		}
		if !reflect.DeepEqual(m, want) {
			t.Errorf("generation %d:\n%+v, want\n%+v", g, m, want)
		}
		// Of what is drawn only bounds are known.
		if !(m.PolicyFloor > 0 && m.PolicyFloor < m.PolicyLoss) || m.ValueFloor != 0 ||
			!(m.MeanAge >= 0 && m.MeanAge <= float64(i)) || (m.MeanAge > 0) != (i > 0) {
			t.Errorf("generation %d: policy floor %g, value floor %g, mean age %g", g, m.PolicyFloor, m.ValueFloor, m.MeanAge)
		}
		if !(m.GradientNormMax > m.GradientNorm) || m.ClippedSteps < 0 || m.ClippedSteps > m.Steps || (m.ClippedSteps > 0) != (m.GradientNormMax > cfg.Train.ClipNorm) {
			t.Errorf("generation %d: norms up to %g, mean %g, %d of %d steps clipped", g, m.GradientNormMax, m.GradientNorm, m.ClippedSteps, m.Steps)
		}
		if m.HeapBytes < 1<<16 || m.Goroutines < 1 || runtime.GOOS == "linux" && m.ResidentBytes < 1<<20 {
			t.Errorf("generation %d: heap of %d bytes, %d resident, %d goroutines", g, m.HeapBytes, m.ResidentBytes, m.Goroutines)
		}
	}
}

// rowsOf reads the rows of shards of the whole run.
func rowsOf(t *testing.T, cfg plan.Config, first, last int64) (rows []record.Row) {
	t.Helper()
	for n := first; n <= last; n++ {
		s, err := record.Open(shardPath(wholeDir, n), info(t, cfg.Game))
		if err != nil {
			t.Fatal(err)
		}
		some, err := s.Rows()
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, some...)
	}
	return rows
}

// TestColumnsHaveOneName: the state's JSON and the file's columns agree, and no
// column is in the JSON when it is zero, so that a new one leaves old checksums
// as they are.
func TestColumnsHaveOneName(t *testing.T) {
	typ := reflect.TypeFor[rundir.Metrics]()
	for i := range typ.NumField() {
		f := typ.Field(i)
		column, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		if column == "" || name != column || option != "omitempty" && f.Name != "Generation" {
			t.Errorf("%s is column %q and %q in JSON, option %q", f.Name, column, name, option)
		}
	}
}

// TestLostMetricsAreMadeAgain from the checkpoints, in whole or in part.
func TestLostMetricsAreMadeAgain(t *testing.T) {
	want, err := os.ReadFile(filepath.Join(wholeDir, rundir.MetricsName))
	if err != nil {
		t.Fatal(err)
	}
	for name, lose := range map[string]func(dir string){
		"missing": func(dir string) { remove(t, filepath.Join(dir, rundir.MetricsName)) },
		"as before the last checkpoint": func(dir string) {
			forget(t, dir, 1)
			cfg := tiny()
			cfg.Generations = 1
			mustWork(t, dir, cfg)
			remove(t, filepath.Join(dir, rundir.CheckpointsDir))
			remove(t, filepath.Join(dir, rundir.ShardsDir))
			for _, d := range []string{rundir.CheckpointsDir, rundir.ShardsDir} {
				if err := os.CopyFS(filepath.Join(dir, d), os.DirFS(filepath.Join(wholeDir, d))); err != nil {
					t.Fatal(err)
				}
			}
			if m, _, err := rundir.ReadMetricsFile(dir); err != nil || len(m) != 1 {
				t.Fatalf("the file has %d rows, %v, want 1", len(m), err)
			}
			if m, err := rundir.ReadMetrics(dir); err != nil || len(m) != 2 {
				t.Errorf("ReadMetrics = %d rows, %v, want 2", len(m), err)
			}
		},
	} {
		dir := copyRun(t)
		lose(dir)
		mustWork(t, dir, tiny())
		if got, err := os.ReadFile(filepath.Join(dir, rundir.MetricsName)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v, or the file made again is another one", name, err)
		}
	}
}

// TestNoMetricsOfTheFuture: checkpoints that somebody took away take their rows
// with them.
func TestNoMetricsOfTheFuture(t *testing.T) {
	dir := copyRun(t)
	forget(t, dir, 1)
	if m, err := rundir.ReadMetrics(dir); err != nil || len(m) != 1 || m[0].Generation != 1 {
		t.Errorf("ReadMetrics = %+v, %v, want generation 1 alone", m, err)
	}
	cfg := tiny()
	cfg.Generations = 1 // nothing is left to do
	mustWork(t, dir, cfg)
	if m, _, err := rundir.ReadMetricsFile(dir); err != nil || len(m) != 1 || m[0].Generation != 1 {
		t.Errorf("the file has %+v, %v, want generation 1 alone", m, err)
	}
}

// TestMetricsOfAnotherRunAreRefused: rows of older generations would pass for
// this run's.
func TestMetricsOfAnotherRunAreRefused(t *testing.T) {
	dir, other, cfg := copyRun(t), newDir(t), tiny()
	cfg.Seed++
	mustWork(t, other, cfg)
	data, err := os.ReadFile(filepath.Join(other, rundir.MetricsName))
	if err != nil {
		t.Fatal(err)
	}
	edit(t, filepath.Join(dir, rundir.MetricsName), func([]byte) []byte { return data })
	before := snapshot(t, dir)
	_, read := rundir.ReadMetrics(dir)
	for what, err := range map[string]error{"ReadMetrics": read, "Run": work(t.Context(), dir, tiny())} {
		if err == nil || !strings.Contains(err.Error(), rundir.MetricsName+": of a run with configuration "+cfg.Hash()) {
			t.Errorf("%s = %v, want the file refused", what, err)
		}
	}
	if !maps.Equal(snapshot(t, dir), before) {
		t.Error("the refused run was changed")
	}
	// A fork may have the configuration of its source.
	mine := tiny()
	forked, err := rundir.MarshalMetrics([]rundir.Metrics{{Generation: 1}}, "another", mine.Hash())
	if err != nil {
		t.Fatal(err)
	}
	edit(t, filepath.Join(dir, rundir.MetricsName), func([]byte) []byte { return forked })
	before = snapshot(t, dir)
	_, read = rundir.ReadMetrics(dir)
	for what, err := range map[string]error{"ReadMetrics": read, "Run": work(t.Context(), dir, tiny())} {
		if err == nil || !strings.Contains(err.Error(), rundir.MetricsName+": of run another: checkpoint ") {
			t.Errorf("%s = %v, want the file of a fork refused", what, err)
		}
	}
	if !maps.Equal(snapshot(t, dir), before) {
		t.Error("the refused run was changed")
	}
}
