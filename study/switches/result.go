package switches

import (
	"fmt"
	"math"
	"strings"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/stats/design"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/study"
)

// Result is what the games show.
type Result struct {
	Game        string `json:"game"`
	GameVersion int    `json:"game_version"`
	Rules       string `json:"rules"`
	// Player is the description that all players share.
	Player  string   `json:"player"`
	Effects []Effect `json:"effects"`
	// Residual is the standard deviation of the score of a row about the sum of the
	// effects, Freedom its degrees of freedom.
	Residual     float64     `json:"residual"`
	Freedom      int         `json:"freedom"`
	Rows         []Row       `json:"rows"`
	OpeningTurns int         `json:"opening_turns"`
	MaxTurns     int         `json:"max_turns"`
	Seed         uint64      `json:"seed"`
	MeanTurns    float64     `json:"mean_turns"`
	Stopped      *study.Stop `json:"stopped,omitempty"`
	Command      string      `json:"command"`
}

// Effect is what an option does.
type Effect struct {
	Factor
	// Score is the expected score of the high level against the low one, averaged over
	// the levels of the other options; Elo is the same as a difference.
	Score rating.Estimate `json:"score"`
	Elo   rating.Estimate `json:"elo"`
}

// clear tells whether the interval leaves out an even score.
func (e *Effect) clear() bool { return e.Score.Low > 0.5 || e.Score.High < 0.5 }

// Row is a match of the design, in the view of A.
type Row struct {
	// High has the level of each option of A; B has the other one.
	High []bool `json:"high"`
	A    string `json:"a"`
	B    string `json:"b"`
	match.Tally
	Score rating.Estimate `json:"score"`
}

// levels are the levels of A in a word, as in docs/sweeps.md.
func (x *Row) levels() string {
	var b strings.Builder
	for _, high := range x.High {
		b.WriteByte("lh"[map[bool]int{true: 1}[high]])
	}
	return b.String()
}

// fit estimates the effects from the scores of the rows. The effect of a column of the
// design, high less low, counts twice, since the mirror image has the other level.
func (r *Result) fit(d *design.Factorial, factors []Factor) error {
	scores := make([]float64, len(r.Rows))
	for i := range r.Rows {
		t := &r.Rows[i].Tally
		scores[i] = (float64(t.Wins) + float64(t.Draws)/2) / float64(t.Games())
	}
	f, err := d.Fit(scores)
	if err != nil {
		return err
	}
	r.Residual, r.Freedom = f.Residual, f.Freedom
	for i, e := range f.Effects {
		score := rating.Estimate{Value: 0.5 + e.Value/2, Low: 0.5 + e.Low/2, High: 0.5 + e.High/2}
		if r.exact() {
			score = r.counted(i, score.Value)
		}
		score.Low, score.High = max(0, score.Low), min(1, score.High)
		r.Effects = append(r.Effects, Effect{Factor: factors[i], Score: score, Elo: score.Elo()})
	}
	return nil
}

// exact tells whether the rows differ by the effects alone, as where one level wins every
// game or all are drawn: then their differences show no error.
func (r *Result) exact() bool { return r.Residual < 1e-9 }

// counted is the score of the high level of an option with the interval that the scores of
// the rows have by their games, which has a width where all games ended alike.
func (r *Result) counted(option int, score float64) rating.Estimate {
	below, above := 0.0, 0.0 // sums of squares
	for i := range r.Rows {
		x := &r.Rows[i]
		down, up := x.Score.Value-x.Score.Low, x.Score.High-x.Score.Value
		if !x.High[option] {
			down, up = up, down
		}
		below, above = below+down*down, above+up*up
	}
	n := float64(len(r.Rows))
	return rating.Estimate{Value: score, Low: score - math.Sqrt(below)/n, High: score + math.Sqrt(above)/n}
}

// games are all games, and the drawn ones.
func (r *Result) games() (all, drawn int) {
	for i := range r.Rows {
		all += r.Rows[i].Games()
		drawn += r.Rows[i].Draws
	}
	return all, drawn
}

// Report implements study.Result.
func (r *Result) Report() *sheet.Report {
	games, drawn := r.games()
	s := &sheet.Report{Title: "Options of a player", Under: r.Game + ", " + r.Player, Command: r.Command}
	named := 0
	for i := range r.Effects {
		if e := &r.Effects[i]; e.clear() {
			named++
			s.Summary = append(s.Summary, fmt.Sprintf("%s=%s scores %s against %s=%s.", e.Name, e.High, sheet.Cell(e.Score, 100, "%.1f")+" %", e.Name, e.Low))
		}
	}
	if named == 0 {
		s.Summary = append(s.Summary, "No option is shown to help or to harm.")
	}
	s.Summary = append(s.Summary, fmt.Sprintf("Of %s without any effect, %.1f would be named here by chance.", wording.Count(len(r.Effects), "option"), 0.05*float64(len(r.Effects))))
	if r.Stopped != nil {
		s.Summary = append(s.Summary, r.Stopped.String())
	}
	errors := "by Student's t from the differences between rows"
	if r.exact() {
		errors = "by the games of the rows, since there are no differences between rows but the effects"
	}
	s.Tables = []sheet.Table{
		{ID: "effects", Title: "What each option does", Left: 3, Head: []string{"option", "low", "high", "score of high, %", "Elo"},
			Rows: sheet.Rows(r.Effects, func(e *Effect) []string {
				return []string{e.Name, e.Low, e.High, sheet.Cell(e.Score, 100, "%.1f"), sheet.Cell(e.Elo, 1, "%+.0f")}
			}),
			Notes: []string{fmt.Sprintf("The score of the high level against the low one, all else equal on average, with 95 %% intervals %s (%d degrees of freedom, residual standard deviation %.1f %% of a row's score), each for itself.",
				errors, r.Freedom, 100*r.Residual)}},
		{ID: "rows", Title: "Rows", Left: 1, Head: []string{"levels", "won", "drawn", "lost", "score, %"},
			Rows: sheet.Rows(r.Rows, func(x *Row) []string {
				return []string{x.levels(), fmt.Sprint(x.Wins), fmt.Sprint(x.Draws), fmt.Sprint(x.Losses), sheet.Cell(x.Score, 100, "%.0f")}
			}),
			Notes: []string{"Levels in the order of the options, h is high. Each row is a match between a player and its mirror image, which has the other level of every option, so that interactions of two options cancel."}},
	}
	s.Conditions = fmt.Sprintf("%s (version %d), rules %s: %d games in pairs with seats exchanged, %d of them drawn, openings of %d random turns, seeds from %d on, at most %s turns, %.0f turns a game.",
		r.Game, r.GameVersion, r.Rules, games, drawn, r.OpeningTurns, r.Seed, map[bool]string{true: "any number of", false: fmt.Sprint(r.MaxTurns)}[r.MaxTurns == 0], math.Round(r.MeanTurns))
	return s
}

// CSV are the tables for programs.
func (r *Result) CSV() []sheet.CSV {
	return []sheet.CSV{
		sheet.NewCSV("effects.csv", "option low high score score_low score_high elo elo_low elo_high", r.Effects, func(e *Effect) []string {
			return sheet.Row(e.Name, e.Low, e.High, e.Score, e.Elo)
		}),
		sheet.NewCSV("rows.csv", "levels a b wins draws losses score score_low score_high", r.Rows, func(x *Row) []string {
			return sheet.Row(x.levels(), x.A, x.B, x.Wins, x.Draws, x.Losses, x.Score)
		}),
	}
}
