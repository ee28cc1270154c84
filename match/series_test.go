package match_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/stats/rating"
)

// triple is a series of three players in which each two meet rounds times.
func triple(t testing.TB, f *engine.Family, rounds, workers int) *match.Series {
	t.Helper()
	g := game(t, f)
	openings, err := match.RandomOpenings(t.Context(), g, rounds, 2, 4)
	if err != nil {
		t.Fatal(err)
	}
	s := &match.Series{
		Game: g, Openings: openings, Workers: workers, Seed: 4,
		Contestants: []match.Contestant{contestant(t, "mcts:sims=6", g), contestant(t, "random", g), contestant(t, "random", g)},
	}
	for i := range rounds {
		for _, p := range [][2]int{{0, 1}, {1, 2}, {2, 0}} {
			s.Schedule = append(s.Schedule, match.Pair{A: p[0], B: p[1], Opening: i % len(openings.List)})
		}
	}
	return s
}

func run(t testing.TB, s *match.Series, done []match.Game, hooks match.Hooks) []match.Game {
	t.Helper()
	games, err := s.Run(context.Background(), done, hooks)
	if err != nil {
		t.Fatal(err)
	}
	return games
}

func TestSeriesIsTheSameFromAnyBeginning(t *testing.T) {
	for _, f := range []*engine.Family{&connect4.Family, &racegame.Family} {
		want := run(t, triple(t, f, 6, 1), nil, match.Hooks{})
		if len(want) != 36 {
			t.Fatalf("%s: %d games, want 36", f.Name, len(want))
		}
		for part := range uint64(5) {
			rng := rand.New(rand.NewPCG(part, 1))
			var done []match.Game
			for _, i := range rng.Perm(len(want))[:rng.IntN(len(want)+1)] {
				done = append(done, want[i])
			}
			var counted, finished []int
			got := run(t, triple(t, f, 6, 3), done, match.Hooks{
				Counted:  func(g *match.Game) bool { counted = append(counted, g.Number); return true },
				Finished: func(g *match.Game) error { finished = append(finished, g.Number); return nil },
			})
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %d games played before change the series", f.Name, len(done))
			}
			if len(counted) != 36 || !slices.IsSorted(counted) {
				t.Errorf("%s: games counted in the order %v", f.Name, counted)
			}
			if len(finished) != len(want)-len(done) {
				t.Errorf("%s: %d games played after %d", f.Name, len(finished), len(done))
			}
			for _, g := range done {
				if slices.Contains(finished, g.Number) {
					t.Errorf("%s: game %d was played twice", f.Name, g.Number)
				}
			}
		}
		// A schedule that is longer begins with the same games.
		if long := run(t, triple(t, f, 8, 2), nil, match.Hooks{}); f == &racegame.Family && !reflect.DeepEqual(long[:36], want) {
			t.Errorf("%s: a longer schedule begins with other games", f.Name)
		}
	}
}

// TestStoppingGoesByTheSchedule has players of which one takes its games quickly
// and the other for long, and stops at a count of games.
func TestStoppingGoesByTheSchedule(t *testing.T) {
	want := run(t, triple(t, &connect4.Family, 10, 1), nil, match.Hooks{})
	for _, workers := range []int{1, 5} {
		for _, known := range []int{0, 3, 25} {
			calls := 0
			got := run(t, triple(t, &connect4.Family, 10, workers), want[:known], match.Hooks{Counted: func(g *match.Game) bool {
				calls++
				return g.Number < 14
			}})
			if calls != 14 || !reflect.DeepEqual(got, want[:14]) {
				t.Errorf("%d workers, %d games known: %d games after %d calls, want the first 14", workers, known, len(got), calls)
			}
		}
	}
	part := triple(t, &connect4.Family, 10, 3)
	for _, until := range []int{14, 20, 0} {
		part.Until = until
		got := run(t, part, want[:16], match.Hooks{})
		if n := max(until, 16); until > 0 && len(got) != n || until == 0 && len(got) != len(want) || !reflect.DeepEqual(got, want[:len(got)]) {
			t.Errorf("until game %d with 16 known: %d games", until, len(got))
		}
	}
	full := errors.New("disk full")
	got, err := triple(t, &connect4.Family, 10, 3).Run(t.Context(), nil, match.Hooks{Finished: func(g *match.Game) error {
		if g.Number == 8 {
			return full
		}
		return nil
	}})
	if !errors.Is(err, full) || len(got) > 7 || !reflect.DeepEqual(got, want[:len(got)]) {
		t.Errorf("a journal that cannot be written: %d games, %v, want fewer than 8 and its error", len(got), err)
	}
}

func TestSeriesRefusesWhatItCannotPlay(t *testing.T) {
	good := run(t, triple(t, &connect4.Family, 2, 1), nil, match.Hooks{})
	other := func(change func(*match.Game)) match.Game {
		g := good[3]
		change(&g)
		return g
	}
	for _, c := range []struct {
		change func(*match.Series)
		done   []match.Game
		want   string
	}{
		{done: []match.Game{other(func(g *match.Game) { g.Number = 13 })}, want: "game 13 was played before: want 1 to 12"},
		{done: []match.Game{other(func(g *match.Game) { g.Pair = 3 })}, want: "game 4 was played before as one of pair 3"},
		{done: []match.Game{other(func(g *match.Game) { g.AFirst = true })}, want: "A first true"},
		{done: []match.Game{good[3], good[3]}, want: "game 4 was played before, twice"},
		{change: func(s *match.Series) { s.Schedule[1].B = 1 }, want: "pair 2: contestants 1 and 1"},
		{change: func(s *match.Series) { s.Schedule[1].B = 3 }, want: "pair 2: contestants 1 and 3: want two of 0 to 2"},
		{change: func(s *match.Series) { s.Schedule[2].Opening = 2 }, want: "pair 3: opening 2: want 0 to 1"},
		{change: func(s *match.Series) { s.Openings = nil }, want: "no openings"},
		{change: func(s *match.Series) { s.Schedule = nil }, want: "no pairs"},
		{change: func(s *match.Series) { s.MaxTurns = 2 }, want: "opening 1 ends after 2 turns: want max_turns=2 to be 0 or more than that"},
		{change: func(s *match.Series) { s.Openings.List[0].Actions[1] = 6000 }, want: "decision 2 of its opening, action 6000, is not legal"},
		{change: func(s *match.Series) { s.Openings.List[0].Position = "nonsense" }, want: `game 1: opening from position "nonsense": `},
	} {
		s := triple(t, &connect4.Family, 2, 1)
		if c.change != nil {
			c.change(s)
		}
		if _, err := s.Run(t.Context(), c.done, match.Hooks{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Run = %v, want %q", err, c.want)
		}
	}
}

func TestSeriesFromPositions(t *testing.T) {
	g := game(t, &tictactoe.Family)
	position := string(replay(t, g, []string{"a1", "b2"}).AppendPosition(nil))
	s := seriesOf(t, match.Config{Pairs: 2, Workers: 1, Seed: 1}, g, script("low", lowest), script("high", highest),
		&match.Openings{List: []match.Opening{{Position: position}, {Position: position, Actions: []engine.Action{2}}}})
	for i, g := range run(t, s, nil, match.Hooks{}) {
		if g.Start != position || g.Opening != i/2 || strings.Contains(g.Moves, "a1") || i >= 2 && !strings.HasPrefix(g.Moves, "c1 ") {
			t.Errorf("game %+v", g)
		}
	}
}

// TestRepetitionsAreFoundInEveryPairing has three players that never vary.
func TestRepetitionsAreFoundInEveryPairing(t *testing.T) {
	g := game(t, &connect4.Family)
	openings, err := match.RandomOpenings(t.Context(), g, 2, 2, 4)
	if err != nil {
		t.Fatal(err)
	}
	s := &match.Series{Game: g, Openings: openings, Contestants: []match.Contestant{
		script("low", lowest), script("high", highest), script("low", lowest),
	}}
	// 0 and 1 meet twice from each opening, the second time named the other way
	// round; 1 and 2 once from each, in which they repeat the games of others.
	s.Schedule = []match.Pair{{A: 0, B: 1}, {A: 0, B: 1, Opening: 1}, {A: 1, B: 0}, {A: 1, B: 0, Opening: 1}, {A: 1, B: 2}, {A: 1, B: 2, Opening: 1}}
	games := run(t, s, nil, match.Hooks{})
	c := match.NewCounter(s)
	for i := range games {
		if whole := c.Add(&games[i]); whole != (i%2 == 1) {
			t.Errorf("game %d completes a pair: %t", i+1, whole)
		}
	}
	if c.RepeatedGames() != 8 {
		t.Errorf("%d repeated games, want 8", c.RepeatedGames())
	}
	p := c.Pairings()
	if len(p) != 2 || p[0].A != 0 || p[0].B != 1 || p[1].A != 1 || p[1].B != 2 {
		t.Fatalf("pairings %+v", p)
	}
	if p[0].Repeated != 2 || p[1].Repeated != 0 || match.Independent(&p[0]) != 2 || match.Independent(&p[1]) != 2 {
		t.Errorf("repeated pairs %d of %d and %d of %d, want 2 of 4 and 0 of 2",
			p[0].Repeated, p[0].PairCounts().Pairs(), p[1].Repeated, p[1].PairCounts().Pairs())
	}
	// Named the other way round, the same pairs are the same results.
	half := match.NewCounter(s)
	for i := range games[:4] {
		half.Add(&games[i])
	}
	for i, row := range half.Pairings()[0].Pairs {
		for j, n := range row {
			if p[0].Pairs[i][j] != 2*n {
				t.Errorf("A made %d and %d half points in %d pairs, then in %d", i, j, n, p[0].Pairs[i][j])
			}
		}
	}
	if _, err := rating.Fit([]string{"a", "b", "c"}, p, rating.Options{}); err != nil {
		t.Errorf("the pairings cannot be rated: %v", err)
	}
}

// TestPlayersAreMadeWhenNeeded counts them.
func TestPlayersAreMadeWhenNeeded(t *testing.T) {
	s := triple(t, &connect4.Family, 3, 1)
	made := map[int]int{}
	for i := range s.Contestants {
		makes := s.Contestants[i].New
		s.Contestants[i].New = func() (match.Player, error) { made[i]++; return makes() }
	}
	s.Schedule = slices.DeleteFunc(s.Schedule, func(p match.Pair) bool { return p.A == 2 || p.B == 2 })
	run(t, s, nil, match.Hooks{})
	if fmt.Sprint(made) != "map[0:1 1:1]" {
		t.Errorf("players made, by contestant: %v, want one of 0 and of 1", made)
	}
}

// resting holds something while a game lasts.
type resting struct {
	match.Player
	held bool
	most *int // of all, at the same time
	now  *int
}

func (r *resting) NewGame(ctx context.Context, seed uint64) error {
	if !r.held {
		r.held = true
		*r.now++
		*r.most = max(*r.most, *r.now)
	}
	return r.Player.NewGame(ctx, seed)
}

func (r *resting) Rest() {
	if r.held {
		r.held = false
		*r.now--
	}
}

// TestWhoDoesNotPlayRests: a worker has players of all contestants, of whom two play.
func TestWhoDoesNotPlayRests(t *testing.T) {
	s := triple(t, &connect4.Family, 3, 1)
	s.Workers = 1
	most, now := 0, 0
	for i := range s.Contestants {
		makes := s.Contestants[i].New
		s.Contestants[i].New = func() (match.Player, error) {
			p, err := makes()
			return &resting{Player: p, most: &most, now: &now}, err
		}
	}
	run(t, s, nil, match.Hooks{})
	if most != 2 || now != 0 {
		t.Errorf("%d players at most held what a game needs, %d in the end; want 2 and 0", most, now)
	}
}

// TestTournamentSaysWhatRepeats has three players that never vary play four rounds
// from two openings.
func TestTournamentSaysWhatRepeats(t *testing.T) {
	g := game(t, &connect4.Family)
	openings, err := match.RandomOpenings(t.Context(), g, 2, 2, 4)
	if err != nil {
		t.Fatal(err)
	}
	middle := func(_ engine.State, list []engine.Action) (engine.Action, error) { return list[len(list)/2], nil }
	cfg := match.Config{Pairs: 4, Workers: 2, Seed: 4}
	s, err := match.NewSeries(cfg, g, []match.Contestant{script("low", lowest), script("high", highest), script("middle", middle)}, false, openings)
	if err != nil {
		t.Fatal(err)
	}
	r, err := match.Rank(cfg, s, false, run(t, s, nil, match.Hooks{}), rating.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := r.WriteText(&b); err != nil || !strings.Contains(b.String(), ", 6 pairs equal to an earlier pair of the same two, which is no evidence\n") {
		t.Errorf("the text does not count repeated pairs (%v):\n%s", err, &b)
	}
}

// watcher notes what it is told of each game before it decides, and that it was
// dismissed.
type watcher struct {
	starts    map[string]bool
	words     []string
	dismissed *int
}

func (w *watcher) NewGame(context.Context, uint64) error { return nil }

func (w *watcher) Think(ctx context.Context, s engine.State, h *engine.History, b match.Bounds) (*match.Analysis, error) {
	start, moves := b.Record()
	w.starts[start] = true
	w.words = strings.Fields(moves)
	a, err := w.decide(ctx, s, h)
	return &match.Analysis{Choice: a, Line: []engine.Action{a}}, err
}

func (w *watcher) decide(_ context.Context, s engine.State, h *engine.History) (engine.Action, error) {
	if !w.starts[""] || len(w.words) != s.Turn() {
		return 0, fmt.Errorf("told of %q at turn %d", w.words, s.Turn())
	}
	return s.Legal(nil, h)[0], nil
}

func (w *watcher) Close() error {
	*w.dismissed++
	return nil
}

// TestPlayersAreInformedAndDismissed tells players that want to know how the game
// came to where it is, opening included, and dismisses each once in the end.
func TestPlayersAreInformedAndDismissed(t *testing.T) {
	dismissed := 0
	w := match.Contestant{Name: "watcher", New: func() (match.Player, error) {
		return &watcher{starts: map[string]bool{}, dismissed: &dismissed}, nil
	}}
	cfg := match.DefaultConfig()
	cfg.Pairs, cfg.Workers, cfg.OpeningTurns = 2, 1, 2
	if _, err := match.Play(t.Context(), cfg, game(t, &connect4.Family), w, w, nil); err != nil {
		t.Fatal(err)
	}
	if dismissed != 2 {
		t.Errorf("%d players were dismissed, of 2", dismissed)
	}
}

func seriesOf(t testing.TB, cfg match.Config, g engine.Game, a, b match.Contestant, openings *match.Openings) *match.Series {
	t.Helper()
	s, err := match.NewSeries(cfg, g, []match.Contestant{a, b}, false, openings)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSeedsFollowFromIdentity: a player that has an identity plays the same games under
// any name; without one its name decides.
func TestSeedsFollowFromIdentity(t *testing.T) {
	games := func(name, identity string) []match.Game {
		s := triple(t, &racegame.Family, 4, 2)
		for i := range s.Contestants {
			s.Contestants[i].Name, s.Contestants[i].Identity = name, identity
		}
		return run(t, s, nil, match.Hooks{})
	}
	a := games("a", "what it is")
	if !reflect.DeepEqual(a, games("b", "what it is")) {
		t.Error("players with the same identity play other games under another name")
	}
	if reflect.DeepEqual(a, games("a", "")) || reflect.DeepEqual(games("a", ""), games("b", "")) {
		t.Error("players without an identity play the same games under any name")
	}
}
