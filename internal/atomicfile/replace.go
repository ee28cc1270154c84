package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ludozero/ludozero/internal/fault"
)

// ReplaceDir is WriteDir where path may be a folder, which the new one replaces
// with all that is in it. Where the system can exchange two names (Linux, on most
// file systems), path is the old folder or the new one at every moment. Elsewhere
// a process that is killed between two renames leaves both whole under temporary
// names and none as path. What killed calls for the same path have left is removed
// when the new folder is in its place; two calls must not run at the same time.
func ReplaceDir(path string, fill func(dir string) error) error {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = WriteDir(path, fill)
	} else if err == nil {
		err = replaceDir(path, fill)
	}
	if err == nil {
		_, err = clean(filepath.Dir(path), filepath.Base(path)+".tmp-")
	}
	return err
}

// replaceDir is ReplaceDir of a folder that exists. The old one is left under a
// temporary name.
func replaceDir(path string, fill func(dir string) error) error {
	temp, err := fillTemp(path, fill)
	if err != nil {
		return err
	}
	fault.PointAt("before-rename", path)
	err = exchange(temp, path)
	if errors.Is(err, errors.ErrUnsupported) {
		err = renameBoth(temp, path)
	}
	if err != nil {
		os.RemoveAll(temp)
		return fmt.Errorf("write folder %s: %w", path, cause(err))
	}
	fault.PointAt("after-rename", path)
	return syncDir(filepath.Dir(path))
}

// renameBoth gives the folder path a temporary name and temp its own.
func renameBoth(temp, path string) error {
	old := tempPath(path)
	if err := os.Rename(path, old); err != nil {
		return err
	}
	fault.PointAt("mid-rename", path)
	if err := os.Rename(temp, path); err != nil {
		return errors.Join(err, os.Rename(old, path))
	}
	return nil
}
