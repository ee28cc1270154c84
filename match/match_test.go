package match_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

func game(t testing.TB, f *engine.Family) engine.Game {
	t.Helper()
	g, err := f.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func contestant(t testing.TB, text string, g engine.Game) match.Contestant {
	t.Helper()
	spec, err := player.Parse(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return spec.Contestant(g)
}

func matchOf(t testing.TB, cfg match.Config, g engine.Game, a, b match.Contestant) *match.Result {
	t.Helper()
	r, err := match.Play(context.Background(), cfg, g, a, b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// scripted plays what choose says.
type scripted struct {
	choose func(s engine.State, list []engine.Action) (engine.Action, error)
}

func (scripted) NewGame(context.Context, uint64) error { return nil }

func (p scripted) Think(ctx context.Context, s engine.State, h *engine.History, _ match.Bounds) (*match.Analysis, error) {
	a, err := p.decide(ctx, s, h)
	return &match.Analysis{Choice: a, Line: []engine.Action{a}}, err
}

func (p scripted) decide(_ context.Context, s engine.State, h *engine.History) (engine.Action, error) {
	return p.choose(s, s.Legal(nil, h))
}

func script(name string, choose func(s engine.State, list []engine.Action) (engine.Action, error)) match.Contestant {
	return match.Contestant{Name: name, New: func() (match.Player, error) { return scripted{choose}, nil }}
}

func lowest(_ engine.State, list []engine.Action) (engine.Action, error) { return list[0], nil }

func highest(_ engine.State, list []engine.Action) (engine.Action, error) {
	return list[len(list)-1], nil
}

func TestWorkersChangeNothing(t *testing.T) {
	for _, f := range []*engine.Family{&connect4.Family, &racegame.Family} {
		g := game(t, f)
		a, b := contestant(t, "mcts:sims=10", g), contestant(t, "random", g)
		var want []byte
		for _, workers := range []int{1, 0, 4, 100} {
			cfg := match.Config{Pairs: 20, OpeningTurns: 2, Workers: workers, Seed: 3}
			got, err := json.Marshal(matchOf(t, cfg, g, a, b))
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			} else if !bytes.Equal(got, want) {
				t.Errorf("%s: result with %d workers = %s, with 1 %s", f.Name, workers, got, want)
			}
		}
	}
}

func TestExchangedPlayersNegateTheResult(t *testing.T) {
	for _, f := range []*engine.Family{&connect4.Family, &racegame.Family} {
		g := game(t, f)
		a, b := contestant(t, "mcts:sims=8", g), contestant(t, "mcts:sims=3", g)
		cfg := match.Config{Pairs: 25, OpeningTurns: 2, Workers: 2, Seed: 9}
		ab, ba := matchOf(t, cfg, g, a, b), matchOf(t, cfg, g, b, a)
		if ab.Wins != ba.Losses || ab.Draws != ba.Draws || ab.Losses != ba.Wins || ab.AsFirst.Wins != ba.AsSecond.Losses {
			t.Errorf("%s: A-B %+v, B-A %+v", f.Name, ab.Tally, ba.Tally)
		}
		for i := range ab.Pairs {
			if ab.Pairs[i] != ba.Pairs[4-i] {
				t.Errorf("%s: pairs A-B %v, B-A %v", f.Name, ab.Pairs, ba.Pairs)
			}
		}
		for i := range ab.Games {
			if x, y := ab.Games[i], ba.Games[i^1]; x.Moves != y.Moves || x.Points != 1-y.Points {
				t.Errorf("%s: game %d of A-B is %+v, its image %+v", f.Name, i, x, y)
			}
		}
	}
}

func TestPairsShareDistinctOpenings(t *testing.T) {
	for _, f := range []*engine.Family{&connect4.Family, &racegame.Family} {
		g := game(t, f)
		r := matchOf(t, match.Config{Pairs: 8, OpeningTurns: 3, Workers: 2, Seed: 5}, g,
			contestant(t, "random", g), contestant(t, "random", g))
		seen := map[string]bool{}
		for i := 0; i < len(r.Games); i += 2 {
			x, y := r.Games[i], r.Games[i+1]
			words := strings.Fields(x.Moves)[:x.Opening]
			opening := strings.Join(words, " ")
			if x.Pair != y.Pair || !x.AFirst || y.AFirst || x.Opening != y.Opening || !strings.HasPrefix(y.Moves+" ", opening+" ") {
				t.Errorf("%s: games %+v and %+v are no pair", f.Name, x, y)
			}
			if seen[opening] {
				t.Errorf("%s: opening %s was played before", f.Name, opening)
			}
			seen[opening] = true
			s := replay(t, g, words)
			if s.Turn() != 3 || s.Actor() > engine.Second {
				t.Errorf("%s: opening %s ends at turn %d with %s to decide", f.Name, opening, s.Turn(), s.Actor())
			}
			if end := replay(t, g, strings.Fields(x.Moves)); !end.Outcome().Over || end.Turn() != x.Turns {
				t.Errorf("%s: moves %q do not replay to the end", f.Name, x.Moves)
			}
		}
		if r.DistinctOpenings != 8 {
			t.Errorf("%s: %d distinct openings, want 8", f.Name, r.DistinctOpenings)
		}
	}
}

// replay plays words from the start.
func replay(t *testing.T, g engine.Game, words []string) engine.State {
	t.Helper()
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	for _, w := range words {
		a, err := s.ParseAction(w, h)
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(a, h)
	}
	return s
}

// TestOneKindAgainstItself needs the two players to draw different numbers in
// both games of a pair.
func TestOneKindAgainstItself(t *testing.T) {
	g := game(t, &connect4.Family)
	p := contestant(t, "random", g)
	r := matchOf(t, match.Config{Pairs: 200, OpeningTurns: 2, Workers: 2, Seed: 2}, g, p, p)
	// The first mover wins about 56 % of random games, so pairs split often;
	// equal streams would split every pair and repeat every game.
	if r.RepeatedGames > 2 || r.Pairs[2] > 180 {
		t.Errorf("random against itself: %d repeated games, pairs %v", r.RepeatedGames, r.Pairs)
	}
	if r.Score.Low > 0.5 || r.Score.High < 0.5 {
		t.Errorf("random against itself scores %+v", r.Score)
	}
	if r.AsFirst.Wins <= r.AsFirst.Losses {
		t.Errorf("the first mover wins %s", r.AsFirst)
	}
}

func TestRepeatedGamesAreCounted(t *testing.T) {
	g := game(t, &connect4.Family)
	r := matchOf(t, match.Config{Pairs: 10, OpeningTurns: 0, Workers: 3, Seed: 1}, g, script("low", lowest), script("high", highest))
	if r.DistinctOpenings != 1 || r.RepeatedGames != 18 || r.RepeatedPairs != 9 {
		t.Errorf("openings %d, repeated games %d, pairs %d; want 1, 18, 9", r.DistinctOpenings, r.RepeatedGames, r.RepeatedPairs)
	}
	var text strings.Builder
	if err := r.WriteText(&text); err != nil || !strings.Contains(text.String(), "18 games equal to an earlier one, 9 pairs equal to an earlier pair: all pairs count for as much evidence as 1\n") {
		t.Errorf("the text does not say what repetitions count for (%v):\n%s", err, &text)
	}
	one := matchOf(t, match.Config{Pairs: 1, OpeningTurns: 0, Workers: 1, Seed: 1}, g, script("low", lowest), script("high", highest))
	if r.Score != one.Score {
		t.Errorf("ten equal pairs score %+v, one %+v", r.Score, one.Score)
	}
}

func TestOpeningsThatRunOutRepeat(t *testing.T) {
	g := game(t, &tictactoe.Family)
	r := matchOf(t, match.Config{Pairs: 20, OpeningTurns: 1, Workers: 1, Seed: 1}, g, script("low", lowest), script("high", highest))
	if r.DistinctOpenings != 9 || r.RepeatedPairs != 11 {
		t.Errorf("%d openings of one turn, %d repeated pairs; want 9, 11", r.DistinctOpenings, r.RepeatedPairs)
	}
	_, err := match.Play(context.Background(), match.Config{Pairs: 1, OpeningTurns: 9, Workers: 1}, g, script("low", lowest), script("high", highest), nil)
	if err == nil || !strings.Contains(err.Error(), "random:turns=9: none leaves a game to play") {
		t.Errorf("openings as long as the game: %v", err)
	}
}

func TestEventsComeInOrder(t *testing.T) {
	g := game(t, &connect4.Family)
	next := 0
	var last match.Event
	r, err := match.Play(context.Background(), match.Config{Pairs: 30, OpeningTurns: 2, Workers: 4, Seed: 1}, g,
		contestant(t, "mcts:sims=5", g), contestant(t, "random", g), func(e match.Event) {
			if next++; e.Game.Number != next || e.Total != 60 || e.Wins+e.Draws+e.Losses != next {
				t.Errorf("event %d is %+v of game %d", next, e, e.Game.Number)
			}
			last = e
		})
	if err != nil || next != 60 {
		t.Fatalf("%d events, %v, want 60", next, err)
	}
	if last.Wins != r.Wins || last.Draws != r.Draws || last.Losses != r.Losses {
		t.Errorf("last event %+v, result %+v", last, r.Tally)
	}
}

func TestInterruptedMatchKeepsWholePairs(t *testing.T) {
	g := game(t, &connect4.Family)
	a, b := contestant(t, "random", g), contestant(t, "mcts:sims=2", g)
	cfg := match.Config{Pairs: 500, OpeningTurns: 2, Workers: 3, Seed: 1}
	whole := matchOf(t, cfg, g, a, b)
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	cause := errors.New("enough")
	r, err := match.Play(ctx, cfg, g, a, b, func(e match.Event) {
		if e.Game.Number == 7 {
			cancel(cause)
		}
	})
	if !errors.Is(err, cause) || r == nil {
		t.Fatalf("Match = %v, %v, want a result and the cause", r, err)
	}
	n := len(r.Games)
	if n < 6 || n%2 != 0 || n == len(whole.Games) || r.Pairs.Pairs() != n/2 || r.PlannedPairs != 500 {
		t.Errorf("%d games in %d pairs of %d", n, r.Pairs.Pairs(), r.PlannedPairs)
	}
	if !reflect.DeepEqual(r.Games, whole.Games[:n]) {
		t.Error("the games are not those of the whole match")
	}
	cancelled, cancel2 := context.WithCancel(context.Background())
	cancel2()
	if r, err := match.Play(cancelled, cfg, g, a, b, nil); r != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("Match with an ended context = %v, %v, want nil, context.Canceled", r, err)
	}
}

func TestFaultyPlayersAreNamed(t *testing.T) {
	g := game(t, &connect4.Family)
	good := script("low", lowest)
	broken := errors.New("broken")
	for _, c := range []struct {
		bad  match.Contestant
		want string
	}{
		{script("cheat", func(engine.State, []engine.Action) (engine.Action, error) { return 99, nil }), "cheat chose action 99, which is not legal in"},
		{script("sick", func(engine.State, []engine.Action) (engine.Action, error) { return 0, broken }), "sick: broken"},
		{match.Contestant{Name: "absent", New: func() (match.Player, error) { return nil, broken }}, "absent: broken"},
	} {
		for _, workers := range []int{1, 4} {
			cfg := match.Config{Pairs: 20, OpeningTurns: 2, Workers: workers, Seed: 1}
			r, err := match.Play(context.Background(), cfg, g, good, c.bad, nil)
			if r != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s with %d workers: %v, %v, want an error with %q", c.bad.Name, workers, r, err, c.want)
			}
		}
	}
}

func TestMaxTurnsDraws(t *testing.T) {
	g := game(t, &connect4.Family)
	r := matchOf(t, match.Config{Pairs: 10, OpeningTurns: 2, MaxTurns: 5, Workers: 1, Seed: 1}, g, script("low", lowest), script("high", highest))
	if r.Draws != 20 || r.Reasons[match.TurnLimit] != 20 || r.MeanTurns != 5 {
		t.Errorf("result %+v, reasons %v, %g turns", r.Tally, r.Reasons, r.MeanTurns)
	}
	// A game that ends on the last turn allowed has its own result: x fills a
	// column in its fourth turn, the seventh of the game.
	stack := script("stack", func(s engine.State, list []engine.Action) (engine.Action, error) {
		return engine.Action(2 * s.Turn() % 4), nil
	})
	r = matchOf(t, match.Config{Pairs: 1, MaxTurns: 7, Workers: 1, Seed: 1}, g, stack, stack)
	if r.Draws != 0 || r.Wins != 1 || r.MeanTurns != 7 {
		t.Errorf("result %+v, reasons %v, %g turns, want a win each", r.Tally, r.Reasons, r.MeanTurns)
	}
}

func TestStrongerPlayersScoreMore(t *testing.T) {
	for _, c := range []struct {
		family *engine.Family
		a, b   string
		turns  int
		low    float64
	}{
		{&connect4.Family, "minimax:depth=2", "random", 2, 0.75},
		{&connect4.Family, "mcts:sims=100", "random", 2, 0.9},
		{&connect4.Family, "mcts:sims=100", "mcts:sims=10", 2, 0.7},
		{&tictactoe.Family, "exact", "random", 0, 0.8},
		{&racegame.Family, "exact", "random", 0, 0.5},
	} {
		g := game(t, c.family)
		r := matchOf(t, match.Config{Pairs: 50, OpeningTurns: c.turns, Workers: 2, Seed: 2}, g, contestant(t, c.a, g), contestant(t, c.b, g))
		if r.Score.Low < c.low {
			t.Errorf("%s: %s against %s scores %+v, want at least %g", c.family.Name, c.a, c.b, r.Score, c.low)
		}
		if c.family == &tictactoe.Family && r.Losses != 0 {
			t.Errorf("exact lost %d games of tic-tac-toe", r.Losses)
		}
	}
}

func TestTextNamesItsConditions(t *testing.T) {
	g := game(t, &connect4.Family)
	r := matchOf(t, match.Config{Pairs: 3, OpeningTurns: 2, Workers: 1, Seed: 8}, g, script("low", lowest), script("high", highest))
	r.PlannedPairs = 4
	var b strings.Builder
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{
		"A          low\n", "B          high\n", "game       connect4, rules standard (version 1)\n",
		"games      6 in 3 pairs with seats exchanged, openings of 2 random turns (3 distinct), seed 8\n",
		"stopped early: 4 pairs were planned",
		fmt.Sprintf("A's games  %d won, %d drawn, %d lost; moving first %s, second %s\n", r.Wins, r.Draws, r.Losses, r.AsFirst, r.AsSecond),
		"A's score  ", "(95 %: ", "Elo A - B  ", "turns a game",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("text lacks %q:\n%s", want, text)
		}
	}
	out, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back match.Result
	if err := json.Unmarshal(out, &back); err != nil || !reflect.DeepEqual(&back, r) {
		t.Errorf("JSON does not read back (%v):\n%s", err, out)
	}
}

func TestValidateReportsEverything(t *testing.T) {
	ok := match.DefaultConfig()
	if err := ok.Validate(); err != nil {
		t.Errorf("the default is refused: %v", err)
	}
	bad := match.Config{Pairs: 0, OpeningTurns: -1, MaxTurns: -5, Workers: -1}
	err := bad.Validate()
	for _, want := range []string{"pairs=0", "opening_turns=-1", "max_turns=-5", "workers=-1"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Validate = %v, want it to name %s", err, want)
		}
	}
	ok.Pairs = 10_000_001
	if err := ok.Validate(); err == nil || err.Error() != "pairs=10000001: want 1 to 10000000" {
		t.Errorf("Validate = %v, want it to refuse so many pairs", err)
	}
}

// TestTextOfTime: what the searches of a timed player counted, and whether its limit was kept.
func TestTextOfTime(t *testing.T) {
	e := match.Effort{Limit: 10 * time.Millisecond, Decisions: 4, Simulations: 4000, Time: 40 * time.Millisecond}
	deep, slow := e, e
	deep.Depth = true
	slow.Time = 52 * time.Millisecond
	for _, c := range []struct {
		e    match.Effort
		want string
	}{
		{e, "4 searches of 10ms: mean 10ms, 1000 simulations, at most 0s late"},
		{deep, "4 searches of 10ms: mean 10ms, 1000 positions, at most 0s late"},
		{slow, "4 searches of 10ms: mean 13ms, 1000 simulations, at most 0s late; too late on average to tell of this limit: the machine has other work, or too many games at once"},
	} {
		if got := c.e.String(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.e, got, c.want)
		}
	}
}

// TestTimedMatchSaysWhatItTook has a player that is limited by time meet one
// that is not.
func TestTimedMatchSaysWhatItTook(t *testing.T) {
	g := game(t, &tictactoe.Family)
	cfg := match.Config{Pairs: 3, Workers: 2, Seed: 1}
	r := matchOf(t, cfg, g, contestant(t, "random", g), contestant(t, "mcts:time=1ms", g))
	e := r.BEffort
	if r.AEffort != nil || e == nil {
		t.Fatalf("efforts %v and %v, want the second alone", r.AEffort, e)
	}
	// Three or four decisions with a choice a game, none with it in the last.
	if e.Limit != time.Millisecond || e.Decisions < 6 || e.Decisions > 24 || e.Simulations < int64(e.Decisions) ||
		e.Time < time.Duration(e.Decisions)*e.Limit || e.Late <= 0 || e.Full != 0 {
		t.Errorf("effort %+v", e)
	}
	var b bytes.Buffer
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"B's time   ", "searches of 1ms: mean ", "the same command plays other games"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "A's time") {
		t.Errorf("the report gives a time of A:\n%s", b.String())
	}
	again := matchOf(t, cfg, g, contestant(t, "random", g), contestant(t, "mcts:sims=5", g))
	text, err := json.Marshal(again)
	if err != nil || again.BEffort != nil || bytes.Contains(text, []byte("effort")) {
		t.Errorf("a match without limits of time: %s, %v", text, err)
	}
}
