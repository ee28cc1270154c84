package replay

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/selfplay/record/recordtest"
	"github.com/ludozero/ludozero/train/plan"
)

// playRows records random games of tic-tac-toe.
func playRows(t testing.TB, first, games int64) ([]record.Row, *engine.Info) {
	t.Helper()
	g, err := tictactoe.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	return recordtest.WithPolicies(g, first, games), g.Info()
}

// writeShard writes a shard of the games that follow shard number-1 in a run of
// ten games a shard.
func writeShard(t testing.TB, dir string, number int64) []record.Row {
	t.Helper()
	rows, info := playRows(t, 10*number, 10)
	if _, _, err := record.Write(dir, info, record.Head{Run: "night", Generation: int32(number / 3), Number: number}, rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

func newWindow(t testing.TB, cfg plan.WindowConfig, dir string) *Window {
	t.Helper()
	w, err := NewWindow(cfg, &tictactoe.Family, dir, "night")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func refresh(t testing.TB, w *Window) int64 {
	t.Helper()
	n, err := w.Refresh()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestWindowLaw(t *testing.T) {
	c := plan.WindowConfig{MinPositions: 1000, Exponent: 0.5, Taper: 0.5}
	for _, p := range []struct{ seen, want int64 }{
		{0, 0}, {999, 999}, {1000, 1000}, {4000, 2000}, {9000, 3000}, {1_000_000, 31_622},
	} {
		if got := c.Positions(p.seen); got != p.want {
			t.Errorf("Positions(%d) = %d, want %d", p.seen, got, p.want)
		}
	}
	c.MaxPositions = 2500
	if got := c.Positions(9000); got != 2500 {
		t.Errorf("capped: %d", got)
	}
	// Grows, and never faster than the data.
	for _, c := range []plan.WindowConfig{plan.DefaultWindowConfig(), {MinPositions: 3, Exponent: 1, Taper: 1}, {MinPositions: 7, Exponent: 0.1, Taper: 1}} {
		for d := int64(0); d < 1_000_000; d += 997 {
			if a, b := c.Positions(d), c.Positions(d+997); b < a || b-a > 997 {
				t.Fatalf("%+v: from %d to %d positions seen the window goes from %d to %d", c, d, d+997, a, b)
			}
		}
	}
}

func TestWindowConfigReportsEveryProblem(t *testing.T) {
	err := plan.WindowConfig{MinPositions: 0, Exponent: math.NaN(), Taper: 2, MaxPositions: -1, SurpriseShare: 1.5, CheapSkip: 1}.Validate()
	for _, key := range []string{"min_positions = 0", "exponent = NaN", "taper = 2", "max_positions = -1", "surprise_share = 1.5", "cheap_skip = 1"} {
		if err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("Validate = %v, want %q in it", err, key)
		}
	}
	if err := plan.DefaultWindowConfig().Validate(); err != nil {
		t.Error(err)
	}
}

// TestWindowHoldsTheNewest adds shards one by one and draws until everything
// that can come has come: exactly the newest N rows, about equally often.
func TestWindowHoldsTheNewest(t *testing.T) {
	dir := t.TempDir()
	cfg := plan.WindowConfig{MinPositions: 150, Exponent: 0.5, Taper: 0.3}
	w := newWindow(t, cfg, dir)
	if n := refresh(t, w); n != 0 || w.Len() != 0 {
		t.Errorf("empty folder: %d new, window of %d", n, w.Len())
	}
	var all []record.Row
	r := rand.New(seed.Stream(2, "draw", 0))
	var s Sample
	for number := range int64(8) {
		rows := writeShard(t, dir, number)
		all = append(all, rows...)
		if n := refresh(t, w); n != int64(len(rows)) {
			t.Errorf("shard %d: %d new positions, want %d", number, n, len(rows))
		}
		if n := refresh(t, w); n != 0 {
			t.Errorf("shard %d counted twice: %d", number, n)
		}
		if w.Seen() != int64(len(all)) || w.Len() != cfg.Positions(w.Seen()) {
			t.Errorf("seen %d, window %d, want %d and %d", w.Seen(), w.Len(), len(all), cfg.Positions(int64(len(all))))
		}
		newest := all[w.Seen()-w.Len():]
		counts := map[[2]int32]int{} // by turns left, which differ in all rows, and ply
		draws := 30 * len(newest)
		for range draws {
			w.Draw(r, &s)
			counts[[2]int32{int32(s.TurnsLeft), int32(9 - len(s.Actions))}]++
		}
		chi2 := 0.0
		for i := range newest {
			n := counts[[2]int32{newest[i].TurnsLeft, newest[i].Ply}]
			chi2 += float64((n-30)*(n-30)) / 30
		}
		if len(counts) != len(newest) {
			t.Errorf("shard %d: drew %d different rows, want %d", number, len(counts), len(newest))
		}
		// Mean k, standard deviation sqrt(2k): five of them.
		if k := float64(len(newest) - 1); math.Abs(chi2-k) > 5*math.Sqrt(2*k) {
			t.Errorf("shard %d: chi-squared %.0f of %0.f degrees of freedom: draws are not uniform", number, chi2, k)
		}
	}
	// A window opened late, on all shards at once, is the same window.
	late := newWindow(t, cfg, dir)
	if n := refresh(t, late); n != int64(len(all)) || late.Len() != w.Len() || late.Bytes() != w.Bytes() {
		t.Errorf("opened late: %d positions, window %d, %d bytes; want %d, %d, %d", n, late.Len(), late.Bytes(), len(all), w.Len(), w.Bytes())
	}
	a, b := rand.New(seed.Stream(3, "draw", 0)), rand.New(seed.Stream(3, "draw", 0))
	var s2 Sample
	for range 200 {
		w.Draw(a, &s)
		late.Draw(b, &s2)
		if s.TurnsLeft != s2.TurnsLeft || string(s.Packed) != string(s2.Packed) {
			t.Fatal("two windows over the same shards draw differently")
		}
	}
}

// TestSampleIsTheRow compares every field of drawn samples with their rows.
func TestSampleIsTheRow(t *testing.T) {
	dir := t.TempDir()
	rows := append(writeShard(t, dir, 0), writeShard(t, dir, 1)...)
	w := newWindow(t, plan.DefaultWindowConfig(), dir)
	refresh(t, w)
	byKey := map[string]*record.Row{}
	for i := range rows {
		byKey[string(rows[i].Packed)+fmt.Sprint(rows[i].TurnsLeft)] = &rows[i]
	}
	r := rand.New(seed.Stream(1, "draw", 0))
	samples := make([]Sample, 3)
	for i := range 500 {
		s := &samples[i%3]
		w.Draw(r, s)
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		row := byKey[string(s.Packed)+fmt.Sprint(int32(s.TurnsLeft))]
		if row == nil {
			t.Fatal("a sample that is no row")
		}
		if s.Game.Rules() != row.Rules || !slices.Equal(s.Actions, row.Legal) || s.Weight != 1 {
			t.Fatalf("sample %+v of row %+v", s, row)
		}
		if want := float32(row.Outcome); s.Value[0]-s.Value[2] != want || s.Value[1] != 1-want*want {
			t.Errorf("value %v of outcome %d", s.Value, row.Outcome)
		}
		if len(s.Policy) != len(row.Policy) || (s.Policy == nil) != (row.PolicyKind == record.PolicyNone) {
			t.Fatalf("policy %v of %v", s.Policy, row.Policy)
		}
		for j, p := range s.Policy {
			if p != float32(row.Policy[j])/65535 {
				t.Errorf("policy %v of %v", s.Policy, row.Policy)
			}
		}
		if err := s.Game.NewState().Unpack(s.Packed); err != nil {
			t.Error(err)
		}
	}
}

func TestBadShardIsRefusedByName(t *testing.T) {
	for _, c := range []struct {
		name  string
		want  error
		spoil func(t *testing.T, dir, name string)
	}{
		{"altered", record.ErrCorrupt, func(t *testing.T, dir, name string) {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			data[len(data)/2] ^= 4
			os.WriteFile(filepath.Join(dir, name), data, 0o666)
		}},
		{"truncated", record.ErrCorrupt, func(t *testing.T, dir, name string) {
			os.Truncate(filepath.Join(dir, name), 1000)
		}},
		{"empty", record.ErrCorrupt, func(t *testing.T, dir, name string) {
			os.Truncate(filepath.Join(dir, name), 0)
		}},
		{"copied", record.ErrCorrupt, func(t *testing.T, dir, name string) {
			data, _ := os.ReadFile(filepath.Join(dir, record.FileName(0, 0)))
			os.WriteFile(filepath.Join(dir, name), data, 0o666)
		}},
		{"same games", record.ErrCorrupt, func(t *testing.T, dir, name string) {
			rows, info := playRows(t, 9, 3)
			record.Write(dir, info, record.Head{Run: "night", Number: 1}, rows)
		}},
		{"other run", record.ErrForeign, func(t *testing.T, dir, name string) {
			rows, info := playRows(t, 10, 3)
			for i := range rows {
				rows[i].Run = "morning"
			}
			record.Write(dir, info, record.Head{Run: "morning", Number: 1}, rows)
		}},
		{"unknown rules", record.ErrCorrupt, func(t *testing.T, dir, name string) {
			rows, info := playRows(t, 10, 3)
			for i := range rows {
				rows[i].Rules = "sideways"
			}
			record.Write(dir, info, record.Head{Run: "night", Number: 1}, rows)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			writeShard(t, dir, 0)
			w := newWindow(t, plan.DefaultWindowConfig(), dir)
			refresh(t, w)
			before := w.Seen()
			name := record.FileName(0, 1)
			writeShard(t, dir, 1)
			c.spoil(t, dir, name)
			if _, err := w.Refresh(); !errors.Is(err, c.want) || !strings.Contains(err.Error(), name) {
				t.Errorf("Refresh = %v, want %v naming %s", err, c.want, name)
			}
			if w.Seen() != before || w.Len() != before {
				t.Error("the window changed")
			}
			// Once it is whole again the window goes on.
			writeShard(t, dir, 1)
			refresh(t, w)
			if w.Seen() <= before {
				t.Error("the mended shard was not counted")
			}
		})
	}
}

// TestRefreshToLeavesTheRestAlone reads a window shard by shard, while the shards
// beyond are anything but readable, and then finds the window that reads them
// all at once.
func TestRefreshToLeavesTheRestAlone(t *testing.T) {
	dir := t.TempDir()
	cfg := plan.WindowConfig{MinPositions: 100, Exponent: 0.5, Taper: 0.3}
	var rows []int
	for number := range int64(4) {
		rows = append(rows, len(writeShard(t, dir, number)))
	}
	last := filepath.Join(dir, record.FileName(1, 3))
	whole, err := os.ReadFile(last)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(last, whole[:len(whole)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	w := newWindow(t, cfg, dir)
	for _, c := range []struct{ limit, want int }{{0, 0}, {1, rows[0]}, {1, 0}, {3, rows[1] + rows[2]}, {2, 0}} {
		if n, err := w.RefreshTo(int64(c.limit)); err != nil || int(n) != c.want {
			t.Errorf("RefreshTo(%d) = %d, %v, want %d", c.limit, n, err, c.want)
		}
	}
	if _, err := w.RefreshTo(4); !errors.Is(err, record.ErrCorrupt) {
		t.Errorf("RefreshTo(4) = %v, want %v", err, record.ErrCorrupt)
	}
	if err := os.WriteFile(last, whole, 0o666); err != nil {
		t.Fatal(err)
	}
	if n := refresh(t, w); int(n) != rows[3] {
		t.Errorf("Refresh = %d, want %d", n, rows[3])
	}
	late := newWindow(t, cfg, dir)
	refresh(t, late)
	total := int64(rows[0] + rows[1] + rows[2] + rows[3])
	for _, w := range []*Window{w, late} {
		if r := w.Rules(); len(r) != 1 || r[0].Rules != "standard" || int64(r[0].Rows) != total || w.Len() >= total {
			t.Errorf("Rules = %v, want all %d positions, also those that have left the window of %d", r, total, w.Len())
		}
	}
	if late.Seen() != w.Seen() || late.Len() != w.Len() || late.Bytes() != w.Bytes() {
		t.Errorf("read in parts: seen %d, window %d, %d bytes; at once: %d, %d, %d", w.Seen(), w.Len(), w.Bytes(), late.Seen(), late.Len(), late.Bytes())
	}
}

func TestWindowIgnoresOtherFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"gen000000-000000000.parquet.tmp-ludozero-1-1", "metrics.parquet", "notes.txt"} {
		os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o666)
	}
	if n := refresh(t, newWindow(t, plan.DefaultWindowConfig(), dir)); n != 0 {
		t.Errorf("counted %d positions", n)
	}
}

func TestDrawDoesNotAllocate(t *testing.T) {
	dir := t.TempDir()
	writeShard(t, dir, 0)
	w := newWindow(t, plan.DefaultWindowConfig(), dir)
	refresh(t, w)
	r := rand.New(seed.Stream(1, "draw", 0))
	samples := make([]Sample, 4)
	draw := func() {
		for i := range samples {
			w.Draw(r, &samples[i])
		}
	}
	for range 100 {
		draw()
	}
	if n := testing.AllocsPerRun(100, draw); n != 0 {
		t.Errorf("Draw allocates %v times", n)
	}
}

func BenchmarkDraw(b *testing.B) {
	dir := b.TempDir()
	for i := range int64(5) {
		writeShard(b, dir, i)
	}
	w := newWindow(b, plan.DefaultWindowConfig(), dir)
	refresh(b, w)
	r := rand.New(seed.Stream(1, "draw", 0))
	var s Sample
	for b.Loop() {
		w.Draw(r, &s)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "samples/s")
}

// TestShardsThatLeftTakeLittle: what stays of the shards of a long run, which no
// longer reach into the window.
func TestShardsThatLeftTakeLittle(t *testing.T) {
	const shards = 300
	dir := t.TempDir()
	for n := range int64(shards) {
		writeShard(t, dir, n)
	}
	cfg := plan.WindowConfig{MinPositions: 1, MaxPositions: 1, Exponent: 1, Taper: 1}
	heap := func() int64 {
		for range 3 { // pools are emptied by the second
			runtime.GC()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	w := newWindow(t, cfg, dir)
	refresh(t, w)
	kept := (heap() - before) / shards
	t.Logf("%d bytes a shard", kept)
	if kept > 1000 {
		t.Errorf("%d bytes are kept for each shard that is outside of the window, want some 200", kept)
	}
	runtime.KeepAlive(w)
}

// TestDrawGivesReplies: only a window that was asked has replies, draws the same
// rows with them.
func TestDrawGivesReplies(t *testing.T) {
	dir := t.TempDir()
	writeShard(t, dir, 0)
	with, without := newWindow(t, plan.DefaultWindowConfig(), dir), newWindow(t, plan.DefaultWindowConfig(), dir)
	with.LoadReplies()
	refresh(t, with)
	refresh(t, without)
	if got, want := with.Bytes()-without.Bytes(), with.Seen(); got != want {
		t.Errorf("replies take %d bytes, want %d", got, want)
	}
	r, q := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(1, 2))
	var a, b Sample
	replies := 0
	for range 300 {
		with.Draw(r, &a)
		without.Draw(q, &b)
		if err := a.Check(); err != nil {
			t.Fatal(err)
		}
		if a.TurnsLeft != b.TurnsLeft || string(a.Packed) != string(b.Packed) || len(b.Reply) != 0 {
			t.Fatal("a window with replies draws otherwise than one without")
		}
		// The tic-tac-toe of these tests has targets at even plies only.
		if even := len(a.Actions)%2 == 1; even && len(a.Reply) != 0 || !even && len(a.Reply) > 0 && len(a.ReplyActions) != len(a.Actions)-1 {
			t.Fatalf("%d actions have a reply of %d", len(a.Actions), len(a.ReplyActions))
		}
		if len(a.Reply) > 0 {
			replies++
		}
	}
	if replies < 50 {
		t.Errorf("%d replies in 300 draws", replies)
	}
}
