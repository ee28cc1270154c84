package trained

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/report"
	"github.com/ludozero/ludozero/report/sample"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/rundir"
)

const (
	// reportBytes is how much of a run's shards a report reads: what takes some ten
	// seconds to play again, and thousands of games.
	reportBytes = 48 << 20
	// reportParts is how many parts the recorded games are divided into, at most.
	reportParts = 12
)

// eachShard does a piece of work for each of n shards, until ctx ends or one fails, and
// shows what it says.
type eachShard func(ctx context.Context, n int, do func(i int) (text string, err error)) error

// numberedShard is a shard of a run by its name.
type numberedShard struct {
	path       string
	generation int32
	number     int64
	bytes      int64
}

// runShards lists the shards of a run in order; none if it has no games yet.
// Files with other names are not its shards.
func runShards(dir string) ([]numberedShard, error) {
	folder := filepath.Join(dir, "shards")
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []numberedShard
	for _, e := range entries {
		generation, number, ours := record.ParseFileName(e.Name())
		if !ours {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		list = append(list, numberedShard{filepath.Join(folder, e.Name()), generation, number, info.Size()})
	}
	slices.SortFunc(list, func(a, b numberedShard) int {
		return cmp.Or(cmp.Compare(a.generation, b.generation), cmp.Compare(a.number, b.number))
	})
	return list, nil
}

// sampleShards takes shards of about that many bytes together, spread evenly, the first and
// the last among them; all if they have no more.
func sampleShards(all []numberedShard, bytes int64) []numberedShard {
	total := int64(0)
	for i := range all {
		total += all[i].bytes
	}
	if total <= bytes {
		return all
	}
	n := max(2, int(int64(len(all))*bytes/total))
	if n >= len(all) {
		return all
	}
	var list []numberedShard
	for i := range n {
		list = append(list, all[i*(len(all)-1)/(n-1)])
	}
	return list
}

// gamesReader counts what happens in the games of shards.
type gamesReader struct {
	library *census.Library
	first   int32 // generation
	width   int   // generations of a part
	parts   map[int]*census.Tally
	spans   map[int][2]int // generations met, by part
	rules   map[string]*census.Tally
	mixed   bool
	shards  int
	games   int
}

// readGames counts what happens in the recorded games of a run, or in a sample of
// them; nil if there are none. Shards that cannot be read are noted in in.
func readGames(ctx context.Context, games engine.Families, dir string, in *report.Input, each eachShard) (*report.Recorded, error) {
	all, err := runShards(dir)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	chosen := sampleShards(all, reportBytes)
	first, last := all[0].generation, all[len(all)-1].generation
	r := &gamesReader{
		library: census.NewLibrary(games), first: first, width: (int(last-first) + reportParts) / reportParts,
		parts: map[int]*census.Tally{}, spans: map[int][2]int{}, rules: map[string]*census.Tally{}, mixed: len(in.Config.RulesMix) > 0,
	}
	err = each(ctx, len(chosen), func(i int) (string, error) {
		if err := r.shard(chosen[i].path); err != nil {
			in.Unreadable = append(in.Unreadable, wording.OneLine(err))
		}
		return wording.Count(r.games, "game"), nil
	})
	if err != nil || r.games == 0 {
		return nil, err
	}
	info, err := r.library.Info(in.Config.Game)
	if err != nil {
		return nil, err
	}
	out := &report.Recorded{Shards: r.shards, Of: len(all), Sides: info.Sides}
	for _, part := range slices.Sorted(maps.Keys(r.parts)) {
		span := r.spans[part]
		out.Parts = append(out.Parts, report.RecordedPart{First: span[0], Last: span[1], Summary: r.parts[part].Summary(info)})
	}
	for _, rules := range slices.Sorted(maps.Keys(r.rules)) {
		s := r.rules[rules].Summary(info)
		s.Rules = rules
		out.Rules = append(out.Rules, s)
	}
	return out, nil
}

// readSamples chooses some recorded games of a run for show; nil if there are
// none. What it cannot read is noted in in, once.
func readSamples(ctx context.Context, games engine.Families, dir string, in *report.Input) (*sample.Choice, error) {
	all, err := runShards(dir)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	var paths []string
	var files []rundir.ShardFile
	for i := range all {
		paths = append(paths, all[i].path)
		files = append(files, rundir.ShardFile{Path: all[i].path, Generation: int(all[i].generation), Number: all[i].number})
	}
	c, err := sample.Choose(ctx, games, paths)
	if err != nil {
		return nil, err
	}
	if gap := rundir.Gap(files); gap != "" {
		in.Unreadable = append(in.Unreadable, filepath.Join(dir, rundir.ShardsDir)+": "+gap)
	}
	for _, fault := range c.Unreadable {
		if text := wording.OneLine(fault); !slices.Contains(in.Unreadable, text) {
			in.Unreadable = append(in.Unreadable, text)
		}
	}
	return c, nil
}

// shard counts the games of a shard, up to the first that does not replay.
func (r *gamesReader) shard(path string) error {
	s, size, err := r.library.Open(path)
	if err != nil {
		return err
	}
	err = r.library.Each(s, func(g *census.Recorded) error {
		generation := int(g.Rows[0].Generation)
		part := max(0, generation-int(r.first)) / r.width
		t := r.parts[part]
		if t == nil {
			t = census.New()
			r.parts[part] = t
			r.spans[part] = [2]int{generation, generation}
		}
		var also []*census.Tally
		if r.mixed {
			rules := g.Game.Rules()
			if r.rules[rules] == nil {
				r.rules[rules] = census.New()
			}
			also = append(also, r.rules[rules])
		}
		for _, one := range append(also, t) {
			one.AddBytes(float64(size) * float64(len(g.Rows)) / float64(s.Meta.Rows))
		}
		if err := g.Fault(t.Add(g.Game.Rules(), g.Replayer, g.Rows, also...)); err != nil {
			return err
		}
		span := r.spans[part]
		r.spans[part] = [2]int{min(span[0], generation), max(span[1], generation)}
		r.games++
		return nil
	})
	if err == nil {
		r.shards++
	}
	return err
}
