package cluster

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/play"
)

// table is a host of one generation, with the games that belong into it.
type table struct {
	h     *Host
	task  Task
	games func() []*selfplay.Finished // fresh copies
}

func newTable(t *testing.T) *table {
	t.Helper()
	cfg := tiny()
	weights := network(t, &cfg, 0, t.TempDir())
	h, err := NewHost(t.TempDir(), cfg, games.All(), nil, HostOptions{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(weights)
	if err != nil {
		t.Fatal(err)
	}
	b := &table{h: h, task: Task{Run: "r", Config: cfg.Hash(), Weights: plan.SHA256(data), Kernel: Kernel(), Build: Build()}}
	h.networks = map[int]playedBy{0: {path: weights}}
	h.c.begin(b.task, 0, 0, int64(cfg.GamesPerGeneration))
	close(h.known)
	b.games = func() (list []*selfplay.Finished) {
		rules, err := cfg.NewRules(games.All())
		if err != nil {
			t.Fatal(err)
		}
		player, err := play.PlayerOf(&cfg, rules, 0, weights, nil)
		if err != nil {
			t.Fatal(err)
		}
		job := selfplay.Job{Game: rules.Game, Run: "r", Seed: cfg.Seed, Workers: 1, Source: &selfplay.Range{Count: 4, Player: player}}
		if err := selfplay.Run(t.Context(), cfg.SelfPlay, job, func(f *selfplay.Finished) error { list = append(list, f); return nil }); err != nil {
			t.Fatal(err)
		}
		return list
	}
	return b
}

// send brings a parcel of these games to the host and returns the answer to its sender:
// why it was refused, "" if it waits to be written, "again" if it did not arrive.
func (b *table) send(t *testing.T, head parcelHead, games []*selfplay.Finished, change func([]byte)) string {
	t.Helper()
	p, err := packGames(head, games)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(p.Data)
	}
	settled := false
	if err := b.h.Take(t.Context(), p.Digest, p.Data, func() { settled = true }); err != nil {
		t.Fatal(err)
	}
	reply := b.h.Report(&Report{Worker: "w", Run: "r", Kernel: Kernel(), Build: Build(), Waiting: []Waiting{{Digest: p.Digest, Run: "r", Generation: head.Generation, Weights: head.Weights, End: games[len(games)-1].Number + 1}}})
	answer := ""
	switch {
	case len(reply.Again) > 0:
		answer = "again"
	case len(reply.Receipts) > 0 && reply.Receipts[0].Refused == "":
		t.Error("there is a receipt for games that were not written")
	case len(reply.Receipts) > 0:
		answer = reply.Receipts[0].Refused
	}
	if settled != (answer != "") {
		t.Errorf("answer %q: the message was settled: %v", answer, settled)
	}
	return answer
}

func TestParcelsAreRefusedByName(t *testing.T) {
	b := newTable(t)
	for _, c := range []struct {
		name, want string
		head       func(*parcelHead)
		games      func([]*selfplay.Finished)
	}{
		{"other run", `run "x": want "r"`, func(h *parcelHead) { h.Run = "x" }, nil},
		{"other configuration", `configuration "c"`, func(h *parcelHead) { h.Config = "c" }, nil},
		{"other kernel", `kernel level "abacus"`, func(h *parcelHead) { h.Kernel = "abacus" }, nil},
		{"other build", `build "old"`, func(h *parcelHead) { h.Build = "old" }, nil},
		{"other weights", "weights 00", func(h *parcelHead) { h.Weights = strings.Repeat("0", 64) }, nil},
		{"unknown generation", "it is of generation 7", func(h *parcelHead) { h.Generation, h.Network = 7, 7 }, nil},
		{"game of another number", "game 99 is not of generation 0", nil, func(g []*selfplay.Finished) { g[3].Number = 99 }},
		{"impossible move", "of ply 1 is not possible", nil, func(g []*selfplay.Finished) { r := g[1].Rows; r[1].Action = r[0].Action }},
		{"other targets", "policy sums to", nil, func(g []*selfplay.Finished) { g[1].Rows[0].Policy[0] ^= 1 }},
		{"other rules", `rules "free": its seed draws "standard"`, nil, func(g []*selfplay.Finished) { g[2].Rules = "free" }},
		{"other result", "it ends with", nil, func(g []*selfplay.Finished) { g[2].Outcome.Winner = engine.Nobody; g[2].Turns++ }},
		{"no decisions", "it has no decision, but there are 9 actions", nil, func(g []*selfplay.Finished) { g[0].Rows = nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			head, list := parcelHead{Task: b.task, Worker: "w"}, b.games()
			if c.head != nil {
				c.head(&head)
			}
			if c.games != nil {
				c.games(list)
			}
			if got := b.send(t, head, list, nil); !strings.Contains(got, c.want) {
				t.Errorf("refused with %q, want %q in it", got, c.want)
			}
		})
	}
	if b.h.c.next() != nil {
		t.Error("a refused game was taken")
	}
	// A flipped bit is nobody's fault: the parcel is sent again.
	head := parcelHead{Task: b.task, Worker: "w"}
	if got := b.send(t, head, b.games(), func(d []byte) { d[len(d)/2] ^= 4 }); got != "again" {
		t.Errorf("damaged on the way: %q, want again", got)
	}
	if got := b.send(t, head, b.games(), nil); got != "" {
		t.Errorf("the good copy was refused: %s", got)
	}
	// Somebody computes otherwise: the host searches the game itself.
	falsified := b.games()
	falsified[0].Rows[0].NetworkValue = 0.5 - falsified[0].Rows[0].NetworkValue/2
	head.Worker = "v"
	if got := b.send(t, head, falsified, nil); !strings.Contains(got, "cut off: its game 0 is not what the trainer's own search gives") {
		t.Errorf("a differing result: %q", got)
	}
	if r := b.h.Report(&Report{Worker: "v", Run: "r", Kernel: Kernel(), Build: Build()}); !r.CutOff || b.h.c.faults.CutOff != 1 {
		t.Errorf("who falsifies is answered %+v", r)
	}
	// It stays so for the next host, and who has sent games is in the book.
	next, err := NewHost(b.h.book.dir, b.h.cfg, games.All(), nil, HostOptions{})
	if err != nil {
		t.Fatal(err)
	}
	next.c.begin(b.task, 0, 0, 24)
	if r := next.Report(&Report{Worker: "v", Run: "r", Kernel: Kernel(), Build: Build()}); !r.CutOff {
		t.Errorf("the next host answers %+v to who falsified", r)
	}
	list, err := ReadBook(b.h.book.dir)
	if err != nil || len(list) != 2 || list[0].Worker != "w" || list[0].CutOff != "" || list[1].Worker != "v" || list[1].CutOff == "" {
		t.Errorf("the book has %+v, %v: want games of w and the cut-off of v", list, err)
	}
}

// TestWhoFalsifiesFirstIsCutOff: the good result came second, and only what was not
// written yet can be taken back.
func TestWhoFalsifiesFirstIsCutOff(t *testing.T) {
	b := newTable(t)
	list := b.games()
	list[2].Rows[0].NetworkValue = 0.5 - list[2].Rows[0].NetworkValue/2
	if got := b.send(t, parcelHead{Task: b.task, Worker: "v"}, list, nil); got != "" {
		t.Fatalf("nobody could know: %s", got)
	}
	b.h.c.next() // one is written
	if got := b.send(t, parcelHead{Task: b.task, Worker: "w"}, b.games(), nil); got != "" {
		t.Errorf("the good result was refused: %s", got)
	}
	if r := b.h.Report(&Report{Worker: "v", Run: "r", Kernel: Kernel(), Build: Build()}); !r.CutOff {
		t.Errorf("who falsifies is answered %+v", r)
	}
	for i, f := range b.games()[1:] {
		for k := range f.Rows {
			f.Rows[k].Round()
		}
		if got := b.h.c.next(); got == nil || got.sum != sumOf(f) {
			t.Errorf("game %d is not the good one", i+1)
		}
	}
}

// TestReceiptsFollowFiles: games that could not be written, as on a full disk, have no
// receipt, and the next host asks for them again.
func TestReceiptsFollowFiles(t *testing.T) {
	b := newTable(t)
	dir := t.TempDir()
	spool := spoolOf(t, dir)
	p, err := packGames(parcelHead{Task: b.task, Worker: spool.ID()}, b.games())
	if err == nil {
		err = spool.Add(p)
	}
	if err == nil {
		err = b.h.Take(t.Context(), p.Digest, p.Data, func() { t.Error("the message was settled") })
	}
	if err != nil {
		t.Fatal(err)
	}
	weights := filepath.Join(t.TempDir(), "weights")
	if err := os.WriteFile(weights, bytes.Repeat([]byte("w"), 10), 0o600); err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left on device")
	deliver := func(f *result) (int64, error) {
		if f.number < 2 {
			return 0, nil
		}
		return 0, full
	}
	// The games came before the host began to deliver, which Play would begin anew.
	for f := b.h.c.next(); f != nil; f = b.h.c.next() {
		if _, err = deliver(f); err != nil {
			break
		}
	}
	if !errors.Is(err, full) {
		t.Fatalf("%v, want a full disk", err)
	}
	waiting, _ := spool.Waiting("r")
	ask := func(h *Host) *Reply {
		return h.Report(&Report{Worker: spool.ID(), Run: "r", Kernel: Kernel(), Build: Build(), Waiting: waiting})
	}
	if r := ask(b.h); len(r.Receipts) > 0 {
		t.Errorf("there is a receipt for games that are in no file: %+v", r.Receipts)
	}
	next := newTable(t)
	if r := ask(next.h); len(r.Again) != 1 || r.Again[0] != p.Digest {
		t.Errorf("a host that knows nothing asks for %v again, want the parcel", r.Again)
	}
	next.h.c.begin(b.task, 0, 4, 24) // another process had written them
	if r := ask(next.h); len(r.Receipts) != 1 || r.Receipts[0] != (Receipt{Digest: p.Digest}) {
		t.Errorf("receipts %+v for games in files, want one", r.Receipts)
	}
}

// TestSpoolOutlivesItsProcess also finds a damaged parcel and an unfinished file.
func TestSpoolOutlivesItsProcess(t *testing.T) {
	b, dir := newTable(t), filepath.Join(t.TempDir(), "spool")
	s := spoolOf(t, dir)
	id := s.ID()
	list := b.games()
	var digests []string
	for _, g := range [][]*selfplay.Finished{list[:2], list[2:]} {
		p, err := packGames(parcelHead{Task: b.task}, g)
		if err == nil {
			err = s.Add(p)
		}
		if err != nil {
			t.Fatal(err)
		}
		digests = append(digests, p.Digest)
	}
	second := spoolOf(t, dir)
	if second.Dir() != dir+"-2" || second.ID() == id {
		t.Errorf("a second process works in %s as %s, want a folder and a name of its own", second.Dir(), second.ID())
	}
	if err := errors.Join(s.Close(), second.Close()); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(dir, strings.Repeat("0", 64)+parcelEnd) // of a run that nobody serves
	long := time.Now().Add(-keptFor - time.Hour)
	if err := errors.Join(os.WriteFile(old, nil, 0o600), os.Chtimes(old, long, long)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, digests[0]+parcelEnd)
	data, err := os.ReadFile(path)
	if err == nil {
		data[40] ^= 1
		err = errors.Join(os.WriteFile(path, data, 0o600), os.WriteFile(filepath.Join(dir, "x.parcel.tmp-ludozero-1-1"), nil, 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	s = spoolOf(t, dir)
	defer s.Close()
	waiting, size := s.Waiting("")
	if s.ID() != id || len(waiting) != 1 || waiting[0].Digest != digests[1] || waiting[0].End != 4 || size == 0 {
		t.Errorf("%s found again %+v, %d bytes: want %s with the second parcel", s.ID(), waiting, size, id)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 3 {
		t.Errorf("the folder has %v, %v: want name, lock and one parcel", entries, err)
	}
}

// TestOtherBuildSaysWhatToDo: a worker made from another source names the remedy.
func TestOtherBuildSaysWhatToDo(t *testing.T) {
	err := NewWorker(WorkerOptions{}).accept(&Welcome{Run: "r", Name: "night", Build: "old"})
	if !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), `want "old" as the trainer: copy its program to this machine`) {
		t.Errorf("another build: %v", err)
	}
}

// TestReportsOfImpossibleNumbersAreRefused sends numbers whose sums would leave the range of
// what they are counted in, so that a host would divide by 0 or give shares of nothing.
func TestReportsOfImpossibleNumbersAreRefused(t *testing.T) {
	b := newTable(t)
	for want, change := range map[string]func(*Report){
		"4611686018427387904 cores; want 0 to 65536": func(r *Report) { r.Cores = 1 << 62 },
		"-1 cores": func(r *Report) { r.Cores = -1 },
		"1e+300 positions a second; want 0 to 1e+09": func(r *Report) { r.PositionsPerSecond = 1e300 },
		"NaN positions a second":                     func(r *Report) { r.PositionsPerSecond = math.NaN() },
		"wants -1 games; want 0 to 2147483647":       func(r *Report) { r.Wants = -1 },
	} {
		r := &Report{Worker: "v", Run: "r", Kernel: Kernel(), Build: Build(), Cores: 1}
		if reply := b.h.Report(r); reply.Refused != "" {
			t.Fatal(reply.Refused)
		}
		change(r)
		if reply := b.h.Report(r); !strings.Contains(reply.Refused, want) || len(reply.Leases) > 0 {
			t.Errorf("refused by %q, want %q", reply.Refused, want)
		}
	}
}

// TestRefusedReportEndsTheWorker: one whose reports the host of its run goes on refusing
// says why, and does not ask for ever.
func TestRefusedReportEndsTheWorker(t *testing.T) {
	b := newTable(t)
	synctest.Test(t, func(t *testing.T) {
		spool := spoolOf(t, filepath.Join(t.TempDir(), "spool"))
		ctx, stop := context.WithTimeout(t.Context(), time.Hour)
		defer stop()
		err := NewWorker(WorkerOptions{Link: Direct(b.h), Spool: spool, Games: games.All(), Name: "mars", Cores: MostCores + 1}).Run(ctx)
		if !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), "it reports 65537 cores; want 0 to 65536") {
			t.Errorf("it ended with %v", err)
		}
		if err := spool.Close(); err != nil {
			t.Error(err)
		}
	})
}
