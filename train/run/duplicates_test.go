package run

import (
	"path/filepath"
	"testing"

	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestGamesAgain counts, in runs whose games hardly differ, those that the
// generation before had, too: in a run of one process and in one of a process a
// generation, of both modes.
func TestGamesAgain(t *testing.T) {
	for _, mode := range []string{plan.ModeAlternating, plan.ModeConcurrent} {
		cfg := tiny()
		cfg.Mode, cfg.Generations = mode, 3
		cfg.SelfPlay.Search.NoiseFraction, cfg.SelfPlay.TemperatureTurns, cfg.SelfPlay.FinalTemperature = 0, 1, 0
		cfg.Train.LearningRate = 1e-9
		whole, parts := newDir(t), newDir(t)
		mustWork(t, whole, cfg)
		for g := range cfg.Generations {
			c := cfg
			c.Generations = g + 1
			mustWork(t, parts, c)
		}
		for _, dir := range []string{whole, parts} {
			want := gamesAgain(t, dir, cfg)
			rows, err := rundir.ReadMetrics(dir)
			if err != nil || len(rows) != 3 {
				t.Fatalf("%s: %d generations, %v", mode, len(rows), err)
			}
			sum := int64(0)
			for i, m := range rows {
				if m.GamesAgain != want[i] {
					t.Errorf("%s: generation %d has %d games again, want %d", mode, i+1, m.GamesAgain, want[i])
				}
				sum += m.GamesAgain
			}
			if sum == 0 {
				t.Errorf("%s: no game again: the test shows nothing", mode)
			}
		}
	}
}

// gamesAgain counts them in the shards of a run, by generation.
func gamesAgain(t *testing.T, dir string, cfg plan.Config) (again [3]int64) {
	t.Helper()
	var played [3]map[uint64]int64
	for _, name := range shards(t, dir) {
		s, err := record.Open(filepath.Join(dir, rundir.ShardsDir, name), info(t, cfg.Game))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := s.Rows()
		if err != nil {
			t.Fatal(err)
		}
		for _, game := range record.Games(rows) {
			g := game[0].GameNumber / int64(cfg.GamesPerGeneration)
			if g >= int64(len(played)) {
				continue // a concurrent run is ahead
			}
			if played[g] == nil {
				played[g] = map[uint64]int64{}
			}
			played[g][gameID(game)]++
		}
	}
	for g := 1; g < len(played); g++ {
		for id, n := range played[g] {
			if played[g-1][id] > 0 {
				again[g] += n
			}
		}
	}
	return again
}
