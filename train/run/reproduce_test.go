package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/play"
	"github.com/ludozero/ludozero/train/rundir"
)

// again plays games of a run again and returns what was reported.
func again(t *testing.T, dir string, cfg plan.Config, numbers []int64) []play.Reproduction {
	t.Helper()
	var all []play.Reproduction
	if err := play.Reproduce(t.Context(), dir, cfg, games.All(), teacherOf(cfg), numbers, func(r play.Reproduction) { all = append(all, r) }); err != nil {
		t.Fatal(err)
	}
	return all
}

func recordedGames(t *testing.T, dir string, cfg plan.Config) []int64 {
	t.Helper()
	numbers, err := play.RecordedGames(t.Context(), dir, cfg, games.All())
	if err != nil {
		t.Fatal(err)
	}
	return numbers
}

// TestGamesAreReproduced plays every game of the whole run again, with one worker
// and with three, and some of them alone.
func TestGamesAreReproduced(t *testing.T) {
	cfg := tiny()
	numbers := recordedGames(t, wholeDir, cfg)
	if len(numbers) != 28 || numbers[27] != 27 {
		t.Fatalf("recorded games %v, want 0 to 27", numbers)
	}
	for _, pick := range [][]int64{numbers, {0}, {3, 4, 13, 14, 27}} {
		for _, cfg.Workers = range []int{1, 3} {
			all := again(t, wholeDir, cfg, pick)
			if len(all) != len(pick) {
				t.Fatalf("%d games were compared, want %d", len(all), len(pick))
			}
			for i, r := range all {
				if r.Game != pick[i] || r.Generation != int(pick[i]/14) || r.Rows < 2 || r.Gone || len(r.Differ) > 0 {
					t.Errorf("%+v", r)
				}
			}
		}
	}
}

// TestEveryAlteredColumnIsFound writes shards of which one row says something
// else, by as little as can be.
func TestEveryAlteredColumnIsFound(t *testing.T) {
	cfg := tiny()
	for column, alter := range map[string]func(*record.Row){
		"visits":        func(r *record.Row) { r.Visits[0]++ },
		"policy":        func(r *record.Row) { r.Policy[0]++; r.Policy[len(r.Policy)-1]-- },
		"root_value":    func(r *record.Row) { r.RootValue += 1.0 / 4096 },
		"root_draw":     func(r *record.Row) { r.RootDraw += 1.0 / 4096 },
		"network_value": func(r *record.Row) { r.NetworkValue -= 1.0 / 4096 },
		"surprise":      func(r *record.Row) { r.Surprise += 1.0 / 4096 },
		"seed":          func(r *record.Row) { r.Seed++ },
	} {
		dir := copyRun(t)
		path := filepath.Join(dir, rundir.ShardsDir, record.FileName(1, 5)) // games 18 to 21
		altered := alterShard(t, dir, cfg, path, func(rows []record.Row, h *record.Head) int64 {
			games := record.Games(rows)
			for _, game := range games {
				r := &game[1]
				if column == "policy" && (r.Policy[0] == record.PolicyOne || r.Policy[len(r.Policy)-1] == 0) {
					continue
				}
				if column == "seed" { // the same in a whole game
					for i := range game {
						alter(&game[i])
					}
				} else {
					alter(r)
				}
				return r.GameNumber
			}
			t.Fatalf("no game to alter %s in", column)
			return 0
		})
		for _, r := range again(t, dir, cfg, recordedGames(t, dir, cfg)) {
			found := len(r.Differ) > 0
			if found != (r.Game == altered) {
				t.Errorf("%s of game %d was altered; game %d: %v", column, altered, r.Game, r.Differ)
			}
			if found && (r.Differ[0].Column != column || column != "seed" && len(r.Differ) != 1) {
				t.Errorf("%s of game %d was altered, found %v", column, altered, r.Differ)
			}
		}
	}
}

// alterShard writes the shard at path again after change had a hand in it.
func alterShard(t *testing.T, dir string, cfg plan.Config, path string, change func([]record.Row, *record.Head) int64) (altered int64) {
	t.Helper()
	rewriteShard(t, dir, cfg, path, func(rows []record.Row, h *record.Head) []record.Row {
		altered = change(rows, h)
		return rows
	})
	return altered
}

// rewriteShard writes the shard at path again with what change makes of its rows
// and head.
func rewriteShard(t *testing.T, dir string, cfg plan.Config, path string, change func([]record.Row, *record.Head) []record.Row) {
	t.Helper()
	r, err := cfg.NewRules(games.All())
	if err != nil {
		t.Fatal(err)
	}
	shard, err := record.Open(path, r.Game.Info())
	if err != nil {
		t.Fatal(err)
	}
	rows, err := shard.Rows()
	if err != nil {
		t.Fatal(err)
	}
	head := shard.Meta.Head
	rows = change(rows, &head)
	if _, _, err := record.Write(filepath.Dir(path), r.Game.Info(), head, rows); err != nil {
		t.Fatal(err)
	}
}

func TestReproduceRefuses(t *testing.T) {
	cfg := tiny()
	wants := func(dir string, cfg plan.Config, numbers []int64, want ...string) {
		t.Helper()
		err := play.Reproduce(t.Context(), dir, cfg, games.All(), nil, numbers, func(play.Reproduction) {})
		for _, w := range append(want, dir) {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("Reproduce = %v, want %q", err, w)
			}
		}
	}
	wants(wholeDir, cfg, []int64{5, 28, 99}, "games [28 99] are not recorded")
	other := cfg
	other.SelfPlay.Temperature = 0.5
	wants(wholeDir, other, []int64{5}, "with configuration")
	dir := copyRun(t)
	path := filepath.Join(dir, rundir.ShardsDir, record.FileName(0, 1))
	for recorded, want := range map[string]string{
		kernel.Variant(): "want the program that played them", // as it was named before there were revisions
		strings.Replace(kernel.Arithmetic(), kernel.Variant(), "abacus", 1): "want LUDOZERO_KERNEL=abacus",
	} {
		alterShard(t, dir, cfg, path, func(_ []record.Row, h *record.Head) int64 { h.Kernel = recorded; return 0 })
		wants(dir, cfg, []int64{5}, path, "played with "+recorded+" kernels", kernel.Arithmetic(), want)
	}
	if all := again(t, dir, cfg, []int64{1, 20}); len(all) != 2 { // of other shards
		t.Errorf("%v", all)
	}
	// Without the network there is nothing to compare with.
	if err := os.Remove(rundir.WeightsPath(dir, 1)); err != nil {
		t.Fatal(err)
	}
	all := again(t, dir, cfg, []int64{1, 20})
	if all[0].Gone || !all[1].Gone || all[1].Differ != nil {
		t.Errorf("with the network of generation 1 gone: %+v", all)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := play.Reproduce(ctx, wholeDir, cfg, games.All(), nil, []int64{1}, func(play.Reproduction) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
	if !slices.IsSorted(recordedGames(t, wholeDir, cfg)) {
		t.Error("numbers of games do not ascend")
	}
}

// TestEverythingOnIsReproduced, games that begin in earlier ones included, those
// of the last generation before any other has been looked at.
func TestEverythingOnIsReproduced(t *testing.T) {
	dir, cfg := newDir(t), everything()
	mustWork(t, dir, cfg)
	numbers := recordedGames(t, dir, cfg)
	last := numbers[len(numbers)-6:]
	for _, pick := range [][]int64{last, numbers} {
		rows := 0
		for _, r := range again(t, dir, cfg, pick) {
			rows += r.Rows
			if len(r.Differ) > 0 {
				t.Errorf("game %d: %v", r.Game, r.Differ)
			}
		}
		if rows < 2*len(pick) {
			t.Errorf("%d games have %d rows", len(pick), rows)
		}
	}
}

// TestConcurrentGamesAreReproduced, with all options on: they too depend on
// nothing but their number, the network and what it has learned from.
func TestConcurrentGamesAreReproduced(t *testing.T) {
	dir, cfg := newDir(t), everything()
	cfg.Mode, cfg.Workers, cfg.Generations = plan.ModeConcurrent, 2, 4
	mustWork(t, dir, cfg)
	numbers := recordedGames(t, dir, cfg)
	generations := map[int]bool{}
	for _, r := range again(t, dir, cfg, numbers) {
		generations[r.Generation] = true
		if len(r.Differ) > 0 || r.Gone {
			t.Errorf("%+v", r)
		}
	}
	if len(numbers) < 28 || len(generations) < 2 {
		t.Errorf("%d games of generations %v were recorded", len(numbers), generations)
	}
}
