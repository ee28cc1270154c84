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
	// step does one unit of work and returns how many positions it was.
	step() (int, error)
	// command answers everything but "go".
	command(name, argument string) (reply, error)
}

// workers make our own sides by name.
var workers = map[string]func(task) (worker, error){
	"infer":    newInference,
	"train":    newTraining,
	"gorgonia": newGorgonia,
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
	make, ok := workers[kind]
	if !ok {
		return fmt.Errorf("no side %q", kind)
	}
	w, err := make(t)
	if err != nil {
		return out.Encode(reply{Error: err.Error()})
	}
	if err := out.Encode(reply{Version: versions()[kind]}); err != nil {
		return err
	}
	for in.Scan() {
		name, argument, _ := strings.Cut(in.Text(), " ")
		var r reply
		if name == "go" {
			r.turn, err = work(w, argument)
		} else {
			r, err = w.command(name, argument)
		}
		if err != nil {
			return out.Encode(reply{Error: err.Error()})
		}
		if err := out.Encode(r); err != nil {
			return err
		}
	}
	return in.Err()
}

// versions are those of our own sides: the revision and compiler of this
// program, and the module for gorgonia's operations.
func versions() map[string]string {
	own, module := runtime.Version(), "unknown version"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				own = s.Value + ", " + own
			}
		}
		for _, m := range info.Deps {
			if m.Path == "gorgonia.org/gorgonia" {
				module = m.Version
			}
		}
	}
	return map[string]string{"infer": own, "train": own, "gorgonia": module}
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
