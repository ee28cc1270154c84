package run

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train"
)

// inherit finds the newest shards that the checkpoint of state s, in the run in
// folder dir, has learned from, as many as the window of cfg reaches back.
func (k *forked) inherit(dir string, s *State, cfg *Config) error {
	game, err := cfg.open()
	if err != nil {
		return err
	}
	own, err := learnedShards(dir, k.origin.Run, game.Info(), s)
	if err != nil {
		return err
	}
	before := k.before
	k.origin.Seen = int64(s.Rows)
	lines := []Inherited{{Run: k.origin.Run, ConfigHash: s.ConfigHash, Shards: own}} // newest first
	folders := []string{filepath.Join(dir, shardsDir)}
	if before != nil {
		k.origin.Seen += before.Seen
		ancestors := before.ancestors(dir)
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

// learnedShards are the shards of the run in folder dir, of that name, that the
// checkpoint of state s has learned from, in order. All of them must be there.
// Later ones, which may still be written, are left alone.
func learnedShards(dir, name string, info *engine.Info, s *State) ([]train.AncestorShard, error) {
	entries, err := os.ReadDir(filepath.Join(dir, shardsDir)) // by name: by generation, then number
	if err != nil {
		return nil, err
	}
	var all []train.AncestorShard
	rows := 0
	for _, e := range entries {
		generation, number, ours := record.ParseFileName(e.Name())
		if !ours || int(generation) >= s.Generation {
			continue
		}
		path := filepath.Join(dir, shardsDir, e.Name())
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("shard %s: %w", path, err)
		}
		shard, err := record.Parse(path, data, info)
		if err != nil {
			return nil, err
		}
		m := &shard.Meta
		switch {
		case m.Run != name || m.ConfigHash != s.ConfigHash:
			return nil, fmt.Errorf("shard %s: %w: of run %q with configuration %s, want %q with %s", path, record.ErrForeign, m.Run, m.ConfigHash, name, s.ConfigHash)
		case m.Generation != generation || m.Number != number:
			return nil, fmt.Errorf("shard %s: %w: it was written as %s", path, record.ErrCorrupt, record.FileName(m.Generation, m.Number))
		case m.LastGame >= int64(s.Games): // of a concurrent run
			continue
		}
		rows += m.Rows
		all = append(all, train.AncestorShard{Name: e.Name(), Rows: m.Rows, SHA256: train.SHA256(data)})
	}
	if rows != s.Rows {
		return nil, fmt.Errorf("checkpoint %d has learned from %d positions: the shards before it in %s hold %d; --fresh-window does without them",
			s.Generation, s.Rows, filepath.Join(dir, shardsDir), rows)
	}
	return all, nil
}

// beginFork makes the new run the fork that was read.
func (r *runner) beginFork(k *forked) {
	info := r.game.Info()
	r.origin, r.trainer, r.plays, r.calibration = &k.origin, k.trainer, k.plays, k.calibration
	r.state = State{
		Version: stateVersion, ConfigHash: r.configHash, Game: info.Name, GameVersion: info.Version, EncoderVersion: info.EncoderVersion,
		Step: k.origin.Step, Before: k.spent,
	}
	k.trainer = nil // the run closes it
}

// writeFork writes what the new run has from others, in place of what a stopped
// attempt may have left. Until there is a checkpoint, there is no run.
func (r *runner) writeFork(k *forked) error {
	if err := r.removeFork(); err != nil {
		return err
	}
	if len(k.folders) > 0 {
		err := atomicfile.WriteDir(filepath.Join(r.dir, inheritedDir), func(dir string) error {
			for i, in := range k.origin.Inherited {
				to := filepath.Join(dir, strconv.Itoa(i+1))
				if err := os.Mkdir(to, 0o777); err != nil {
					return err
				}
				for _, s := range in.Shards {
					if err := linkOrCopy(filepath.Join(k.folders[i], s.Name), filepath.Join(to, s.Name)); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	var err error
	r.state.Origin, err = k.origin.write(r.dir)
	return err
}

// linkOrCopy gives a file, which is never written to again, another name, or
// copies it where a link cannot be had or the file not be synced.
func linkOrCopy(from, to string) error {
	if os.Link(from, to) == nil {
		f, err := os.OpenFile(to, os.O_RDWR, 0)
		if err == nil {
			return f.Close()
		}
		if err := os.Remove(to); err != nil {
			return err
		}
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// HalfForked tells whether there is something of a fork in the folder of a run:
// one without a checkpoint is a fork that was not finished.
func HalfForked(dir string) (bool, error) {
	for _, name := range []string{originFile, inheritedDir} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
	}
	return false, nil
}

// removeFork removes what a stopped fork has left: our files and no others.
func (r *runner) removeFork() error {
	path := filepath.Join(r.dir, originFile)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	dir := filepath.Join(r.dir, inheritedDir)
	foreign := ""
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if _, _, ours := record.ParseFileName(e.Name()); !e.IsDir() && !ours {
			foreign = path
		}
		return nil
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case foreign != "":
		return fmt.Errorf("%s: it is not of the fork that was begun here: want it somewhere else", foreign)
	}
	return atomicfile.Remove(dir)
}

// inheritWindow gives the window what was inherited, once it is there.
func (r *runner) inheritWindow() error {
	if r.origin == nil || r.origin.FreshWindow {
		return nil
	}
	return r.window.Inherit(r.origin.ancestors(r.dir), r.origin.Seen)
}
