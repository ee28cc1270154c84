package rundir

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/strictjson"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
)

// StateVersion changes when a state file means something else than before.
const StateVersion = 2

// State is the loop's own part of a checkpoint: how far the run is. Random
// streams need no place in it, since each is derived from the run's seed and
// the generation or game it serves.
type State struct {
	Version int `json:"version"`
	// ConfigHash identifies the settings that must not change within a run.
	ConfigHash string `json:"config_hash"`
	// Run is the run's identity, which its shards, metrics, forks and packs name;
	// empty in checkpoints of earlier programs, see Identity.
	Run  string `json:"run,omitempty"`
	Game string `json:"game"`
	// GameVersion and EncoderVersion are engine.Info's. A run cannot go on
	// under other rules or another encoding.
	GameVersion    int `json:"game_version"`
	EncoderVersion int `json:"encoder_version"`
	// Generation is the network this checkpoint holds: 0 is untrained, or what
	// the run began with.
	Generation int `json:"generation"`
	// Step counts optimizer updates, those behind the network of a fork's source
	// included, Games and Rows what the run itself has played for them.
	Step  int `json:"step"`
	Games int `json:"games"`
	Rows  int `json:"rows"`
	// Owed is the part of a step that the passes per position have earned and
	// no whole batch could be made of, in samples.
	Owed float64 `json:"owed"`
	// First names the file of the network that the run began with, in its first
	// checkpoint; empty if that was untrained.
	First string `json:"first,omitempty"`
	// Origin is the checksum of the run's origin, empty if it is no fork.
	Origin string `json:"origin,omitempty"`
	// Averaged tells that the weights are an average and that those in training
	// stand in a file of their own.
	Averaged bool `json:"averaged,omitempty"`
	// Sums are of the files beside the state; zero in those of earlier programs.
	Sums Sums `json:"sums,omitzero"`
	// Elapsed is the time spent learning when the checkpoint was written.
	Elapsed time.Duration `json:"elapsed_ns"`
	// CoreTime is what processors spent on that, each core by itself; nil if it is
	// unknown, since an earlier program has a part in it or the system does not say.
	CoreTime *time.Duration `json:"core_ns,omitempty"`
	// Before is what the network that the run began with had taken, nil if that is
	// unknown.
	Before *model.Spent `json:"before,omitempty"`
	// Metrics are the generation's, nil for the untrained one.
	Metrics *Metrics `json:"metrics,omitempty"`
}

// CheckConfig tells whether a run with this configuration can go on from the
// checkpoint.
func (s *State) CheckConfig(c *plan.Config) error {
	if want := c.Hash(); s.ConfigHash != want {
		return fmt.Errorf("checkpoint %d is of a run with configuration %s: %s of this program is %s; a key has another value than the run began with, or another default in this program",
			s.Generation, s.ConfigHash, ConfigFile, want)
	}
	return nil
}

// NewIdentity names a new run by what it is made of, in 16 hexadecimal digits: the hash
// of its configuration, the seed, its first weights, and where it comes from, nil for
// a run that is no fork. The name of its folder has no part in it, so that equal runs
// have equal files, and a run may be renamed or copied.
func NewIdentity(c *plan.Config, first *model.Weights, origin *Origin) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s %d\n", c.Hash(), c.Seed)
	err := binary.Write(h, binary.LittleEndian, first.All())
	if err == nil && origin != nil {
		o := *origin
		o.Name, o.Lineage = "", slices.Clone(o.Lineage)
		for i := range o.Lineage {
			o.Lineage[i].Name = ""
		}
		err = json.NewEncoder(h).Encode(&o)
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), err
}

// Identity returns the identity of the run in folder dir; s is the state of any of its checkpoints or
// nil. Earlier programs wrote none: there it is the name that the run's shards have
// recorded, that of the folder in which it was begun.
func Identity(dir string, s *State) (string, error) {
	if s != nil && s.Run != "" {
		return s.Run, nil
	}
	files, err := ListShards(filepath.Join(dir, ShardsDir))
	switch {
	case len(files) > 0:
		return record.RunOf(files[0].Path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	whole, err := filepath.Abs(dir)
	return filepath.Base(whole), err
}

// LastState is the state of the last checkpoint, nil if there is none.
func LastState(run string) (*State, error) {
	generations, err := Generations(run)
	if err != nil || len(generations) == 0 {
		return nil, err
	}
	s, err := ReadState(run, generations[len(generations)-1])
	return &s, err
}

// ReadState reads the loop's state of a checkpoint.
func ReadState(run string, generation int) (State, error) {
	path := filepath.Join(CheckpointDir(run, generation), StateFile)
	b, err := input.Read(path, input.Small)
	if err != nil {
		return State{}, fmt.Errorf("checkpoint %d: %w", generation, err)
	}
	var s State
	if err := strictjson.DecodeVersion(b, StateVersion, &s); err != nil {
		return State{}, fmt.Errorf("checkpoint state %s: %w", path, err)
	}
	switch {
	case s.Generation != generation:
		return State{}, fmt.Errorf("checkpoint state %s: generation %d in the folder of generation %d", path, s.Generation, generation)
	case s.Step < 0 || s.Games < 0 || s.Rows < 0 || s.Owed < 0 || s.Elapsed < 0 || s.CoreTime != nil && *s.CoreTime < 0:
		return State{}, fmt.Errorf("checkpoint state %s: a count is negative", path)
	case (s.Metrics == nil) != (generation == 0) || s.Metrics != nil && int(s.Metrics.Generation) != generation:
		return State{}, fmt.Errorf("checkpoint state %s: its metrics are missing or of another generation", path)
	}
	return s, nil
}

func (s *State) Write(path string) error {
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o666)
}
