package run

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// packedMetrics is how many bytes the metrics of a pack may take. Beyond, every
// second row is left out, again and again: it is for curves.
const packedMetrics = 256 << 10

// PackOptions are what MakePack needs beside the run.
type PackOptions struct {
	// Games lists the games that the program knows.
	Games engine.Families
	// Limit is how many bytes the pack may take. 0: no limit.
	Limit int64
	// Ratings, unless it is empty, becomes the file of that name.
	Ratings     []byte
	RatingsName string
}

// packed is a file of a pack that is to be written.
type packed struct {
	name string // with slashes
	data []byte
}

// MakePack packs a checkpoint of the run in folder dir into folder out: generation,
// or the last one for -1. cfg is the run's configuration; the checkpoint is held to
// it as a fork would be. The run is only read, and may be at work. A pack that is
// there already is replaced in one step, see atomicfile.ReplaceDir, if the
// checkpoint comes from what it holds and there is nothing else in its folder;
// it is returned, too, nil if there was none.
func MakePack(dir string, generation int, cfg *plan.Config, out string, opt PackOptions) (made, replaced *rundir.Pack, err error) {
	if err := apart(dir, out); err != nil {
		return nil, nil, err
	}
	to, err := realPath(out) // the folder is replaced and not a link to it
	if err != nil {
		return nil, nil, err
	}
	if info, err := os.Lstat(to); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, nil, fmt.Errorf("pack %s: it is a link to what is not there: want a folder", out)
	}
	if rundir.IsPack(dir) {
		return nil, nil, fmt.Errorf("%s is a pack itself: want the folder of a run", dir)
	}
	f := Fork{Dir: dir}
	if f.Generation, err = rundir.Choose(dir, generation); err != nil {
		return nil, nil, err
	}
	rules, err := cfg.NewRules(opt.Games)
	if err != nil {
		return nil, nil, err
	}
	asFloats := *cfg
	asFloats.Train.Precision = plan.PrecisionF32 // it copies, also where nothing can train in bf16
	k, s, err := f.checkpoint(&asFloats, rules.Game.Info())
	if err != nil {
		return nil, nil, fmt.Errorf("run %s: %w", dir, err)
	}
	k.close()
	spent, files, err := readPacked(dir, s, k, opt)
	if err != nil {
		return nil, nil, fmt.Errorf("run %s: %w", dir, err)
	}
	made = &rundir.Pack{Version: rundir.PackVersion, Source: k.origin.Source, Game: s.Game, Step: s.Step, Spent: spent}
	for _, f := range files {
		made.Files = append(made.Files, rundir.PackedFile{Name: f.name, Bytes: int64(len(f.data)), SHA256: plan.SHA256(f.data)})
	}
	text, err := json.MarshalIndent(made, "", "  ")
	if err != nil {
		return nil, nil, err
	}
	files = append(files, packed{rundir.PackFile, append(text, '\n')})
	if err := checkLimit(files, opt.Limit); err != nil {
		return nil, nil, fmt.Errorf("pack %s: %w", out, err)
	}
	if replaced, err = replaceable(made, dir, out, k.origin.Lineage); err != nil {
		return nil, nil, err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return nil, nil, err
	}
	err = atomicfile.ReplaceDir(to, func(dir string) error {
		for _, f := range files {
			path := filepath.Join(dir, filepath.FromSlash(f.name))
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				return err
			}
			if err := os.WriteFile(path, f.data, 0o666); err != nil {
				return err
			}
		}
		return nil
	})
	return made, replaced, err
}

// readPacked reads what belongs into a pack of the checkpoint of state s, which k
// was read from, and what its network took.
func readPacked(dir string, s *rundir.State, k *forked, opt PackOptions) (*model.Spent, []packed, error) {
	files, err := packedFiles(dir, s, k, opt)
	if err != nil {
		return nil, nil, err
	}
	at := slices.IndexFunc(files, func(f packed) bool { return path.Base(f.name) == rundir.WeightsFile })
	_, card, err := model.Decode(files[at].data)
	if err != nil {
		return nil, nil, err
	}
	spent, err := spentUntilNow(dir, s, card)
	return spent, files, err
}

// spentUntilNow is what the network of the checkpoint of state s took and, if it is
// the last of the run, what was spent in vain after it: the stretch ends here.
func spentUntilNow(dir string, s *rundir.State, card *model.Card) (*model.Spent, error) {
	generations, err := rundir.Generations(dir)
	if err != nil {
		return nil, err
	}
	var until []rundir.Event
	if s.Generation == generations[len(generations)-1] {
		if until, err = rundir.ReadEvents(dir); err != nil {
			return nil, err
		}
	}
	return rundir.SpentOn(dir, s, card, until)
}

// packedFiles reads the files of the checkpoint of state s, which k was read from,
// and those of the run that belong into a pack; weights and their card are among
// them.
func packedFiles(dir string, s *rundir.State, k *forked, opt PackOptions) ([]packed, error) {
	var files []packed
	take := func(name string, need bool) error {
		data, err := input.Read(filepath.Join(dir, filepath.FromSlash(name)), input.Large)
		switch {
		case err == nil:
			files = append(files, packed{name, data})
		case need || !errors.Is(err, fs.ErrNotExist):
			return err
		}
		return nil
	}
	err := take(rundir.ConfigFile, true)
	if err == nil {
		err = take(rundir.OriginFile, s.Origin != "")
	}
	checkpoint := path.Join(rundir.CheckpointsDir, filepath.Base(rundir.CheckpointDir(dir, s.Generation)))
	for _, name := range append(slices.Clone(rundir.NetworkFiles), rundir.OptimizerFile) { // of weights and average the average alone
		need := slices.Contains(rundir.NetworkFiles, name) || name == rundir.OptimizerFile && !k.origin.FreshOptimizer
		if err == nil {
			err = take(path.Join(checkpoint, name), need)
		}
	}
	var rows []rundir.Metrics
	if err == nil {
		rows, err = rundir.ReadMetricsUntil(dir, s.Generation)
	}
	if err != nil {
		return nil, err
	}
	if len(rows) > 0 {
		data, err := thinMetrics(rows, k.origin.Run, s.ConfigHash)
		if err != nil {
			return nil, err
		}
		files = append(files, packed{rundir.MetricsName, data})
	}
	if len(opt.Ratings) > 0 {
		files = append(files, packed{opt.RatingsName, opt.Ratings})
	}
	return files, nil
}

// thinMetrics is the metrics file of rows, the last of them included, within
// packedMetrics.
func thinMetrics(rows []rundir.Metrics, run, configHash string) ([]byte, error) {
	for {
		data, err := rundir.MarshalMetrics(rows, run, configHash)
		if err != nil || len(data) <= packedMetrics || len(rows) == 1 {
			return data, err
		}
		var half []rundir.Metrics
		for i := (len(rows) - 1) % 2; i < len(rows); i += 2 {
			half = append(half, rows[i])
		}
		rows = half
	}
}

// checkLimit refuses files that take more bytes than limit, the largest by name.
func checkLimit(files []packed, limit int64) error {
	total := int64(0)
	for _, f := range files {
		total += int64(len(f.data))
	}
	if limit == 0 || total <= limit {
		return nil
	}
	var parts []string
	bySize := slices.SortedFunc(slices.Values(files), func(a, b packed) int { return cmp.Compare(len(b.data), len(a.data)) })
	for _, f := range bySize[:min(3, len(files))] {
		parts = append(parts, fmt.Sprintf("%s %d", path.Base(f.name), len(f.data)))
	}
	return fmt.Errorf("it would take %d bytes (%s): want at most %d", total, strings.Join(parts, ", "), limit)
}

// replaceable reads the pack in folder out, which p, of the run in folder dir, is
// to take the place of, nil if there is nothing. It refuses what would be lost: a
// folder that is no pack, a file of somebody else, a checkpoint that p's does not
// come from. lineage is what p's run comes from.
func replaceable(p *rundir.Pack, dir, out string, lineage []rundir.Source) (*rundir.Pack, error) {
	entries, err := os.ReadDir(out)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	old, err := rundir.ReadPack(out)
	if err != nil {
		return nil, err
	}
	if old == nil {
		return nil, fmt.Errorf("%s is there and no pack: want another folder", out)
	}
	others, err := old.Others(out)
	switch {
	case err != nil:
		return nil, err
	case len(others) > 0:
		return nil, fmt.Errorf("%s is not of the pack in %s: want it somewhere else", filepath.Join(out, filepath.FromSlash(others[0])), out)
	case !comesFrom(p.Source, old.Source, dir) && !slices.ContainsFunc(lineage, func(s rundir.Source) bool { return comesFrom(s, old.Source, "") }):
		return nil, fmt.Errorf("%s holds %s, which %s does not come from: want another folder, or that one removed", out, old.Source, p.Source)
	}
	return old, nil
}

// comesFrom tells whether checkpoint s is old, or a later one of its run. Runs are
// known by name and configuration, and by the weights of the checkpoint where the
// run in folder dir, "" if it is not at hand, still has them.
func comesFrom(s, old rundir.Source, dir string) bool {
	if s.Weights == old.Weights {
		return true
	}
	if s.Run != old.Run || s.ConfigHash != old.ConfigHash || s.Generation < old.Generation {
		return false
	}
	if dir != "" {
		if file, err := input.Read(rundir.WeightsPath(dir, old.Generation), input.Large); err == nil {
			return isWeights(file, old.Weights)
		}
	}
	return s.Generation > old.Generation
}
