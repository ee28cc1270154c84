// Package fault lets a test kill a real process at a named place, or make it do
// wrong. The environment variable LUDOZERO_FAULT="point" or "point:n" makes the
// process kill itself, as kill -9 would, at the n-th passing (from 1) of [PointAt]
// with that name. It is for tests only: without the variable a passing costs one
// comparison.
//
// A point where a file is handled may be narrowed to the file: "mid-write@lock"
// is the point "mid-write" at files called lock, "mid-write@shards" at files and
// folders right below a folder shards.
//
// Points of this program: "report", before each of the two files of a report,
// "mid-write", "before-rename", "mid-rename", "after-rename",
// "before-remove", "mid-remove" in internal/atomicfile, "before-remove" and
// "after-remove" in train/run, where the files that retention lets go are
// removed; "before-append", "mid-append" and "after-append" in
// report/ratings, where a match is added to a run; "mid-write" in
// match/archive, half a line into the journal of a series.
//
// One value kills nothing: with "flip-values" train/run, which asks [Armed] once
// when a process opens a run, trains on every value with the wrong sign, so that a test
// can check that the figures of the run show it.
package fault

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Env is the name of the environment variable.
const Env = "LUDOZERO_FAULT"

var (
	armed, place, fatalPassing, parseErr = parse(os.Getenv(Env))
	passings                             atomic.Int64
)

// parse reads the variable's value; "" is no fault.
func parse(value string) (point, place string, n int64, err error) {
	if value == "" {
		return "", "", 0, nil
	}
	point, count, counted := strings.Cut(value, ":")
	n = 1
	if counted {
		n, err = strconv.ParseInt(count, 10, 64)
	}
	point, place, placed := strings.Cut(point, "@")
	if point == "" || placed && place == "" || err != nil || n < 1 {
		return "", "", 0, fmt.Errorf("%s=%q: want point, point@file, and :n behind it with n from 1", Env, value)
	}
	return point, place, n, nil
}

// Err reports a value of LUDOZERO_FAULT that cannot be read; the process then
// runs without a fault. Commands call it at their start.
func Err() error { return parseErr }

// Armed says whether the process is to die at this point of handling the file at
// path, so that the caller may prepare what the death should interrupt.
func Armed(point, path string) bool {
	if armed == "" || armed != point {
		return false
	}
	return place == "" || place == filepath.Base(path) || place == filepath.Base(filepath.Dir(path))
}

// PointAt is the point where the file at path is handled; it kills the process if
// this is the passing that LUDOZERO_FAULT names. Safe for concurrent use.
func PointAt(point, path string) {
	if Armed(point, path) && passings.Add(1) == fatalPassing {
		kill()
	}
}

// kill ends the process without running deferred calls or flushing anything.
func kill() {
	p, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fault:", err)
		os.Exit(137)
	}
	time.Sleep(time.Hour) // the signal is on its way; go no further
}
