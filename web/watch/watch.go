// Package watch serves pages on training runs: the list of those in a folder, one
// run with its curves as it goes on, its newest games to step through, reports that
// lie there, and figures for Prometheus.
//
// It reads a folder and nothing else, through os.Root, and writes nothing. A run at
// work is not disturbed: files are opened for an instant, what was read is kept for
// all who ask, and reading again waits for twenty times as long as it took, so that
// watching takes a twentieth of a core, however many watch.
package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/report"
	"github.com/ludozero/ludozero/selfplay/record"
)

// Bounds of what is read. A night's run stays far below them.
const (
	// maxDepth is how far below the folder runs and reports are looked for.
	maxDepth = 3
	// maxEntries of folders are looked at, maxRuns and maxReports listed.
	maxEntries, maxRuns, maxReports = 20_000, 200, 200
	maxNames                        = 1_000_000 // shards and checkpoints of a run

	maxConfigBytes  = 1 << 20
	maxFileBytes    = 256 << 20 // events, ratings, metrics, a file of a checkpoint
	maxReportBytes  = 64 << 20
	maxShardBytes   = 16 << 20 // decoded it takes some ten times as much
	tailBytes       = 128 << 10
	minPause        = time.Second
	pausePerReading = 19 // so that reading takes one part of twenty
	// firstReadings is how long one request for all runs reads those that were never
	// read; the next request goes on.
	firstReadings = 2 * time.Second
)

// Config says what is watched.
type Config struct {
	// Dir is a run, or a folder of runs.
	Dir string
	// Games are those whose recorded games are shown.
	Games engine.Families
	// Read reads what a report needs of the run in a folder but for its games. It
	// writes nothing. It is not called twice at the same time.
	Read func(dir string) (*report.Input, error)
}

// Watcher watches a folder. Its methods may be called by several goroutines.
type Watcher struct {
	cfg  Config
	root *os.Root
	// name is what the folder is called where it is a run itself.
	name string

	mu   sync.Mutex
	runs map[string]*entry

	reading sync.Mutex // held while a run is read, which only one goroutine does
	rest    time.Time  // nothing is read again before; guarded by reading

	places cached[*places]
	games  shelf
	now    func() time.Time
}

// New opens the folder.
func New(cfg Config) (*Watcher, error) {
	root, err := os.OpenRoot(cfg.Dir)
	if err != nil {
		return nil, fmt.Errorf("runs: %w", err)
	}
	whole, err := filepath.Abs(cfg.Dir)
	if err != nil {
		root.Close()
		return nil, fmt.Errorf("runs: %w", err)
	}
	return &Watcher{cfg: cfg, root: root, name: strings.ToValidUTF8(filepath.Base(whole), "?"), runs: map[string]*entry{}, now: time.Now, games: shelf{rules: record.Library{Families: cfg.Games}}}, nil
}

// Close lets go of the folder.
func (w *Watcher) Close() error { return w.root.Close() }

// path is the place of a file below the folder for who does not know os.Root. It
// has been checked by it.
func (w *Watcher) path(name string) string { return filepath.Join(w.cfg.Dir, filepath.FromSlash(name)) }

// cached is a value that is made again when it is older than what making it took,
// times pausePerReading, and a second.
type cached[T any] struct {
	mu    sync.Mutex
	value T
	err   error
	until time.Time
}

func (c *cached[T]) get(now func() time.Time, renew func() (T, error)) (T, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	began := now()
	if c.until.IsZero() || !began.Before(c.until) {
		c.value, c.err = renew()
		ended := now()
		c.until = ended.Add(max(minPause, pausePerReading*ended.Sub(began)))
	}
	return c.value, c.err
}
