package even

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/report/figure"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/stats/resample"
	"github.com/ludozero/ludozero/study"
	"github.com/ludozero/ludozero/study/balance"
	"github.com/ludozero/ludozero/study/lab"
	"gonum.org/v1/gonum/stat/distuv"
)

// Result is what the games show.
type Result struct {
	Game        string `json:"game"`
	GameVersion int    `json:"game_version"`
	Rules       string `json:"rules"`
	Over        string `json:"over"`
	lab.Config
	Players []string `json:"players"`
	// Stages are those that were planned, Played how many of them were played.
	Stages []stage `json:"stages"`
	Played int     `json:"played"`
	// NotTrained names networks and settings that they did not learn from.
	NotTrained []string `json:"not_trained,omitempty"`
	// Rows are the settings by rank: by the stage that they reached, then by distance.
	Rows    []Row       `json:"rows"`
	Stopped *study.Stop `json:"stopped,omitempty"`
	Command string      `json:"command"`
}

// Row is a setting.
type Row struct {
	Setting string `json:"setting"`
	Rules   string `json:"rules"`
	// Stage is the last that it was in, from 1.
	Stage int            `json:"stage"`
	Games int            `json:"games"`
	Basis resample.Basis `json:"basis"`
	// Score is the first player's at the start that is chosen, with an interval that
	// holds whatever decided who goes on.
	Score rating.Estimate `json:"score"`
	// Distance is that from one half: its ends are the nearest and the furthest in the
	// interval.
	Distance rating.Estimate `json:"distance"`
	// Worse says that it is shown to be further from one half than the first setting, in
	// all claims of the table together with 95 %.
	Worse    bool            `json:"worse"`
	Decisive rating.Estimate `json:"decisive"`
	Turns    rating.Estimate `json:"turns"`
	// wide is Score with an interval for the claims of the whole table.
	wide rating.Estimate
}

// read notes what the games of the setting alone have shown.
func (x *Row) read(r *balance.Result) {
	g := &r.Variants[0].Groups[0]
	x.Games, x.Basis = g.Games, g.Basis
	for i := range g.Measures {
		switch m := &g.Measures[i]; m.Name {
		case balance.MeasureFirst:
			x.Score = m.Value
		case balance.MeasureDecisive:
			x.Decisive = m.Value
		case balance.MeasureTurns:
			x.Turns = m.Value
		}
	}
}

// widen is by how much an interval of 95 % has to be wider, so that it holds for all
// stages after which a setting's games may have ended, in each of a number of settings at
// once. Intervals about networks are as Student's with a degree less than networks, which
// is the most that it can take.
func (s *Study) widen(settings int) float64 {
	level := 1 - 0.025/float64(len(s.stages)*settings)
	if len(s.players) < resample.MinClusters {
		return distuv.UnitNormal.Quantile(level) / distuv.UnitNormal.Quantile(0.975)
	}
	t := distuv.StudentsT{Sigma: 1, Nu: float64(len(s.players) - 1)}
	return t.Quantile(level) / t.Quantile(0.975)
}

// rank orders what was found, widens the intervals for one setting and for all, and marks
// what is shown to be worse than the first.
func (r *Result) rank(found []Row, one, all float64) {
	r.Rows = slices.Clone(found)
	for i := range r.Rows {
		x := &r.Rows[i]
		x.wide, x.Score = widened(x.Score, all), widened(x.Score, one)
		x.Distance = distance(x.Score)
	}
	slices.SortStableFunc(r.Rows, func(a, b Row) int {
		return cmp.Or(b.Stage-a.Stage, cmp.Compare(a.Distance.Value, b.Distance.Value))
	})
	most := distance(r.Rows[0].wide).High
	for i := range r.Rows {
		r.Rows[i].Worse = distance(r.Rows[i].wide).Low > most
	}
}

// widened stretches the interval of a score.
func widened(e rating.Estimate, by float64) rating.Estimate {
	return rating.Estimate{Value: e.Value, Low: max(0, e.Value-by*(e.Value-e.Low)), High: min(1, e.Value+by*(e.High-e.Value))}
}

// distance is how far a score is from one half, between the nearest and the furthest that the
// interval leaves.
func distance(score rating.Estimate) rating.Estimate {
	return rating.Estimate{
		Value: math.Abs(score.Value - 0.5),
		Low:   max(0, score.Low-0.5, 0.5-score.High),
		High:  max(math.Abs(score.Low-0.5), math.Abs(score.High-0.5)),
	}
}

// tells is the difference from one half that is worth telling, in points a game.
const tells = 0.02

// summary says what was found.
func (r *Result) summary() (list []string) {
	first := &r.Rows[0]
	if first.Score.Low <= 0 && first.Score.High >= 1 {
		list = append(list, fmt.Sprintf("Nothing is known of %s, the first in the table: its score may be anything from 0 to 100 %%. --games has to be many times as large.", first.Setting))
		return append(list, r.provisos(first)...)
	}
	list = append(list, fmt.Sprintf("Of %s %s is nearest to an even game here: the first player scores %s %% in %s.",
		wording.Count(len(r.Rows), "setting"), first.Setting, sheet.Cell(first.Score, 100, "%.1f"), wording.Count(first.Games, "game")))
	var worse, open []string
	for i := range r.Rows[1:] {
		if x := &r.Rows[i+1]; x.Worse {
			worse = append(worse, x.Setting)
		} else {
			open = append(open, x.Setting)
		}
	}
	if len(worse) > 0 {
		list = append(list, "Shown to be less even than it: "+strings.Join(worse, "; ")+".")
	}
	if len(open) > 0 {
		list = append(list, "These games cannot tell it from: "+strings.Join(open, "; ")+".")
	}
	half := (first.Score.High - first.Score.Low) / 2
	if first.Distance.High > tells {
		more := fmt.Sprintf("About %s times as many games of it would tell its score to ±%.0f points.", times((half/tells)*(half/tells)), 100*tells)
		if half <= tells {
			more = "Its score is known to less than that."
		}
		list = append(list, fmt.Sprintf("That it is within %.0f points of even is not shown. %s", 100*tells, more))
	}
	return append(list, r.provisos(first)...)
}

// times writes a factor that is no more than a guess.
func times(x float64) string {
	if x < 10 {
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

// provisos say what the intervals of the ranking leave out.
func (r *Result) provisos(first *Row) (list []string) {
	if first.Basis == resample.Games {
		list = append(list, "The intervals are about further games of these players alone: others may play the settings otherwise.")
	}
	if len(r.NotTrained) > 0 {
		list = append(list, "Never trained: "+strings.Join(r.NotTrained, ", ")+". What such a network finds uneven may lie in what it does not know.")
	}
	if r.Stopped != nil {
		list = append(list, r.Stopped.String()+" The command at the end plays all stages.")
	}
	return list
}

// Report implements study.Result.
func (r *Result) Report() *sheet.Report {
	s := &sheet.Report{Title: "What makes " + r.Game + " even?", Under: "rules " + r.Rules + ", over " + r.Over, Summary: r.summary(), Command: r.Command}
	p := &figure.Intervals{ID: "scores", Title: "First player's score", Unit: "points a game", Share: true, Reference: 0.5, Margin: tells}
	for i := range r.Rows {
		x := &r.Rows[i]
		p.Add(strings.ReplaceAll(x.Setting, ",", "\n"), "first player's score", sheet.PointOf(x.Score))
	}
	s.Plots = []sheet.Plot{{Intervals: p, About: fmt.Sprintf("The line is one half, the band %.0f points on both sides.", 100*tells)}}
	s.Tables = []sheet.Table{{
		ID: "settings", Title: "Settings", Left: 1, Head: []string{"setting", "stages", "games", "first player, %", "from one half, points", "less even than the first", "decisive, %", "turns"},
		Rows: sheet.Rows(r.Rows, func(x *Row) []string {
			worse := "-"
			if x.Worse {
				worse = "shown"
			}
			return []string{
				x.Setting, fmt.Sprintf("%d of %d", x.Stage, r.Played), fmt.Sprint(x.Games), sheet.Cell(x.Score, 100, "%.1f"), sheet.Cell(x.Distance, 100, "%.1f"), worse,
				sheet.Cell(x.Decisive, 100, "%.0f"), sheet.Cell(x.Turns, 1, "%.0f"),
			}
		}),
		Notes: []string{
			fmt.Sprintf("After each stage the half of the settings against which games spoke most got no more: by how many standard errors a score was further than %.0f points from one half. The intervals of scores are as wide as holds with 95 %% for each of %s at once, so that they hold though the games decided who went on.", 100*tells, wording.Count(len(r.Stages), "stage")),
			"Distances have the nearest and the furthest that the interval of the score leaves. A setting is shown to be less even if its nearest is beyond the furthest of the first, with intervals that hold for all settings together.",
			"All ways to settle the start are played equally often, and the score is that of the start which is chosen by other games than those that count (docs/balance.md).",
		},
	}}
	limit := "no limit of turns"
	if r.MaxTurns > 0 {
		limit = fmt.Sprintf("drawn after %d turns", r.MaxTurns)
	}
	s.Conditions = fmt.Sprintf("%s (version %d): %d games of each setting on average by each player, no fewer than two from each start, %s drawn from its policy at temperature %g once the start is settled; %s; seed %d. Players: %s.",
		r.Game, r.GameVersion, r.Games, wording.Count(r.Sampled, "decision"), r.Temperature, limit, r.Seed, strings.Join(r.Players, "; "))
	return s
}

// CSV are the tables for programs.
func (r *Result) CSV() []sheet.CSV {
	return []sheet.CSV{sheet.NewCSV("settings.csv", "setting rules stage games score score_low score_high distance distance_low distance_high worse decisive decisive_low decisive_high turns turns_low turns_high", r.Rows, func(x *Row) []string {
		return sheet.Row(x.Setting, x.Rules, x.Stage, x.Games, x.Score, x.Distance, x.Worse, x.Decisive, x.Turns)
	})}
}
