package run

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestResignationsAreCountedOverStops: what is told of a generation is what its
// shards hold, and the same where an earlier process has played a part of it.
// The files are the same, too, with other workers.
func TestResignationsAreCountedOverStops(t *testing.T) {
	cfg := tiny()
	r := &cfg.SelfPlay.Resignation
	r.Threshold, r.Decisions, r.MinTurns, r.PlayedOn = 0.02, 1, 2, 0.5
	cfg.Window.SurpriseShare = 0.5 // what is learned from such games depends on no stop either
	cfg.Train.RootValueShare = 0.5
	dir := newDir(t)
	mustWork(t, dir, cfg)
	want, files := lastSelfPlay(t, dir), digest(t, dir)
	var counts record.Resignations
	var part []record.Row // the first shard of the generation but its last game
	var head record.Head
	for i := int64(4); i < 8; i++ {
		s, err := record.Open(filepath.Join(dir, rundir.ShardsDir, record.FileName(1, i)), info(t, cfg.Game))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := s.Rows()
		if err != nil {
			t.Fatal(err)
		}
		for start, game := range record.Games(rows) {
			counts.Add(game)
			if i == 4 && game[0].GameNumber == s.Meta.LastGame {
				part, head = rows[:start], s.Meta.Head
			}
		}
	}
	if counts.Resigned == 0 || counts.PlayedOn == 0 || want.Resigned != counts.Resigned || want.PlayedOn != counts.PlayedOn ||
		want.WronglyResigned != counts.Wrong || want.Advice != counts.Advice() {
		t.Errorf("the event is %+v, the shards have %+v", want, counts)
	}
	rows, err := rundir.ReadMetrics(dir)
	if err != nil {
		t.Fatal(err)
	}
	if m := rows[len(rows)-1]; !(m.ValueFloor > 0 && m.ValueFloor < m.ValueLoss) {
		t.Errorf("value loss %g, its floor %g: want targets that are mixtures", m.ValueLoss, m.ValueFloor)
	}
	if m := rows[len(rows)-1]; int(m.PlayedOn) != counts.PlayedOn || int(m.WronglyResigned) != counts.Wrong {
		t.Errorf("the metrics have %d games played on, %d resignations wrong: want %+v", m.PlayedOn, m.WronglyResigned, counts)
	}
	forget(t, dir, 1)
	if _, _, err := record.Write(filepath.Join(dir, rundir.ShardsDir), info(t, cfg.Game), head, part); err != nil {
		t.Fatal(err)
	}
	cfg.Workers = 3
	mustWork(t, dir, cfg)
	got := lastSelfPlay(t, dir)
	got.PositionsPerSecond, got.EvaluationsPerSecond, got.CacheHits = want.PositionsPerSecond, want.EvaluationsPerSecond, want.CacheHits
	if !reflect.DeepEqual(got, want) {
		t.Errorf("after a stop the generation is told as\n%+v, want\n%+v", got, want)
	}
	again := digest(t, dir)
	for name := range files {
		if again[name] != files[name] {
			t.Errorf("%s differs after a stop", name)
		}
	}
	if len(again) != len(files) {
		t.Errorf("%d files, want %d", len(again), len(files))
	}
}

// TestShardsNameTheKernel that evaluated their positions.
func TestShardsNameTheKernel(t *testing.T) {
	s, err := record.Open(filepath.Join(wholeDir, rundir.ShardsDir, record.FileName(0, 0)), info(t, tiny().Game))
	if err != nil || s.Meta.Kernel != kernel.Arithmetic() {
		t.Errorf("kernel %q, %v, want %q", s.Meta.Kernel, err, kernel.Arithmetic())
	}
}
