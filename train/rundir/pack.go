package rundir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/strictjson"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/train/plan"
)

// PackVersion changes when a pack means something else than before.
const PackVersion = 1

// PackFile makes a folder a pack.
const PackFile = "pack.json"

// Pack is what a pack says of itself. A pack is the folder of a run with one
// checkpoint, its configuration and figures, and no games: small enough to be kept
// with the source, and all that a fork with a fresh window needs. Nobody works on
// it; MakePack replaces it by a later one.
type Pack struct {
	Version int `json:"version"`
	// Source is the checkpoint that was packed.
	Source
	Game string `json:"game"`
	Step int    `json:"step"`
	// Spent is what the network had taken when it was packed, over all runs behind
	// it; nil if it is unknown. The packed weights do not say it: they are the run's
	// file, so that what names the network by its hash finds it in both.
	Spent *model.Spent `json:"spent"`
	// Files are all files of the pack but its own.
	Files []PackedFile `json:"files"`
}

// PackedFile is a file of a pack; Name is its path there, with slashes.
type PackedFile struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // in hexadecimal
}

// spent is Spent, nil if there is no pack.
func (p *Pack) spent() *model.Spent {
	if p == nil {
		return nil
	}
	return p.Spent
}

// IsPack tells a pack from the folder of a run, however damaged it is.
func IsPack(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, PackFile))
	return err == nil
}

// ReadPack reads what the pack in folder dir says of itself, nil if dir is none.
func ReadPack(dir string) (*Pack, error) {
	name := filepath.Join(dir, PackFile)
	b, err := input.Read(name, input.Large)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p, err := parsePack(b)
	if err != nil {
		return nil, fmt.Errorf("pack %s: %w", name, err)
	}
	return p, nil
}

func parsePack(b []byte) (*Pack, error) {
	var p Pack
	if err := strictjson.DecodeVersion(b, PackVersion, &p); err != nil {
		return nil, err
	}
	if err := p.validate(); err != nil {
		return nil, err
	}
	for _, f := range p.Files {
		if !filepath.IsLocal(filepath.FromSlash(f.Name)) || f.Bytes < 0 || !checksum.MatchString(f.SHA256) {
			return nil, fmt.Errorf("file %q of %d bytes: want a path inside of the pack, a size and a checksum", f.Name, f.Bytes)
		}
	}
	return &p, nil
}

// CheckPack reads what the pack in folder dir says of itself, nil if dir is none,
// and all of its files: each is there and unaltered, and no other is in the place
// of one.
func CheckPack(dir string) (*Pack, error) {
	p, err := ReadPack(dir)
	if p == nil || err != nil {
		return nil, err
	}
	for _, f := range p.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		b, err := input.Read(name, input.Large)
		if err != nil {
			return nil, fmt.Errorf("pack %s: %w", dir, err)
		}
		if sum := plan.SHA256(b); sum != f.SHA256 {
			return nil, fmt.Errorf("pack %s: %s has %d bytes and the checksum %.16s: want %d and %.16s", dir, f.Name, len(b), sum, f.Bytes, f.SHA256)
		}
	}
	list, err := p.Others(dir)
	if err != nil {
		return nil, fmt.Errorf("pack %s: %w", dir, err)
	}
	for _, name := range list {
		if inPack(name) {
			return nil, fmt.Errorf("pack %s: %s was added to it", dir, name)
		}
	}
	return p, nil
}

// inPack tells whether a file of that name in the folder of a pack would be taken
// for a part of it.
func inPack(name string) bool {
	top := name
	for path.Dir(top) != "." {
		top = path.Dir(top)
	}
	return slices.Contains([]string{ConfigFile, OriginFile, MetricsName, CheckpointsDir}, top)
}

// Others lists the files in the folder of a pack that are not of it, in the order
// of their names.
func (p *Pack) Others(dir string) ([]string, error) {
	var list []string
	// Of an os.DirFS: dir may be a link.
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if name != PackFile && !slices.ContainsFunc(p.Files, func(f PackedFile) bool { return f.Name == name }) {
			list = append(list, name)
		}
		return nil
	})
	return list, err
}

// RefusePack keeps a process from working on a pack as if it were a run.
func RefusePack(dir string) error {
	if !IsPack(dir) {
		return nil
	}
	return fmt.Errorf("%s is a pack, which stays as it is: `ludozero train --from %s --fresh-window --run` with a new folder goes on from it", dir, wording.Quoted(dir))
}
