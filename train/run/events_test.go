package run

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestEventsTellTheRun holds the events of a run, reported and kept, to what is
// in its folder.
func TestEventsTellTheRun(t *testing.T) {
	dir := newDir(t)
	cfg := tiny()
	var told []rundir.Event
	began := time.Now()
	err := Run(context.Background(), dir, cfg, Options{Games: games.All(), Report: func(e rundir.Event) {
		if e.SelfPlay == nil || e.SelfPlay.Done {
			told = append(told, e)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := rundir.ReadEvents(dir)
	if err != nil {
		t.Fatal(err)
	}
	// The file has no monotonic clock.
	a, _ := json.Marshal(told)
	b, _ := json.Marshal(kept)
	if string(a) != string(b) {
		t.Errorf("reported\n%s, kept\n%s", a, b)
	}
	var kinds []string
	last := time.Duration(0)
	for i, e := range kept {
		kinds = append(kinds, kind(t, e))
		if e.Elapsed < last || e.Elapsed > time.Since(began) || e.Time.Before(began.Add(-time.Second)) {
			t.Errorf("event %d is of %v, %v after the start; the one before of %v", i, e.Time, e.Elapsed, last)
		}
		last = e.Elapsed
	}
	want := "start self_play training checkpoint self_play training checkpoint stop"
	if got := strings.Join(kinds, " "); got != want {
		t.Fatalf("events are %s, want %s", got, want)
	}
	start := rundir.StartEvent{Format: rundir.EventsFormat, Game: "tictactoe", Rules: "standard", Parameters: kept[0].Start.Parameters, Kernel: kernel.Arithmetic(),
		SelfPlayPrecision: "f32", TrainPrecision: "f32"}
	if got := *kept[0].Start; got != start || got.Parameters < 100 {
		t.Errorf("start is %+v, want %+v", got, start)
	}
	seen := 0
	for g := range 2 {
		s, err := rundir.ReadState(dir, g+1)
		if err != nil {
			t.Fatal(err)
		}
		p, l, c := kept[3*g+1].SelfPlay, kept[3*g+2].Training, kept[3*g+3].Checkpoint
		if p.Generation != g || p.Games != 14 || p.GamesWant != 14 || p.Positions != s.Rows-seen || !p.Done ||
			!(p.MeanTurns >= 5 && p.MeanTurns <= 9) || !(p.DrawRate >= 0 && p.FirstScore >= p.DrawRate/2 && p.FirstScore <= 1-p.DrawRate/2) ||
			!(p.PositionsPerSecond > 0 && p.EvaluationsPerSecond > 0 && p.CacheHits > 0 && p.CacheHits < 1) ||
			p.EvaluationsPerSecond/(1-p.CacheHits) < p.PositionsPerSecond {
			t.Errorf("self-play %d is told as %+v", g, *p)
		}
		if l.Generation != g || l.Step != s.Step || l.StepsDone != l.StepsWant || !l.Done || l.WindowPositions <= 0 || l.WindowPositions > s.Rows ||
			!(l.PolicyLoss > 0 && l.ValueLoss > 0 && l.GradientNorm > 0 && l.LearningRate > 0) {
			t.Errorf("training %d is told as %+v", g, *l)
		}
		want := rundir.CheckpointEvent{Generation: g + 1, Step: s.Step, Games: s.Games, Rows: s.Rows, Path: rundir.CheckpointDir(dir, g+1)}
		if *c != want {
			t.Errorf("checkpoint %d is told as %+v, want %+v", g, *c, want)
		}
		seen = s.Rows
	}
	if r := kept[7].Stop.Reason; r != "generations" {
		t.Errorf("the run stops by %q", r)
	}
}

// kind names the one pointer of e that is set.
func kind(t *testing.T, e rundir.Event) string {
	t.Helper()
	name := ""
	v := reflect.ValueOf(e)
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Pointer && !f.IsNil() {
			if name != "" {
				t.Errorf("event is both %s and more: %+v", name, e)
			}
			name, _, _ = strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		}
	}
	return name
}

func TestReadEventsWithoutRun(t *testing.T) {
	if e, err := rundir.ReadEvents(t.TempDir()); len(e) != 0 || err != nil {
		t.Errorf("ReadEvents = %v, %v, want none", e, err)
	}
}

// TestTornEvent cuts the last line of the events everywhere: no other event is
// lost, and what is logged afterwards is read.
func TestTornEvent(t *testing.T) {
	whole, err := os.ReadFile(filepath.Join(wholeDir, rundir.EventsFile))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Count(string(whole), "\n")
	last := len(whole) - strings.LastIndex(strings.TrimSuffix(string(whole), "\n"), "\n") - 1
	dir := t.TempDir()
	path := filepath.Join(dir, rundir.EventsFile)
	for cut := 0; cut <= last; cut++ {
		if err := os.WriteFile(path, whole[:len(whole)-cut], 0o666); err != nil {
			t.Fatal(err)
		}
		want := lines
		if cut > 1 { // without the line feed alone the line is whole
			want--
		}
		if e, err := rundir.ReadEvents(dir); err != nil || len(e) != want {
			t.Errorf("cut by %d: %d events, %v, want %d", cut, len(e), err, want)
		}
		log, err := rundir.OpenEvents(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := log.Append(&rundir.Event{Stop: &rundir.StopEvent{Reason: "test"}}); err != nil {
			t.Fatal(err)
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
		e, err := rundir.ReadEvents(dir)
		if err != nil || len(e) != want+1 || e[want].Stop == nil || e[want].Stop.Reason != "test" {
			t.Errorf("cut by %d and gone on: %d events, %v, want %d and one more", cut, len(e), err, want)
		}
	}
}

func TestRatesAreFinite(t *testing.T) {
	if r := rundir.PerSecond(0, 0); r != 0 {
		t.Errorf("perSecond of nothing = %g, want 0", r)
	}
	if r := rundir.PerSecond(5, -time.Second); !(r > 0 && r < 1e9) {
		t.Errorf("perSecond in no time = %g, want it finite", r)
	}
	if r := rundir.PerSecond(100, 10*time.Second); r != 10 {
		t.Errorf("perSecond of 100 in 10 s = %g, want 10", r)
	}
}
