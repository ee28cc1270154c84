package study_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/internal/coretime"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/study"
	"github.com/ludozero/ludozero/study/balance"
	"github.com/ludozero/ludozero/study/heuristics"
	"github.com/ludozero/ludozero/study/lab"
	"github.com/ludozero/ludozero/study/schools"
)

// TestReportsFollowFromResults: what the published results say in text, page and tables
// is what this program makes of their JSON.
func TestReportsFollowFromResults(t *testing.T) {
	type result interface {
		study.Result
		CSV() []sheet.CSV
	}
	for name, r := range map[string]result{"balance": &balance.Result{}, "balance-taught": &balance.Result{}, "schools": &schools.Result{}, "heuristics": &heuristics.Result{}, "lab": &lab.Result{}} {
		dir := filepath.Join("../docs/reports", name)
		kind, _, _ := strings.Cut(name, "-") // what follows tells reports of a kind apart
		data, err := os.ReadFile(filepath.Join(dir, kind+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, r); err != nil {
			t.Fatal(err)
		}
		same := func(file string, got []byte) {
			want, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s/%s differs from its result: %v", name, file, err)
			}
		}
		var text, page, again bytes.Buffer
		if err := r.Report().WriteText(&text); err != nil {
			t.Fatal(err)
		}
		if err := r.Report().WriteHTML(&page); err != nil {
			t.Fatal(err)
		}
		e := json.NewEncoder(&again)
		e.SetIndent("", "  ")
		if err := e.Encode(r); err != nil {
			t.Fatal(err)
		}
		same("report.txt", text.Bytes())
		same("report.html", page.Bytes())
		same(kind+".json", again.Bytes())
		for _, table := range r.CSV() {
			var b bytes.Buffer
			if err := table.Write(&b); err != nil {
				t.Fatal(err)
			}
			same(table.Name, b.Bytes())
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for want, o := range map[string]study.Options{
		"--workers -1: want 0 or more": {Workers: -1}, "--core-time -1ns: want more than 0": {CoreTime: -1}, "--core-time: want --out": {CoreTime: 1},
	} {
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestPlanSaysWhereNothingIsKept, and how to keep it.
func TestPlanSaysWhereNothingIsKept(t *testing.T) {
	const says = "kept       nothing without --out: "
	for out, want := range map[string]bool{"": true, filepath.Join(t.TempDir(), "out"): false} {
		e := study.Experiment{Options: &study.Options{Out: out, OnlyPlan: true}, Plan: func(context.Context, *study.Plan) error { return nil }}
		var plan bytes.Buffer
		if _, err := e.Run(t.Context(), &plan); err != nil || strings.Contains(plan.String(), says) != want {
			t.Errorf("with --out %q: %v, it says %q", out, err, plan.String())
		}
	}
}

// TestLargerStudyKeepsToItsCoreTime: a finished folder that is asked for more plays the
// rest in rounds, too, and ends at a limit, also if it was broken off before; another limit
// alone asks for nothing more.
func TestLargerStudyKeepsToItsCoreTime(t *testing.T) {
	out, games, work := filepath.Join(t.TempDir(), "out"), 0, 20*time.Millisecond
	broken := errors.New("broken off")
	ask := func(size int, limit time.Duration, plan error) *study.Stop {
		var stop *study.Stop
		e := study.Experiment{
			Options: &study.Options{Out: out, CoreTime: limit}, Name: "test", Rounds: study.Rounds,
			Asked: map[string]any{"size": size, "game": "hop", "core_time_ns": limit}, Result: &heuristics.Result{},
			Plan: func(context.Context, *study.Plan) error { return plan },
			Play: func(_ context.Context, round, rounds int) error {
				for want := size * round / rounds; games < want; games++ {
					for began, _ := coretime.Process(); ; {
						if now, _ := coretime.Process(); now-began > work {
							break
						}
					}
				}
				return nil
			},
			Finish: func(_ context.Context, s *study.Stop) (study.Result, []sheet.CSV, error) {
				stop = s
				return &heuristics.Result{}, nil, nil
			},
		}
		if _, err := e.Run(t.Context(), io.Discard); !errors.Is(err, plan) {
			t.Fatal(err)
		}
		return stop
	}
	if stop := ask(10, 0, nil); stop != nil || games != 10 {
		t.Fatalf("%d of 10 games, %v", games, stop)
	}
	work = 200 * time.Millisecond
	ask(20, 500*time.Millisecond, broken)
	if stop := ask(20, 500*time.Millisecond, nil); stop == nil || games != 12 {
		t.Errorf("%d games, want one round more than the 10 that were there: %+v", games, stop)
	}
	// One that is broken off within its first round is not asked something else.
	rounds := filepath.Join(out, "rounds.json")
	if text, err := os.ReadFile(rounds); err != nil || !strings.Contains(string(text), `"again": true`) {
		t.Errorf("rounds %s, %v", text, err)
	}
	if stop := ask(20, 400*time.Millisecond, nil); stop == nil || games != 12 {
		t.Errorf("%d games by another limit that is spent, want the 12 that were there: %+v", games, stop)
	}
	// A folder of a program that did not name the game is the same.
	asked := filepath.Join(out, study.AskedFile)
	if stop := ask(20, 400*time.Millisecond, nil); stop != nil || games != 12 {
		t.Errorf("%d games, want the result that is there: %+v", games, stop)
	}
	data, err := os.ReadFile(asked)
	if err == nil {
		err = os.WriteFile(asked, []byte(strings.Replace(string(data), `"game": "hop",`, "", 1)), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	if stop := ask(20, 400*time.Millisecond, nil); stop != nil || games != 12 {
		t.Errorf("%d games, want the result that is there: %+v", games, stop)
	}
}

// TestBrokenRoundsCountWhole: a round that was broken off and gone on with is as long as both parts,
// so that a limit is not overrun by one round for each interruption.
func TestBrokenRoundsCountWhole(t *testing.T) {
	out, games, most := filepath.Join(t.TempDir(), "out"), 0, 100
	ask := func(size int, limit time.Duration) (stop *study.Stop, err error) {
		e := study.Experiment{
			Options: &study.Options{Out: out, CoreTime: limit}, Name: "test", Rounds: study.Rounds,
			Asked: map[string]any{"size": size, "core_time_ns": limit}, Result: &heuristics.Result{},
			Plan: func(context.Context, *study.Plan) error { return nil },
			Play: func(_ context.Context, round, rounds int) error {
				for want := size * round / rounds; games < want; games++ {
					if games == most {
						return io.ErrUnexpectedEOF
					}
					for began, _ := coretime.Process(); limit > 0; {
						if now, _ := coretime.Process(); now-began > 200*time.Millisecond {
							break
						}
					}
				}
				return nil
			},
			Finish: func(_ context.Context, s *study.Stop) (study.Result, []sheet.CSV, error) {
				stop = s
				return &heuristics.Result{}, nil, nil
			},
		}
		_, err = e.Run(t.Context(), io.Discard)
		return stop, err
	}
	if _, err := ask(10, 0); err != nil {
		t.Fatal(err)
	}
	most = 11 // in the middle of a round of two games, 400 ms
	if _, err := ask(20, 700*time.Millisecond); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatal(err)
	}
	most = 100
	if stop, err := ask(20, 700*time.Millisecond); err != nil || stop == nil || games != 12 {
		t.Errorf("%d games, %+v, %v: want 12, as without the interruption", games, stop, err)
	}
	// Nor does an interruption cost a round that fits: three of them, of 400 ms.
	out, games, most = filepath.Join(t.TempDir(), "out"), 0, 5
	if _, err := ask(20, 1300*time.Millisecond); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatal(err)
	}
	most = 100
	if stop, err := ask(20, 1300*time.Millisecond); err != nil || stop == nil || games != 6 {
		t.Errorf("%d games, %+v, %v: want 6, as without the interruption", games, stop, err)
	}
}

// TestSettingsAreFlags: what a study was asked is written as flags, and what may not
// change is named with both values.
func TestSettingsAreFlags(t *testing.T) {
	games, seed, matters, rules := 4, uint64(7), 0.02, ""
	sims, networks, vary := []int{2, 4}, []string{"a", "b c", "d,e"}, []string{"x=1,2", "y=3"}
	list := func(games *int) []study.Setting {
		return []study.Setting{
			{Name: "rules", Value: &rules}, {Name: "vary", Value: &vary, Each: true}, {Name: "networks", Value: &networks}, {Name: "sims", Value: &sims},
			{Name: "games", Value: games}, {Name: "matters", Value: &matters}, {Name: "seed", Value: &seed},
		}
	}
	if got, want := study.Flags(list(&games)), "--vary x=1,2 --vary y=3 --networks 'a,b c,\"d,e\"' --sims 2,4 --games 4 --matters 0.02 --seed 7"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got, want := study.Flags(list(&games), "seed", "games"), "--seed 7 --games 4"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	more := 6
	if err := study.Changed(list(&games), list(&more), "games", "seed"); err == nil || err.Error() != "--games 6: its games are of 4: want that, or a folder of its own" {
		t.Errorf("another number of games: %v", err)
	}
	if err := study.Changed(list(&games), list(&more), "seed"); err != nil {
		t.Errorf("what may change: %v", err)
	}
}

// TestNetworksOfOlderFolders: a folder that was begun before networks were named by hash
// goes on with their names.
func TestNetworksOfOlderFolders(t *testing.T) {
	named := (&study.Options{}).ByHash("konreh")[0]
	if !strings.HasPrefix(named, "konreh@") {
		t.Fatal(named)
	}
	identity, err := open.Identity("konreh")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`{"players": [{"player": "net:konreh,sims=4", "identity": "` + identity + `"}]}`:        "konreh",
		`{"networks": [{"player": "konreh", "identity": "` + identity + `"}]}`:                  "konreh",
		`{"players": [{"player": "net:` + named + `,sims=4", "identity": "` + identity + `"}]}`: named,
		`{"players": [{"player": "school:none,depth=2", "identity": "school 05cf"}]}`:           named,
		`{}`: named, "no JSON": named,
	} {
		o := study.Options{Out: t.TempDir()}
		if err := os.WriteFile(filepath.Join(o.Out, study.AskedFile), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := o.ByHash("konreh"); len(got) != 1 || got[0] != want {
			t.Errorf("of a folder of %s: %q, want %s", text, got, want)
		}
	}
}

// TestPilotsRoll: a player is watched in games with dice, not in one whose rolls are always
// the first outcome: lengths of games are about those of many.
func TestPilotsRoll(t *testing.T) {
	g := racegame.New()
	spec, err := open.New(engine.Families{&racegame.Family}).Parse("random")
	if err != nil {
		t.Fatal(err)
	}
	x, err := study.Watch(t.Context(), 0, study.Alone(g, spec, 1, "test"))
	if err != nil {
		t.Fatal(err)
	}
	const games = 2000
	rng := rand.New(rand.NewPCG(1, 2))
	turns, squares := 0.0, 0.0
	s := g.NewState()
	for range games {
		s.Start(nil)
		for s.Actor() != engine.Nobody {
			if s.Actor() == engine.Chance {
				s.Apply(engine.Draw(s.Chance(nil), rng.Float64()), nil)
				continue
			}
			list := s.Legal(nil, nil)
			s.Apply(list[rng.IntN(len(list))], nil)
		}
		n := float64(s.Turn())
		turns, squares = turns+n/games, squares+n*n/games
	}
	if sd := math.Sqrt(squares - turns*turns); math.Abs(x.Turns-turns) > 4*sd/math.Sqrt(20) {
		t.Errorf("a pilot sees %.1f turns a game, many games have %.1f (±%.1f)", x.Turns, turns, sd)
	}
	rolls := map[engine.Action]bool{}
	s.Start(nil)
	for _, a := range x.Actions {
		if s.Actor() == engine.Chance {
			rolls[a] = true
		}
		s.Apply(a, nil)
	}
	if len(rolls) < 2 {
		t.Errorf("the last game of a pilot has the rolls %v", rolls)
	}
}
