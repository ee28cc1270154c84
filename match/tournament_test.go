package match_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/stats/rating"
)

// tournament is one of three players of Connect Four.
func tournament(t *testing.T, cfg match.Config, gauntlet bool) *match.Series {
	t.Helper()
	g := game(t, &connect4.Family)
	openings, err := match.RandomOpenings(t.Context(), g, cfg.Pairs, cfg.OpeningTurns, cfg.Seed)
	if err != nil {
		t.Fatal(err)
	}
	players := []match.Contestant{contestant(t, "random", g), contestant(t, "mcts:sims=60", g), contestant(t, "mcts:sims=8", g)}
	s, err := match.NewSeries(cfg, g, players, gauntlet, openings)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTournamentSchedule(t *testing.T) {
	cfg := match.Config{Pairs: 3, OpeningTurns: 2, MaxTurns: 90, Workers: 2, Seed: 5}
	s := tournament(t, cfg, false)
	want := []match.Pair{
		{A: 0, B: 1}, {A: 0, B: 2}, {A: 1, B: 2},
		{A: 0, B: 1, Opening: 1}, {A: 0, B: 2, Opening: 1}, {A: 1, B: 2, Opening: 1},
		{A: 0, B: 1, Opening: 2}, {A: 0, B: 2, Opening: 2}, {A: 1, B: 2, Opening: 2},
	}
	if !slices.Equal(s.Schedule, want) || s.MaxTurns != 90 || s.Workers != 2 || s.Seed != 5 {
		t.Errorf("round robin %+v", s)
	}
	if g := tournament(t, cfg, true); !slices.Equal(g.Schedule, []match.Pair{
		{A: 0, B: 1}, {A: 0, B: 2}, {A: 0, B: 1, Opening: 1}, {A: 0, B: 2, Opening: 1}, {A: 0, B: 1, Opening: 2}, {A: 0, B: 2, Opening: 2}}) {
		t.Errorf("gauntlet %+v", g.Schedule)
	}
	few := run(t, s, nil, match.Hooks{})
	cfg.Pairs = 4
	if many := run(t, tournament(t, cfg, false), nil, match.Hooks{}); !reflect.DeepEqual(many[:len(few)], few) {
		t.Error("a longer tournament begins with other games")
	}
	if _, err := match.NewSeries(cfg, s.Game, s.Contestants[:1], false, s.Openings); err == nil {
		t.Error("a tournament of one player is accepted")
	}
	cfg.Pairs = 4_000_000
	if _, err := match.NewSeries(cfg, s.Game, s.Contestants, false, s.Openings); err == nil ||
		err.Error() != "pairs=4000000 of each two players that meet: want at most 3333333 where 3 pairs of players do" {
		t.Errorf("a tournament of 12,000,000 pairs: %v", err)
	}
}

func TestTournamentRanksPlayers(t *testing.T) {
	cfg := match.Config{Pairs: 12, OpeningTurns: 2, Workers: 2, Seed: 5}
	s := tournament(t, cfg, false)
	games := run(t, s, nil, match.Hooks{})
	r, err := match.Rank(cfg, s, false, games, rating.Options{Anchor: "random"})
	if err != nil {
		t.Fatal(err)
	}
	if order := r.Ratings.Order(); !slices.Equal(order, []int{1, 2, 0}) {
		t.Errorf("order %v, want mcts:sims=60, mcts:sims=8, random", order)
	}
	points := 0.0
	for _, p := range r.Ratings.Players {
		points += p.Points
		if p.Games != 48 {
			t.Errorf("%s: %d games, want 48", p.Name, p.Games)
		}
	}
	if points != 72 || r.Pairs != 36 || r.PlannedInAll != 36 || r.DistinctOpenings != 12 || r.Ratings.Players[0].Elo.Value != 0 {
		t.Errorf("%v points in %d pairs of %d, %d openings, anchor at %v", points, r.Pairs, r.PlannedInAll, r.DistinctOpenings, r.Ratings.Players[0].Elo)
	}
	var b bytes.Buffer
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"game       connect4, rules standard (version 1)\n",
		"played     round robin of 3 players, 12 pairs with seats exchanged of each two that meet, seed 5\n",
		"openings   random:turns=2 (12 distinct), list " + s.Openings.Hash() + "\n",
		"3 players, 72 games\n", "probability in % that the row is stronger than the column",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, b.String())
		}
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back match.Standing
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back.Ratings.Pairings, r.Ratings.Pairings) || back.Seed != 5 {
		t.Errorf("JSON does not read back: %v\n%s", err, text)
	}

	// A tournament that was stopped in its second round still rates everyone.
	part, err := match.Rank(cfg, s, false, games[:9], rating.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b.Reset()
	if err := part.WriteText(&b); err != nil || part.Pairs != 4 || !strings.Contains(b.String(), "stopped early: 4 of 36 pairs were played\n") {
		t.Errorf("a part: %d pairs, %v\n%s", part.Pairs, err, b.String())
	}
	if _, err := match.Rank(cfg, s, false, games[:1], rating.Options{}); err == nil {
		t.Error("half a pair is rated")
	}
}

// TestRoundsOfOneOpeningAreIndependent: an opening that the same two play again is another
// one, or all rounds of a tournament would be one piece of evidence.
func TestRoundsOfOneOpeningAreIndependent(t *testing.T) {
	s := tournament(t, match.Config{Pairs: 40, OpeningTurns: 0, Workers: 2, Seed: 5}, false)
	if n := len(s.Openings.List); n != 1 {
		t.Fatalf("%d openings of no turns", n)
	}
	c := match.NewCounter(s)
	for _, g := range run(t, s, nil, match.Hooks{}) {
		c.Add(&g)
	}
	seen := map[int]bool{}
	for round, o := range c.Pairings()[0].Opened {
		if seen[o.Opening] || c.Pairings()[1].Opened[round].Opening != o.Opening {
			t.Fatalf("round %d has opening %d, of another round or not for all", round, o.Opening)
		}
		seen[o.Opening] = true
	}
	width := func(opened bool) float64 {
		t.Helper()
		p := slices.Clone(c.Pairings()[2:]) // the two that search
		p[0].A, p[0].B = 0, 1
		if !opened {
			p[0].Opened = nil
		}
		table, err := rating.Fit([]string{"a", "b"}, p, rating.Options{Anchor: "a"})
		if err != nil {
			t.Fatal(err)
		}
		return table.Players[1].Elo.High - table.Players[1].Elo.Low
	}
	if got, want := width(true), width(false); math.Abs(got-want) > want/20 {
		t.Errorf("the interval is %.0f Elo wide, that of as many openings %.0f", got, want)
	}
}

func TestGauntletNamesItsHost(t *testing.T) {
	cfg := match.Config{Pairs: 20, OpeningTurns: 1, Workers: 2, Seed: 5}
	s := tournament(t, cfg, true)
	r, err := match.Rank(cfg, s, true, run(t, s, nil, match.Hooks{}), rating.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"played     gauntlet of random of 3 players", "(7 distinct)", "; used again in order, 7 for 20 pairs\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, b.String())
		}
	}
}

// TestTournamentSaysWhatSearchesTook has one player that is limited by time.
func TestTournamentSaysWhatSearchesTook(t *testing.T) {
	g := game(t, &connect4.Family)
	cfg := match.Config{Pairs: 1, OpeningTurns: 2, MaxTurns: 6, Workers: 1, Seed: 5}
	openings, err := match.RandomOpenings(context.Background(), g, 1, 2, 5)
	if err != nil {
		t.Fatal(err)
	}
	s, err := match.NewSeries(cfg, g, []match.Contestant{contestant(t, "random", g), contestant(t, "mcts:time=1ms", g), contestant(t, "mcts:sims=2", g)}, false, openings)
	if err != nil {
		t.Fatal(err)
	}
	r, err := match.Rank(cfg, s, false, run(t, s, nil, match.Hooks{}), rating.Options{})
	if err != nil {
		t.Fatal(err)
	}
	name := s.Contestants[1].Name
	// Four games of four turns more each, of which it plays two.
	if e := r.Efforts[name]; len(r.Efforts) != 1 || e == nil || e.Decisions != 8 {
		t.Errorf("efforts %+v, want 8 decisions of %s", r.Efforts, name)
	}
	var b bytes.Buffer
	if err := r.WriteText(&b); err != nil || !strings.Contains(b.String(), "time       "+name+": 8 searches of 1ms") || r.Reasons[match.TurnLimit] != 6 {
		t.Errorf("%v\n%s", err, b.String())
	}
}
