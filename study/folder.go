package study

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/report/sheet"
)

// AskedFile says what a study was asked for.
const AskedFile = "asked.json"

func (e *Experiment) path(name string) string { return filepath.Join(e.Options.Out, name) }

// open begins or resumes the folder and returns the result if exactly what is asked
// has been finished there. What is asked may change: the folder of each series
// refuses games that it was not begun for. With OnlyPlan nothing is written.
func (e *Experiment) open(asked []byte) (result []byte, err error) {
	dir, resultFile := e.Options.Out, e.path(e.Name+".json")
	if dir == "" {
		return nil, nil
	}
	before, err := input.Read(e.path(AskedFile), input.Large)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := atomicfile.Vacant(dir, AskedFile, "such a comparison"); err != nil {
			return nil, fmt.Errorf("folder %s: %w", dir, err)
		}
	case err != nil:
		return nil, err
	case same(before, asked, ""):
		data, err := input.Read(resultFile, input.Large)
		if was, now := gameOf(data), gameOf(asked); err == nil && was != "" && now != "" && was != now {
			return nil, fmt.Errorf("folder %s: game: %s there, %s now", dir, was, now)
		}
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
	}
	if err == nil && e.Same != nil {
		if err := e.Same(before); err != nil {
			return nil, fmt.Errorf("folder %s: %w", dir, err)
		}
	}
	if was, now := gameOf(before), gameOf(asked); was != "" && was != now {
		return nil, fmt.Errorf("folder %s: game: %s there, %s now", dir, was, now)
	}
	if e.Options.OnlyPlan {
		return nil, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	if e.asked = before; before != nil {
		if e.result, err = input.Read(resultFile, input.Large); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	// A result of other questions must not be taken for the answer to these.
	if err := os.Remove(resultFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if before != nil && !same(before, asked, "core_time_ns") {
		if err := e.beginAgain(); err != nil {
			return nil, err
		}
	}
	return nil, atomicfile.WriteBytes(e.path(AskedFile), asked)
}

// same tells whether two of asked.json ask the same, but for a field. Folders that were
// begun before the game was among them do not name it.
func same(before, asked []byte, but string) bool {
	read := func(text []byte) (fields map[string]any) {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber() // seeds have 64 bits
		_ = d.Decode(&fields)
		return fields
	}
	a, b := read(before), read(asked)
	if a == nil || b == nil { // no objects
		return bytes.Equal(before, asked)
	}
	delete(a, but)
	delete(b, but)
	if a["game"] == nil {
		delete(b, "game")
	}
	return reflect.DeepEqual(a, b)
}

// beginAgain has the rounds of a folder that is asked something else begin at the first.
func (e *Experiment) beginAgain() error {
	p, err := e.spent()
	if err != nil || p.CoreTime == 0 {
		return err
	}
	e.rounds = indented(&p)
	p = spent{CoreTime: p.CoreTime, Again: true}
	return atomicfile.WriteBytes(e.path(spentFile), indented(&p))
}

// gameOf is the game that asked.json names, "" for none.
func gameOf(asked []byte) string {
	var a struct {
		Game string `json:"game"`
	}
	_ = json.Unmarshal(asked, &a) // what else is wrong is the study's to say
	return a.Game
}

// putBack makes the folder what it was before open, where its games refuse what is asked.
func (e *Experiment) putBack() error {
	if e.asked == nil {
		return nil
	}
	err := atomicfile.WriteBytes(e.path(AskedFile), e.asked)
	if err == nil && e.result != nil {
		err = atomicfile.WriteBytes(e.path(e.Name+".json"), e.result)
	}
	if err == nil && e.rounds != nil {
		err = atomicfile.WriteBytes(e.path(spentFile), e.rounds)
	}
	return err
}

// keep writes the result in all its forms. The JSON, which says that it is finished,
// comes last.
func (e *Experiment) keep(r Result, tables []sheet.CSV) error {
	if e.Options.Out == "" {
		return nil
	}
	report := r.Report()
	write := func(name string, form func(io.Writer) error) error {
		if err := atomicfile.Write(e.path(name), form); err != nil {
			return fmt.Errorf("folder %s: %w", e.Options.Out, err)
		}
		return nil
	}
	if err := errors.Join(write("report.txt", report.WriteText), write("report.html", report.WriteHTML)); err != nil {
		return err
	}
	for _, t := range tables {
		if err := write(t.Name, t.Write); err != nil {
			return err
		}
	}
	return write(e.Name+".json", func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(r)
	})
}
