package selfplay

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
)

// TestCacheChangesNothing plays the same games without a cache, with one that
// holds next to nothing and with one that holds all, by one worker and by
// three, folded or not: the shards are the same bytes.
func TestCacheChangesNothing(t *testing.T) {
	for _, g := range testGames(t) {
		for _, fold := range []bool{false, true} {
			cfg := quick()
			cfg.FoldSymmetries = fold
			var want []byte
			var none int64
			for _, c := range []struct{ positions, workers int }{{0, 1}, {0, 3}, {1, 1}, {8, 3}, {1 << 15, 1}, {1 << 15, 3}} {
				cfg.CachePositions = c.positions
				j := job(g, c.workers, 12)
				j.Counters = &Counters{}
				got := shard(t, g, play(t, cfg, j))
				evaluations, hits := j.Counters.Evaluations.Load(), j.Counters.Hits.Load()
				if want == nil {
					want, none = got, evaluations
				}
				if !bytes.Equal(got, want) {
					t.Errorf("%s %s, fold %v: the games are others with %d positions and %d workers", g.Info().Name, g.Rules(), fold, c.positions, c.workers)
				}
				if evaluations+hits != none || (hits > 0) != (c.positions > 0) && c.positions != 1 {
					t.Errorf("%s %s, %d positions: %d evaluations and %d hits, without a cache %d", g.Info().Name, g.Rules(), c.positions, evaluations, hits, none)
				}
			}
		}
	}
}

func shard(t *testing.T, g engine.Game, games []*Finished) []byte {
	t.Helper()
	var rows []record.Row
	for _, f := range games {
		rows = append(rows, f.Rows...)
	}
	b, _, err := record.Marshal(g.Info(), record.Head{Run: rows[0].Run, Generation: rows[0].Generation}, rows)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestGamesPlayedFromMemory: a worker whose cache knows every position plays
// on without its network.
func TestGamesPlayedFromMemory(t *testing.T) {
	g := testGames(t)[0]
	cfg := quick()
	cfg.GamesInFlight = 1
	var lone, all int64
	for _, count := range []int{1, 400} {
		j := job(g, 1, count)
		j.Counters = &Counters{}
		games := play(t, cfg, j)
		if len(games) != count {
			t.Fatalf("%d games were delivered, want %d", len(games), count)
		}
		lone, all = all, j.Counters.Evaluations.Load()
	}
	// Tic-tac-toe has 4520 positions that have a choice or a single move.
	if all < lone || all > 4520 {
		t.Errorf("%d evaluations in one game and %d in 400, want at most 4520", lone, all)
	}
}

// TestCoreIsOfferedBetweenGamesFromMemory: games that need no network are no
// batch, and the core is offered after each all the same. What they did is
// counted by then.
func TestCoreIsOfferedBetweenGamesFromMemory(t *testing.T) {
	cfg := quick()
	cfg.GamesInFlight = 1
	j := job(testGames(t)[0], 1, 400)
	j.Counters = &Counters{}
	cores := &fakeCores{t: t, held: map[int]bool{}}
	offered, most := 0, 0 // of games since the last offer
	last := int64(0)
	cores.asked = func() {
		games, decisions := j.Counters.Games.Load(), j.Counters.Decisions.Load()
		if most = max(most, int(games)-offered); int(games) > offered && decisions == last {
			t.Fatalf("%d games are counted and no decision of the last", games)
		}
		offered, last = int(games), decisions
	}
	j.Cores = cores
	if play(t, cfg, j); most != 1 {
		t.Errorf("%d games were played between two offers of the core, want 1", most)
	}
}

// TestFoldingChangesGames: the option does reach the network.
func TestFoldingChangesGames(t *testing.T) {
	g := testGames(t)[1]
	cfg := quick()
	plain := play(t, cfg, job(g, 1, 6))
	cfg.FoldSymmetries = true
	if reflect.DeepEqual(plain, play(t, cfg, job(g, 1, 6))) {
		t.Error("a network that judges by lot plays the same games folded")
	}
}

// TestCacheIsOfOneNetwork: where the next network follows on the last one's
// heels and takes over its memory, it finds none of its evaluations.
func TestCacheIsOfOneNetwork(t *testing.T) {
	g := testGames(t)[1]
	cfg := quick()
	cfg.GamesInFlight = 1
	games := func(positions int) []*Finished {
		cfg.CachePositions = positions
		j := job(g, 1, 4)
		r := j.Source.(*Range)
		j.Source = &twoPlayers{Range{Start: r.Start, Count: r.Count, Player: player(flatNetwork{})}, r.Start + 2, r.Player}
		return play(t, cfg, j)
	}
	if !reflect.DeepEqual(games(0), games(1<<12)) {
		t.Error("the second network's games are others with a cache")
	}
}
