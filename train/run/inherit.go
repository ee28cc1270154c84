package run

import (
	"path/filepath"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// inherit finds the newest shards that the checkpoint of state s, in the run in
// folder dir, has learned from, as many as the window of cfg reaches back.
func (k *forked) inherit(dir string, s *rundir.State, cfg *plan.Config, info *engine.Info) error {
	shards := rundir.Shards{Dir: dir, Run: k.origin.Run, ConfigHash: s.ConfigHash, Info: info}
	own, err := shards.LearnedBy(s)
	if err != nil {
		return err
	}
	before := k.before
	k.origin.Seen = int64(s.Rows)
	lines := []rundir.Inherited{{Run: k.origin.Run, ConfigHash: s.ConfigHash, Shards: own}} // newest first
	folders := []string{filepath.Join(dir, rundir.ShardsDir)}
	if before != nil {
		k.origin.Seen += before.Seen
		ancestors := before.Ancestors(dir)
		for i, in := range slices.Backward(before.Inherited) {
			lines, folders = append(lines, in), append(folders, ancestors[i].Dir)
		}
	}
	want := cfg.Window.Positions(k.origin.Seen)
	for i, line := range lines {
		first := len(line.Shards)
		for first > 0 && want > 0 {
			first--
			want -= int64(line.Shards[first].Rows)
		}
		if line.Shards = line.Shards[first:]; len(line.Shards) == 0 {
			break
		}
		line.Offset -= int32(s.Generation)
		k.origin.Inherited, k.folders = append(k.origin.Inherited, line), append(k.folders, folders[i])
	}
	slices.Reverse(k.origin.Inherited)
	slices.Reverse(k.folders)
	return nil
}
