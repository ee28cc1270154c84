package rundir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/selfplay/record"
)

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
