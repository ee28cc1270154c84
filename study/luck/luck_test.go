package luck_test

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/knaw"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/study/luck"
)

// seated is a player of a game.
func seated(t testing.TB, g engine.Game, text string) match.Player {
	t.Helper()
	spec, err := player.Parse(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := spec.New(g)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// play plays a game in which the players of each seat decide, nil at random.
func play(t testing.TB, g engine.Game, rng *rand.Rand, seats [2]match.Player) (words []string, result float64) {
	t.Helper()
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	for s.Actor() != engine.Nobody {
		var a engine.Action
		switch p := s.Actor(); {
		case p == engine.Chance:
			a = engine.Draw(s.Chance(nil), rng.Float64())
		case seats[p] == nil:
			list := s.Legal(nil, h)
			a = list[rng.IntN(len(list))]
		default:
			x, err := seats[p].Think(t.Context(), s, h, match.Bounds{})
			if err != nil {
				t.Fatal(err)
			}
			a = x.Choice
		}
		words = append(words, string(s.AppendAction(nil, a)))
		s.Apply(a, h)
	}
	return words, float64(s.Outcome().Value(engine.First))
}

// TestLuckAndLossesMakeTheResult of random games of the race if the judge knows it all:
// what the start is worth, the rolls, and the losses of both sum to the result.
func TestLuckAndLossesMakeTheResult(t *testing.T) {
	g := racegame.New()
	exact := player.NewExact(g)
	start, err := exact.Value(t.Context(), g.NewState())
	if err != nil {
		t.Fatal(err)
	}
	j := luck.NewJudge(g, exact)
	rng := rand.New(rand.NewPCG(1, 2))
	net, squares, losses := 0.0, 0.0, 0
	const games = 500
	for range games {
		words, result := play(t, g, rng, [2]match.Player{})
		x, err := j.Game(t.Context(), 1, luck.Moves{Words: words})
		if err != nil {
			t.Fatal(err)
		}
		sum := start + x.Net() - x.Lost[engine.First] + x.Lost[engine.Second]
		if x.Result == nil || *x.Result != result || math.Abs(sum-result) > 1e-12 {
			t.Fatalf("%s: start %.4f, luck %v, lost %v make %.4f, the game ended with %g", words, start, x.Luck, x.Lost, sum, result)
		}
		net, squares, losses = net+x.Net(), squares+x.Net()*x.Net(), losses+len(x.Losses)
	}
	if mean, err := net/games, math.Sqrt(squares)/games; math.Abs(mean) > 4*err || err > 0.05 {
		t.Errorf("luck is %.3f ± %.3f a game, want 0", mean, err)
	}
	if losses < games {
		t.Errorf("%d losses in %d random games", losses, games)
	}
}

// TestLeadsExpectResults: players that judge by leads and see to the end of the race agree
// with exact play on every roll, forced wins among the outcomes or not.
func TestLeadsExpectResults(t *testing.T) {
	g, err := racegame.Family.Parse("standard,track=4,turns=4")
	if err != nil {
		t.Fatal(err)
	}
	exact := luck.NewJudge(g, player.NewExact(g))
	for _, text := range []string{"alphabeta:depth=5", "minimax:depth=5"} {
		j, rng := luck.NewJudge(g, seated(t, g, text)), rand.New(rand.NewPCG(3, 1))
		for range 40 {
			words, _ := play(t, g, rng, [2]match.Player{})
			want, err := exact.Game(t.Context(), 1, luck.Moves{Words: words})
			if err != nil {
				t.Fatal(err)
			}
			got, err := j.Game(t.Context(), 1, luck.Moves{Words: words})
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range got.Rolls {
				const contempt = 0.03 // what alphabeta takes a draw for, and rounding
				if w := want.Rolls[i]; math.Abs(r.Expected-w.Expected) > contempt || math.Abs(r.Value-w.Value) > contempt {
					t.Errorf("%s, %v, turn %d: a roll from %+.3f to %+.3f, want %+.3f to %+.3f", text, words, r.Turn, r.Expected, r.Value, w.Expected, w.Value)
				}
			}
		}
	}
}

// TestRollsHaveOwnersAndViews by hand, in the last turn, which is the second player's.
func TestRollsHaveOwnersAndViews(t *testing.T) {
	g := racegame.New()
	j := luck.NewJudge(g, player.NewExact(g))
	// Three steps ahead, every roll wins.
	x, err := j.Game(t.Context(), 1, luck.Moves{Start: "0 3 7 roll-bold", Words: []string{"0"}})
	if err != nil {
		t.Fatal(err)
	}
	if r := x.Rolls[0]; len(x.Rolls) != 1 || r.Player != "second" || math.Abs(r.Worth) > 1e-12 || math.Abs(r.Expected+1) > 1e-12 || r.Turn != 8 || r.Number != 1 {
		t.Errorf("rolls %+v", x.Rolls)
	}
	// Two behind, 0 loses, 2 draws and 4 wins: 1/6 - 1/2 for the second player before.
	x, err = j.Game(t.Context(), 1, luck.Moves{Start: "2 0 7 roll-bold", Words: []string{"2", "forward"}})
	if err != nil {
		t.Fatal(err)
	}
	if r := x.Rolls[0]; math.Abs(r.Expected-1./3) > 1e-12 || r.Value != 0 || math.Abs(r.Worth-1./3) > 1e-12 || x.Luck[engine.Second] != r.Worth || x.Luck[engine.First] != 0 {
		t.Errorf("roll %+v, luck %v, want a third for the second player", x.Rolls[0], x.Luck)
	}
	// By the safe die 2 of 3 rolls lose, and 1 of 3 draws: -2/3.
	x, err = j.Game(t.Context(), 1, luck.Moves{Start: "2 0 7 choose", Words: []string{"safe", "1", "forward"}})
	if err != nil {
		t.Fatal(err)
	}
	if l := x.Losses[0]; len(x.Losses) != 1 || l.Player != "second" || l.Better != "bold" || math.Abs(l.Lost-1./3) > 1e-12 || x.Decisions != 2 {
		t.Errorf("losses %+v of %d decisions, want a third to bold", x.Losses, x.Decisions)
	}
	var b strings.Builder
	if err := x.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"the dice favoured the first player by 0.333", "rolls, the 1 of 1 that mattered most", "decisions, the 1 of 2 that lost most", "8  second    safe  0.333    bold"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("text lacks %q:\n%s", want, b.String())
		}
	}
}

// entries are games of the race; every two are a pair.
func entries(t testing.TB, g engine.Game, n int, seats [2]match.Player, names [2]string) []luck.Entry {
	rng := rand.New(rand.NewPCG(3, 4))
	list := make([]luck.Entry, n)
	for i := range list {
		words, result := play(t, g, rng, seats)
		list[i] = luck.Entry{Moves: luck.Moves{Words: words}, Game: g, Number: int64(i + 1), Pair: i / 2, Players: names, Points: (result + 1) / 2}
	}
	return list
}

// TestRollsExplainPerfectGames: between two who lose nothing the dice decide all, between
// random players less.
func TestRollsExplainPerfectGames(t *testing.T) {
	g := racegame.New()
	exact := func(engine.Game) (match.Player, error) { return player.NewExact(g), nil }
	var shares [2]luck.Share
	for i, seats := range [2][2]match.Player{{player.NewExact(g), player.NewExact(g)}, {}} {
		list := entries(t, g, 200, seats, [2]string{"a", "b"})
		games, err := luck.JudgeAll(t.Context(), list, 1, 2, exact, nil)
		if err != nil {
			t.Fatal(err)
		}
		again, err := luck.JudgeAll(t.Context(), list, 1, 1, exact, nil)
		if err != nil || !reflect.DeepEqual(games, again) {
			t.Errorf("one worker judges otherwise than two (%v)", err)
		}
		r := luck.Summarise("exact", 1, list, games)
		if r.Share == nil || len(r.Players) != 2 {
			t.Fatalf("report %+v", r)
		}
		shares[i] = *r.Share
		a, b := r.Players[0], r.Players[1]
		if a.Games != 200 || a.Luck != -b.Luck || math.Abs(a.Score.Value+b.Score.Value-1) > 1e-12 || (i == 0) != (a.Lost == 0) {
			t.Errorf("players %+v and %+v", a, b)
		}
		if width := func(low, high float64) float64 { return high - low }; width(a.LessLuck.Low, a.LessLuck.High) > 0.9*width(a.Score.Low, a.Score.High) {
			t.Errorf("score %v is no wider than without luck, %v", a.Score, a.LessLuck)
		}
		var text strings.Builder
		if err := r.WriteText(&text); err != nil || !strings.Contains(text.String(), "share      rolls explain ") || i == 0 && !strings.Contains(text.String(), "slope      0.50 points") {
			t.Errorf("%v:\n%s", err, text.String())
		}
	}
	if perfect := shares[0]; perfect.Explained.Value < 0.999999 || math.Abs(perfect.Slope-0.5) > 1e-9 || math.Abs(perfect.LuckSpread-perfect.PointsSpread) > 1e-6 {
		t.Errorf("perfect games: %+v, want all explained at half a point", perfect)
	}
	if random := shares[1]; random.Explained.High > 0.9 || random.Explained.Low < 0.1 {
		t.Errorf("random games: %+v, want less explained, and something", random)
	}
}

// TestScoresStayShares: who wins or loses nearly all games in a tournament has a score whose
// interval is no point and leaves no share out of 0 to 1.
func TestScoresStayShares(t *testing.T) {
	g := racegame.New()
	rng := rand.New(rand.NewPCG(5, 6))
	var list []luck.Entry
	var games []*luck.Game
	for pair, players := range [][2]string{{"best", "good"}, {"best", "never"}, {"good", "never"}} {
		for k := range 40 {
			points := 1.0
			if players[1] == "good" {
				points = float64(rng.IntN(2))
			}
			list = append(list, luck.Entry{Game: g, Pair: 20*pair + k/2, Players: players, Points: points})
			games = append(games, &luck.Game{Luck: [2]float64{rng.NormFloat64() + points, 0}})
		}
	}
	for _, p := range luck.Summarise("exact", 1, list, games).Players {
		if e := p.Score; e == nil || !(0 <= e.Low && e.Low <= e.Value && e.Value <= e.High && e.High <= 1 && e.High-e.Low > 0.02) {
			t.Errorf("%s scores %+v", p.Name, e)
		}
	}
}

// TestSpreadHasNoSign: luck that by chance goes against the results, as that of a judge who
// sees little may in few games, explains nothing, and its standard deviation is one.
func TestSpreadHasNoSign(t *testing.T) {
	var list []luck.Played
	for i := range 20 {
		points := float64(i % 2)
		list = append(list, luck.Played{Pair: i, Points: points, Net: float64(i%5) - points})
	}
	s, ok := luck.ShareOf(list, 1)
	if !ok || s.Slope >= 0 || s.Explained.Value != 0 || s.LuckSpread <= 0 {
		t.Errorf("%+v, %v: want a slope below 0, nothing explained and a spread above 0", s, ok)
	}
}

// TestSharesCoverTheTruth for games of which the luck explains 40 %, in two groups of other
// means, in pairs that share most of their luck with opposite sign.
func TestSharesCoverTheTruth(t *testing.T) {
	const truth, trials, pairs = 0.4, 150, 100
	rng := rand.New(rand.NewPCG(5, 6))
	covered := 0
	for trial := range trials {
		var games []luck.Played
		for pair := range pairs {
			shared := rng.NormFloat64()
			for half, group := range []string{"ab", "ba"} {
				net := 0.9*shared*float64(1-2*half) + math.Sqrt(1-0.81)*rng.NormFloat64()
				points := 0.5 + 0.3*float64(half) + math.Sqrt(truth)*net + math.Sqrt(1-truth)*rng.NormFloat64()
				games = append(games, luck.Played{Group: group, Pair: pair, Points: points, Net: net})
			}
		}
		s, ok := luck.ShareOf(games, uint64(trial))
		if !ok || s.Games != 2*pairs || s.Pairs != pairs {
			t.Fatalf("share %+v, %v", s, ok)
		}
		if s.Explained.Low <= truth && truth <= s.Explained.High {
			covered++
		}
	}
	if share := float64(covered) / trials; share < 0.9 || share > 0.99 {
		t.Errorf("%.3f of the intervals hold %.1f, want about 0.95", share, truth)
	}
	if s, ok := luck.ShareOf(make([]luck.Played, 50), 1); ok {
		t.Errorf("equal games: %+v", s)
	}
}

// TestRollsAreWorthNothingOnAverage to a judge who knows little, in kn@w, where every turn
// begins by a roll and two rolls may follow each other.
func TestRollsAreWorthNothingOnAverage(t *testing.T) {
	g, err := knaw.Family.Parse("standard,max_turns=40")
	if err != nil {
		t.Fatal(err)
	}
	list := entries(t, g, 12, [2]match.Player{}, [2]string{"a", "b"})
	games, err := luck.JudgeAll(t.Context(), list, 1, 2, func(g engine.Game) (match.Player, error) { return seated(t, g, "alphabeta:depth=1"), nil }, nil)
	if err != nil {
		t.Fatal(err)
	}
	n, sum, squares := 0.0, 0.0, 0.0
	for _, x := range games {
		for _, r := range x.Rolls {
			n, sum, squares = n+1, sum+r.Worth, squares+r.Worth*r.Worth
		}
	}
	if err := math.Sqrt(squares) / n; n < 400 || math.Abs(sum/n) > 4*err || squares == 0 {
		t.Errorf("%.0f rolls are worth %.4f ± %.4f on average, want 0", n, sum/n, err)
	}
}

func TestJudgesWhoCannot(t *testing.T) {
	g := racegame.New()
	list := entries(t, g, 3, [2]match.Player{}, [2]string{"a", "b"})
	random := func(g engine.Game) (match.Player, error) { return seated(t, g, "random"), nil }
	if _, err := luck.JudgeAll(t.Context(), list, 1, 2, random, nil); err == nil || !strings.Contains(err.Error(), "it says no value of positions") {
		t.Errorf("random as a judge: %v", err)
	}
	list[1].Words = append([]string{"sideways"}, list[1].Words...)
	exact := func(engine.Game) (match.Player, error) { return player.NewExact(g), nil }
	if _, err := luck.JudgeAll(t.Context(), list, 1, 2, exact, nil); err == nil || !strings.Contains(err.Error(), `game 2: move 1, "sideways"`) {
		t.Errorf("impossible move: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := luck.JudgeAll(ctx, list, 1, 2, exact, nil); err == nil {
		t.Error("judged after the end")
	}
	c4, err := connect4.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	x, err := luck.NewJudge(c4, seated(t, c4, "alphabeta:depth=4")).Game(t.Context(), 1, luck.Moves{Words: strings.Fields("4 1 4 1 4 2 3")})
	if err != nil || len(x.Rolls) != 0 || len(x.Losses) == 0 || x.Losses[len(x.Losses)-1].Better != "4" || x.Result != nil {
		t.Errorf("a win missed in a game without dice: %+v, %v", x, err)
	}
}
