package match_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/stats/sprt"
)

var fast = sprt.Test{Elo0: 0, Elo1: 200, Alpha: 0.05, Beta: 0.05}

// TestSequentialStopsAtTheFirstVerdict compares with the test computed anew after
// every pair.
func TestSequentialStopsAtTheFirstVerdict(t *testing.T) {
	g := game(t, &connect4.Family)
	cfg := match.Config{Pairs: 300, OpeningTurns: 3, Workers: 3, Seed: 2}
	openings, err := match.RandomOpenings(t.Context(), g, cfg.Pairs, 3, 2)
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[sprt.Verdict]int{}
	for _, c := range [][2]string{{"mcts:sims=20", "random"}, {"random", "mcts:sims=20"}, {"random", "random"}} {
		s := seriesOf(t, cfg, g, contestant(t, c[0], g), contestant(t, c[1], g), openings)
		q := match.NewSequential(fast, s)
		games := run(t, s, nil, match.Hooks{Counted: q.Add})
		if len(games)%2 != 0 || len(games) == 600 {
			t.Fatalf("%v: stopped after %d games", c, len(games))
		}
		var pairs match.PairCounts
		for i := 0; i < len(games); i += 2 {
			if state := fast.State(pairs, i/2); state.Verdict != sprt.Continue {
				t.Errorf("%v: went on to pair %d after %v", c, i/2+1, state)
			}
			pairs[int(2*(games[i].Points+games[i+1].Points))]++
		}
		if want := fast.State(pairs, len(games)/2); q.State() != want || want.Verdict == sprt.Continue {
			t.Errorf("%v: state %v, want %v", c, q.State(), want)
		}
		verdicts[q.State().Verdict]++

		// Going on with some of the games, and one that was played in excess.
		again := match.NewSequential(fast, s)
		rng := rand.New(rand.NewPCG(1, 2))
		var done []match.Game
		for _, i := range rng.Perm(len(games))[:len(games)/2] {
			done = append(done, games[i])
		}
		if resumed := run(t, s, done, match.Hooks{Counted: again.Add}); len(resumed) != len(games) || again.State() != q.State() {
			t.Errorf("%v: resumed: %d games, %v; want %d, %v", c, len(resumed), again.State(), len(games), q.State())
		}
	}
	if verdicts[sprt.H1] != 1 || verdicts[sprt.H0] != 2 {
		t.Errorf("verdicts %v", verdicts)
	}
}

// TestRepetitionsDecideNoTest lets players meet that play the same two games for
// ever.
func TestRepetitionsDecideNoTest(t *testing.T) {
	g := game(t, &connect4.Family)
	cfg := match.Config{Pairs: 200, OpeningTurns: 0, Workers: 1, Seed: 1}
	openings, err := match.RandomOpenings(t.Context(), g, cfg.Pairs, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	s := seriesOf(t, cfg, g, script("low", lowest), script("high", highest), openings)
	q := match.NewSequential(fast, s)
	if games := run(t, s, nil, match.Hooks{Counted: q.Add}); len(games) != 400 || q.State().Pairs != 1 {
		t.Errorf("%d games, %v", len(games), q.State())
	}
}

// TestSecondRoundOfOpeningsDecidesNothing has players that never vary go through a
// list of openings twice. The first round ends without a verdict; when its first
// opening, which A lost in both seats, comes again, that counts double.
func TestSecondRoundOfOpeningsDecidesNothing(t *testing.T) {
	s := &match.Series{Game: game(t, &connect4.Family), Contestants: []match.Contestant{script("low", lowest), script("high", highest)}}
	halfPoints := []int{0, 4, 2, 0, 2, 0}
	q := match.NewSequential(fast, s)
	var counts match.PairCounts
	var first sprt.State
	shows := false // that a look in the second round would have decided
	for i := range 2 * len(halfPoints) {
		s.Schedule = append(s.Schedule, match.Pair{A: 0, B: 1})
		place := i % len(halfPoints)
		for seat := range 2 {
			points := 0.0
			if halfPoints[place] > 2*seat {
				points = 1
			}
			g := match.Game{Number: 2*i + seat + 1, Pair: i + 1, AFirst: seat == 0, Points: points, Moves: fmt.Sprint(place, seat)}
			if !q.Add(&g) {
				t.Fatalf("pair %d of %d different ones decides: %v", i+1, len(halfPoints), q.State())
			}
		}
		counts[halfPoints[place]]++
		switch {
		case place == i:
			first = q.State()
		case fast.State(counts, len(halfPoints)).Verdict != sprt.Continue:
			shows = true
		}
	}
	if q.State() != first || first.Pairs != len(halfPoints) || !shows {
		t.Errorf("state %v, after the first round %v; a look after each pair would have decided: %t", q.State(), first, shows)
	}
}

func TestForecastOfSupposedGames(t *testing.T) {
	none, err := match.Supposed{}.Forecast(fast)
	if err != nil || none != fast.Forecast(sprt.PairVariance(1/(1+1/1.7782794100389228), 0, 0)) { // 100 Elo: 10^(1/4)
		t.Errorf("forecast %v, %v", none, err)
	}
	if half, err := (match.Supposed{Draws: 0.5, Correlation: -0.5}).Forecast(fast); err != nil || half[0].Mean > none[0].Mean/2 {
		t.Errorf("forecast with draws %v, %v", half, err)
	}
	for _, p := range []match.Supposed{{Draws: -0.1}, {Draws: 0.99}, {Draws: 1}, {Correlation: -1}, {Correlation: 2}} {
		if _, err := p.Forecast(fast); err == nil {
			t.Errorf("%+v is accepted", p)
		}
	}
}

func TestTextOfATest(t *testing.T) {
	g := game(t, &connect4.Family)
	cfg := match.Config{Pairs: 100, OpeningTurns: 2, Workers: 1, Seed: 2}
	openings, err := match.RandomOpenings(t.Context(), g, cfg.Pairs, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	s := seriesOf(t, cfg, g, contestant(t, "mcts:sims=20", g), contestant(t, "random", g), openings)
	q := match.NewSequential(fast, s)
	games := run(t, s, nil, match.Hooks{Counted: q.Add})
	supposed := match.Supposed{Draws: 0.1}
	forecast, err := supposed.Forecast(fast)
	if err != nil {
		t.Fatal(err)
	}
	text := func(state sprt.State, n int) string {
		var b bytes.Buffer
		r := &match.Tested{Test: fast, Supposed: supposed, Forecast: forecast, State: state, Match: match.Summarise(cfg, s, games[:n])}
		if err := r.WriteText(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	done := text(q.State(), len(games))
	for _, want := range []string{
		"test       H0: +0 Elo, H1: +200 Elo, wrong in 5 of 100 tests if H0 holds, 5 if H1 does\n",
		"estimate   score and Elo are those of a test that stopped at its verdict",
		fmt.Sprintf("verdict    H1, %s is more than 0 Elo above random: %v\n", s.Contestants[0].Name, q.State()),
	} {
		if !strings.Contains(done, want) {
			t.Errorf("the text lacks %q:\n%s", want, done)
		}
	}
	uneven := fast
	uneven.Alpha, uneven.Beta = 0.07, 0.29 // a hundred times which are not 7 and 29
	var numbers bytes.Buffer
	if err := match.WriteForecast(&numbers, uneven, match.Supposed{Draws: 0.57}, forecast); err != nil ||
		!strings.Contains(numbers.String(), "wrong in 7 of 100 tests if H0 holds, 29 if H1 does\nexpected   if 57 % of games") {
		t.Errorf("forecast, %v:\n%s", err, numbers.String())
	}
	var before bytes.Buffer
	if err := match.WriteForecast(&before, fast, supposed, forecast); err != nil || !strings.HasPrefix(before.String(), "test       H0: +0 Elo, H1: +200 Elo, ") ||
		!strings.Contains(before.String(), "expected   if 10 % of games are drawn and the games of a pair correlate by 0:\n           at +0.0 Elo: ") {
		t.Errorf("forecast, %v:\n%s", err, before.String())
	}
	if part := text(fast.State(match.PairCounts{}, 0), 2); !strings.Contains(part, "verdict    none: LLR 0.00") || strings.Contains(part, "estimate") {
		t.Errorf("text without a verdict:\n%s", part)
	}
}
