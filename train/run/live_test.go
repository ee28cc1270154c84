package run

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/rundir"
)

// flat judges all positions alike.
type flat struct{}

func (flat) Forward(_, _ []float32, _, _ []int32, logits, wdl, _ []float32) error {
	clear(logits)
	clear(wdl)
	return nil
}

func flatPlayer(generation int) *selfplay.Player {
	return &selfplay.Player{Generation: generation, Fork: func() mcts.Network { return flat{} }}
}

// TestGenerationsNeverFall asks from many goroutines while networks change.
func TestGenerationsNeverFall(t *testing.T) {
	const games = 4000
	l := newLiveGames(100, math.MaxInt64, 100+games, flatPlayer(0))
	generations := make([]int, games)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for {
				a, ok := l.Next()
				if !ok {
					return
				}
				if generations[a.Number-100] != 0 {
					t.Errorf("game %d is handed out twice", a.Number)
				}
				generations[a.Number-100] = 1 + a.Player.Generation
			}
		})
	}
	for g := range 50 {
		l.publish(flatPlayer(g + 1))
		time.Sleep(10 * time.Microsecond)
	}
	wait.Wait()
	if slices.Contains(generations, 0) || !slices.IsSorted(generations) {
		t.Error("a game is left out, or the generation falls from one game to the next")
	}
	if more, err := l.Wait(context.Background()); more || err != nil {
		t.Errorf("Wait = %v, %v behind the last game, want false", more, err)
	}
}

// TestSelfPlayWaitsForTraining: a trainer that learns nothing lets self-play play
// up to the limit and no further, with all cores free; each shard that is
// learned lets it go on as far.
func TestSelfPlayWaitsForTraining(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := tiny()
		rules, err := cfg.NewRules(games.All())
		if err != nil {
			t.Fatal(err)
		}
		c := newCores(2)
		l := newLiveGames(3, 9, 20, flatPlayer(0))
		var delivered []int64
		ended := make(chan error, 1)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		go func() {
			ended <- selfplay.Run(ctx, cfg.SelfPlay, selfplay.Job{Game: rules.Game, Run: "t", Source: l, Workers: 2, Cores: c},
				func(f *selfplay.Finished) error { delivered = append(delivered, f.Number); return nil })
		}()
		for _, limit := range []int64{9, 10, 10, 16} {
			l.allow(limit)
			synctest.Wait()
			if n := len(delivered); n != int(limit)-3 {
				t.Fatalf("%d games from 3 on were played, want those below %d", n, limit)
			}
			n, err := c.takeForTraining(ctx, 8) // all that self-play leaves
			if n != 2 || err != nil {
				t.Errorf("takeForTraining = %d, %v while self-play waits, want both cores", n, err)
			}
			c.giveBack(n)
		}
		l.allow(1000)
		if err := <-ended; err != nil || len(delivered) != 17 {
			t.Errorf("Run = %v after %d games, want nil after all 17", err, len(delivered))
		}
	})
}

func TestSelfPlayStopsWhileItWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLiveGames(0, 0, 20, flatPlayer(0))
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() {
			_, err := l.Wait(ctx)
			ended <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Wait = %v, want %v", err, context.Canceled)
		}
	})
}

// scripted is a game of one row, of tic-tac-toe.
func scripted(t *testing.T, r *runner, number int64, generation int, rows int) *selfplay.Finished {
	t.Helper()
	s := r.game.NewState()
	s.Start(nil)
	f := &selfplay.Finished{Number: number, Generation: generation, Outcome: engine.Outcome{Over: true, Winner: engine.Nobody, Reason: "draw"}, Turns: 1}
	if rows > 0 {
		legal := s.Legal(nil, nil)
		f.Rows = []record.Row{{
			Run: r.run, Game: r.game.Info().Name, Rules: r.game.Rules(), Generation: int32(generation), GameNumber: number,
			Beginning: record.BeginningStart, Player: int8(s.Actor()), Side: int8(s.Side()), Position: string(s.AppendPosition(nil)),
			Packed: s.Pack(nil), Legal: legal, PolicyKind: record.PolicyNone, Action: legal[0], TurnsLeft: 1, Reason: "draw",
		}}
	}
	return f
}

// scriptedRunner is a run of generations of ten games in shards of four.
func scriptedRunner(t *testing.T) *runner {
	t.Helper()
	cfg := tiny()
	cfg.GamesPerGeneration, cfg.GamesPerShard = 10, 4
	rules, err := cfg.NewRules(games.All())
	if err != nil {
		t.Fatal(err)
	}
	r := newRunner(&site{dir: t.TempDir(), run: "night", cfg: cfg, game: rules.Game, configHash: "hash"}, Options{})
	if err := rundir.Create(r.dir); err != nil {
		t.Fatal(err)
	}
	if r.events, err = rundir.OpenEvents(r.dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.events.Close() })
	return r
}

// TestShardsCloseInTime delivers a script of games, some without any row, and
// says after which of them the trainer is told what.
func TestShardsCloseInTime(t *testing.T) {
	r := scriptedRunner(t)
	w, err := r.openLiveShards()
	if err != nil {
		t.Fatal(err)
	}
	type ends struct{ limit, end int64 }
	drain := func(w *liveShards) (all []ends) {
		for len(w.closed) > 0 {
			s, err := w.nextClosed(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if rows := map[int64]int64{10: 9, 20: 5}[s.end]; s.end%10 == 0 && (s.played == nil || s.played.NewPositions != rows) || s.end%10 != 0 && s.played != nil {
				t.Errorf("of the games up to %d is said %+v, want %d positions, and only where a generation ends", s.end, s.played, rows)
			}
			all = append(all, ends{s.limit, s.end})
		}
		return all
	}
	for n, c := range []struct {
		generation, rows int
		want             []ends
	}{
		{0, 1, nil}, {0, 1, nil}, {0, 1, nil},
		{0, 1, []ends{{1, 4}}}, // four games
		{0, 1, nil}, {0, 1, nil}, {0, 0, nil}, {0, 1, []ends{{2, 8}}},
		{0, 1, nil}, {0, 1, []ends{{3, 10}}}, // a generation's games
		{0, 1, nil}, {0, 1, nil},
		{1, 1, []ends{{4, 12}}}, // a newer network
		{1, 1, []ends{{5, 14}}}, // where four games would end
		{1, 0, nil}, {1, 0, nil}, {1, 0, nil},
		{1, 0, []ends{{5, 18}}}, // nothing to be learned, no shard at all
		{1, 1, nil}, {1, 0, []ends{{6, 20}}},
		{1, 0, nil}, {2, 1, nil}, {2, 1, nil},
	} {
		if err := w.deliver(scripted(t, r, int64(n), c.generation, c.rows)); err != nil {
			t.Fatal(err)
		}
		if got := drain(w); !slices.Equal(got, c.want) {
			t.Errorf("after game %d: %v, want %v", n, got, c.want)
		}
	}
	if err := w.flush(); err != nil {
		t.Fatal(err)
	}
	// Another process finds the same ends, but for games without a row behind
	// the last of a shard: whose end is told with what comes next.
	r.state.Generation = 2
	for _, c := range []struct {
		learned, rows int
		want          []ends
	}{
		{0, 0, []ends{{1, 4}, {2, 8}, {3, 10}, {4, 12}, {5, 14}, {5, 18}, {6, 19}, {6, 20}, {7, 23}}},
		{10, 9, []ends{{4, 12}, {5, 14}, {5, 18}, {6, 19}, {6, 20}, {7, 23}}},
		{20, 14, []ends{{7, 23}}},
	} {
		r.state.Games, r.state.Rows = c.learned, c.rows
		if r.played, err = r.checkLiveShards(&r.state); err != nil {
			t.Fatal(err)
		}
		w, err := r.openLiveShards()
		if err != nil {
			t.Fatal(err)
		}
		if w.next != 23 || w.number != 7 || w.base != 20 || w.tally.games != 2 {
			t.Errorf("goes on at game %d and shard %d with %d games from %d on, want 23, 7, 2 from 20", w.next, w.number, w.tally.games, w.base)
		}
		if got := drain(w); !slices.Equal(got, c.want) {
			t.Errorf("learned from %d games: %v are left, want %v", c.learned, got, c.want)
		}
	}
}

// TestTrainingWaitsForShards: the trainer sleeps until a shard is closed, or its
// context ends. None is written: the encoders of Parquet are kept for later, and one made
// here may be used here alone.
func TestTrainingWaitsForShards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := scriptedRunner(t)
		w, err := r.openLiveShards()
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		got := make(chan closedShard)
		ended := make(chan error, 1)
		go func() {
			for {
				s, err := w.nextClosed(ctx)
				if err != nil {
					ended <- err
					return
				}
				got <- s
			}
		}()
		for n := range int64(2) {
			synctest.Wait()
			select {
			case s := <-got:
				t.Errorf("%v, where no shard was closed", s)
			default:
			}
			w.next = 4 * (n + 1)
			w.tell(n+1, nil)
			synctest.Wait()
			select {
			case s := <-got:
				if s.limit != n+1 || s.end != w.next {
					t.Errorf("shard %d is told as %v", n, s)
				}
			default:
				t.Errorf("shard %d is not told", n)
			}
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("nextClosed = %v, want %v", err, context.Canceled)
		}
	})
}
