package selfplay

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ludozero/ludozero/engine/enginetest/pienim"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

func TestGamesDoNotDependOnWorkersOrBatches(t *testing.T) {
	for _, g := range testGames(t) {
		t.Run(g.Info().Name+" "+g.Rules(), func(t *testing.T) {
			const count = 9
			cfg := quick()
			cfg.GamesInFlight = 1
			want := play(t, cfg, job(g, 1, count))
			if len(want) != count {
				t.Fatalf("%d games were delivered, want %d", len(want), count)
			}
			for _, c := range []struct{ workers, inFlight int }{{1, 5}, {4, 1}, {4, 3}, {20, 2}} {
				cfg.GamesInFlight = c.inFlight
				got := play(t, cfg, job(g, c.workers, count))
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%d workers with %d games each played other games than one worker with one", c.workers, c.inFlight)
				}
			}
		})
	}
}

// TestGamesDependOnSeedAndNumberOnly also cuts a range of games in two.
func TestGamesDependOnSeedAndNumberOnly(t *testing.T) {
	g := racegame.New()
	whole := play(t, quick(), job(g, 2, 12))
	part := job(g, 1, 5)
	part.Source.(*Range).Start += 7
	if got := play(t, quick(), part); !reflect.DeepEqual(got, whole[7:]) {
		t.Error("the last five games of twelve, played alone, are others")
	}
	other := job(g, 2, 12)
	other.Seed++
	moves := func(games []*Finished) (all []string) {
		for _, f := range games {
			var b strings.Builder
			for _, r := range f.Rows {
				b.WriteString(r.Position + "; ")
			}
			all = append(all, b.String())
		}
		return all
	}
	a, b := moves(whole), moves(play(t, quick(), other))
	same, repeated := 0, 0
	for i := range a {
		if a[i] == b[i] {
			same++
		}
		if a[i] == a[0] {
			repeated++
		}
	}
	if same > 3 || repeated > 4 {
		t.Errorf("%d of 12 games are the same with another seed, %d the same as the first", same, repeated)
	}
}

// TestMovesLeftChangesGames: it is the one of Tuning that self-play can have.
func TestMovesLeftChangesGames(t *testing.T) {
	cfg := quick()
	cfg.Search.Simulations = 64
	plain := play(t, cfg, job(racegame.New(), 1, 4))
	cfg.Search.Tuning.MovesLeft = 1
	if reflect.DeepEqual(play(t, cfg, job(racegame.New(), 1, 4)), plain) {
		t.Error("the games with moves_left=1 are those without it")
	}
}

func TestDeliveryIsInOrderAndOneAtATime(t *testing.T) {
	g := pienim.New("shifting")
	j := job(g, 4, 40)
	var evaluations, busy atomic.Int64
	j.Source.(*Range).Player = player(&hashNetwork{g.Info(), func(batch int) error {
		evaluations.Add(int64(batch))
		return nil
	}})
	j.Counters = &Counters{}
	next, rows := j.Source.First(), 0
	err := Run(context.Background(), quick(), j, func(f *Finished) error {
		if busy.Add(1) != 1 {
			t.Error("two games are delivered at once")
		}
		if f.Number != next {
			t.Errorf("game %d is delivered, want %d", f.Number, next)
		}
		next++
		rows += len(f.Rows)
		busy.Add(-1)
		return nil
	})
	if err != nil || next != j.Source.First()+40 {
		t.Errorf("Run = %v after game %d, want nil after %d", err, next-1, j.Source.First()+39)
	}
	c := j.Counters
	if c.Games.Load() != 40 || c.Decisions.Load() != int64(rows) || c.Evaluations.Load() != evaluations.Load() {
		t.Errorf("counted %d games, %d decisions, %d evaluations, want 40, %d, %d",
			c.Games.Load(), c.Decisions.Load(), c.Evaluations.Load(), rows, evaluations.Load())
	}
}

func TestBatchesHoldOnePositionOfEachGame(t *testing.T) {
	cfg := quick()
	cfg.GamesInFlight = 6
	g := parse(t, &tictactoe.Family, "")
	j := job(g, 1, 30)
	batches, full := 0, 0
	j.Source.(*Range).Player = player(&hashNetwork{g.Info(), func(batch int) error {
		if batch < 1 || batch > cfg.GamesInFlight {
			t.Errorf("batch of %d, want 1 to %d", batch, cfg.GamesInFlight)
		}
		batches++
		if batch == cfg.GamesInFlight {
			full++
		}
		return nil
	}})
	play(t, cfg, j)
	if full < batches/2 {
		t.Errorf("%d of %d batches are full, want most", full, batches)
	}
}

func TestNoGames(t *testing.T) {
	if got := play(t, quick(), job(racegame.New(), 2, 0)); len(got) != 0 {
		t.Errorf("%d games were played, want none", len(got))
	}
}

// stopCase is a run that ends early. after is called with the number of batches
// evaluated so far by any worker, or of games delivered.
type stopCase struct {
	name    string
	network func(batches int64, cancel func()) error
	deliver func(games int, cancel func()) error
	want    error
}

var errTest = errors.New("made up")

// TestRunEndsEarly runs in bubbles: a goroutine that Run leaves behind fails the
// test.
func TestRunEndsEarly(t *testing.T) {
	const at = 100 // batches; a run to the end has several times as many
	for _, c := range []stopCase{
		{"cancelled before", nil, nil, context.Canceled},
		{"cancelled in a network", func(n int64, cancel func()) error {
			if n == at {
				cancel()
			}
			return nil
		}, nil, context.Canceled},
		{"cancelled in deliver", nil, func(n int, cancel func()) error {
			if n == 5 {
				cancel()
			}
			return nil
		}, context.Canceled},
		{"network fails", func(n int64, _ func()) error {
			if n == at {
				return errTest
			}
			return nil
		}, nil, errTest},
		{"deliver fails", nil, func(n int, _ func()) error {
			if n == 5 {
				return errTest
			}
			return nil
		}, errTest},
		{"deliver fails at once", nil, func(int, func()) error { return errTest }, errTest},
	} {
		for _, workers := range []int{1, 4} {
			t.Run(c.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { c.run(t, workers) })
			})
		}
	}
}

func (c *stopCase) run(t *testing.T, workers int) {
	g := racegame.New()
	const count = 200
	whole := play(t, quick(), job(g, 1, count))

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var stopped atomic.Bool
	var batches, late atomic.Int64
	stop := func() {
		cancel()
		stopped.Store(true)
	}
	if c.network == nil && c.deliver == nil {
		stop()
	}
	j := job(g, workers, count)
	j.Source.(*Range).Player = player(&hashNetwork{g.Info(), func(int) error {
		if stopped.Load() {
			late.Add(1)
		}
		if c.network == nil {
			// Time stands still until all others wait: no worker that the
			// scheduler forgets holds delivery up while the others play on.
			time.Sleep(time.Nanosecond)
			return nil
		}
		err := c.network(batches.Add(1), stop)
		if err != nil {
			stopped.Store(true)
		}
		return err
	}})
	var got []*Finished
	err := Run(ctx, quick(), j, func(f *Finished) error {
		if c.deliver != nil {
			if err := c.deliver(len(got), stop); err != nil {
				return err
			}
		}
		got = append(got, f)
		return nil
	})
	if !errors.Is(err, c.want) {
		t.Errorf("Run = %v, want %v", err, c.want)
	}
	if errors.Is(c.want, errTest) && errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v: the error is hidden among those it caused", err)
	}
	if len(got) >= count || !reflect.DeepEqual(got, whole[:len(got)]) && len(got) > 0 {
		t.Errorf("%d games were delivered, want the first of %d", len(got), count)
	}
	// Whoever was between its look at ctx and its network goes on once. How soon
	// the others learn of a failure is the scheduler's affair.
	if n := late.Load(); errors.Is(c.want, context.Canceled) && n > int64(workers) {
		t.Errorf("%d batches were evaluated after the stop by %d workers", n, workers)
	}
}

// TestStopWhileDeliveryHangs: workers that wait for a slow deliver end when the
// context does, and Run when deliver returns.
func TestStopWhileDeliveryHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := racegame.New()
		const count = 1_000_000 // others may play hundreds before the first game is over and holds them up
		ctx, cancel := context.WithCancel(context.Background())
		release := make(chan struct{})
		ended := make(chan error, 1)
		delivered := 0
		go func() {
			ended <- Run(ctx, quick(), job(g, 3, count), func(*Finished) error {
				delivered++
				<-release
				return nil
			})
		}()
		synctest.Wait() // the workers have filled the channel and wait
		cancel()
		synctest.Wait()
		select {
		case err := <-ended:
			t.Fatalf("Run returned %v while deliver was at work", err)
		default:
		}
		close(release)
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Run = %v, want %v", err, context.Canceled)
		}
		if delivered >= count {
			t.Error("all games were delivered after the stop")
		}
	})
}
