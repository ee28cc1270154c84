// Package watch serves pages on training runs: the list of runs in a folder, a run
// with its curves while it trains, its newest games to step through, finished
// reports, and metrics for Prometheus.
//
// It reads one folder through os.Root and writes nothing. It hardly slows a run at
// work: files are open for an instant, results are cached for all clients, and each
// reading is followed by a pause of nineteen times its length, so that watching takes
// a twentieth of a core, whatever the number of clients.
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

// Bounds of what is read. The run of a night stays far below them.
const (
	// maxDepth is how deep in the folder runs and reports may lie.
	maxDepth = 3
	// maxEntries bounds the entries examined, maxRuns and maxReports those listed.
	maxEntries, maxRuns, maxReports = 20_000, 200, 200
	maxNames                        = 1_000_000 // shards and checkpoints of a run

	maxConfigBytes  = 1 << 20
	maxFileBytes    = 256 << 20 // events, ratings, metrics, a file of a checkpoint
	maxReportBytes  = 64 << 20
	maxShardBytes   = 16 << 20 // decoded it takes some ten times as much
	tailBytes       = 128 << 10
	mostTailBytes   = 8 << 20
	minPause        = time.Second
	pausePerReading = 19 // so that reading takes one part of twenty
	// firstReadings is how long one request for all runs reads runs that were never
	// read; the next request continues.
	firstReadings = 2 * time.Second
)

// Config says what to watch.
type Config struct {
	// Dir is a run, or a folder of runs.
	Dir string
	// Games are those whose recorded games are shown.
	Games engine.Families
	// Read reads what a report on the run in a folder needs, except its games. It
	// writes nothing, and is not called twice at the same time.
	Read func(dir string) (*report.Input, error)
}

// Watcher watches a folder. Its methods may be called by several goroutines.
type Watcher struct {
	cfg  Config
	root *os.Root
	// name names the folder where it is a run itself.
	name string

	mu   sync.Mutex
	runs map[string]*entry

	reading sync.Mutex // held while a run is read, which only one goroutine does
	rest    time.Time  // the end of the pause after the last reading; guarded by reading

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

// Close closes the folder.
func (w *Watcher) Close() error { return w.root.Close() }

// path is the path of a file in the folder, which os.Root has checked.
func (w *Watcher) path(name string) string {
	return filepath.Join(w.cfg.Dir, filepath.FromSlash(onDisk(name)))
}

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
