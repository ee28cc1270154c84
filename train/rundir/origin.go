package rundir

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/strictjson"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
)

// OriginVersion changes when an origin means something else than before.
const OriginVersion = 1

// Where a fork keeps what it has from its source.
const (
	OriginFile   = "origin.json"
	InheritedDir = "inherited"
)

// Origin says where a forked run comes from: the checkpoint whose network is its
// generation 0, and the games of other runs that its window begins with. It never
// changes, and every checkpoint of the run has its checksum.
type Origin struct {
	Version int `json:"version"`
	Source
	// Game, GameVersion and EncoderVersion are engine.Info's.
	Game           string `json:"game"`
	GameVersion    int    `json:"game_version"`
	EncoderVersion int    `json:"encoder_version"`
	// Step, Positions, Samples and Rules are what the network's card says: what it had
	// learned from, over all runs before.
	Step      int                `json:"step"`
	Positions int64              `json:"positions"`
	Samples   int64              `json:"samples"`
	Rules     []model.RulesShare `json:"rules"`
	// FreshOptimizer: the source had no optimizer state any more.
	FreshOptimizer bool `json:"fresh_optimizer,omitempty"`
	// FromAverage: the source was a pack of averaged weights, and training began at
	// the average, with the optimizer of the weights in training, which packs leave
	// out.
	FromAverage bool `json:"from_average,omitempty"`
	// FreshWindow: no games were wanted. Otherwise Seen positions had been seen
	// when the fork began, and Inherited has the newest of them, the oldest run
	// first.
	FreshWindow bool        `json:"fresh_window,omitempty"`
	Seen        int64       `json:"seen"`
	Inherited   []Inherited `json:"inherited"`
	// Lineage is where the source comes from, if it is a fork, and so on, the
	// oldest first. What programs before this field have forked is missing.
	Lineage []Source `json:"lineage,omitempty"`
}

// Source is a checkpoint of a run that something was made of.
type Source struct {
	// Run is the identity of the run, Name the name that its folder had, for people;
	// empty where an earlier program wrote Run, which is that name then. ConfigHash
	// is of its configuration, Generation and Weights of the network: Weights is the
	// SHA-256, in hexadecimal, of the file that the run wrote.
	Run        string `json:"run"`
	Name       string `json:"name,omitempty"`
	ConfigHash string `json:"config_hash"`
	Generation int    `json:"generation"`
	Weights    string `json:"weights_sha256"`
}

// String is the source as `train --from` takes it, without its folder.
func (s Source) String() string { return s.Label() + "@" + strconv.Itoa(s.Generation) }

// Label is the run's name for people.
func (s Source) Label() string { return cmp.Or(s.Name, s.Run) }

func (s Source) validate() error {
	switch {
	case s.Run == "" || !checksum.MatchString(s.Weights):
		return errors.New("run or weights_sha256: want a name and a checksum")
	case s.Generation < 0:
		return fmt.Errorf("generation %d: want at least 0", s.Generation)
	}
	return nil
}

// Inherited are shards of one run, in the folder inherited/N of the fork, N
// counting the entries from 1.
type Inherited struct {
	Run        string `json:"run"`
	ConfigHash string `json:"config_hash"`
	// Offset plus a generation of that run is the generation of this one, at most
	// 0 in sum.
	Offset int32                `json:"generation_offset"`
	Shards []plan.AncestorShard `json:"shards"`
}

// Rows is the number of positions that were inherited.
func (o *Origin) Rows() int64 {
	n := int64(0)
	for _, in := range o.Inherited {
		for _, s := range in.Shards {
			n += int64(s.Rows)
		}
	}
	return n
}

// Ancestors are the inherited shards as a window takes them.
func (o *Origin) Ancestors(run string) []plan.Ancestor {
	var all []plan.Ancestor
	for i, in := range o.Inherited {
		all = append(all, plan.Ancestor{
			Dir: filepath.Join(run, InheritedDir, strconv.Itoa(i+1)), Run: in.Run, ConfigHash: in.ConfigHash, Offset: in.Offset, Shards: in.Shards,
		})
	}
	return all
}

// RulesRows are the positions behind the network by ruleset, in the order of the
// words.
func (o *Origin) RulesRows() []record.RulesRows {
	var sums []record.RulesRows
	for _, s := range o.Rules {
		sums = record.AddRulesRows(sums, []record.RulesRows{{Rules: s.Rules, Rows: int(s.Share*float64(o.Positions) + 0.5)}})
	}
	return sums
}

// checksum is a SHA-256 in hexadecimal.
var checksum = regexp.MustCompile(`^[0-9a-f]{64}$`)

// validate holds what was read to its rules, so that no name in it leads out of
// the run's folder.
func (o *Origin) validate() error {
	for _, s := range append([]Source{o.Source}, o.Lineage...) {
		if err := s.validate(); err != nil {
			return err
		}
	}
	switch {
	case o.Step < 0 || o.Positions < 0 || o.Samples < 0 || o.Seen < 0:
		return errors.New("a count is negative")
	case o.FreshWindow && (o.Seen != 0 || len(o.Inherited) > 0):
		return errors.New("fresh_window: want no inherited shards with it")
	case o.Rows() > o.Seen:
		return fmt.Errorf("inherited shards hold %d positions: want at most seen: %d", o.Rows(), o.Seen)
	}
	for i, in := range o.Inherited {
		for _, s := range in.Shards {
			generation, _, ours := record.ParseFileName(s.Name)
			if !ours || s.Rows < 1 || !checksum.MatchString(s.SHA256) || int64(generation)+int64(in.Offset) > 0 {
				return fmt.Errorf("inherited %d: shard %q with %d positions of generation offset %d: want a shard from before the fork", i+1, s.Name, s.Rows, in.Offset)
			}
		}
	}
	return nil
}

// ReadOrigin reads where the run in folder dir comes from, nil if it is no fork,
// and the checksum of the file.
func ReadOrigin(dir string) (*Origin, string, error) {
	path := filepath.Join(dir, OriginFile)
	b, err := input.Read(path, input.Small)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	o, err := parseOrigin(b)
	if err != nil {
		return nil, "", fmt.Errorf("origin %s: %w", path, err)
	}
	return o, plan.SHA256(b), nil
}

func parseOrigin(b []byte) (*Origin, error) {
	var o Origin
	if err := strictjson.DecodeVersion(b, OriginVersion, &o); err != nil {
		return nil, err
	}
	return &o, o.validate()
}

// CheckOrigin reads the origin of the run in folder dir, nil if it is no fork, and
// holds it to a checkpoint of the run: nobody has added, altered or removed it.
func CheckOrigin(dir string, s *State) (*Origin, error) {
	o, sum, err := ReadOrigin(dir)
	switch {
	case err != nil:
		return nil, err
	case s.Origin != "" && o == nil:
		return nil, fmt.Errorf("checkpoint %d is of a fork: %s is missing", s.Generation, filepath.Join(dir, OriginFile))
	case s.Origin != sum:
		return nil, fmt.Errorf("origin %s: its checksum is %.16s: checkpoint %d is of %s", filepath.Join(dir, OriginFile), sum, s.Generation, originText(s))
	}
	return o, nil
}

func originText(s *State) string {
	if s.Origin == "" {
		return "a run that is no fork"
	}
	return fmt.Sprintf("a fork with %.16s", s.Origin)
}

// Fits refuses an origin of another game, or of other rules or another encoding
// of it.
func (o *Origin) Fits(info *engine.Info) error {
	if o.Game != info.Name || o.GameVersion != info.Version || o.EncoderVersion != info.EncoderVersion {
		return fmt.Errorf("origin: %s is of %s version %d, encoder %d: this program plays %s version %d, encoder %d", o,
			o.Game, o.GameVersion, o.EncoderVersion, info.Name, info.Version, info.EncoderVersion)
	}
	return nil
}

// write writes the origin into the folder of a run and returns its checksum.
func (o *Origin) Write(dir string) (string, error) {
	b, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		return "", err
	}
	b = append(b, '\n')
	return plan.SHA256(b), atomicfile.WriteBytes(filepath.Join(dir, OriginFile), b)
}

// Event tells of the origin, nil if there is none.
func (o *Origin) Event() *OriginEvent {
	if o == nil {
		return nil
	}
	return &OriginEvent{Run: o.Label(), Generation: o.Generation, Positions: o.Rows(), FreshOptimizer: o.FreshOptimizer, FromAverage: o.FromAverage}
}

// WriteInherited gives the shards of list, entry i of which is in folder
// folders[i], to the run in folder dir: as links where that can be done.
func WriteInherited(dir string, list []Inherited, folders []string) error {
	if len(list) == 0 {
		return nil
	}
	return atomicfile.WriteDir(filepath.Join(dir, InheritedDir), func(dir string) error {
		for i, in := range list {
			to := filepath.Join(dir, strconv.Itoa(i+1))
			if err := os.Mkdir(to, 0o777); err != nil {
				return err
			}
			for _, s := range in.Shards {
				if err := linkOrCopy(filepath.Join(folders[i], s.Name), filepath.Join(to, s.Name)); err != nil {
					return err
				}
			}
		}
		return nil
	})
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
	in, err := input.Open(from)
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
	for _, name := range []string{OriginFile, InheritedDir} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
	}
	return false, nil
}

// RemoveHalfFork removes what a stopped fork has left in folder dir: our files and
// no others.
func RemoveHalfFork(dir string) error {
	path := filepath.Join(dir, OriginFile)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	dir = filepath.Join(dir, InheritedDir)
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
