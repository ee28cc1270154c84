package restricted

import (
	"fmt"
	"math"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/stats/resample"
	"github.com/ludozero/ludozero/study"
	"github.com/ludozero/ludozero/study/lab"
	"gonum.org/v1/gonum/stat/distuv"
)

// Result is what the games show.
type Result struct {
	Game        string `json:"game"`
	GameVersion int    `json:"game_version"`
	Rules       string `json:"rules"`
	lab.Config
	// Sampling is how games varied, in words.
	Sampling string      `json:"sampling"`
	Rows     []Row       `json:"rows"`
	Stopped  *study.Stop `json:"stopped,omitempty"`
	Command  string      `json:"command"`
}

// Row is a match of a player without a kind of action against itself, in the view of the
// restricted one.
type Row struct {
	Player string `json:"player"`
	Kind   string `json:"kind"`
	match.Tally
	Score rating.Estimate `json:"score"`
	Elo   rating.Estimate `json:"elo"`
	// P is two-sided, for a restriction that costs nothing, nil if the kind could never be
	// played; PHolm is corrected for the number of tests.
	P     *float64 `json:"p,omitempty"`
	PHolm *float64 `json:"p_holm,omitempty"`
	Use
	// Repeated are games that repeat another move by move, Turns the mean length.
	Repeated int     `json:"repeated"`
	Turns    float64 `json:"turns"`
}

// loss is what the restriction costs, in points a game.
func (x *Row) loss() rating.Estimate {
	return rating.Estimate{Value: 0.5 - x.Score.Value, Low: 0.5 - x.Score.High, High: 0.5 - x.Score.Low}
}

// gain is the loss with its sign reversed.
func (x *Row) gain() rating.Estimate {
	return rating.Estimate{Value: x.Score.Value - 0.5, Low: x.Score.Low - 0.5, High: x.Score.High - 0.5}
}

// never says that the kind could not be played: its loss is 0 by the rules.
func (x *Row) never() bool { return x.Use == Use{} }

func (x *Row) each(n int) string {
	return fmt.Sprintf("%.2f", float64(n)/math.Max(1, float64(x.Games())))
}

// test sets the p-values of all rows.
func (r *Result) test() {
	var p []float64
	var rows []*Row
	for i := range r.Rows {
		x := &r.Rows[i]
		if x.never() {
			continue
		}
		// By the side of the interval towards an even score.
		loss, half := x.loss(), 0.0
		if half = loss.Value - loss.Low; loss.Value < 0 {
			half = loss.High - loss.Value
		}
		z := distuv.UnitNormal.Quantile(0.975) * math.Abs(loss.Value) / max(half, 1e-9)
		one := 2 * distuv.UnitNormal.Survival(z)
		x.P, p, rows = &one, append(p, one), append(rows, x)
	}
	for i, adjusted := range resample.Holm(p) {
		rows[i].PHolm = &adjusted
	}
}

// Report implements study.Result.
func (r *Result) Report() *sheet.Report {
	s := &sheet.Report{Title: "Restricted play", Under: r.Game + ", " + r.Rules, Command: r.Command}
	shown, tests := 0, 0
	for i := range r.Rows {
		x := &r.Rows[i]
		if x.P != nil {
			tests++
		}
		switch {
		case x.P == nil || *x.PHolm >= lab.Significance:
			continue
		case x.loss().Value > 0:
			s.Summary = append(s.Summary, fmt.Sprintf("Who never plays %s loses %s points a game (%s).", x.Kind, sheet.Cell(x.loss(), 100, "%.1f"), x.Player))
		default:
			s.Summary = append(s.Summary, fmt.Sprintf("%s plays better without %s, by %s points a game: it does not know how to use it.", x.Player, x.Kind, sheet.Cell(x.gain(), 100, "%.1f")))
		}
		shown++
	}
	if shown == 0 {
		s.Summary = append(s.Summary, "No kind of action is shown to be worth anything.")
	}
	if tests > 1 {
		s.Summary = append(s.Summary, fmt.Sprintf("What is named is corrected for being one of %d tests (Holm); intervals are of 95 %% each.", tests))
	}
	if r.Stopped != nil {
		s.Summary = append(s.Summary, r.Stopped.String())
	}
	s.Tables = []sheet.Table{{
		ID: "kinds", Title: "What a player loses that never does it", Left: 2,
		Head: []string{"without", "player", "games", "won-drawn-lost", "loss, points", "Elo", "p by Holm", "denied", "forced", "opponent's", "turns"},
		Rows: sheet.Rows(r.Rows, func(x *Row) []string {
			loss, elo, p := sheet.Cell(x.loss(), 100, "%+.1f"), sheet.Cell(x.Elo, 1, "%+.0f"), "-"
			if x.never() {
				loss, elo = "never possible", "-"
			} else if x.PHolm != nil {
				p = sheet.Probability(*x.PHolm)
			}
			return []string{x.Kind, x.Player, fmt.Sprint(x.Games()), x.String(), loss, elo, p, x.each(x.Denied), x.each(x.Forced), x.each(x.Other), fmt.Sprintf("%.0f", x.Turns)}
		}),
		Notes: []string{
			"The player without the kind of action against itself with all of them, in hundredths of a point a game, with 95 % intervals over pairs of games, each for itself. It knows of its restriction, its opponent does not.",
			"A game: decisions at which it was denied an action; those at which the rules left it nothing else, which are exempt; actions of the kind that its opponent took.",
		},
	}}
	s.Conditions = fmt.Sprintf("%s (version %d), rules %s: %d games of each in pairs with seats exchanged, from the start, %s, seed %d, at most %s turns.",
		r.Game, r.GameVersion, r.Rules, r.Games, r.Sampling, r.Seed, map[bool]string{true: "any number of", false: fmt.Sprint(r.MaxTurns)}[r.MaxTurns == 0])
	return s
}

// CSV are the tables for programs.
func (r *Result) CSV() []sheet.CSV {
	return []sheet.CSV{sheet.NewCSV("restricted.csv", "kind player wins draws losses score score_low score_high elo elo_low elo_high p p_holm denied forced other repeated turns", r.Rows, func(x *Row) []string {
		return sheet.Row(x.Kind, x.Player, x.Wins, x.Draws, x.Losses, x.Score, x.Elo, optional(x.P), optional(x.PHolm), x.Denied, x.Forced, x.Other, x.Repeated, x.Turns)
	})}
}

// optional is a cell that is empty without a value.
func optional(p *float64) string {
	if p == nil {
		return ""
	}
	return sheet.Number(*p)
}
