package report

import (
	"fmt"
	"math"
	"time"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/stats/rating"
)

// headline sums up the run in a few sentences.
func (r *Report) headline() []string {
	d := &r.Run
	if d.Generation == 0 {
		return []string{fmt.Sprintf("No generation has been trained yet, after %s.", span(d.Learned))}
	}
	var list []string
	list = append(list, fmt.Sprintf("%s, %s, trained in %s on %s with %s.", count(int64(d.Generation), "generation"), count(d.Steps, "step"), span(d.Learned),
		count(d.Games, "game"), count(d.Positions, "position")))
	list = append(list, r.strengthInWords()...)
	return append(list, r.gamesInWords()...)
}

// gamesInWords compares the newest games with the first.
func (r *Report) gamesInWords() []string {
	n := len(r.Course)
	if n == 0 || r.Course[n-1].NewGames == 0 {
		return nil
	}
	now, then := &r.Course[n-1], &r.Course[0]
	text := fmt.Sprintf("A game now lasts %.0f turns", now.Turns)
	if n > 1 {
		text += fmt.Sprintf(" (at first %.0f)", then.Turns)
	}
	text += fmt.Sprintf(", %s of them are drawn", scoreText(now.Drawn))
	if n > 1 {
		text += fmt.Sprintf(" (at first %s)", percent(then.Drawn.Value))
	}
	return []string{text + fmt.Sprintf(", and the first player scores %s in %s.", scoreText(now.FirstScore), count(now.NewGames, "game"))}
}

// percent writes a share, "-" if it is unknown.
func percent(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf("%s %%", hundredths(x))
}

// hundredths writes a share times 100: exactly 0 and 100 only for none and all.
func hundredths(x float64) string {
	if x > 0 && x < 0.005 || x > 0.995 && x < 1 {
		return fmt.Sprintf("%.1f", 100*x)
	}
	return fmt.Sprintf("%.0f", 100*x)
}

// scoreText writes a share with its interval.
func scoreText(e rating.Estimate) string {
	if math.IsNaN(e.Value) {
		return "-"
	}
	return fmt.Sprintf("%s %% (%.0f to %.0f)", hundredths(e.Value), 100*e.Low, 100*e.High)
}

// count writes a number with its noun.
func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return wording.Grouped(n) + " " + noun + "s"
}

func span(t time.Duration) string {
	switch {
	case t < 2*time.Minute:
		return count(int64(t.Round(time.Second).Seconds()), "second")
	case t < 2*time.Hour:
		return count(int64(t.Round(time.Minute).Minutes()), "minute")
	}
	return fmt.Sprintf("%d:%02d hours", int(t.Hours()), int(t.Minutes())%60)
}
