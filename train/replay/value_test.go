package replay

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
)

// targets draws many samples and returns the value target of each position.
func targets(t *testing.T, dir string, share float64) map[string][3]float32 {
	t.Helper()
	w := newWindow(t, plan.DefaultWindowConfig(), dir)
	w.MixRootValue(share)
	refresh(t, w)
	r := rand.New(seed.Stream(1, "draw", 0))
	var s Sample
	got := map[string][3]float32{}
	for range 2000 {
		w.Draw(r, &s)
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		got[string(s.Packed)] = s.Value
	}
	return got
}

// TestValueTargetsAreMixtures by hand, of all outcomes in the acting player's view,
// for searches in full and cheap ones alike.
func TestValueTargetsAreMixtures(t *testing.T) {
	dir := t.TempDir()
	rows, info := playRows(t, 0, 8)
	found := [][2]float32{{0.5, 0.25}, {-0.75, 0.125}, {0, 1}, {1, 0}, {0, 0}, {-1, 0}} // value, draw
	seen := map[string]int{}
	for i := range rows {
		seen[string(rows[i].Packed)]++
		rows[i].RootValue, rows[i].RootDraw = found[i%len(found)][0], found[i%len(found)][1]
	}
	if _, _, err := record.Write(dir, info, record.Head{Run: "night"}, rows); err != nil {
		t.Fatal(err)
	}
	for _, share := range []float64{0, 0.5, 1} {
		got := targets(t, dir, share)
		compared := map[int8]int{}
		for i := range rows {
			row := &rows[i]
			if seen[string(row.Packed)] > 1 {
				continue
			}
			v, d := float64(row.RootValue), float64(row.RootDraw)
			root := [3]float64{(1 + v - d) / 2, d, (1 - v - d) / 2}
			var want [3]float32
			for k, p := range root {
				if k == 1-int(row.Outcome) {
					want[k] = float32(1 - share + share*p)
				} else {
					want[k] = float32(share * p)
				}
			}
			if target := got[string(row.Packed)]; target != want {
				t.Errorf("share %g: target %v of outcome %d, value %g, draw %g: want %v", share, target, row.Outcome, v, d, want)
			}
			compared[row.Outcome]++
		}
		if len(compared) != 3 {
			t.Errorf("outcomes %v were compared, want all three", compared)
		}
	}
}

// TestValueTargetsOfFormat2: rows of a shard that does not tell draws keep the
// outcome, whatever the share is.
func TestValueTargetsOfFormat2(t *testing.T) {
	dir, name := t.TempDir(), record.FileName(0, 0)
	data, err := os.ReadFile(filepath.Join("..", "..", "selfplay", "record", "testdata", "format2", name))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name), data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	rows, info := playRows(t, 10, 4)
	for i := range rows {
		rows[i].RootDraw = 1
	}
	if _, _, err := record.Write(dir, info, record.Head{Run: "night", Number: 1}, rows); err != nil {
		t.Fatal(err)
	}
	old, err := record.Open(filepath.Join(dir, name), info)
	if err != nil {
		t.Fatal(err)
	}
	before, err := old.Rows()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, list := range [][]record.Row{before, rows} {
		for i := range list {
			seen[string(list[i].Packed)]++
		}
	}
	got := targets(t, dir, 0.5)
	for share, list := range map[float32][]record.Row{0: before, 0.5: rows} { // of certain draws
		compared := 0
		for i := range list {
			if seen[string(list[i].Packed)] > 1 {
				continue
			}
			want := [3]float32{1: share}
			want[1-int(list[i].Outcome)] += 1 - share
			if v := got[string(list[i].Packed)]; v != want {
				t.Errorf("target %v, want %v", v, want)
			}
			compared++
		}
		if compared < 5 {
			t.Errorf("%d targets were compared", compared)
		}
	}
}

// TestWindowHoldsRootValuesOnlyIfAsked: 4 bytes a position.
func TestWindowHoldsRootValuesOnlyIfAsked(t *testing.T) {
	dir := t.TempDir()
	rows := writeShard(t, dir, 0)
	var size [2]int64
	for i, share := range []float64{0, 0.25} {
		w := newWindow(t, plan.DefaultWindowConfig(), dir)
		w.MixRootValue(share)
		refresh(t, w)
		size[i] = w.Bytes()
	}
	if d := size[1] - size[0]; d != 4*int64(len(rows)) {
		t.Errorf("%d bytes more for %d rows", d, len(rows))
	}
}

// TestValueTargetsOfTaughtRows: what a teacher decided without a value and a distribution
// trains the outcome alone, and no policy; its value is mixed in as a search's.
func TestValueTargetsOfTaughtRows(t *testing.T) {
	dir := t.TempDir()
	rows, info := playRows(t, 0, 8)
	seen := map[string]int{}
	for i := range rows {
		r := &rows[i]
		seen[string(r.Packed)]++
		r.PolicyKind, r.Policy, r.Visits, r.RootValue, r.RootDraw = record.PolicyTeacher, nil, nil, 0, record.DrawUnknown
		r.NetworkValue, r.Surprise, r.Full = 0, 0, false
	}
	if _, _, err := record.Write(dir, info, record.Head{Run: "night"}, rows); err != nil {
		t.Fatal(err)
	}
	got := targets(t, dir, 0.5)
	for i := range rows {
		want := [3]float32{}
		want[1-int(rows[i].Outcome)] = 1
		if target := got[string(rows[i].Packed)]; seen[string(rows[i].Packed)] == 1 && target != want {
			t.Errorf("target %v of outcome %d, want %v", target, rows[i].Outcome, want)
		}
	}
	for i := range rows {
		rows[i].RootValue, rows[i].RootDraw = 0.5, 0
	}
	valued := t.TempDir()
	if _, _, err := record.Write(valued, info, record.Head{Run: "night"}, rows); err != nil {
		t.Fatal(err)
	}
	got = targets(t, valued, 0.5)
	for i := range rows {
		want := [3]float32{0.375, 0, 0.125}
		want[1-int(rows[i].Outcome)] += 0.5
		if target := got[string(rows[i].Packed)]; seen[string(rows[i].Packed)] == 1 && target != want {
			t.Errorf("target %v of outcome %d and the teacher's win 0.75, want %v", target, rows[i].Outcome, want)
		}
	}
	cfg := plan.DefaultWindowConfig()
	cfg.SurpriseShare = 0.5
	w := newWindow(t, cfg, dir)
	refresh(t, w)
	var sample Sample
	r := rand.New(seed.Stream(1, "draw", 0))
	for range 64 {
		if w.Draw(r, &sample); sample.Policy != nil || sample.Weight != 1 {
			t.Fatalf("a taught row has the policy %v and weight %g, want none and 1", sample.Policy, sample.Weight)
		}
	}
}
