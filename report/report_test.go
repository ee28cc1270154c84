package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/report/sample"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

var update = flag.Bool("update", false, "write the golden files anew")

// matchOf is a match of a network in which it won, drew and lost so many pairs of
// two equal games.
func matchOf(generation int, opponent string, won, drawn, lost int) ratings.Match {
	r := &match.Result{Game: "konreh", Rules: "standard", Seed: 7, OpeningTurns: 4, MaxTurns: 600, Reasons: map[string]int{"reforge": 2 * (won + lost)}}
	for i := range won + drawn + lost {
		points, half := 0.0, 0
		switch {
		case i < won:
			points, half = 1, 4
			r.Wins += 2
			r.AsFirst.Wins++
			r.AsSecond.Wins++
		case i < won+drawn:
			points, half = 0.5, 2
			r.Draws += 2
			r.AsFirst.Draws++
			r.AsSecond.Draws++
		default:
			r.Losses += 2
			r.AsFirst.Losses++
			r.AsSecond.Losses++
		}
		r.Pairs[half]++
		for k := range 2 {
			r.Games = append(r.Games, match.Game{Number: 2*i + k + 1, Pair: i + 1, AFirst: k == 0, Points: points})
		}
	}
	r.Score = r.Pairs.Score(r.Pairs.Pairs())
	r.Elo = r.Score.Elo()
	return ratings.Match{Generation: generation, Simulations: 64, Opponent: opponent, Result: r}
}

// bins are a reliability curve of two bins.
func bins(n int64) []rundir.ValueBin {
	list := make([]rundir.ValueBin, 10)
	list[2] = rundir.ValueBin{Positions: n, Games: 10, Predicted: -0.5, Outcome: -0.4, Error: 0.1}
	list[7] = rundir.ValueBin{Positions: n, Games: 10, Predicted: 0.5, Outcome: 0.6, Error: 0.1}
	return list
}

// summaryOf is what games are like in which the first player won so many of 50.
func summaryOf(won, seeds int) *census.Summary {
	return &census.Summary{
		Games: 50, FirstWins: won, SecondWins: 40 - won, Draws: 10, WinsBySide: map[string]int{"A": won, "B": 40 - won},
		Ends:  []*census.EndCount{{Reason: "reforge", Games: 40}, {Reason: "threefold", Games: 10, Draws: 10}},
		Turns: &census.Spread{Mean: 80, Min: 20, P10: 30, Median: 75, P90: 130, Max: 300},
		ActionsByKind: []census.KindCount{
			{Kind: "slide", Actions: 4000, Games: 50, PerGame: 80}, {Kind: "Seed", Actions: seeds, Games: seeds, PerGame: float64(seeds) / 50}, {Kind: "swap"},
		},
		ActionsByForm: []census.FormCount{{Form: "##", Actions: 4000, PerGame: 80}},
	}
}

// inputOf is a run of some generations, each a quarter of an hour long.
func inputOf(generations int) *Input {
	c := plan.DefaultConfig()
	c.Game, c.Budget = "konreh", 8*time.Hour
	in := &Input{Name: "first", Rules: "standard,max_turns=600", State: "finished", Config: &c}
	cores := time.Duration(generations) * 28 * time.Minute
	in.CoreTime, in.Before = &cores, &model.Spent{CoreSeconds: new(float64)}
	began := time.Date(2026, 3, 1, 22, 0, 0, 0, time.UTC)
	in.Events = []rundir.Event{{Time: began, Start: &rundir.StartEvent{Format: 1, Game: "konreh", Parameters: 1234, Kernel: "avx2"}}}
	for g := 1; g <= generations; g++ {
		share := float64(g) / float64(generations)
		in.Metrics = append(in.Metrics, rundir.Metrics{
			Generation: int32(g), Step: int64(100 * g), Games: int64(128 * g), Positions: int64(8000 * g), LearnedSeconds: float64(900 * g), CoreSeconds: float64(1680 * g),
			NewGames: 128, NewPositions: 8000, MeanTurns: 120 - 40*share, DrawRate: 0.25, FirstScore: 0.5 + share/16, MeanRootValue: share / 8,
			Ends:          []rundir.EndCount{{Reason: "reforge", Games: 96}, {Reason: "threefold", Games: 32}},
			PolicyEntropy: 2.5 - share, FullShare: 0.75, PositionsPerSecond: 160, EvaluationsPerSecond: 16000, CacheHits: 0.1, Surprise: 0.3,
			ValueBins: bins(4000), ValueCalibration: 0.1, ValueExplained: 0.3 * share, ValueSlope: 1.1, ValueSlopeError: 0.1,
			RootBins: bins(4000), RootCalibration: 0.09, RootExplained: 0.4 * share, RootSlope: 1.1, RootSlopeError: 0.1,
			Steps: 100, WindowPositions: int64(4000 * g), PolicyLoss: 3 - share, PolicyFloor: 2 - share, ValueLoss: 1 - share/2, TurnsLoss: 0.1, GradientNorm: 1.5,
			LearningRate: 0.002, MeanAge: 3 * share, SamplesPerSecond: 2000, Parameters: 1234, GradientNormMax: 4, ClippedSteps: 3,
			FrozenPositions: 128, FrozenDivergence: 0.3, FrozenEntropy: 2, FrozenSearchEntropy: 1.5, FrozenValueGap: 0.2, FrozenDrift: 0.02, FrozenValueDrift: 0.1,
			ResidentBytes: 256 << 20,
		})
	}
	in.Events = append(in.Events, rundir.Event{Time: began.Add(time.Duration(generations) * 15 * time.Minute), Elapsed: time.Duration(generations) * 15 * time.Minute, Stop: &rundir.StopEvent{Reason: "budget"}})
	if generations > 0 {
		g, err := connect4.Family.Parse("")
		if err != nil {
			panic(err)
		}
		game, err := sample.FromMoves(g, "", strings.Fields("4 4 3 3 5 5 2"), engine.Outcome{})
		if err != nil {
			panic(err)
		}
		game.Run, game.Number, game.Why = "first", 7, []string{"decided"}
		in.Samples = &sample.Choice{Shards: 1, Of: 1, Looked: 1, Games: []*sample.Game{game}}
		in.Matches = []ratings.Match{matchOf(0, "random", 10, 2, 8), matchOf(0, "minimax:depth=2", 0, 2, 18),
			matchOf(generations, "random", 20, 0, 0), matchOf(generations, "minimax:depth=2", 14, 4, 2)}
		in.Games = &Recorded{Shards: 10, Of: 40, Sides: [2]string{"A", "B"}, Parts: []RecordedPart{{0, 0, summaryOf(20, 10)}, {generations - 1, generations - 1, summaryOf(25, 30)}}}
	}
	return in
}

func written(t *testing.T, r *Report) (text, page string) {
	t.Helper()
	var a, b bytes.Buffer
	if err := errors.Join(r.WriteText(&a), r.WriteHTML(&b)); err != nil {
		t.Fatal(err)
	}
	return a.String(), b.String()
}

func TestTextIsGolden(t *testing.T) {
	got, _ := written(t, Build(inputOf(32)))
	path := filepath.Join("testdata", "report.txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(want), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(lines) || line != lines[i] {
			t.Errorf("line %d is %q: %s has another; -update writes it anew", i+1, line, path)
			break
		}
	}
	for i, line := range strings.Split(got, "\n") {
		if n := utf8.RuneCountInString(line); n > textColumns {
			t.Errorf("line %d has %d columns: %q", i+1, n, line)
		}
	}
}

// TestEveryFigureIsShown: a run of which one figure alone is known has a curve of
// it.
func TestEveryFigureIsShown(t *testing.T) {
	typ := reflect.TypeFor[Figures]()
	shown := []string{}
	for i := range typ.NumField() {
		r := &Report{Course: []Stage{{First: 1, Last: 1, Learned: time.Hour, Drawn: unknown, FirstScore: unknown}}}
		f := reflect.ValueOf(&r.Course[0].Figures).Elem()
		for k := range f.NumField() {
			f.Field(k).SetFloat(math.NaN())
		}
		f.Field(i).SetFloat(0.123)
		n := 0
		for _, s := range []section{r.learningSection(), r.gamesSection(), r.healthSection(), r.speedSection()} {
			for _, c := range s.Charts {
				for _, l := range c.lines {
					if !l.empty() {
						n++
						shown = append(shown, l.name)
					}
				}
			}
		}
		if n != 1 {
			t.Errorf("%s is shown by %d curves, want one", typ.Field(i).Name, n)
		}
	}
	// Names of columns in the text form must not be mistaken for each other.
	slices.Sort(shown)
	if unique := slices.Compact(slices.Clone(shown)); len(unique) != len(shown) {
		t.Errorf("curves of one name: %v", shown)
	}
}

// TestColumnsFillEveryFigure: no field of Figures is forgotten.
func TestColumnsFillEveryFigure(t *testing.T) {
	if n := reflect.TypeFor[Figures]().NumField(); n != len(columns) {
		t.Errorf("%d columns for %d figures", len(columns), n)
	}
	var f Figures
	for i := range columns {
		*columns[i].to(&f)++
	}
	v := reflect.ValueOf(f)
	for i := range v.NumField() {
		if v.Field(i).Float() != 1 {
			t.Errorf("%s is filled %g times", v.Type().Field(i).Name, v.Field(i).Float())
		}
	}
}

var (
	idAttribute = regexp.MustCompile(` id="([^"]*)"`)
	reference   = regexp.MustCompile(`(?i)(src|href|url|@import)\s*[=(]\s*["']?([^"'\s>)]*)`)
)

// TestPageStandsAlone: it is well-formed, refers to nothing outside of itself and
// uses no name twice.
func TestPageStandsAlone(t *testing.T) {
	_, page := written(t, Build(inputOf(32)))
	d := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(page, "<!DOCTYPE html>")))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	plots := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok {
			if e.Name.Local == "script" || e.Name.Local == "link" {
				t.Errorf("the page has a %s", e.Name.Local)
			}
			if e.Name.Local == "svg" {
				plots++
			}
		}
	}
	if plots < 20 {
		t.Errorf("%d pictures, want 20 or more", plots)
	}
	ids := map[string]int{}
	for _, m := range idAttribute.FindAllStringSubmatch(page, -1) {
		ids[m[1]]++
	}
	for id, n := range ids {
		if n != 1 {
			t.Errorf("id %q is there %d times", id, n)
		}
	}
	for _, m := range reference.FindAllStringSubmatch(page, -1) {
		if id, inner := strings.CutPrefix(m[2], "#"); !inner || ids[id] == 0 {
			t.Errorf("reference %q leads out of the page, or nowhere", m[0])
		}
	}
	// The name of a language is no address that anyone looks up.
	if strings.Contains(strings.ReplaceAll(page, `xmlns="http://www.w3.org/2000/svg"`, ""), "://") {
		t.Error("the page has an address")
	}
	if strings.Contains(page, "NaN") || strings.Contains(page, "Inf") {
		t.Error("the page has a number that is none")
	}
}

// TestLongRunStaysSmall: 2000 generations make a page of less than 2 MB, with the
// first and the last of them.
func TestLongRunStaysSmall(t *testing.T) {
	in := inputOf(2000)
	for g := 100; g < 2000; g += 200 {
		in.Matches = append(in.Matches, matchOf(g, "random", 19, 0, 1))
	}
	r := Build(in)
	if n := len(r.Course); n > maxStages || n < maxStages/2 || r.Course[0].First != 1 || r.Course[n-1].Last != 2000 {
		t.Errorf("%d stages", n)
	}
	text, page := written(t, r)
	if len(page) > 2<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
	if len(text) > 20<<10 {
		t.Errorf("the text has %d bytes", len(text))
	}
}

// TestStageByHand sums up two generations of different size.
func TestStageByHand(t *testing.T) {
	rows := []rundir.Metrics{
		{Generation: 3, LearnedSeconds: 10, NewGames: 10, NewPositions: 100, MeanTurns: 20, DrawRate: 0.2, FirstScore: 0.6, Steps: 5, PolicyLoss: 2, LearningRate: 0.1,
			Ends: []rundir.EndCount{{Reason: "b", Games: 4}, {Reason: "c", Games: 6}}, ResidentBytes: 5, PolicyEntropy: 1},
		{Generation: 4, LearnedSeconds: 30, NewGames: 30, NewPositions: 900, MeanTurns: 40, DrawRate: 0.4, FirstScore: 0.5, Steps: 15, PolicyLoss: 4, LearningRate: 0.2,
			Ends: []rundir.EndCount{{Reason: "a", Games: 30}}, ResidentBytes: 3},
	}
	s := stageOf(rows)
	// 14 draws; 6-1=5 and 15-6=9 wins of the first player: 14 + 7 of 40 points.
	low, high := wilson(14./40, 40).Low, wilson(14./40, 40).High
	if math.Abs(s.Drawn.Value-0.35) > 1e-12 || s.Drawn.Low != low || s.Drawn.High != high || math.Abs(s.FirstScore.Value-21./40) > 1e-12 {
		t.Errorf("drawn %v, first's score %v", s.Drawn, s.FirstScore)
	}
	// Half of the games repeat others: the interval is as wide as for half as many.
	rows[1].RepeatedGames = 20
	if less := stageOf(rows); less.Drawn.Value != 0.35 || less.Drawn.High != wilson(7./20, 20).High || less.FirstScore.High <= s.FirstScore.High {
		t.Errorf("with repeated games drawn %v, first's score %v", less.Drawn, less.FirstScore)
	}
	if s.OwnDrawn != s.Drawn || s.TaughtGames != 0 {
		t.Errorf("without a teacher %v of the network's own games are drawn, want %v", s.OwnDrawn, s.Drawn)
	}
	rows[1].RepeatedGames, rows[0].TaughtGames, rows[0].TaughtDraws, rows[1].TaughtGames = 0, 5, 2, 10
	if taught := stageOf(rows); taught.TaughtGames != 15 || taught.Drawn != s.Drawn || taught.OwnDrawn != wilson(12./25, 25) {
		t.Errorf("with a teacher in %d games %v are drawn and %v of the others, want 15, %v, %v", taught.TaughtGames, taught.Drawn, taught.OwnDrawn, s.Drawn, wilson(12./25, 25))
	}
	rows[0].TaughtGames, rows[0].MeanRootValue, rows[0].FullShare, rows[0].DrawRate, rows[0].TaughtDraws = 10, 0, 0, 0.7, 7
	if all := stageOf(rows[:1]); all.RootValue.Known() || all.FullShare.Known() || !math.IsNaN(all.OwnDrawn.Value) {
		t.Errorf("where the teacher played all games: %+v", all)
	}
	rows[0].TaughtGames, rows[0].DrawRate = 0, 0.2
	if want := []rundir.EndCount{{Reason: "a", Games: 30}, {Reason: "b", Games: 4}, {Reason: "c", Games: 6}}; !slices.Equal(s.Ends, want) {
		t.Errorf("ends %v, want %v", s.Ends, want)
	}
	for _, c := range []struct {
		name      string
		got, want Number
	}{
		{"turns", s.Turns, 35}, {"policy loss", s.PolicyLoss, 3.5}, {"learning rate", s.LearningRate, 0.2}, {"memory", s.Memory, 5}, {"entropy", s.PolicyEntropy, 1},
	} {
		if math.Abs(float64(c.got-c.want)) > 1e-12 {
			t.Errorf("%s %g, want %g", c.name, c.got, c.want)
		}
	}
	if s.First != 3 || s.Last != 4 || s.Learned != 30*time.Second || s.NewGames != 40 || s.NewPositions != 1000 || s.Steps != 20 || s.ValueLoss.Known() || s.ValueSlope.Known() {
		t.Errorf("%+v", s)
	}
}

// TestYoungRun: nothing is trained yet, and the report says so in every form.
func TestYoungRun(t *testing.T) {
	in := inputOf(0)
	in.State = "running"
	text, page := written(t, Build(in))
	for _, form := range []string{text, page} {
		if !strings.Contains(form, "No generation has been trained yet") {
			t.Errorf("the report says\n%s", form)
		}
	}
}

// TestForkCountsItsOwnSteps: those of its source are not what it has done.
func TestForkCountsItsOwnSteps(t *testing.T) {
	in := inputOf(8)
	in.Origin = &rundir.Origin{Source: rundir.Source{Run: "source", Generation: 3}, Step: 250}
	r := Build(in)
	if r.Run.Steps != 550 || r.Run.Origin != "source@3" {
		t.Errorf("%d steps from %q, want 550 from source@3", r.Run.Steps, r.Run.Origin)
	}
	young := inputOf(0)
	if young.Origin = in.Origin; Build(young).Run.Steps != 0 {
		t.Errorf("before its first training it has %d steps", Build(young).Run.Steps)
	}
	cores, core := 90*time.Minute, 9000.0
	for want, spent := range map[string]*model.Spent{
		"unknown; of the runs before it unknown": nil,
		"1.50; with the runs before it unknown, in 80 minutes of learning, on 30 games with 9,000 positions": {LearnedSeconds: 4800, Games: 30, Positions: 9000},
		"1.50; with the runs before it 2.50, in 80 minutes":                                                  {LearnedSeconds: 4800, CoreSeconds: &core},
	} {
		if in.Spent = spent; spent != nil {
			in.CoreTime = &cores
		} else {
			in.CoreTime = nil
		}
		text, _ := written(t, Build(in))
		if text = strings.Join(strings.Fields(text), " "); !strings.Contains(text, "source@3") || !strings.Contains(text, "core-hours "+want) {
			t.Errorf("the text does not say where the run comes from, or %q:\n%s", want, text)
		}
	}
}

// TestCoreBudgetIsSaid beside what was spent of it.
func TestCoreBudgetIsSaid(t *testing.T) {
	in := inputOf(3)
	cores := 90 * time.Minute
	in.CoreTime, in.Config.CoreBudget = &cores, 2*time.Hour
	text, _ := written(t, Build(in))
	if text = strings.Join(strings.Fields(text), " "); !strings.Contains(text, "core-hours 1.50 of 2.00 wanted ") {
		t.Errorf("the text does not say how much core time there was:\n%s", text)
	}
}

// TestGrowingSimulationsAreSaid with where they begin and end.
func TestGrowingSimulationsAreSaid(t *testing.T) {
	in := inputOf(3)
	self := &in.Config.SelfPlay
	self.FirstSimulations, self.GrowthGenerations = 16, 1
	self.FullShare, self.FastSimulations, self.Search.Tuning.MovesLeft = 0.33, 12, 0.3
	want := [2]string{"self-play", "PUCT search, 16 growing to 64 simulations a move within 1 generation in 33 % of the decisions, 12 in the others, moves_left 0.3, alternating"}
	if rows := Build(in).Facts(); !slices.Contains(rows, want) {
		t.Errorf("facts are %q, want %q among them", rows, want)
	}
}

// TestTeacherIsSaid: who it is, and which games are drawn without it.
func TestTeacherIsSaid(t *testing.T) {
	in := inputOf(3)
	if _, page := written(t, Build(in)); strings.Contains(page, "teacher") {
		t.Error("a report without a teacher speaks of one")
	}
	in.Config.SelfPlay.Teacher.Player = "alphabeta:depth=1"
	in.Metrics[0].TaughtGames = 1
	r := Build(in)
	want := [2]string{"teacher", "alphabeta:depth=1, in 50 % of the games of generation 0, falling to none at generation 20"}
	if rows := r.Facts(); !slices.Contains(rows, want) {
		t.Errorf("facts are %q, want %q among them", rows, want)
	}
	if _, page := written(t, r); !strings.Contains(page, "of the network&#39;s own") && !strings.Contains(page, "of the network's own") || !strings.Contains(page, "played by the teacher") {
		t.Error("the chart of draws does not tell the teacher's games apart")
	}
}

// TestClocksAreConditions: under the clock scores are others.
func TestClocksAreConditions(t *testing.T) {
	in := inputOf(8)
	if text, _ := written(t, Build(in)); strings.Contains(text, "clock") || strings.Contains(text, "limited by time") {
		t.Errorf("a report on matches without clocks speaks of them:\n%s", text)
	}
	for i := range in.Matches {
		in.Matches[i].Result.Clock = "5+3"
	}
	r := Build(in)
	text, _ := written(t, r)
	text = strings.Join(strings.Fields(text), " ")
	if !strings.Contains(text, "each player has a clock of 5+3") || !strings.Contains(text, "a repetition plays other games") || r.Strength.Elo.Clock != "5+3" {
		t.Errorf("a report on matches with clocks of 5+3 says\n%s", text)
	}
}

// TestVerdicts: a score is called a win or a loss only if its interval allows
// nothing else.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		won, lost int
		want      string
	}{{14, 6, "Generation 8 and x cannot be told apart"}, {18, 2, "Generation 8 beats x"}, {2, 18, "Generation 8 loses to x"}} {
		in := inputOf(8)
		in.Matches = []ratings.Match{matchOf(8, "x", c.won, 0, c.lost)}
		if r := Build(in); !strings.HasPrefix(r.Headline[1], c.want) {
			t.Errorf("+%d -%d: %q", c.won, c.lost, r.Headline)
		}
	}
}

// TestMisfitsAreSaid: a rating that an opponent's games do not bear out is not left
// to speak for itself.
func TestMisfitsAreSaid(t *testing.T) {
	r := Build(inputOf(9))
	if text, _ := written(t, r); strings.Contains(text, "One number does not say") {
		t.Errorf("misfits are said where there are none:\n%s", text)
	}
	r.Strength.Elo.Misfits = []ratings.Misfit{
		{Opponent: "wall", Score: rating.Estimate{Value: 0.52}, Expected: 0.63}, {Opponent: "random", Score: rating.Estimate{Value: 1}, Expected: 0.9},
	}
	want := "One number does not say how strong it is: it made 52 % against wall, where the ratings say 63 %; it made 100 % against random, where the ratings say 90 %."
	if got := r.strengthInWords(); !slices.Contains(got, want) {
		t.Errorf("in words: %q, want %q among them", got, want)
	}
}

// TestRatingsHaveTheirIntervals: a number never stands alone but at the origin.
func TestRatingsHaveTheirIntervals(t *testing.T) {
	inf := math.Inf(1)
	for want, e := range map[string]rating.Estimate{
		"+35 (-10 to +81)": {Value: 35.2, Low: -10, High: 81}, "+35 (? to +81)": {Value: 35, Low: -inf, High: 81}, "+35 (-10 to ?)": {Value: 35, Low: -10, High: inf},
		"above +99": {Value: inf, Low: 99, High: inf}, "below -7": {Value: -inf, Low: -inf, High: -7}, "unknown": unknown, "+0, the origin": {},
	} {
		if got := eloText(e); got != want {
			t.Errorf("%+v is %q, want %q", e, got, want)
		}
	}
}

// TestWarningsComeFirst: what is off stands above all else, the worst first, what
// is past last.
func TestWarningsComeFirst(t *testing.T) {
	in := inputOf(20)
	for i := range in.Metrics {
		m := &in.Metrics[i]
		m.ValueSlope, m.ValueExplained = -0.9, -1.5 // as with a flipped sign
		if i < 5 {
			m.PolicyEntropy = 0.01
		}
	}
	in.Unreadable = []string{"shard x: damaged"}
	r := Build(in)
	var codes []string
	for _, w := range r.Warnings {
		codes = append(codes, fmt.Sprint(w.Code, w.Past))
	}
	if len(codes) < 3 || codes[0] != "unreadablefalse" || codes[1] != "value-signfalse" || codes[len(codes)-1] != "targets-certaintrue" {
		t.Fatalf("warnings %v", codes)
	}
	r.Strength = nil
	if got := r.strengthInWords(); len(got) != 1 || !strings.HasPrefix(got[0], "No match can be read") {
		t.Errorf("of matches that cannot be read it says %q", got)
	}
	text, page := written(t, r)
	for _, form := range []string{text, page} {
		at := -1
		for _, word := range []string{"shard x: damaged", "points the wrong way", "leave nothing open", "What was trained"} {
			next := strings.Index(strings.Join(strings.Fields(form), " "), word)
			if next <= at {
				t.Errorf("%q is missing or not behind what goes before it", word)
			}
			at = next
		}
	}
}

// TestRarelyDecidedHoldsUntilItIsOver: a warning that is given once is about all
// generations since.
func TestRarelyDecidedHoldsUntilItIsOver(t *testing.T) {
	in := inputOf(20)
	say := func(generation int, over bool) {
		in.Events = append(in.Events, rundir.Event{RarelyDecided: &rundir.RarelyDecidedEvent{Generation: generation, Rules: "blitz", Games: 60, Draws: 58, Over: over}})
	}
	want := func(past bool, first, last int) {
		t.Helper()
		list := Build(in).Warnings
		if len(list) != 1 || list[0].Code != "rarely-decided" || list[0].Past != past || list[0].First != first || list[0].Last != last {
			t.Errorf("warnings %+v, want one of generations %d to %d, past: %v", list, first, last, past)
		}
	}
	say(3, false) // what network 3 plays, 4 learns from
	want(false, 4, 20)
	say(8, true)
	want(true, 4, 8)
	say(11, false)
	want(false, 12, 20)
}

// TestWarningsStandAtTheirCharts: every rule of package health, as docs/health.md
// lists them, has a chart that is there.
func TestWarningsStandAtTheirCharts(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "docs", "health.md"))
	if err != nil {
		t.Fatal(err)
	}
	r := Build(inputOf(9))
	ids := map[string]bool{}
	for _, s := range r.sections() {
		for _, c := range s.Charts {
			ids[c.ID] = true
		}
	}
	n := 0
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| (?:alarm|warning) ").FindAllStringSubmatch(string(doc), -1) {
		n++
		if !ids[chartOf[m[1]]] {
			t.Errorf("warning %s has no chart: %q", m[1], chartOf[m[1]])
		}
		r.Warnings = []Warning{{Code: m[1], Text: "here it is"}}
		if _, page := written(t, r); strings.Count(page, "here it is") != 2 {
			t.Errorf("%s does not stand above and at its chart", m[1])
		}
	}
	if n < 8 {
		t.Errorf("%d rules in the document, want more", n)
	}
}

// TestJSONIsTheReport: what is written reads back as the same report.
func TestJSONIsTheReport(t *testing.T) {
	r := Build(inputOf(12))
	var a, b bytes.Buffer
	if err := r.WriteJSON(&a); err != nil {
		t.Fatal(err)
	}
	var back Report
	d := json.NewDecoder(bytes.NewReader(a.Bytes()))
	d.DisallowUnknownFields()
	if err := d.Decode(&back); err != nil {
		t.Fatal(err)
	}
	if err := back.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("read back it is another report")
	}
	if back.Version != Version {
		t.Errorf("version %d", back.Version)
	}
}

// TestReportIsAFunction: the same input gives the same bytes.
func TestReportIsAFunction(t *testing.T) {
	aText, aPage := written(t, Build(inputOf(9)))
	bText, bPage := written(t, Build(inputOf(9)))
	if aText != bText || aPage != bPage {
		t.Error("two reports of one input differ")
	}
}
