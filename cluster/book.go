package cluster

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/strictjson"
)

// BookDir and BookFile are where a host notes who has sent games of a run, and who was cut
// off: in a folder of the run.
const (
	BookDir  = "cluster"
	BookFile = "workers.jsonl"
)

// Entry is a line of the book: a worker has sent games of a generation, the first of them
// that this process of the host took, or was cut off.
type Entry struct {
	// Worker is Report.Worker, Name the name of its machine.
	Worker     string `json:"worker"`
	Name       string `json:"name"`
	Generation int    `json:"generation"`
	// CutOff is why the worker was cut off in that generation, "" if it was not.
	CutOff string `json:"cut_off,omitempty"`
}

// ReadBook reads the book of the run in folder dir; a run that nobody else played for has
// none. A last line that was not finished is cut off.
func ReadBook(dir string) ([]Entry, error) {
	path := filepath.Join(dir, BookDir, BookFile)
	text, err := atomicfile.WholeLines(path)
	if err != nil {
		return nil, err
	}
	var list []Entry
	for line := range bytes.Lines(text) {
		var e Entry
		if err := strictjson.Decode(line, &e); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, len(list)+1, err)
		}
		list = append(list, e)
	}
	return list, nil
}

// noted is an entry of this process.
type noted struct {
	worker     string
	generation int
}

// book writes the book of a run.
type book struct {
	dir   string
	noted map[noted]bool
}

// open reads who was cut off, by worker.
func (b *book) open() (banned map[string]string, err error) {
	list, err := ReadBook(b.dir)
	banned = map[string]string{}
	for _, e := range list {
		if e.CutOff != "" {
			banned[e.Worker] = e.CutOff
		}
	}
	return banned, err
}

// sent notes that a worker has sent games of a generation.
func (b *book) sent(worker, name string, generation int) error {
	if b.noted[noted{worker, generation}] {
		return nil
	}
	b.noted[noted{worker, generation}] = true
	return b.add(&Entry{Worker: worker, Name: name, Generation: generation})
}

// add appends a line, and for a cut-off has it on the disk.
func (b *book) add(e *Entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(b.dir, BookDir), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(b.dir, BookDir, BookFile), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	before, err := f.Seek(0, io.SeekEnd)
	if err == nil {
		if _, err = f.Write(append(line, '\n')); err != nil {
			err = errors.Join(err, f.Truncate(before)) // another entry must not follow half a line
		}
	}
	if err == nil && e.CutOff != "" {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// ForgetBook removes who has sent games of a generation or later from the book of the run
// in folder dir. Who was cut off stays so.
func ForgetBook(dir string, generation int) error {
	list, err := ReadBook(dir)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	for i := range list {
		if e := &list[i]; e.CutOff == "" && e.Generation >= generation {
			continue
		}
		if err := json.NewEncoder(&text).Encode(&list[i]); err != nil {
			return err
		}
	}
	return atomicfile.WriteBytes(filepath.Join(dir, BookDir, BookFile), text.Bytes())
}
