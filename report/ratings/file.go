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

// File is where a run keeps its matches, one a line, in the order they were
// played. OldFile is what earlier programs wrote in its place.
const (
	File    = "ratings.jsonl"
	OldFile = "rating.json"
)

// oldVersion is that of OldFile.
const oldVersion = 1

// Read reads the matches of the run in folder dir, those of OldFile first; none
// if there are no files. A last line without its end, which a killed process
// left, is no match. What cannot be read otherwise is an error that names file
// and line.
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
	n := 0
	for line := range bytes.Lines(b) {
		n++
		if line[len(line)-1] != '\n' {
			break
		}
		m, err := parse(line)
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, n, err)
		}
		list = append(list, m)
	}
	return list, nil
}

func parse(line []byte) (Match, error) {
	var v struct{ Version int } // first: another version has other fields
	var m Match
	err := json.Unmarshal(line, &v)
	if err == nil && v.Version != version {
		err = fmt.Errorf("version %d: this program reads version %d", v.Version, version)
	}
	if err == nil {
		err = json.Unmarshal(line, &m)
	}
	if err == nil {
		err = m.check()
	}
	return m, err
}

// readOld reads the matches that earlier programs kept, none if there is no such
// file.
func readOld(path string) ([]Match, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var v struct{ Version int }
	var file struct{ Matches []*match.Result }
	if err = json.Unmarshal(b, &v); err == nil && v.Version != oldVersion {
		err = fmt.Errorf("version %d: this program reads version %d", v.Version, oldVersion)
	}
	if err == nil {
		err = json.Unmarshal(b, &file)
	}
	if err != nil {
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

// Append adds a match to the file of the run in folder dir, on disk when it
// returns; m.Version need not be set. What a killed process left of a line is cut
// off. Only one process may append at a time: one that holds the run's lock.
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
	end, err := wholeLines(f)
	if err == nil {
		err = f.Truncate(end)
	}
	if err != nil {
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

// wholeLines is where the last whole line of f ends.
func wholeLines(f *os.File) (int64, error) {
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	block := make([]byte, 64<<10)
	for end > 0 {
		n := min(end, int64(len(block)))
		if _, err := f.ReadAt(block[:n], end-n); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(block[:n], '\n'); i >= 0 {
			return end - n + int64(i) + 1, nil
		}
		end -= n
	}
	return 0, nil
}
