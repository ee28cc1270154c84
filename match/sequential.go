package match

import (
	"fmt"
	"io"
	"strings"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/stats/sprt"
)

// Supposed is what the forecast of a sequential test assumes of the games.
type Supposed struct {
	// Draws is the share of games that are drawn.
	Draws float64 `json:"draws"`
	// Correlation is between one player's scores in the two games of a pair; below 0
	// where openings favour a seat.
	Correlation float64 `json:"correlation"`
}

// Forecast says how long t, which must be valid, will take if the games are as
// supposed; see sprt.Test.Forecast. The variance of a pair is taken halfway between the
// two hypotheses.
func (p Supposed) Forecast(t sprt.Test) ([3]sprt.Length, error) {
	if !(p.Draws >= 0 && p.Draws < 1) || !(p.Correlation > -1 && p.Correlation <= 1) {
		return [3]sprt.Length{}, fmt.Errorf("draws=%g, correlation=%g: want 0 to less than 1, and more than -1 to 1", p.Draws, p.Correlation)
	}
	v := sprt.PairVariance(rating.ScoreOf((t.Elo0+t.Elo1)/2), p.Draws, p.Correlation)
	if v <= 0 {
		return [3]sprt.Length{}, fmt.Errorf("draws=%g: between players %+.0f Elo apart fewer games can be drawn", p.Draws, (t.Elo0+t.Elo1)/2)
	}
	return t.Forecast(v), nil
}

// Sequential counts the games of a match until a sequential test has its verdict.
// Games come in the order of the schedule, so that neither quick games nor the
// number of workers sways it.
type Sequential struct {
	test    sprt.Test
	counter *Counter
	state   sprt.State
}

// NewSequential returns test t of the match s before its first game.
func NewSequential(t sprt.Test, s *Series) *Sequential {
	return &Sequential{test: t, counter: NewCounter(s), state: t.State(PairCounts{}, 0)}
}

// Add counts the next game and reports whether the test continues: Hooks.Counted.
// The test is evaluated after each whole pair that is new. A pair that repeats an
// earlier one is no evidence, but moves the shares of the five scores and with them
// the LLR: evaluating after it could decide a test on nothing.
func (q *Sequential) Add(g *Game) (more bool) {
	if q.counter.Add(g) {
		p := &q.counter.Pairings()[0]
		if n := Independent(p); n > q.state.Pairs {
			q.state = q.test.State(p.PairCounts(), n)
		}
	}
	return q.state.Verdict == sprt.Continue
}

// State is where the test stands.
func (q *Sequential) State() sprt.State { return q.state }

// Tested is the result of a sequential test.
type Tested struct {
	sprt.Test
	Supposed Supposed       `json:"supposed"`
	Forecast [3]sprt.Length `json:"forecast"`
	State    sprt.State     `json:"state"`
	// Match is what was played. Its score and Elo are biased if there is a verdict:
	// a test that stops when the score looks good enough stops at good scores.
	Match *Result `json:"match"`
}

// WriteForecast says for people what is expected of the test and on what
// assumptions.
func WriteForecast(w io.Writer, t sprt.Test, p Supposed, forecast [3]sprt.Length) error {
	var b strings.Builder
	fmt.Fprintf(&b, "test       %s\n", hypotheses(t))
	fmt.Fprintf(&b, "expected   if %.4g %% of games are drawn and the games of a pair correlate by %g:\n", 100*p.Draws, p.Correlation)
	for _, l := range forecast {
		fmt.Fprintf(&b, "           %v\n", l)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func hypotheses(t sprt.Test) string {
	return fmt.Sprintf("H0: %+g Elo, H1: %+g Elo, wrong in %.4g of 100 tests if H0 holds, %.4g if H1 does", t.Elo0, t.Elo1, 100*t.Alpha, 100*t.Beta)
}

// WriteText writes the result for people, without the forecast, which WriteForecast
// has written before the first game.
func (r *Tested) WriteText(w io.Writer) error {
	if err := r.Match.WriteText(w); err != nil {
		return err
	}
	var b strings.Builder
	if r.State.Verdict != sprt.Continue {
		b.WriteString("estimate   score and Elo are those of a test that stopped at its verdict: biased away from the middle of H0 and H1\n")
	}
	fmt.Fprintf(&b, "test       %s\nverdict    %s: %v\n", hypotheses(r.Test), verdictText(r), r.State)
	_, err := io.WriteString(w, b.String())
	return err
}

func verdictText(r *Tested) string {
	a, b := wording.PlainName(r.Match.A), wording.PlainName(r.Match.B)
	switch r.State.Verdict {
	case sprt.H0:
		return fmt.Sprintf("H0, %s is not %g Elo above %s", a, r.Elo1, b)
	case sprt.H1:
		return fmt.Sprintf("H1, %s is more than %g Elo above %s", a, r.Elo0, b)
	}
	return "none"
}
