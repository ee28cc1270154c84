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

// beginFork makes the new run the fork that was read.
func (r *runner) beginFork(k *forked) {
	info := r.game.Info()
	r.origin, r.trainer, r.plays, r.calibration = &k.origin, k.trainer, k.plays, k.calibration
	r.state = rundir.State{
		Version: rundir.StateVersion, ConfigHash: r.configHash, Game: info.Name, GameVersion: info.Version, EncoderVersion: info.EncoderVersion,
		Step: k.origin.Step, Before: k.spent,
	}
	k.trainer = nil // the run closes it
}

// writeFork writes what the new run has from others, in place of what a stopped
// attempt may have left. Until there is a checkpoint, there is no run.
func (r *runner) writeFork(k *forked) error {
	err := rundir.RemoveHalfFork(r.dir)
	if err == nil {
		err = rundir.WriteInherited(r.dir, k.origin.Inherited, k.folders)
	}
	if err == nil {
		r.state.Origin, err = k.origin.Write(r.dir)
	}
	return err
}

// inheritWindow gives the window what was inherited, once it is there.
func (r *runner) inheritWindow() error {
	if r.origin == nil || r.origin.FreshWindow {
		return nil
	}
	return r.window.Inherit(r.origin.Ancestors(r.dir), r.origin.Seen)
}
