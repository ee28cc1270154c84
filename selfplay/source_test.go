package selfplay

import (
	"context"
	"reflect"
	"sync/atomic"
	"testing"

	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/mcts"
)

// twoPlayers is a Range whose games from number change on another player plays.
type twoPlayers struct {
	Range
	change int64
	second *Player
}

func (p *twoPlayers) Next() (Assignment, bool) {
	a, ok := p.Range.Next()
	if a.Number >= p.change {
		a.Player = p.second
	}
	return a, ok
}

// TestGamesKeepTheirNetwork changes the network in the middle of a job: every
// game is as its network alone plays it and its records name that network; no
// batch holds positions of both.
func TestGamesKeepTheirNetwork(t *testing.T) {
	g := parse(t, &connect4.Family, "")
	const count, change = 24, 10 + 9
	// The second network judges by lot and counts; the first judges all alike.
	var evaluated, forks atomic.Int64
	first := func() *Player {
		return &Player{Generation: 3, Fork: func() mcts.Network { forks.Add(1); return flatNetwork{} }}
	}
	second := func() *Player {
		n := &hashNetwork{g.Info(), func(batch int) error { evaluated.Add(int64(batch)); return nil }}
		return &Player{Generation: 4, Fork: func() mcts.Network { forks.Add(1); return n }}
	}
	alone := func(p *Player) []*Finished {
		j := job(g, 1, count)
		j.Source.(*Range).Player = p
		return play(t, quick(), j)
	}
	want := append(alone(first())[:change-10:change-10], alone(second())[change-10:]...)
	for _, workers := range []int{1, 3} {
		evaluated.Store(0)
		forks.Store(0)
		j := job(g, workers, count)
		j.Source = &twoPlayers{Range{Start: 10, Count: count, Player: first()}, change, second()}
		j.Counters = &Counters{}
		got := play(t, quick(), j)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers: games of two networks are others than those of each alone", workers)
		}
		if n := evaluated.Load(); n == 0 || n >= j.Counters.Evaluations.Load() {
			t.Errorf("%d workers: the second network evaluated %d of %d positions", workers, n, j.Counters.Evaluations.Load())
		}
		if n := forks.Load(); n > int64(2*workers) {
			t.Errorf("%d workers made %d forks of two networks", workers, n)
		}
	}
	for i, f := range want {
		generation := 3
		if f.Number >= change {
			generation = 4
		}
		if f.Generation != generation || len(f.Rows) == 0 || f.Rows[0].Generation != int32(generation) {
			t.Errorf("game %d, %d-th, names generation %d, want %d", f.Number, i, f.Generation, generation)
		}
	}
}

// TestOldNetworksAreDropped: a worker keeps the networks of its games in flight
// and the newest, no others.
func TestOldNetworksAreDropped(t *testing.T) {
	g := parse(t, &connect4.Family, "")
	cfg := quick()
	cfg.GamesInFlight = 2
	j := Job{Game: g, Run: "test", Source: &Range{}, Counters: &Counters{}}
	w := &worker{cfg: &cfg, job: &j, done: make(chan *Finished, 100)}
	for n := range int64(20) {
		for len(w.games) == cfg.GamesInFlight {
			if err := w.round(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		w.begin(Assignment{n, player(flatNetwork{})})
		if len(w.lanes) > cfg.GamesInFlight {
			t.Fatalf("%d networks for %d games", len(w.lanes), len(w.games))
		}
	}
}
