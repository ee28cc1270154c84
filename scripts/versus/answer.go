package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// worker is one of our own sides.
type worker interface {
	// step does one unit of work and returns its number of positions.
	step() (int, error)
	// command answers every command but "go".
	command(name, argument string) (reply, error)
}

// answer is the process of one of our own sides.
func answer(kind string, stdin io.Reader, stdout io.Writer) error {
	in, out := bufio.NewScanner(stdin), json.NewEncoder(stdout)
	in.Buffer(nil, 1<<20)
	if !in.Scan() {
		return in.Err()
	}
	var t task
	if err := json.Unmarshal(in.Bytes(), &t); err != nil {
		return fmt.Errorf("task: %w", err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(t.Threads))
	open, ok := map[string]func(task) (worker, error){"infer": newInference, "train": newTraining, "gorgonia": newGorgonia}[kind]
	if !ok {
		return fmt.Errorf("no side %q", kind)
	}
	w, err := open(t)
	for r := (reply{Version: version(kind)}); ; {
		if err != nil {
			return out.Encode(reply{Error: err.Error()})
		}
		if err := out.Encode(r); err != nil {
			return err
		}
		if !in.Scan() {
			return in.Err()
		}
		name, argument, _ := strings.Cut(in.Text(), " ")
		if name == "go" {
			r = reply{}
			r.turn, err = work(w, argument)
		} else {
			r, err = w.command(name, argument)
		}
	}
}

// version is the revision and compiler of this program, or the version of gorgonia's module.
func version(kind string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return runtime.Version()
	}
	if kind == "gorgonia" {
		for _, m := range info.Deps {
			if m.Path == "gorgonia.org/gorgonia" {
				return m.Version
			}
		}
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value + ", " + runtime.Version()
		}
	}
	return runtime.Version()
}

func work(w worker, seconds string) (turn, error) {
	limit, err := strconv.ParseFloat(seconds, 64)
	if err != nil {
		return turn{}, err
	}
	var t turn
	for start := time.Now(); t.Seconds < limit; t.Seconds = time.Since(start).Seconds() {
		n, err := w.step()
		if err != nil {
			return t, err
		}
		t.Count += n
	}
	return t, nil
}
