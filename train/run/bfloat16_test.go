package run

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestBFloat16Run plays and trains in bfloat16: other bytes than in float32, the
// same with any number of workers and again from the record. Kernels without it
// refuse before they do anything.
func TestBFloat16Run(t *testing.T) {
	play, learn := tiny(), tiny()
	play.SelfPlay.Precision, learn.Train.Precision = "bf16", "bf16"
	for key, cfg := range map[string]plan.Config{"self_play.precision": play, "train.precision": learn} {
		t.Run(key, func(t *testing.T) {
			dir := newDir(t)
			if h := tiny(); cfg.Hash() == h.Hash() {
				t.Error("the precision is no part of the hash of the configuration")
			}
			if kernel.CheckBFloat16() != nil {
				err := work(t.Context(), dir, cfg)
				if err == nil || !strings.Contains(err.Error(), key+": bf16: bfloat16: the kernels of level "+kernel.Level()) {
					t.Errorf("Run = %v, want an error that names key and level", err)
				}
				if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("the run that was refused has a folder: %v", err)
				}
				return
			}
			mustWork(t, dir, cfg)
			other := newDir(t)
			cfg.Workers = 3
			mustWork(t, other, cfg)
			compareWith(t, dir, other)
			mustEqualAgain(t, dir, cfg)
			if !playsOtherwise(t, dir, wholeDir, cfg.Game) {
				t.Error("all games are those of the run in float32, with all their values")
			}
		})
	}
}

// playsOtherwise tells whether two runs, of as many games, have other rows. Their
// shards differ in any case, by the configuration that they name.
func playsOtherwise(t testing.TB, a, b, game string) bool {
	t.Helper()
	for _, name := range shards(t, a) {
		var rows [2][]record.Row
		for i, run := range []string{a, b} {
			shard, err := record.Open(filepath.Join(run, rundir.ShardsDir, name), info(t, game))
			if err == nil {
				rows[i], err = shard.Rows()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(rows[0], rows[1]) {
			return true
		}
	}
	return false
}
