package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/cluster"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/rundir"
)

// TestConcurrentClusterUnderFaults does the faults of TestClusterUnderFaults to runs that
// play and learn at the same time. There is no run of one machine to compare with: each has
// to end, every game is to be what its network and seed give and to be there once, and a
// game for which a worker had a receipt has to be among them.
func TestConcurrentClusterUnderFaults(t *testing.T) {
	g, err := tictactoe.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	const generations, shard = 8, 30
	const games = generations * 150
	receipts := 0
	run := func(rng *rand.Rand, dir string, n, most int, counts map[string]int) (done, repeats int) {
		archive := filepath.Join(filepath.Dir(dir), "archive")
		if err := os.MkdirAll(archive, 0o700); err != nil {
			t.Fatal(err)
		}
		w := &spoolWatch{t: t, info: g.Info(), dir: dir, ends: games - 2*shard, archive: archive, seen: map[string]string{}, had: map[string]bool{}}
		over, watched := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(watched)
			for {
				select {
				case <-over:
					return
				case <-time.After(20 * time.Millisecond):
					w.look()
				}
			}
		}()
		flags := []string{"--audit", "0.3", "--set", "mode=concurrent", "--set", fmt.Sprint("generations=", generations), "--set", fmt.Sprint("games_per_shard=", shard)}
		done, repeats = faultyRun(t, rng, dir, flags, n%2 == 1, most, counts)
		close(over)
		<-watched
		for _, args := range [][]string{{"data", "check", dir}, {"data", "reproduce", dir, "--all"}} {
			out, err := command(nil, args...).CombinedOutput()
			if err != nil || !strings.Contains(string(out), fmt.Sprint(games, " games, ")) {
				t.Errorf("run %d: %v: %v\n%s", n, args, err, out)
			}
		}
		seeds := map[uint64]int64{}
		for _, row := range rowsOf(t, g.Info(), dir) {
			if game, ok := seeds[row.Seed]; ok && game != row.GameNumber {
				t.Errorf("run %d: games %d and %d have the same seed", n, game, row.GameNumber)
			}
			seeds[row.Seed] = row.GameNumber
		}
		receipts += w.demand(seeds)
		return done, repeats
	}
	// A short run on an idle machine may be over before a receipt is seen: then there is another.
	for tries := 0; tries < 5 && receipts == 0 && !t.Failed(); tries++ {
		faultyRuns(t, t.TempDir(), run)
	}
	if t.Logf("%d games had a receipt before the end", receipts); receipts == 0 {
		t.Error("no receipt was seen")
	}
}

// rowsOf reads all rows of a run of tic-tac-toe.
func rowsOf(t *testing.T, info *engine.Info, dir string) (rows []record.Row) {
	t.Helper()
	files, err := rundir.ListShards(filepath.Join(dir, rundir.ShardsDir))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		shard, err := record.Open(f.Path, info)
		if err != nil {
			t.Fatal(err)
		}
		some, err := shard.Rows()
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, some...)
	}
	return rows
}

// spoolWatch notes for which parcels workers had a receipt before the run had all its games.
type spoolWatch struct {
	t            *testing.T
	info         *engine.Info
	ends         int64 // from this game on receipts do not count
	dir, archive string
	seen         map[string]string // where a parcel is, by digest
	had          map[string]bool   // a receipt
}

// mostNetworks is what a worker keeps at a time: the newest, and those that eight checks of
// others' games need.
const mostNetworks = 9

// look looks through the spools. A parcel that is gone had a receipt, or was damaged by a
// fault: then its copy in the archive, the same file by another name, is damaged as well.
func (w *spoolWatch) look() {
	there := map[string]bool{}
	for i := range *clusterWorkers {
		networks := 0
		entries, _ := os.ReadDir(spoolFolder(w.dir, i)) // it may not be there yet
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), "weights-") && !strings.Contains(e.Name(), ".tmp-") {
				networks++
			}
			digest, ok := strings.CutSuffix(e.Name(), ".parcel")
			if !ok {
				continue
			}
			path := filepath.Join(spoolFolder(w.dir, i), e.Name())
			if there[digest] = true; w.seen[digest] != "" {
				continue
			}
			if err := os.Link(path, filepath.Join(w.archive, e.Name())); err == nil {
				w.seen[digest] = path
			} else if !errors.Is(err, fs.ErrNotExist) {
				w.t.Error(err)
			}
		}
		if networks > mostNetworks+1 { // one was fetched just now
			w.t.Errorf("worker %d keeps %d networks, want at most %d", i, networks, mostNetworks)
		}
	}
	var gone []string
	for digest, path := range w.seen {
		if _, err := os.Stat(strings.TrimSuffix(path, ".parcel") + ".refused"); !there[digest] && err != nil {
			gone = append(gone, digest)
		}
	}
	// When all games have come, what is left has a receipt, too: nobody needs it. That may be
	// so while the last shard is not there.
	files, err := rundir.ListShards(filepath.Join(w.dir, rundir.ShardsDir))
	if err != nil || len(files) == 0 {
		return
	}
	if last, err := record.Open(files[len(files)-1].Path, w.info); err != nil || last.Meta.LastGame >= w.ends {
		return
	}
	for _, digest := range gone {
		w.had[digest] = true
		delete(w.seen, digest)
	}
}

// demand demands the games of all parcels that had a receipt, and returns how many they are.
func (w *spoolWatch) demand(seeds map[uint64]int64) (games int) {
	w.t.Helper()
	spool, err := cluster.OpenSpool(w.archive)
	if err != nil {
		w.t.Fatal(err)
	}
	defer spool.Close()
	list, _ := spool.Waiting("")
	for _, of := range list {
		if !w.had[of.Digest] {
			continue
		}
		p, err := spool.Read(of.Digest)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, g := range p.Games {
			games++
			if _, ok := seeds[seed.Number(1, "lease", uint64(g.Number))]; !ok {
				w.t.Errorf("game %d of a lease had a receipt, and is in no shard", g.Number)
			}
		}
	}
	return games
}
