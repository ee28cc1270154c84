package ratings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ludozero/ludozero/internal/fault"
	"github.com/ludozero/ludozero/match"
)

// File holds the matches of a run, one per line, in the order they were played.
// OldFile is its predecessor in earlier programs.
const (
	File    = "ratings.jsonl"
	OldFile = "rating.json"
)

// oldVersion is the version of OldFile.
const oldVersion = 1

// Read reads the matches of the run in folder dir, from OldFile first; none if there
// are no files. It ignores an unfinished last line, which a killed process left. Other
// errors name file and line.
func Read(dir string) ([]Match, error) {
	old, err := readOld(filepath.Join(dir, OldFile))
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, File)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return old, nil
	}
	if err != nil {
		return nil, err
	}
	list := old
	for line := range bytes.Lines(b[:bytes.LastIndexByte(b, '\n')+1]) {
		m, err := parse(line)
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, len(list)-len(old)+1, err)
		}
		list = append(list, m)
	}
	return list, nil
}

func parse(line []byte) (m Match, err error) {
	if err = decode(line, version, &m); err == nil {
		err = m.check()
	}
	return m, err
}

// decode reads JSON of one version. It checks the version first, since another version
// has other fields.
func decode(text []byte, want int, into any) error {
	var v struct{ Version int }
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	if v.Version != want {
		return fmt.Errorf("version %d: this program reads version %d", v.Version, want)
	}
	return json.Unmarshal(text, into)
}

// readOld reads the matches of earlier programs; none if there is no such file.
func readOld(path string) ([]Match, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var file struct{ Matches []*match.Result }
	if err := decode(b, oldVersion, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var list []Match
	for i, r := range file.Matches {
		var m Match
		err := errors.New("there is none")
		if r != nil {
			if m, err = oldMatch(r); err == nil {
				err = m.check()
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: match %d: %w", path, i+1, err)
		}
		list = append(list, m)
	}
	return list, nil
}

// Append adds a match to the file of the run in folder dir, and returns once it is on
// disk; m.Version need not be set. It removes an unfinished line, which a killed
// process left. Only the process that holds the run's lock may append.
func Append(dir string, m *Match) error {
	whole := *m
	whole.Version = version
	if err := whole.check(); err != nil {
		return fmt.Errorf("rating: %w", err)
	}
	line, err := json.Marshal(&whole)
	if err != nil {
		return fmt.Errorf("rating: %w", err)
	}
	path := filepath.Join(dir, File)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return fmt.Errorf("rating: %w", err)
	}
	if err := errors.Join(appendLine(f, path, append(line, '\n')), f.Close()); err != nil {
		return fmt.Errorf("rating: %s: %w", path, err)
	}
	return nil
}

func appendLine(f *os.File, path string, line []byte) error {
	old, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	end := int64(bytes.LastIndexByte(old, '\n') + 1) // of the last whole line
	if err := f.Truncate(end); err != nil {
		return err
	}
	fault.PointAt("before-append", path)
	if fault.Armed("mid-append", path) {
		if _, err := f.WriteAt(line[:len(line)/2], end); err != nil {
			return err
		}
		fault.PointAt("mid-append", path)
	}
	if _, err := f.WriteAt(line, end); err != nil {
		return errors.Join(err, f.Truncate(end)) // the disk may be full: leave no part of a line
	}
	if err := f.Sync(); err != nil {
		return err
	}
	fault.PointAt("after-append", path)
	return nil
}
