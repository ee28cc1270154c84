package run

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	opened "github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/play"
	"github.com/ludozero/ludozero/train/rundir"
)

// teacherOf makes the teachers that a configuration asks for.
func teacherOf(cfg plan.Config) play.Teacher {
	if cfg.SelfPlay.Teacher.Player == "" {
		return nil
	}
	return func(g engine.Game) (selfplay.Teacher, error) {
		newTeacher, _, err := opened.New(games.All()).TeacherOf(&cfg.SelfPlay.Teacher)
		if err != nil {
			return nil, err
		}
		return newTeacher(g)
	}
}

// TestTeacherInARun: in both modes its games fall to none and are counted apart, a
// generation without a policy target is learned from, and every game, with a target or
// without, is played again bit for bit.
func TestTeacherInARun(t *testing.T) {
	for _, cfg := range []plan.Config{tiny(), tinyConcurrent()} {
		targets := 0
		cfg.Generations, cfg.Workers = 4, 2
		cfg.SelfPlay.Teacher = selfplay.TeacherConfig{Player: "minimax:depth=1", Share: 1, Generations: 2, RandomShare: 0.2}
		if cfg.Mode == plan.ModeConcurrent {
			cfg.SelfPlay.Teacher.Player, cfg.SelfPlay.Teacher.Temperature = "alphabeta:depth=1", 0.1
		}
		cfg.Train.RootValueShare, cfg.Window.SurpriseShare, cfg.Model.Reply = 0.5, 0.5, true
		dir := newDir(t)
		mustWork(t, dir, cfg)
		taught, drawn := map[int32]int64{}, map[int32]int64{}
		for _, name := range shards(t, dir) {
			_, rows := readShard(t, cfg.Game, filepath.Join(dir, rundir.ShardsDir, name))
			for _, game := range record.Games(rows) {
				if game[0].Taught() {
					generation := int32(game[0].GameNumber / int64(cfg.GamesPerGeneration))
					taught[generation]++
					targets += len(game[0].Policy)
					if game[0].Outcome == 0 {
						drawn[generation]++
					}
				}
			}
		}
		if (targets > 0) != (cfg.SelfPlay.Teacher.Temperature > 0) {
			t.Errorf("%s: targets of %d actions at temperature %g", cfg.Mode, targets, cfg.SelfPlay.Teacher.Temperature)
		}
		rows, err := rundir.ReadMetrics(dir)
		if err != nil || len(rows) != 4 {
			t.Fatalf("%d rows of metrics, %v, want 4", len(rows), err)
		}
		for _, m := range rows {
			g := m.Generation - 1
			if m.TaughtGames != taught[g] || m.TaughtDraws != drawn[g] {
				t.Errorf("%s: generation %d has %d games of a teacher, %d drawn; want %d, %d", cfg.Mode, g, m.TaughtGames, m.TaughtDraws, taught[g], drawn[g])
			}
		}
		if first := rows[0]; cfg.Mode == plan.ModeAlternating && (first.TaughtGames != 14 || first.FullShare != 0 || first.PolicyLoss != 0 || first.ValueLoss == 0) {
			t.Errorf("the first generation: %d of 14 games by the teacher, full searches %g, policy loss %g, value loss %g", first.TaughtGames, first.FullShare, first.PolicyLoss, first.ValueLoss)
		}
		if cfg.Mode == plan.ModeAlternating && rows[3].TaughtGames != 0 { // else older networks may play them
			t.Errorf("%s: the teacher still plays %d games of generation 3", cfg.Mode, rows[3].TaughtGames)
		}
		for _, p := range again(t, dir, cfg, recordedGames(t, dir, cfg)) {
			if len(p.Differ) > 0 {
				t.Errorf("%s: game %d: %v", cfg.Mode, p.Game, p.Differ)
			}
		}
		if err := play.Reproduce(t.Context(), dir, cfg, games.All(), nil, []int64{0}, func(play.Reproduction) {}); err == nil || !strings.Contains(err.Error(), "self_play.teacher.player") {
			t.Errorf("played again without a teacher: %v, want the key", err)
		}
	}
}
