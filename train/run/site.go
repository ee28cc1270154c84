package run

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// site is which run is worked on, or read. It does not change once the run is open.
type site struct {
	dir        string
	run        string // its identity, once that is known
	cfg        plan.Config
	configHash string // of what must not change within a run
	family     *engine.Family
	game       engine.Game
	mix        *selfplay.Mix // nil: all games are by game's rules
}

func newSite(dir string, cfg plan.Config, rules *plan.Rules) *site {
	return &site{dir: dir, cfg: cfg, configHash: cfg.Hash(), family: rules.Family, game: rules.Game, mix: rules.Mix}
}

// shards opens the run's own.
func (s *site) shards() *rundir.Shards {
	return &rundir.Shards{Dir: s.dir, Run: s.run, ConfigHash: s.configHash, Info: s.game.Info()}
}

// rowsOf reads the rows of a shard that was found.
func (s *site) rowsOf(m *record.Meta) ([]record.Row, error) {
	shard, err := s.shards().Open(int(m.Generation), m.Number)
	if err != nil {
		return nil, err
	}
	return shard.Rows()
}

// rulesets is how many rulesets self-play draws from, 0 without a mix.
func (s *site) rulesets() int {
	if s.mix == nil {
		return 0
	}
	return len(s.mix.Games())
}

// freshWeights draws the weights of a generation whose network grows from no other.
func (s *site) freshWeights(generation int) *model.Weights {
	w := model.NewWeights(s.cfg.NetworkOf(s.game.Info(), generation))
	w.Init(rand.New(seed.Stream(s.cfg.Seed, "weights", uint64(generation))))
	return w
}

// openShard opens a shard and refuses it unless it is this run's and holds the
// games that its name says in the alternating loop. Errors name the file; it need
// not exist.
func (s *site) openShard(generation int, number int64) (*record.Shard, error) {
	shard, err := s.shards().Open(generation, number)
	if err != nil {
		return nil, err
	}
	m := &shard.Meta
	if first, end := s.cfg.ShardGames(number); m.FirstGame < first || m.LastGame >= end {
		return nil, fmt.Errorf("shard %s: %w: games %d to %d, want some of %d to %d", shard.Name, record.ErrCorrupt,
			m.FirstGame, m.LastGame, first, end-1)
	}
	return shard, nil
}

// checkShards holds every shard of the run to its rules and all of them to what
// the checkpoint of state st has learned from, before any work is done. It reads
// them whole.
func (s *site) checkShards(st *rundir.State) error {
	dir := filepath.Join(s.dir, rundir.ShardsDir)
	files, err := rundir.ListShards(dir)
	if err != nil {
		return err
	}
	rows := 0
	for _, f := range files {
		if f.Generation > st.Generation+s.cfg.Lag {
			return fmt.Errorf("shard %s: its generation is newer than the last checkpoint, %d, can have", f.Path, st.Generation)
		}
		shard, err := s.openShard(f.Generation, f.Number)
		if err != nil {
			return err
		}
		if f.Generation < st.Generation {
			rows += shard.Meta.Rows
		}
	}
	return st.CheckRows(dir, files, rows)
}

// First is a network to begin a run with. Its optimizer state is not part of it:
// the first training begins as that of an untrained network does, warm-up
// included. In the run it is generation 0.
type First struct {
	// Name says where it came from, for people.
	Name    string
	Weights *model.Weights
	// Calibration belongs to Weights; nil: the run measures it.
	Calibration *model.Calibration
}

// weights returns the network of generation 0 of a new run, a fresh one without f, and
// where it came from.
func (f *First) weights(s *site) (*model.Weights, string, error) {
	if f == nil {
		return s.freshWeights(0), "", nil
	}
	if f.Weights.Network() != s.cfg.NetworkOf(s.game.Info(), 0) {
		return nil, "", fmt.Errorf("the first network, %s, is of %+v: the configuration asks for %+v", f.Name, f.Weights.Network().Config, s.cfg.ModelAt(0))
	}
	return f.Weights.Clone(), f.Name, nil
}

// check refuses to go on with the run in folder dir if that began with another
// network than f.
func (f *First) check(dir string) error {
	if f == nil {
		return nil
	}
	w, _, err := model.Load(rundir.WeightsPath(dir, 0))
	if err != nil {
		return fmt.Errorf("checkpoint 0: %w", err)
	}
	if w.Network() != f.Weights.Network() || !slices.Equal(w.All(), f.Weights.All()) {
		return errors.New("it began with another network than " + f.Name)
	}
	return nil
}
