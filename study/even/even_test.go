package even

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/study"
)

func TestStagesHaveEqualShares(t *testing.T) {
	for _, c := range []struct {
		settings, games int
		want            []stage
	}{
		{2, 100, []stage{{2, 100}}},
		{8, 240, []stage{{8, 80}, {4, 240}, {2, 560}}},
		{9, 400, []stage{{9, 100}, {5, 280}, {3, 580}, {2, 1030}}},
		{3, 2, []stage{{3, 2}, {2, 4}}}, // a pair each at least
	} {
		if got := stages(c.settings, c.games); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%d settings of %d games: %v, want %v", c.settings, c.games, got, c.want)
		}
	}
	if got := best([]int{1, 4, 6, 7}, 2, func(i int) float64 { return []float64{0, .3, 0, 0, .1, 0, .3, .1}[i] }); !slices.Equal(got, []int{4, 7}) {
		t.Errorf("the best two are %v", got)
	}
}

// TestWhatIsLittleKnownIsNotDroppedForThat: a score of 60 % from many games speaks more
// against a setting than one of 100 % from few, and one that is known to be near enough least.
func TestWhatIsLittleKnownIsNotDroppedForThat(t *testing.T) {
	scores := []rating.Estimate{{Value: 0.6, Low: 0.56, High: 0.64}, {Value: 1, Low: 0, High: 1}, {Value: 0.51, Low: 0.508, High: 0.512}, {Value: 0.3, Low: 0.2, High: 0.4}}
	if got := best([]int{0, 1, 2, 3}, 2, func(i int) float64 { return against(scores[i]) }); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("left are %v, want 1 and 2", got)
	}
}

// TestIntervalsHoldThoughGamesDecide simulates studies of settings with known scores by
// halving: the intervals of all settings, dropped or not, hold in 95 % or more, and a
// setting is said to be less even than the first in at most 5 % of the studies where it is
// not. Without the correction they hold in less, so that the test can fail.
func TestIntervalsHoldThoughGamesDecide(t *testing.T) {
	const studies = 2000
	truth := []float64{0.5, 0.52, 0.47, 0.5, 0.5, 0.55, 0.5, 0.5}
	s := &Study{stages: stages(len(truth), 200), players: make([]study.Participant, 1)}
	covered, plain, wrong := make([]int, len(truth)), make([]int, len(truth)), 0
	for n := range uint64(studies) {
		rng := rand.New(seed.Stream(7, "halving", n))
		found := make([]Row, len(truth))
		left := []int{0, 1, 2, 3, 4, 5, 6, 7}
		wins := make([]int, len(truth))
		for k, st := range s.stages {
			if k > 0 {
				left = best(left, st.Settings, func(i int) float64 { return against(found[i].Score) })
			}
			for _, i := range left {
				for range st.Games - found[i].Games {
					if rng.Float64() < truth[i] {
						wins[i]++
					}
				}
				p := float64(wins[i]) / float64(st.Games)
				half := 1.96 * math.Sqrt(p*(1-p)/float64(st.Games))
				found[i] = Row{Setting: string(rune('0' + i)), Stage: k + 1, Games: st.Games, Score: rating.Estimate{Value: p, Low: p - half, High: p + half}}
			}
		}
		var r Result
		r.rank(found, s.widen(1), s.widen(len(truth)))
		first, claims := int(r.Rows[0].Setting[0]-'0'), false
		for i := range r.Rows {
			x := &r.Rows[i]
			at := int(x.Setting[0] - '0')
			if x.Score.Low <= truth[at] && truth[at] <= x.Score.High {
				covered[at]++
			}
			if f := &found[at].Score; f.Low <= truth[at] && truth[at] <= f.High {
				plain[at]++
			}
			claims = claims || x.Worse && math.Abs(truth[at]-0.5) <= math.Abs(truth[first]-0.5)
		}
		if claims {
			wrong++
		}
	}
	for i, n := range covered {
		if share := float64(n) / studies; share < 0.95 {
			t.Errorf("setting %d: its interval holds in %.1f %% of the studies", i, 100*share)
		}
	}
	if slices.Min(plain) >= 0.95*studies {
		t.Errorf("intervals without the correction hold, too, in %v of %d: nothing is tested", plain, studies)
	}
	if wrong > studies/20 {
		t.Errorf("%d of %d studies claim what is not so", wrong, studies)
	}
	t.Logf("of %d: %v, without the correction %v; wrong claims in %d", studies, covered, plain, wrong)
}

// TestRankAndReport: by stage, then by distance; a setting is worse if its nearest is
// beyond the furthest of the first.
func TestRankAndReport(t *testing.T) {
	row := func(name string, stage int, score, half float64) Row {
		return Row{Setting: name, Stage: stage, Games: 100, Basis: "games", Score: rating.Estimate{Value: score, Low: score - half, High: score + half}}
	}
	r := &Result{Game: "konreh", Rules: "standard", Over: "balance=pie|single", Stages: stages(4, 50), Played: 2, NotTrained: []string{"x on y"}}
	r.rank([]Row{row("far", 1, 0.9, 0.1), row("near", 2, 0.52, 0.03), row("nearer", 1, 0.51, 0.03), row("nearest", 2, 0.49, 0.04)}, 1, 1.2)
	var order []string
	for i := range r.Rows {
		order = append(order, r.Rows[i].Setting)
	}
	if got := strings.Join(order, " "); got != "nearest near nearer far" {
		t.Errorf("order %s", got)
	}
	if d := r.Rows[0].Distance; math.Abs(d.Value-0.01) > 1e-9 || d.Low != 0 || math.Abs(d.High-0.05) > 1e-9 {
		t.Errorf("distance %+v, want 0.01 (0 to 0.05)", d)
	}
	var b strings.Builder
	if err := r.Report().WriteText(&b); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{
		"Of 4 settings nearest is nearest to an even game here: the first player scores 49.0 (45.0 to 53.0) % in 100 games.",
		"Shown to be less even than it: far.", "These games cannot tell it from: near; nearer.",
		"About 4.0 times as many games of it would tell its score to ±2 points.", "Never trained: x on y.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, b.String())
		}
	}
	r.rank([]Row{row("wide", 1, 0.75, 1), row("wider", 1, 0, 1)}, 1, 1)
	if said := strings.Join(r.summary(), " "); !strings.Contains(said, "Nothing is known of wide") || strings.Contains(said, "nearest to an even game") {
		t.Errorf("of intervals from 0 to 100 %%: %s", said)
	}
}
