package match_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/stats/rating"
)

// thinking is a contestant whose players take a time for each decision.
func thinking(name string, takes func() time.Duration) match.Contestant {
	return match.Contestant{Name: name, New: func() (match.Player, error) { return &thinker{takes: takes}, nil }}
}

// TestTimeForfeit has a quick player meet one that needs more time than there is.
func TestTimeForfeit(t *testing.T) {
	g := game(t, &connect4.Family)
	for _, swap := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			quick, slow := thinking("quick", always(10*time.Millisecond)), thinking("slow", always(900*time.Millisecond))
			a, b := quick, slow
			if swap {
				a, b = b, a
			}
			cfg := match.Config{Pairs: 3, OpeningTurns: 2, Workers: 2, Seed: 1, Clock: "0.05+0.1"}
			r := matchOf(t, cfg, g, a, b)
			fast, late, want := r.AClock, r.BClock, match.Tally{Wins: 6}
			if swap {
				fast, late, want = late, fast, match.Tally{Losses: 6}
			}
			if r.Tally != want || r.Reasons[match.TimeForfeit] != 6 || r.Clock != "0.05+0.1" {
				t.Fatalf("%v, %v, clock %q, want %v by forfeit", r.Tally, r.Reasons, r.Clock, want)
			}
			// 3 s and three increments last three decisions of 900 ms; the flag falls
			// in the fourth, after 600 ms of it, when it is broken off.
			if want := (match.ClockUse{Games: 6, Used: 6 * 3300 * time.Millisecond, Given: 6 * 3300 * time.Millisecond, Forfeits: 6}); *late != want {
				t.Errorf("the slow one: %+v, want %+v", *late, want)
			}
			if fast.Forfeits != 0 || fast.Games != 6 || fast.Used >= 6*50*time.Millisecond || fast.Least < 3*time.Second {
				t.Errorf("the quick one: %+v", *fast)
			}
			for _, game := range r.Games {
				slowUsed, slowLeft := game.Clock.BUsed, game.Clock.BLeft
				if swap {
					slowUsed, slowLeft = game.Clock.AUsed, game.Clock.ALeft
				}
				if slowUsed != 3300*time.Millisecond || slowLeft != 0 {
					t.Errorf("game %d: %+v", game.Number, *game.Clock)
				}
				// What was decided too late is not played.
				if n := len(strings.Fields(game.Moves)); n != game.Turns || n > 2+7 {
					t.Errorf("game %d: %s", game.Number, game.Moves)
				}
			}
			var text bytes.Buffer
			if err := r.WriteText(&text); err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"clock      0.05+0.1", "'s clock  3.3s a game used of 3.3s (100 %); 6 forfeits, at most 0s late", "no forfeit", "time-forfeit 6", "plays other games"} {
				if !strings.Contains(text.String(), want) {
					t.Errorf("the report lacks %q:\n%s", want, text.String())
				}
			}
		})
	}
}

// TestClocksChangeNothingInTime: with time to spare the games equal those of a match
// without clocks, and a match without says nothing of any.
func TestClocksChangeNothingInTime(t *testing.T) {
	micro, err := konreh.Family.Parse("micro")
	if err != nil {
		t.Fatal(err)
	}
	cfg := match.Config{Pairs: 2, OpeningTurns: 2, MaxTurns: 40, Workers: 2, Seed: 4}
	a, b := contestant(t, "mcts:sims=20", micro), contestant(t, "minimax:depth=1", micro)
	without := matchOf(t, cfg, micro, a, b)
	cfg.Clock = "60+1"
	with := matchOf(t, cfg, micro, a, b)
	for i := range without.Games {
		if without.Games[i].Moves != with.Games[i].Moves {
			t.Errorf("game %d differs with a clock", i+1)
		}
	}
	if with.AClock == nil || with.AClock.Forfeits != 0 || with.AClock.Used <= 0 || with.BClock.Games != 4 || with.Games[3].Clock == nil {
		t.Errorf("clocks %v and %v", with.AClock, with.BClock)
	}
	text, err := json.Marshal(without)
	if err != nil || bytes.Contains(text, []byte("clock")) {
		t.Errorf("a match without clocks: %s, %v", text, err)
	}
}

// slowNetwork takes a millisecond to say that it knows nothing.
type slowNetwork struct{}

func (slowNetwork) Forward(_, _ []float32, _, _ []int32, logits, wdl, turns []float32) error {
	time.Sleep(time.Millisecond)
	clear(logits)
	clear(wdl)
	clear(turns)
	return nil
}

// TestPlayersLiveOnTheirTime lets a search by the clock play whole games on time
// that only its evaluations take.
func TestPlayersLiveOnTheirTime(t *testing.T) {
	g := game(t, &connect4.Family)
	kinds := map[string]player.Kind{"net": player.NetKind(func(string, precision.Precision, int, engine.Game) (*player.Opened, error) {
		return &player.Opened{New: func() (mcts.Network, error) { return slowNetwork{}, nil }}, nil
	})}
	spec, err := player.Parse("net:slow,time=clock,edges=65536,cache=0", kinds)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		cfg := match.Config{Pairs: 2, OpeningTurns: 2, Workers: 2, Seed: 4, Clock: "0.02+0.05"}
		r := matchOf(t, cfg, g, spec.Contestant(g), contestant(t, "random", g))
		e := r.AEffort
		if r.AClock.Forfeits != 0 || r.AClock.Share() < 0.3 || e == nil || !e.Clock || e.Limit != 0 || e.Decisions < 4*4 || r.AClock.Used < e.Time || r.BEffort != nil {
			t.Errorf("clock %+v, effort %+v", r.AClock, e)
		}
		if !strings.Contains(e.String(), "searches by the clock: mean ") {
			t.Error(e.String())
		}
	})
}

func TestClockNeeded(t *testing.T) {
	g := game(t, &tictactoe.Family)
	cfg := match.Config{Pairs: 1, Seed: 1}
	_, err := match.Play(context.Background(), cfg, g, contestant(t, "random", g), contestant(t, "mcts:time=clock", g), nil)
	if err == nil || !strings.Contains(err.Error(), "mcts:time=clock,edges=2097152,cap=600 thinks by the clock of the game: want a clock, such as 5+3") {
		t.Errorf("a match without a clock: %v", err)
	}
	cfg.Clock = "5"
	if _, err := match.Play(context.Background(), cfg, g, contestant(t, "random", g), contestant(t, "random", g), nil); err == nil || !strings.Contains(err.Error(), `clock="5": want MINUTES+SECONDS`) {
		t.Errorf("a bad clock: %v", err)
	}
}

// TestStoppedMatchIsNoForfeit: whoever is thinking when a match is stopped has not
// lost.
func TestStoppedMatchIsNoForfeit(t *testing.T) {
	g := game(t, &connect4.Family)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cause := errors.New("enough")
		time.AfterFunc(1500*time.Millisecond, func() { cancel(cause) })
		games := 0
		slow := thinking("slow", always(200*time.Millisecond))
		_, err := match.Play(ctx, match.Config{Pairs: 2, Workers: 1, Seed: 1, Clock: "1+0"}, g, slow, slow, func(match.Event) { games++ })
		if !errors.Is(err, cause) || games != 0 {
			t.Errorf("%v after %d games, want %v", err, games, cause)
		}
	})
}

func TestClockUse(t *testing.T) {
	s := &match.Series{
		Contestants: make([]match.Contestant, 3), Schedule: []match.Pair{{A: 0, B: 2}, {A: 2, B: 1}},
		Clock: match.TimeControl{Base: time.Minute},
	}
	const sec = time.Second
	games := []match.Game{
		{Number: 1, Clock: &match.GameClock{AUsed: 50 * sec, ALeft: 10 * sec, BUsed: 30 * sec, BLeft: 30 * sec}},
		{Number: 2, AFirst: true, Clock: &match.GameClock{AUsed: 62 * sec, ALeft: -2 * sec, BUsed: 10 * sec, BLeft: 50 * sec}},
		{Number: 3, Clock: &match.GameClock{AUsed: 40 * sec, ALeft: 20 * sec, BUsed: 60 * sec, BLeft: 0}},
		{Number: 4}, // of before there were clocks
	}
	want := []match.ClockUse{
		{Games: 2, Used: 112 * sec, Given: 120 * sec, Least: 10 * sec, Forfeits: 1, Late: 2 * sec},
		{Games: 1, Used: 60 * sec, Given: 60 * sec, Forfeits: 1},
		{Games: 3, Used: 80 * sec, Given: 180 * sec, Least: 20 * sec},
	}
	got := match.ClockUses(s, games)
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("contestant %d: %+v, want %+v", i, got[i], want[i])
		}
	}
	if text, want := got[0].String(), "56s a game used of 1m0s (93 %), least left 10s in other games; 1 forfeit, 2s late"; text != want {
		t.Errorf("%q, want %q", text, want)
	}
	s.Clock = match.TimeControl{}
	if got := match.ClockUses(s, games); got != nil {
		t.Errorf("without clocks: %v", got)
	}
}

// TestTournamentSaysWhatClocksSaid, for each player over all its opponents.
func TestTournamentSaysWhatClocksSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := game(t, &connect4.Family)
		cfg := match.Config{Pairs: 2, OpeningTurns: 2, Workers: 2, Seed: 5, Clock: "0.05+0"}
		openings, err := match.RandomOpenings(t.Context(), g, cfg.Pairs, cfg.OpeningTurns, cfg.Seed)
		if err != nil {
			t.Fatal(err)
		}
		players := []match.Contestant{
			thinking("quick", always(time.Millisecond)), thinking("slow", always(2*time.Second)), thinking("quicker", always(time.Microsecond)),
		}
		s, err := match.NewSeries(cfg, g, players, false, openings)
		if err != nil {
			t.Fatal(err)
		}
		r, err := match.Rank(cfg, s, false, run(t, s, nil, match.Hooks{}), rating.Options{})
		if err != nil {
			t.Fatal(err)
		}
		slow := match.ClockUse{Games: 8, Used: 24 * time.Second, Given: 24 * time.Second, Forfeits: 8}
		if len(r.Clocks) != 3 || *r.Clocks["slow"] != slow || r.Clocks["quick"].Forfeits != 0 || r.Clocks["quick"].Games != 8 || r.Reasons[match.TimeForfeit] != 8 {
			t.Errorf("%v, ends %v", r.Clocks, r.Reasons)
		}
		var text bytes.Buffer
		if err := r.WriteText(&text); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"\nclock      0.05+0, minutes", "\n           slow: 3s a game used of 3s (100 %); 8 forfeits, at most 0s late\n", "plays other games"} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("the report lacks %q:\n%s", want, text.String())
			}
		}
	})
}
