// Package archive keeps the games of a series in a folder, so that a match, a
// tournament or a test can be stopped or killed at any moment and resumed:
//
//	series.json     what was asked for: players, rules, openings, seeds, limits
//	games.jsonl     the journal: one line for each finished game, as games end
//	games.parquet   the games that count, in the order of the schedule
//	games.txt       the same for people
//	result.json     the result
//	lock            held by the process that works on the folder
//
// Resuming needs the first two only; the others are made from them
// whenever the series ends or is stopped, and depend neither on how often it was
// interrupted nor on the number of workers. A folder is resumed with exactly what it
// was begun with and refuses anything else by name. docs/data-format.md has the
// formats.
//
// Crash tests stop a process at the points of internal/atomicfile and at
// "mid-write@games.jsonl", half a line into the journal.
package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/lock"
	"github.com/ludozero/ludozero/match"
)

// Names of the files in a folder.
const (
	AskedFile   = "series.json"
	JournalFile = "games.jsonl"
	GamesFile   = "games.parquet"
	TextFile    = "games.txt"
	ResultFile  = "result.json"
	lockFile    = "lock"
)

// Folder is an open folder, locked against other processes. Not safe for
// concurrent use.
type Folder struct {
	dir     string
	asked   *Asked
	series  *match.Series
	journal *journal
	release func() error // the lock; nil if it is not held
}

// Open begins the folder dir for the games of s, or resumes it if it was begun for
// exactly what is asked. It returns the games that were played before,
// in the order in which they ended; each has been played through by the rules. A
// folder that is refused stays as it is. The caller closes what it is given.
func Open(dir string, asked *Asked, s *match.Series) (*Folder, []match.Game, error) {
	f := &Folder{dir: dir, asked: asked, series: s}
	games, err := f.open()
	if err != nil {
		f.unlock()
		return nil, nil, fmt.Errorf("folder %s: %w", dir, err)
	}
	return f, games, nil
}

func (f *Folder) open() ([]match.Game, error) {
	err := f.compare()
	if errors.Is(err, fs.ErrNotExist) {
		// A process that was killed before it had written AskedFile leaves a lock.
		if err = atomicfile.Vacant(f.dir, AskedFile, "a series", lockFile); err == nil {
			err = os.MkdirAll(f.dir, 0o777)
		}
	}
	if err == nil {
		err = f.take()
	}
	if err == nil { // another process may have begun it since
		if err = f.compare(); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	if err == nil {
		_, err = atomicfile.Clean(f.dir)
	}
	if err == nil {
		err = f.write(AskedFile, f.asked.encode())
	}
	if err != nil {
		return nil, err
	}
	f.journal = &journal{path: filepath.Join(f.dir, JournalFile)}
	return f.journal.read(f.series)
}

// compare refuses a folder that was begun for something else; fs.ErrNotExist if it was
// not begun.
func (f *Folder) compare() error {
	known, err := ReadAsked(f.dir)
	if err != nil {
		return err
	}
	return f.asked.sameAs(known)
}

// take locks the folder against other processes.
func (f *Folder) take() (err error) {
	f.release, err = lock.Take(filepath.Join(f.dir, lockFile), f.dir)
	return err
}

func (f *Folder) unlock() error {
	if f.release == nil {
		return nil
	}
	release := f.release
	f.release = nil
	return release()
}

// Append enters a finished game in the journal.
func (f *Folder) Append(g *match.Game) error {
	if err := f.journal.append(g); err != nil {
		return fmt.Errorf("folder %s: %w", f.dir, err)
	}
	return nil
}

// Finish writes the games that count, in the order of the schedule, as Parquet and
// as text, and the result as JSON. Files that hold the same already are left
// alone, so that a folder that is finished and cannot be written to still shows
// its result.
func (f *Folder) Finish(games []match.Game, result any) error {
	err := f.finish(games, result)
	if err != nil {
		return fmt.Errorf("folder %s: %w", f.dir, err)
	}
	return nil
}

func (f *Folder) finish(games []match.Game, result any) error {
	rows, err := makeRows(f.series, games)
	if err != nil {
		return err
	}
	table, err := marshalRows(f.asked, rows)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := writeText(&text, f.asked, f.series.Game, rows); err != nil {
		return err
	}
	summary, err := json.MarshalIndent(result, "", "  ")
	if err != nil {
		return err
	}
	return errors.Join(
		f.write(GamesFile, table),
		f.write(TextFile, text.Bytes()),
		f.write(ResultFile, append(summary, '\n')))
}

// write makes the file name hold data.
func (f *Folder) write(name string, data []byte) error {
	path := filepath.Join(f.dir, name)
	if old, err := input.Read(path, input.Large); err == nil && bytes.Equal(old, data) {
		return nil
	}
	return atomicfile.WriteBytes(path, data)
}

// Close makes the journal durable and unlocks the folder.
func (f *Folder) Close() error {
	if err := errors.Join(f.journal.close(), f.unlock()); err != nil {
		return fmt.Errorf("folder %s: %w", f.dir, err)
	}
	return nil
}
