package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
	"golang.org/x/sync/errgroup"
)

// Reproduction is a recorded game beside the same game played again.
type Reproduction struct {
	Game       int64 `json:"game"`
	Generation int   `json:"generation"`
	// Rows is the number of recorded decisions.
	Rows int `json:"rows"`
	// Gone says that the network of the generation was not kept: nothing was
	// compared.
	Gone bool `json:"gone,omitempty"`
	// Differ lists what is not the same, in the order of the record; the moves
	// after a row of another action differ, too.
	Differ []Difference `json:"differ,omitempty"`
}

// Difference is a column of a row with two values.
type Difference struct {
	Ply      int32  `json:"ply"`
	Column   string `json:"column"`
	Recorded string `json:"recorded"`
	Again    string `json:"again"`
}

func (d Difference) String() string {
	return fmt.Sprintf("ply %d: %s is %s, played again %s", d.Ply, d.Column, d.Recorded, d.Again)
}

// RecordedGames lists the numbers of the games in the shards of the run in dir,
// ascending. Games without a decision have no record.
func RecordedGames(ctx context.Context, dir string, cfg plan.Config, games engine.Families) ([]int64, error) {
	var list []int64
	err := inRun(dir, cfg, games, func(r *reproducer) error {
		return r.eachShard(ctx, nil, func(game []record.Row) { list = append(list, game[0].GameNumber) })
	})
	slices.Sort(list)
	return list, err
}

// Reproduce plays recorded games again, from the run's seed, configuration,
// weights, teacher and earlier games, and compares every number of every row bit for bit.
// numbers must ascend. report is called with each, one at a time, by generation and
// number. The kernel variant must be the one that the shard names, since
// variants round differently. Nothing is written, and the run may be at work.
func Reproduce(ctx context.Context, dir string, cfg plan.Config, games engine.Families, teacher Teacher, numbers []int64, report func(Reproduction)) error {
	return inRun(dir, cfg, games, func(r *reproducer) error {
		r.teacher = teacher
		return r.reproduce(ctx, numbers, report)
	})
}

// reproducer reads a run and plays its games again.
type reproducer struct {
	*Players
	configHash string
	teacher    Teacher
	shards     []record.Meta // of the run, by name
}

func inRun(dir string, cfg plan.Config, games engine.Families, do func(*reproducer) error) error {
	err := cfg.Validate(games)
	if err == nil {
		err = cfg.CheckResolved()
	}
	var rules *plan.Rules
	if err == nil {
		rules, err = cfg.NewRules(games)
	}
	var last *rundir.State
	if err == nil {
		last, err = rundir.LastState(dir)
	}
	run := ""
	if err == nil {
		run, err = rundir.Identity(dir, last)
	}
	if err == nil {
		err = do(&reproducer{Players: NewPlayers(dir, run, &cfg, rules), configHash: cfg.Hash()})
	}
	if err != nil {
		return fmt.Errorf("run %s: %w", dir, err)
	}
	return nil
}

// eachShard calls do with the games of every shard of the run whose range has
// one of numbers, or of all if that is nil.
func (r *reproducer) eachShard(ctx context.Context, numbers []int64, do func(game []record.Row)) error {
	files, err := rundir.ListShards(filepath.Join(r.dir, rundir.ShardsDir))
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		shard, err := record.Open(f.Path, r.rules.Game.Info())
		if err != nil {
			return err
		}
		m := &shard.Meta
		if m.Run != r.run || m.ConfigHash != r.configHash {
			return fmt.Errorf("shard %s: %w: of run %q with configuration %s, want %q with %s", f.Path, record.ErrForeign,
				m.Run, m.ConfigHash, r.run, r.configHash)
		}
		r.shards = append(r.shards, *m)
		if numbers != nil {
			at, _ := slices.BinarySearch(numbers, m.FirstGame)
			if at == len(numbers) || numbers[at] > m.LastGame {
				continue
			}
			if m.Kernel != kernel.Arithmetic() {
				want := "the program that played them"
				if variant, ours := strings.CutSuffix(m.Kernel, strings.TrimPrefix(kernel.Arithmetic(), kernel.Variant())); ours {
					want = kernel.EnvVariant + "=" + variant
				}
				return fmt.Errorf("shard %s: its games were played with %s kernels, which round differently from the %s ones in use: want %s",
					f.Path, m.Kernel, kernel.Arithmetic(), want)
			}
		}
		rows, err := shard.Rows()
		if err != nil {
			return err
		}
		for _, game := range record.Games(rows) {
			do(game)
		}
	}
	return nil
}

func (r *reproducer) reproduce(ctx context.Context, numbers []int64, report func(Reproduction)) error {
	recorded := map[int][][]record.Row{} // by generation
	var missing []int64
	found := map[int64]bool{}
	err := r.eachShard(ctx, numbers, func(game []record.Row) {
		n := game[0].GameNumber
		if _, wanted := slices.BinarySearch(numbers, n); wanted {
			generation := int(game[0].Generation)
			recorded[generation] = append(recorded[generation], game)
			found[n] = true
		}
	})
	if err != nil {
		return err
	}
	for _, n := range numbers {
		if !found[n] {
			missing = append(missing, n)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("games %v are not recorded", missing)
	}
	generations := make([]int, 0, len(recorded))
	for g := range recorded {
		generations = append(generations, g)
	}
	slices.Sort(generations)
	for _, g := range generations {
		if err := r.generation(ctx, g, recorded[g], report); err != nil {
			return err
		}
	}
	return nil
}

// generation plays games of one generation again.
func (r *reproducer) generation(ctx context.Context, generation int, recorded [][]record.Row, report func(Reproduction)) error {
	slices.SortFunc(recorded, func(a, b []record.Row) int { return cmp.Compare(a[0].GameNumber, b[0].GameNumber) })
	player, err := r.pastPlayer(ctx, generation)
	if err != nil {
		return err
	}
	results := make([]Reproduction, len(recorded))
	byNumber := map[int64]int{}
	for i, game := range recorded {
		byNumber[game[0].GameNumber] = i
		results[i] = Reproduction{Game: game[0].GameNumber, Generation: generation, Rows: len(game), Gone: player == nil}
	}
	if player != nil {
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(r.cfg.WorkerCount())
		var mu sync.Mutex // on results
		for _, job := range r.jobs(recorded, player) {
			group.Go(func() error {
				return selfplay.Run(ctx, r.cfg.SelfPlay, job, func(f *selfplay.Finished) error {
					mu.Lock()
					defer mu.Unlock()
					i := byNumber[f.Number]
					results[i].Differ = compareGames(recorded[i], f.Rows)
					return nil
				})
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
	}
	for _, p := range results {
		report(p)
	}
	return nil
}

// jobs divides the games, in order of number, into ranges without gaps that are
// played side by side by one worker.
func (r *reproducer) jobs(recorded [][]record.Row, player *selfplay.Player) []selfplay.Job {
	var jobs []selfplay.Job
	for i := 0; i < len(recorded); {
		first, n := recorded[i][0].GameNumber, 1
		for i+n < len(recorded) && recorded[i+n][0].GameNumber == first+int64(n) && n < r.cfg.SelfPlay.GamesInFlight {
			n++
		}
		job := selfplay.Job{
			Game: r.rules.Game, Mix: r.rules.Mix, Run: r.run, Seed: r.cfg.Seed, Workers: 1, Teacher: r.teacher,
			Source: &selfplay.Range{Start: first, Count: n, Player: player},
		}
		if r.cfg.Mode == plan.ModeConcurrent { // other machines may have played it, with another seed
			games := recorded[i : i+n]
			job.SeedOf = func(number int64) uint64 { return games[number-first][0].Seed }
		}
		jobs = append(jobs, job)
		i += n
	}
	return jobs
}

// pastPlayer is the player of a generation, or nil if its network was not kept.
func (r *reproducer) pastPlayer(ctx context.Context, generation int) (*selfplay.Player, error) {
	w, card, err := model.Load(rundir.WeightsPath(r.dir, generation))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = card.Fits(plan.Identity(r.rules.Game.Info()), plan.Shape(r.rules.Game.Info()))
	}
	if err == nil && card.Generation != generation {
		err = fmt.Errorf("the network is of generation %d", card.Generation)
	}
	if err != nil {
		return nil, fmt.Errorf("checkpoint %d: %w", generation, err)
	}
	return r.Player(ctx, generation, w, card.Calibration, r.learnedBy(generation))
}

// learnedBy is the first number above those of the shards that the network of a
// generation has learned from: its games may begin in theirs.
func (r *reproducer) learnedBy(generation int) int64 {
	games, limit := int64(generation)*int64(r.cfg.GamesPerGeneration), int64(0)
	for i := range r.shards {
		if m := &r.shards[i]; m.LastGame < games {
			limit = max(limit, m.Number+1)
		}
	}
	return limit
}

// compareGames compares recorded rows of a game, all of them, with those of the
// same game as it was played again, column by column.
func compareGames(recorded, again []record.Row) []Difference {
	var list []Difference
	for i := range min(len(recorded), len(again)) {
		a, b := recorded[i], again[i]
		// A shard holds less than a game has at hand.
		b.Round()
		if a.RootDraw == record.DrawUnknown { // of an earlier program
			b.RootDraw = a.RootDraw
		}
		x, y := reflect.ValueOf(a), reflect.ValueOf(b)
		for k := range x.NumField() {
			column, _, _ := strings.Cut(x.Type().Field(k).Tag.Get("parquet"), ",")
			if !sameColumn(x.Field(k), y.Field(k)) {
				list = append(list, Difference{a.Ply, column, fmt.Sprint(x.Field(k)), fmt.Sprint(y.Field(k))})
			}
		}
	}
	if len(recorded) != len(again) {
		ply := int32(0)
		if n := min(len(recorded), len(again)); n > 0 {
			ply = recorded[n-1].Ply
		}
		list = append(list, Difference{ply, "rows of the game", fmt.Sprint(len(recorded)), fmt.Sprint(len(again))})
	}
	return list
}

// sameColumn compares bit for bit; an empty list equals none.
func sameColumn(a, b reflect.Value) bool {
	if a.Kind() == reflect.Slice && a.Len() == 0 && b.Len() == 0 {
		return true
	}
	if a.Kind() == reflect.Float32 {
		return math.Float32bits(float32(a.Float())) == math.Float32bits(float32(b.Float()))
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}
