package selfplay

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/selfplay/record"
)

// anyConfig draws every option that changes games.
func anyConfig(r *rand.Rand) Config {
	coin := func() bool { return r.IntN(2) == 0 }
	c := quick()
	s := &c.Search
	s.Simulations = 4 + r.IntN(20)
	s.Proven, s.CountReused = coin(), coin()
	switch r.IntN(3) {
	case 0:
		s.Search, s.GumbelScale, s.NoiseFraction = mcts.SearchGumbel, 1, 0
	case 1:
		s.ForcedPlayouts = 2
	}
	if coin() {
		s.Edges = 400 // full trees
	}
	if coin() {
		c.FullShare, c.FastSimulations = 0.4, 1+r.IntN(4)
	}
	c.FoldSymmetries = coin()
	if coin() {
		b := &c.Beginnings
		b.SampledShare, b.EarlierShare, b.SampledTurns = 0.4, 0.4, 1+9*r.Float64()
	}
	if coin() {
		c.Resignation = ResignationConfig{Threshold: 0.3 * r.Float64(), Decisions: 1 + r.IntN(3), MinTurns: r.IntN(4), PlayedOn: 0.3}
	}
	return c
}

// TestOptionsTogether draws options, games and mixes at random: whatever they
// are, games of two networks, cut in two jobs, are the same with every number of
// workers and of games in flight and with every cache; they replay, and shards
// take them.
func TestOptionsTogether(t *testing.T) {
	games, mixed := testGames(t), tenfold(t)
	for k := range uint64(16) {
		r := rand.New(rand.NewPCG(k, 5))
		cfg := anyConfig(r)
		list, mix := games[r.IntN(len(games)):][:1], (*Mix)(nil)
		if r.IntN(4) == 0 {
			list, mix = mixed, NewMix(mixed, equal(len(mixed)))
		}
		g := list[0]
		earlier := earlierOf(t, g, mix, 12)
		const count, change = 16, 7
		var want []*Finished
		for _, c := range []struct{ cache, workers, flight, cut int }{{0, 1, 1, 0}, {100, 3, 5, 0}, {1 << 14, 1, 1, 9}, {1, 2, 2, 4}, {1 << 14, 8, 64, 0}} {
			cfg.CachePositions, cfg.GamesInFlight = c.cache, c.flight
			if err := cfg.Validate(); err != nil {
				t.Fatal(err)
			}
			part := func(from, to int) []*Finished {
				j := job(g, c.workers, 0)
				first, second := playerOf(&j), player(flatNetwork{})
				first.Earlier, second.Earlier, second.Generation = earlier, earlier, 4
				j.Mix = mix
				j.Source = &twoPlayers{Range{Start: int64(from), Count: to - from, Player: first}, change, second}
				return play(t, cfg, j)
			}
			got := append(part(0, c.cut), part(c.cut, count)...)
			if want == nil {
				want = got
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%d: %s: %+v plays other games than are played one after the other, without a cache, by %+v", k, g.Info().Name, c, cfg)
			}
		}
		for _, f := range want {
			replays(t, list, f)
		}
		for _, part := range [][]*Finished{want[:change], want[change:]} {
			checkShard(t, g, part)
		}
		if t.Failed() {
			return
		}
	}
}

// checkShard demands that a shard takes games of one network, as they are, and
// that both its readers do.
func checkShard(t *testing.T, g engine.Game, games []*Finished) {
	t.Helper()
	s, err := record.Parse("test", shard(t, g, games), g.Info())
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Columns()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Replies(c); err != nil {
		t.Error(err)
	}
	if _, err := s.Rows(); err != nil {
		t.Error(err)
	}
}
