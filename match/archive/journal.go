package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/fault"
	"github.com/ludozero/ludozero/internal/strictjson"
	"github.com/ludozero/ludozero/match"
)

// syncEvery bounds how much play is lost when the machine stops; a process that
// stops loses no line that it wrote.
const syncEvery = time.Second

// journal is a file of one line for each finished game. A line counts once its
// newline is written; an unfinished one is dropped.
type journal struct {
	path   string
	file   *os.File // nil until a line is to be written
	synced time.Time
	line   bytes.Buffer
}

// read returns the games of s in the journal, in its order, and cuts off a line
// that was not finished.
func (j *journal) read(s *match.Series) ([]match.Game, error) {
	whole, err := atomicfile.WholeLines(j.path)
	if err != nil {
		return nil, err
	}
	var games []match.Game
	v := newVerifier(s)
	for number, line := range bytes.SplitAfter(whole, []byte("\n")) {
		if len(line) == 0 { // after the last newline
			break
		}
		var g match.Game
		err := strictjson.Decode(line, &g)
		if err == nil {
			err = v.check(&g)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", j.path, number+1, err)
		}
		games = append(games, g)
	}
	return games, nil
}

// open makes the journal ready to be written.
func (j *journal) open() error {
	_, err := os.Lstat(j.path)
	if errors.Is(err, fs.ErrNotExist) {
		// So that the name is as durable as the lines.
		err = atomicfile.Write(j.path, func(io.Writer) error { return nil })
	}
	if err != nil {
		return err
	}
	j.file, err = os.OpenFile(j.path, os.O_WRONLY|os.O_APPEND, 0)
	j.synced = time.Now()
	return err
}

func (j *journal) append(g *match.Game) error {
	if j.file == nil {
		if err := j.open(); err != nil {
			return err
		}
	}
	j.line.Reset()
	if err := json.NewEncoder(&j.line).Encode(g); err != nil { // with the newline
		return err
	}
	line := j.line.Bytes()
	if fault.Armed("mid-write", j.path) {
		half := len(line) / 2
		if _, err := j.file.Write(line[:half]); err != nil {
			return err
		}
		fault.PointAt("mid-write", j.path)
		line = line[half:]
	}
	if _, err := j.file.Write(line); err != nil {
		return err
	}
	if now := time.Now(); now.Sub(j.synced) >= syncEvery {
		j.synced = now
		return j.file.Sync()
	}
	return nil
}

func (j *journal) close() error {
	if j.file == nil {
		return nil
	}
	return errors.Join(j.file.Sync(), j.file.Close())
}
