package run

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// someOptions is a tiny run with about half of all options on, as r has it.
func someOptions(r *rand.Rand) plan.Config {
	c := tiny()
	yes := func() bool { return r.IntN(2) == 0 }
	if yes() {
		c.Game, c.Rules = "konreh", "micro,max_turns=8"
		if yes() {
			c.RulesMix = []plan.RulesWeight{{Rules: "micro,balance=single|pie,max_turns=8", Weight: 2}, {Rules: "standard,balance=pie-double,max_turns=6", Weight: 1}}
		}
	}
	c.Seed, c.Generations = r.Uint64(), 3
	c.GamesPerGeneration, c.GamesPerShard = 3+r.IntN(12), 1+r.IntN(6)
	c.PassesPerPosition = 0.3 + 2*r.Float64()
	s := &c.SelfPlay
	s.GamesInFlight = 1 + r.IntN(6)
	if yes() {
		s.Beginnings.SampledShare, s.Beginnings.SampledTurns = 0.4, 2
	}
	if yes() {
		s.Beginnings.EarlierShare, s.Beginnings.EarlierGames = 0.5, 1+r.IntN(30)
		s.Beginnings.EarlierRegret = float64(r.IntN(3))
	}
	if yes() {
		s.FullShare, s.FastSimulations = 0.5, 3
	}
	if yes() {
		s.Resignation.Threshold, s.Resignation.Decisions, s.Resignation.MinTurns, s.Resignation.PlayedOn = 0.05, 1, 2, 0.4
	}
	s.FoldSymmetries, s.Search.CountReused = yes(), yes()
	if yes() {
		s.Search.Search, s.Search.GumbelActions = "gumbel", 1+r.IntN(5)
	} else if s.Search.Proven = yes(); yes() {
		s.Search.ForcedPlayouts = 2
	}
	if yes() {
		c.Train.AverageDecay, c.Train.AverageBatches = 0.9, 1+r.IntN(3)
	}
	c.Model.Reply = yes()
	if yes() {
		g := plan.Growth{Generation: 1 + r.IntN(2), Blocks: 2, Channels: 16, Reply: yes()}
		if yes() {
			g.Blocks, g.Channels, g.Passes = 0, 0, 0.7
		}
		c.Growth = []plan.Growth{g, {Generation: g.Generation + 1, Blocks: 3, PoolEvery: r.IntN(3)}}
	}
	c.Window.MinPositions = int64(20 + r.IntN(100))
	if yes() {
		c.Window.MaxPositions = c.Window.MinPositions + int64(r.IntN(40))
	}
	if yes() {
		c.Window.SurpriseShare = r.Float64()
	}
	if yes() {
		c.Retention.Checkpoints, c.Retention.Every = 1+r.IntN(2), r.IntN(3)
	}
	if yes() {
		s.FirstSimulations, s.GrowthGenerations = 3+r.IntN(3), 1+r.IntN(3)
	}
	if yes() {
		c.Train.DecayShare, c.Train.FinalLearningRate = 0.2+0.8*r.Float64(), 1e-4
	}
	if yes() {
		s.Teacher.Player, s.Teacher.Share, s.Teacher.Generations = []string{"minimax:depth=1", "mcts:sims=5"}[r.IntN(2)], 1-r.Float64(), 1+r.IntN(4)
	}
	return c
}

// TestOptionsTogether: in whatever company an option is, a run that was stopped
// time and again, with other workers and caches each time, half of it done stage
// by stage, leaves the files of one that was not, and its games are played again
// bit for bit.
func TestOptionsTogether(t *testing.T) {
	runs := uint64(6)
	if testing.Short() {
		runs = 2
	}
	for n := range runs {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			r := rand.New(rand.NewPCG(n, 1))
			cfg := someOptions(r)
			whole, dir := newDir(t), newDir(t)
			mustWork(t, whole, cfg)
			for stop := 1; ; stop += 10 + r.IntN(80) {
				c := cfg
				c.Workers, c.SelfPlay.CachePositions = 1+r.IntN(3), []int{0, 5, 500}[r.IntN(3)]
				do := work
				if all, err := rundir.Generations(dir); err == nil && r.IntN(2) == 0 && (len(all) == 0 || all[len(all)-1] < cfg.Generations) {
					do = inStages
				}
				err := do(cancelAtCall(stop), dir, c)
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Fatalf("%+v: %v", cfg, err)
				}
				if all, _ := rundir.Generations(dir); err == nil && len(all) > 0 && all[len(all)-1] == cfg.Generations {
					break
				}
			}
			compareWith(t, whole, dir)
			for _, p := range again(t, dir, cfg, recordedGames(t, dir, cfg)) {
				if len(p.Differ) > 0 {
					t.Errorf("game %d: %v", p.Game, p.Differ)
				}
			}
			if t.Failed() {
				t.Logf("%+v", cfg)
			}
		})
	}
}

// inStages does a generation by its two halves.
func inStages(ctx context.Context, dir string, cfg plan.Config) error {
	opt := Options{Games: games.All(), Resolved: []byte(resolved), Teacher: teacherOf(cfg)}
	if err := SelfPlay(ctx, dir, cfg, opt); err != nil {
		return err
	}
	return Fit(ctx, dir, cfg, opt)
}
