package restricted

import (
	"fmt"
	"math"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/study"
	"github.com/ludozero/ludozero/study/lab"
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

// Report implements study.Result.
func (r *Result) Report() *sheet.Report {
	s := &sheet.Report{Title: "Restricted play", Under: r.Game + ", " + r.Rules, Command: r.Command}
	shown, possible := 0, 0
	for i := range r.Rows {
		x := &r.Rows[i]
		loss := x.loss()
		if !x.never() {
			possible++
		}
		switch {
		case x.never():
		case loss.Low > 0:
			shown++
			s.Summary = append(s.Summary, fmt.Sprintf("Who never plays %s loses %s points a game (%s).", x.Kind, sheet.Cell(loss, 100, "%.1f"), x.Player))
		case loss.High < 0:
			shown++
			s.Summary = append(s.Summary, fmt.Sprintf("%s plays better without %s, by %s points a game: it does not know how to use it.", x.Player, x.Kind, sheet.Cell(x.gain(), 100, "%.1f")))
		}
	}
	if shown == 0 {
		s.Summary = append(s.Summary, "No kind of action is shown to be worth anything.")
	}
	s.Summary = append(s.Summary, fmt.Sprintf("Of %s worth nothing, %.1f would be named here by chance.", wording.Count(possible, "kind"), 0.05*float64(possible)))
	if r.Stopped != nil {
		s.Summary = append(s.Summary, r.Stopped.String())
	}
	s.Tables = []sheet.Table{{
		ID: "kinds", Title: "What a player loses that never does it", Left: 2,
		Head: []string{"without", "player", "games", "won-drawn-lost", "loss, points", "Elo", "denied", "forced", "opponent's", "turns"},
		Rows: sheet.Rows(r.Rows, func(x *Row) []string {
			loss, elo := sheet.Cell(x.loss(), 100, "%+.1f"), sheet.Cell(x.Elo, 1, "%+.0f")
			if x.never() {
				loss, elo = "never possible", "-"
			}
			return []string{x.Kind, x.Player, fmt.Sprint(x.Games()), x.Tally.String(), loss, elo, x.each(x.Denied), x.each(x.Forced), x.each(x.Other), fmt.Sprintf("%.0f", x.Turns)}
		}),
		Notes: []string{
			"The player without the kind of action against itself with all of them, in hundredths of a point a game, with 95 % intervals over pairs of games, each for itself. It knows of its restriction, its opponent does not.",
			"A game: decisions at which it was denied an action; those at which the rules left it nothing else, which are exempt; actions of the kind that its opponent took.",
		},
	}}
	s.Conditions = fmt.Sprintf("%s (version %d), rules %s: %d games of each in pairs with seats exchanged, from the start, %s, seed %d, at most %s turns.",
		r.Game, r.GameVersion, r.Rules, r.Config.Games, r.Sampling, r.Seed, map[bool]string{true: "any number of", false: fmt.Sprint(r.MaxTurns)}[r.MaxTurns == 0])
	return s
}

// CSV are the tables for programs.
func (r *Result) CSV() []sheet.CSV {
	return []sheet.CSV{sheet.NewCSV("restricted.csv", "kind player wins draws losses score score_low score_high elo elo_low elo_high denied forced other repeated turns", r.Rows, func(x *Row) []string {
		return sheet.Row(x.Kind, x.Player, x.Wins, x.Draws, x.Losses, x.Score, x.Elo, x.Denied, x.Forced, x.Other, x.Repeated, x.Turns)
	})}
}
