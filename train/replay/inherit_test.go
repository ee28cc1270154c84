package replay

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
)

// heirs writes ten shards of one run into a folder, and into two others its first
// six, four of them to inherit, and its last four.
func heirs(t *testing.T) (whole, rest string, a plan.Ancestor, seen int64) {
	t.Helper()
	whole, rest = t.TempDir(), t.TempDir()
	a = plan.Ancestor{Dir: t.TempDir(), Run: "night", Offset: -2}
	for n := range int64(10) {
		rows := writeShard(t, whole, n)
		if n >= 6 {
			writeShard(t, rest, n)
			continue
		}
		seen += int64(len(rows))
		if n < 2 {
			continue
		}
		writeShard(t, a.Dir, n)
		name := record.FileName(int32(n/3), n)
		data, err := os.ReadFile(filepath.Join(a.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		a.Shards = append(a.Shards, plan.AncestorShard{Name: name, Rows: len(rows), SHA256: plan.SHA256(data)})
	}
	return whole, rest, a, seen
}

// TestInheritedWindowGoesOn: with a part of the shards inherited and the oldest
// gone, a window draws what it would draw if all were of one run.
func TestInheritedWindowGoesOn(t *testing.T) {
	whole, rest, a, seen := heirs(t)
	for _, share := range []float64{0, 0.5} {
		cfg := plan.WindowConfig{MinPositions: 150, Exponent: 0.75, Taper: 0.4, SurpriseShare: share}
		one, two := newWindow(t, cfg, whole), newWindow(t, cfg, rest)
		one.LoadReplies()
		two.LoadReplies()
		if err := two.Inherit([]plan.Ancestor{a}, seen); err != nil {
			t.Fatal(err)
		}
		for _, limit := range []int64{6, 6, 7, 10} {
			if _, err := one.RefreshTo(limit); err != nil {
				t.Fatal(err)
			}
			before := two.Own()
			if n, err := two.RefreshTo(limit); err != nil || before+n != two.Own() {
				t.Fatalf("RefreshTo(%d) = %d, %v: %d of its own after %d", limit, n, err, two.Own(), before)
			}
			if one.Len() != two.Len() || one.Seen() != two.Seen() || two.Own() != two.Seen()-seen || one.Own() != one.Seen() || one.Bytes() != two.Bytes() {
				t.Fatalf("up to shard %d the windows have %d and %d of %d and %d positions, %d its own, in %d and %d bytes", limit,
					one.Len(), two.Len(), one.Seen(), two.Seen(), two.Own(), one.Bytes(), two.Bytes())
			}
			rows := int64(0)
			for _, r := range two.Rules() {
				rows += int64(r.Rows)
			}
			if rows != two.Own() {
				t.Errorf("Rules counts %d positions, want its own %d", rows, two.Own())
			}
			r, q := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(1, 2))
			for range 300 {
				var x, y Sample
				one.Draw(r, &x)
				two.Draw(q, &y)
				if x.TurnsLeft < 6000 { // of the first sixty games
					x.Generation += a.Offset
				}
				if !reflect.DeepEqual(x, y) {
					t.Fatalf("drawn %+v, want %+v", y, x)
				}
			}
		}
	}
}

// TestInheritedWindowMayBeSmaller than the law has it, if more was not kept.
func TestInheritedWindowMayBeSmaller(t *testing.T) {
	_, rest, a, seen := heirs(t)
	w := newWindow(t, plan.WindowConfig{MinPositions: 1_000_000, Exponent: 1, Taper: 1}, rest)
	if err := w.Inherit([]plan.Ancestor{a}, seen); err != nil {
		t.Fatal(err)
	}
	refresh(t, w)
	kept := int64(0)
	for _, s := range a.Shards {
		kept += int64(s.Rows)
	}
	if w.Len() != kept+w.Own() || w.Seen() != seen+w.Own() {
		t.Errorf("%d of %d positions are drawn from, want %d inherited ones and %d of its own", w.Len(), w.Seen(), kept, w.Own())
	}
}

func TestInheritRefusesOtherShards(t *testing.T) {
	for _, c := range []struct {
		want   string
		is     error
		change func(a *plan.Ancestor, seen *int64)
	}{
		{`of run "night" with configuration , want "day"`, record.ErrForeign, func(a *plan.Ancestor, _ *int64) { a.Run = "day" }},
		{"want the shard with 7,", record.ErrForeign, func(a *plan.Ancestor, _ *int64) { a.Shards[1].Rows = 7 }},
		{"want the shard with", record.ErrForeign, func(a *plan.Ancestor, _ *int64) { a.Shards[1].SHA256 = strings.Repeat("0", 64) }},
		{"it was written as gen000000-000000002.parquet", record.ErrCorrupt, func(a *plan.Ancestor, _ *int64) {
			a.Shards[1].Name = "gen000000-000000009.parquet"
			if err := os.Link(filepath.Join(a.Dir, a.Shards[0].Name), filepath.Join(a.Dir, a.Shards[1].Name)); err != nil {
				t.Fatal(err)
			}
		}},
		{"no such file", os.ErrNotExist, func(a *plan.Ancestor, _ *int64) { a.Shards[1].Name = "gen000000-000000008.parquet" }},
		{"want at most the 10 that were seen", nil, func(_ *plan.Ancestor, seen *int64) { *seen = 10 }},
	} {
		_, rest, a, seen := heirs(t)
		c.change(&a, &seen)
		w := newWindow(t, plan.DefaultWindowConfig(), rest)
		err := w.Inherit([]plan.Ancestor{a}, seen)
		if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("Inherit = %v, want %q", err, c.want)
		}
	}
}
