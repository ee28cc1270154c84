package bench

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
)

// options measure a game in no time.
func options(t *testing.T, game string) Options {
	t.Helper()
	f, err := games.All().ByName(game)
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	cfg := plan.DefaultConfig()
	cfg.Game, cfg.Rules = game, ""
	cfg.Model = model.Config{Blocks: 1, Channels: 8, PoolEvery: 1, PolicyChannels: 8, ValueChannels: 8, ValueHidden: 8}
	cfg.SelfPlay.Search.Simulations, cfg.SelfPlay.GamesInFlight, cfg.Train.Batch = 8, 4, 16
	return Options{Config: cfg, Rules: &plan.Rules{Family: f, Game: g}, Threads: 2, Time: 20 * time.Millisecond, Night: 10 * time.Hour}
}

// TestRunMeasuresEverything: all sections, in order, each figure with all its
// repeats, shares that agree with what they are shares of, and a plan.
func TestRunMeasuresEverything(t *testing.T) {
	o := options(t, "tictactoe")
	t.Setenv("TMPDIR", t.TempDir())
	var done []string
	spent := time.Duration(0)
	o.Done = func(s *Section) { done = append(done, s.Name) }
	o.Progress = func(d time.Duration, what string) {
		if d < spent || what == "" {
			t.Errorf("progress %v after %v, on %q", d, spent, what)
		}
		spent = d
	}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range r.Sections {
		names = append(names, s.Name)
		if len(s.Figures) == 0 || len(s.Notes) == 0 {
			t.Errorf("%s has %d figures and %d notes", s.Name, len(s.Figures), len(s.Notes))
		}
		for _, f := range s.Figures {
			if f.Repeats != repeats || !(0 <= f.Low && f.Low <= f.Median && f.Median <= f.High) || f.High == 0 && f.Unit != "%" || f.Name == "" || f.Threads < 1 {
				t.Errorf("%s: %+v: want %d repeats and a range around the median", s.Name, f, repeats)
			}
			if f.Share != nil && !(0 < f.Share.Low && f.Share.Low <= f.Share.Median && f.Share.Median <= f.Share.High) {
				t.Errorf("%s: %s: share %+v", s.Name, f.Name, f.Share)
			}
		}
	}
	if !slices.Equal(names, Sections()) || !slices.Equal(done, names) {
		t.Errorf("sections %v, reported %v, want %v", names, done, Sections())
	}
	if d := spent - o.Expect(); d > 0 || d < -o.Expect()/4 {
		t.Errorf("%v spent of %v expected", spent, o.Expect())
	}
	if r.Interrupted || r.Night == nil || r.Conditions.Seconds <= 0 || r.Conditions.Clock.Median <= 0 {
		t.Errorf("interrupted %v, night %v, conditions %+v", r.Interrupted, r.Night, r.Conditions)
	}
	computed, alone := figure(t, r, SelfPlay, "evaluations computed", 2), figure(t, r, SelfPlay, "the network alone, such batches", 2)
	if s := computed.Share; s.Low < computed.Low/alone.High || s.High > computed.High/alone.Low {
		t.Errorf("share %+v of %+v in %+v", s, computed.Spread, alone.Spread)
	}
	one, two := figure(t, r, Engine, "random games", 1), figure(t, r, Engine, "random games", 2)
	if s := two.Share; one.Share != nil || s.Low < two.Low/one.High/2 || s.High > two.High/one.Low/2 {
		t.Errorf("share %+v of %+v in %+v", s, two.Spread, one.Spread)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func figure(t *testing.T, r *Report, section, name string, threads int) Figure {
	t.Helper()
	for _, s := range r.Sections {
		for _, f := range s.Figures {
			if s.Name == section && f.Name == name && f.Threads == threads {
				return f
			}
		}
	}
	t.Fatalf("%s has no %s with %d threads", section, name, threads)
	return Figure{}
}

// TestEveryGameIsMeasured, also on one thread, with replies and folding, and beside
// another game.
func TestEveryGameIsMeasured(t *testing.T) {
	for _, f := range games.All() {
		o := options(t, f.Name)
		o.Threads, o.Time = 1, time.Millisecond
		o.Config.Model.Reply, o.Config.SelfPlay.FoldSymmetries = true, true
		o.Only = []string{Engine, Search, Inference, Training, SelfPlay, Shards}
		o.Reference = options(t, "connect4").Rules.Game
		r, err := Run(t.Context(), o)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		if len(r.Sections) != len(o.Only) || r.Night != nil {
			t.Errorf("%s: %d sections, want %d and no plan", f.Name, len(r.Sections), len(o.Only))
		}
		for i, own := range r.Sections[0].Figures[1:5] { // after perft: each game's figure, then the reference's
			other := r.Sections[0].Figures[min(i+2, 4)]
			if i%2 == 0 && (own.Game != "" || other.Game != "connect4" || other.Name != own.Name || own.Share.Of != "connect4" ||
				own.Share.Low < own.Low/other.High || own.Share.High > own.High/other.Low) {
				t.Errorf("%s: %+v of %+v", f.Name, own, other)
			}
		}
	}
}

// TestInterrupted: what was complete is reported, and what was begun with the
// rounds that it has.
func TestInterrupted(t *testing.T) {
	stop := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	o := options(t, "connect4")
	calls := 0
	o.Progress = func(_ time.Duration, what string) {
		if what == "random games" {
			if calls++; calls == 7 { // two a round: in the third that counts
				cancel(stop)
			}
		}
	}
	r, err := Run(ctx, o)
	if !errors.Is(err, stop) || !r.Interrupted || len(r.Sections) != 2 || r.Sections[1].Name != Engine {
		t.Fatalf("%v, interrupted %v, %d sections, want the error and two sections", err, r.Interrupted, len(r.Sections))
	}
	for _, f := range r.Sections[1].Figures {
		if f.Repeats == 0 || f.Repeats == repeats {
			t.Errorf("%s has %d repeats", f.Name, f.Repeats)
		}
	}
	cancel(nil)
	if r, err := Run(ctx, options(t, "connect4")); err == nil || len(r.Sections) != 0 {
		t.Errorf("%v and %d sections of a run that was over before it began", err, len(r.Sections))
	}
}

// TestGamesThatDoNotEnd are refused; what has ended in time is enough.
func TestGamesThatDoNotEnd(t *testing.T) {
	o := options(t, "konreh")
	b := &bench{o: &o, cfg: &o.Config, game: o.Rules.Game}
	if err := b.recordWithin(t.Context(), time.Nanosecond); err == nil || !strings.Contains(err.Error(), "no game of standard has come to an end in 1ns") {
		t.Errorf("recordWithin = %v", err)
	}
	b.rows, b.games = make([]record.Row, 1), 1
	if err := b.recordWithin(t.Context(), time.Nanosecond); err != nil || len(b.rows) != 1 {
		t.Errorf("with a game that has ended: %v, %d rows", err, len(b.rows))
	}
}

func TestOnlyTheSectionsAskedFor(t *testing.T) {
	o := options(t, "tictactoe")
	o.Time, o.Only = time.Millisecond, []string{NightPlan}
	r, err := Run(t.Context(), o)
	if err != nil || len(r.Sections) != 2 || r.Sections[0].Name != SelfPlay || r.Night == nil {
		t.Errorf("%v, %d sections: want self-play, which the plan rests on, and the plan", err, len(r.Sections))
	}
}

func TestOptionsNameEveryProblem(t *testing.T) {
	o := Options{Threads: 0, Time: 0, Night: -time.Hour, Only: []string{"nights"}}
	err := o.Validate()
	for _, want := range []string{"threads 0: want 1 to 1024", "time 0s: want above 0", "hours -1: want a second at least", `section "nights": want some of peaks, engine`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Validate = %v, want %q", err, want)
		}
	}
}

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   Spread
	}{{[]float64{3}, Spread{3, 3, 3}}, {[]float64{5, 1}, Spread{3, 1, 5}}, {[]float64{9, 1, 4}, Spread{4, 1, 9}}} {
		if got := spreadOf(c.values); got != c.want {
			t.Errorf("spreadOf(%v) = %v, want %v", c.values, got, c.want)
		}
	}
	if s := shareOf("x", []float64{1, 2, 3}, []float64{2, 8}, 2); s.Spread != (Spread{0.75, 0.5, 1}) {
		t.Errorf("shares by round have the spread %v", s.Spread)
	}
	if shareOf("x", nil, []float64{1}, 1) != nil {
		t.Error("a share of nothing")
	}
	if s := timeShare("x", []float64{3}, []float64{1}); s.Median != 0.25 {
		t.Errorf("a third of a second and a whole one: share %g, want 0.25", s.Median)
	}
}

// TestNightSkipsWhatTrainingSkips: three of four positions without a target, two thirds of whose
// draws are left out, halve the passes.
func TestNightSkipsWhatTrainingSkips(t *testing.T) {
	cfg := plan.DefaultConfig()
	cfg.PassesPerPosition, cfg.SelfPlay.FullShare = 4, 0.25
	b := &bench{cfg: &cfg}
	if got := b.passes(); got != 4 {
		t.Errorf("%g passes without cheap_skip, want 4", got)
	}
	cfg.Window.CheapSkip = 2.0 / 3
	if got := b.passes(); math.Abs(got-2) > 1e-9 {
		t.Errorf("%g passes, want 2", got)
	}
}
