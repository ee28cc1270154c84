// Package atomicfile writes files and folders whole or not at all: under a
// temporary name in the same folder, synced, renamed, and the folder synced. A
// name that exists is therefore complete, whenever the process or the machine
// was stopped; what a stopped process leaves behind are temporary names that
// [Clean] knows and removes.
//
// Crash tests stop a process at the points "mid-write", "before-rename",
// "mid-rename", "after-rename", "before-remove" and "mid-remove" of package fault, which may be
// narrowed to files by name.
package atomicfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/ludozero/ludozero/internal/fault"
	"github.com/ludozero/ludozero/internal/input"
)

// bufferBytes is the size of one write to the file system: large against the
// cost of a system call, small against the memory of a worker.
const bufferBytes = 64 << 10

// tempName matches every name that tempPath makes, and nothing a user is
// likely to choose.
var tempName = regexp.MustCompile(`^.+\.tmp-ludozero-[0-9]+-[0-9]+$`)

// IsTemporary reports whether an entry of a folder is called as what [Clean]
// removes.
func IsTemporary(name string) bool { return tempName.MatchString(name) }

var tempCount atomic.Uint64

// tempPath returns a new temporary name beside path. The process number and a
// counter keep the writers of one folder apart.
func tempPath(path string) string {
	return fmt.Sprintf("%s.tmp-ludozero-%d-%d", path, os.Getpid(), tempCount.Add(1))
}

// named makes *err, where it is about temp, name path, which temp was to become.
func named(err *error, temp, path string) {
	if *err != nil && strings.Contains((*err).Error(), temp) {
		*err = namedError{*err, strings.ReplaceAll((*err).Error(), temp, path)}
	}
}

// namedError is an error in other words.
type namedError struct {
	error
	text string
}

func (e namedError) Error() string { return e.text }
func (e namedError) Unwrap() error { return e.error }

// cause is what went wrong, without the operation and the names.
func cause(err error) error {
	if link := (*os.LinkError)(nil); errors.As(err, &link) {
		return link.Err
	}
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return err
}

// Write makes the file path hold exactly what write puts into the writer, which
// is buffered. A file of that name is replaced in one step; of a link, what [Target] says. If anything fails,
// write included, path is as it was and the temporary file is gone; only an
// error of the last step, syncing the folder, leaves the new file in place.
// Safe for concurrent use.
func Write(path string, write func(io.Writer) error) (err error) {
	if path, err = Target(path); err != nil {
		return fmt.Errorf("write %w", err)
	}
	var f *os.File
	temp := ""
	for f == nil {
		temp = tempPath(path)
		f, err = os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil && !errors.Is(err, fs.ErrExist) { // a leftover of an earlier process with our number
			return fmt.Errorf("write %s: %w", path, cause(err))
		}
	}
	defer func() {
		named(&err, temp, path)
		if err != nil {
			f.Close() // of no consequence if it is closed already
			os.Remove(temp)
		}
	}()
	buf := bufio.NewWriterSize(tornWriter{f, path}, bufferBytes)
	if err := write(buf); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	for _, finish := range []func() error{buf.Flush, f.Sync, f.Close} {
		if err := finish(); err != nil {
			return fmt.Errorf("write %s: %w", path, cause(err))
		}
	}
	return publish(temp, path)
}

// mostLinks is how many links in a row may lead to a file.
const mostLinks = 40

// openFile matches a name for a file that a process has open.
var openFile = regexp.MustCompile(`^/proc/[^/]+/(task/[^/]+/)?fd/`)

// Target is the path at which Write writes: that to which links lead, if path is one, be it there
// or not. It refuses devices and pipes, which a file would replace for everybody, and links to what a
// process has open, such as /dev/stdout: what that holds, or is still to hold, would be lost.
func Target(path string) (string, error) {
	at := path
	for range mostLinks {
		s, err := os.Lstat(at)
		switch {
		case err != nil || s.IsDir() || s.Mode().IsRegular():
			return at, nil // what is wrong with it is found where it is opened
		case s.Mode()&fs.ModeSymlink == 0:
			return "", fmt.Errorf("%s: it is a device or a pipe, which a file would replace", path)
		case openFile.MatchString(inRealFolder(at)):
			return "", fmt.Errorf("%s: it is what a program has open: want the name of a file", path)
		}
		to, err := os.Readlink(at)
		if err != nil {
			return "", fmt.Errorf("%s: %w", path, cause(err))
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(inRealFolder(at)), to)
		}
		at = to
	}
	return "", fmt.Errorf("%s: more than %d links in a row", path, mostLinks)
}

// inRealFolder is path with the links to its folder followed.
func inRealFolder(path string) string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return path
	}
	return filepath.Join(dir, filepath.Base(path))
}

// WriteBytes replaces the file at path as Write does.
func WriteBytes(path string, data []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Vacant refuses to begin something (of) in dir if that holds a file which is neither
// temporary nor one of known. With the file named first it would have been begun. A folder
// that does not exist is vacant.
func Vacant(dir, first, of string, known ...string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if !IsTemporary(e.Name()) && !slices.Contains(known, e.Name()) {
			return fmt.Errorf("it holds %s and no %s: want a new or empty folder, or one of %s", e.Name(), first, of)
		}
	}
	return nil
}

// WholeLines reads a journal, a file of lines, and cuts off what a process that was
// killed had not finished. A file that does not exist has no lines.
func WholeLines(path string) ([]byte, error) {
	data, err := input.Read(path, input.Large)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	whole := data[:bytes.LastIndexByte(data, '\n')+1]
	if len(whole) < len(data) {
		err = os.Truncate(path, int64(len(whole)))
	} else {
		err = nil
	}
	return whole, err
}

// WriteDir makes the folder path hold exactly the files that fill puts into the
// folder it is given, synced and renamed as one. path must not exist. If
// anything fails, path does not exist and the temporary folder is gone, but for
// an error of the last step, syncing the parent.
func WriteDir(path string, fill func(dir string) error) (err error) {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("write folder %s: %w", path, fs.ErrExist)
	}
	temp, err := fillTemp(path, fill)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(temp)
		}
	}()
	return publish(temp, path)
}

// fillTemp makes the folder that is to become path under a temporary name, synced.
// If anything fails, it is gone.
func fillTemp(path string, fill func(dir string) error) (temp string, err error) {
	for {
		temp = tempPath(path)
		if err = os.Mkdir(temp, 0o777); err == nil {
			break
		} else if !errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("write folder %s: %w", path, cause(err))
		}
	}
	defer func(made string) { named(&err, made, path) }(temp) // which a failure returns as ""
	err = fill(temp)
	if err == nil {
		fault.PointAt("mid-write", path)
		err = syncTree(temp)
	}
	if err != nil {
		os.RemoveAll(temp)
		return "", fmt.Errorf("write folder %s: %w", path, err)
	}
	return temp, nil
}

// Remove removes the file or folder path: it loses its name in one step, so that
// a name that exists stays complete. What a stopped process had not removed yet
// is left to [Clean].
func Remove(path string) error {
	fault.PointAt("before-remove", path)
	temp := tempPath(path)
	if err := os.Rename(path, temp); err != nil {
		return fmt.Errorf("remove %s: %w", path, cause(err))
	}
	fault.PointAt("mid-remove", path)
	err := syncDir(filepath.Dir(path))
	if err == nil {
		err = os.RemoveAll(temp)
	}
	named(&err, temp, path)
	return err
}

// Clean removes from dir what stopped writers left behind: entries, files or
// whole folders, whose names this package makes. It must not run beside a
// writer of the same folder. It returns the names removed.
func Clean(dir string) ([]string, error) { return clean(dir, "") }

// clean is Clean of the names that begin with prefix.
func clean(dir, prefix string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var removed []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), prefix) || !IsTemporary(e.Name()) || !(e.IsDir() || e.Type().IsRegular()) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return removed, err
		}
		removed = append(removed, e.Name())
	}
	if len(removed) == 0 {
		return nil, nil
	}
	return removed, syncDir(dir)
}

// publish gives a synced file or folder its name.
func publish(temp, path string) error {
	fault.PointAt("before-rename", path)
	if err := os.Rename(temp, path); err != nil {
		return fmt.Errorf("write %s: %w", path, cause(err))
	}
	fault.PointAt("after-rename", path)
	return syncDir(filepath.Dir(path))
}

// syncTree syncs every file and folder below and including dir.
func syncTree(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return syncDir(path)
		case !d.Type().IsRegular():
			return fmt.Errorf("%s is neither a file nor a folder", path)
		}
		// Windows flushes only handles open for writing.
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
}

// syncDir makes the entries of a folder durable, where folders can be synced.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// tornWriter passes writes on; when a test wants the process to die in the
// middle of one, it hands over half first.
type tornWriter struct {
	f    *os.File
	path string // that f will have
}

func (w tornWriter) Write(p []byte) (int, error) {
	if !fault.Armed("mid-write", w.path) {
		return w.f.Write(p)
	}
	n, err := w.f.Write(p[:len(p)/2])
	if err != nil {
		return n, err
	}
	fault.PointAt("mid-write", w.path)
	m, err := w.f.Write(p[n:])
	return n + m, err
}
