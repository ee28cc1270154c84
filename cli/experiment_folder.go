package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ludozero/ludozero/internal/atomicfile"
)

// experimentAsked is the file of an experiment's folder that says what it is for.
const experimentAsked = "asked.json"

// experimentFolder is where an experiment of several series is kept: what was asked
// for, a folder for each series, and the result in several forms. dir is "" if nowhere.
type experimentFolder struct {
	dir string
	// result is the name of the file that has the result as JSON and says that it is
	// there.
	result string
	// same, if not nil, refuses what may not change between what was asked before and
	// what is now.
	same func(before, asked []byte) error
}

// open begins the folder, or goes on with it, and returns the result if exactly what
// is asked has been finished there. What was asked may change: games are kept for each
// series, whose folders refuse what they were not begun for. With readOnly nothing is
// written.
func (f *experimentFolder) open(asked []byte, readOnly bool) (result []byte, err error) {
	if f.dir == "" {
		return nil, nil
	}
	before, err := os.ReadFile(filepath.Join(f.dir, experimentAsked))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		entries, err := os.ReadDir(f.dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			if !atomicfile.IsTemporary(e.Name()) {
				return nil, fmt.Errorf("folder %s: it holds %s and no %s: want a new or empty folder, or one of such a comparison", f.dir, e.Name(), experimentAsked)
			}
		}
	case err != nil:
		return nil, err
	case bytes.Equal(before, asked):
		data, err := os.ReadFile(filepath.Join(f.dir, f.result))
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
	}
	if err == nil && f.same != nil {
		if err := f.same(before, asked); err != nil {
			return nil, fmt.Errorf("folder %s: %w", f.dir, err)
		}
	}
	if readOnly {
		return nil, nil
	}
	if err := os.MkdirAll(f.dir, 0o777); err != nil {
		return nil, err
	}
	// The result of what was asked before is none of what is asked now.
	if err := os.Remove(filepath.Join(f.dir, f.result)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return nil, f.write(experimentAsked, func(w io.Writer) error {
		_, err := w.Write(asked)
		return err
	})
}

// read reads the JSON of a result.
func (f *experimentFolder) read(data []byte, result any) error {
	if err := json.Unmarshal(data, result); err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(f.dir, f.result), err)
	}
	return nil
}

func (f *experimentFolder) write(name string, write func(io.Writer) error) error {
	return atomicfile.Write(filepath.Join(f.dir, name), write)
}

// experimentFile is a form of the result.
type experimentFile struct {
	name  string
	write func(io.Writer) error
}

// finish writes the result in all its forms. The JSON, which says that it is there,
// comes last.
func (f *experimentFolder) finish(result any, forms []experimentFile) error {
	if f.dir == "" {
		return nil
	}
	forms = append(forms, experimentFile{f.result, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(result)
	}})
	for _, form := range forms {
		if err := f.write(form.name, form.write); err != nil {
			return fmt.Errorf("folder %s: %w", f.dir, err)
		}
	}
	return nil
}

// jsonLines is what a file says, indented.
func jsonLines(v any) []byte {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic("BUG: " + err.Error()) // words and numbers only
	}
	return append(b, '\n')
}
