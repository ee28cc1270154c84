package replay

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
)

// TestRootValuesDecay compares with the sum in the documentation, written out: row j > i has
// the weight (1-d(j)) · d(i)·…·d(j-1), the result the product of all d. Searches are full or
// cheap at random, or cheap ones have no visits, being of one simulation, or all are alike, or keep
// no visits.
func TestRootValuesDecay(t *testing.T) {
	const decay, share = 0.8, 0.75
	for _, kind := range []string{"caps", "one", "equal", "none"} {
		dir := t.TempDir()
		rows, info := playRows(t, 0, 8)
		r := rand.New(rand.NewPCG(1, 2))
		for i := range rows {
			rows[i].RootValue = float32(r.IntN(4097)-2048) / 4096
			rows[i].RootDraw = float32(r.IntN(2048)) / 4096
			if kind != "none" {
				rows[i].Visits = make([]int32, len(rows[i].Legal))
				rows[i].Visits[0] = 10
				rows[i].Visits[len(rows[i].Legal)-1] += 6
				switch {
				case kind == "equal" || r.IntN(3) > 0:
				case kind == "caps":
					rows[i].Visits[0] += 48
				default:
					clear(rows[i].Visits)
				}
			}
		}
		if _, _, err := record.Write(dir, info, record.Head{Run: "night"}, rows); err != nil {
			t.Fatal(err)
		}
		w := newWindow(t, plan.DefaultWindowConfig(), dir)
		w.MixRootValue(share)
		w.DecayRootValue(decay)
		refresh(t, w)
		l := w.shards[0].loadedShard
		mean := map[int64]float64{}
		for _, x := range rows {
			for _, n := range x.Visits {
				mean[x.GameNumber] += float64(n)
			}
		}
		count := map[int64]float64{}
		for _, x := range rows {
			count[x.GameNumber]++
		}
		decayOf := func(x *record.Row) float64 {
			if kind != "caps" && kind != "one" {
				return decay
			}
			n := 0.0
			for _, v := range x.Visits {
				n += float64(v)
			}
			return math.Pow(decay, n*count[x.GameNumber]/mean[x.GameNumber])
		}
		for i := range rows {
			result := [3]float64{}
			result[1-int(rows[i].Outcome)] = 1
			var want [3]float64
			left := 1.0
			for j := i; j < len(rows) && rows[j].GameNumber == rows[i].GameNumber; j++ {
				v, d := float64(rows[j].RootValue), float64(rows[j].RootDraw)
				if rows[j].Player != rows[i].Player {
					v = -v
				}
				x := decayOf(&rows[j])
				for k, p := range [3]float64{(1 - d + v) / 2, d, (1 - d - v) / 2} {
					want[k] += left * (1 - x) * p
				}
				left *= x
			}
			got := l.valueTarget(i, share, 0)
			for k := range want {
				want[k] = share*(want[k]+left*result[k]) + (1-share)*result[k]
				if math.Abs(want[k]-float64(got[k])) > 1.0/4096 {
					t.Fatalf("%s: row %d: target %v, want %v at %d", kind, i, got, want, k)
				}
			}
		}
	}
}

// TestNoDecayIsTheOwnSearch bit for bit, and a decay without share is the result.
func TestNoDecayIsTheOwnSearch(t *testing.T) {
	dir := t.TempDir()
	rows, info := playRows(t, 0, 8)
	for i := range rows {
		rows[i].RootValue, rows[i].RootDraw = float32(i%7)/8-0.375, 0.25
	}
	if _, _, err := record.Write(dir, info, record.Head{Run: "night"}, rows); err != nil {
		t.Fatal(err)
	}
	target := func(share, decay float64, i int) [3]float32 {
		w := newWindow(t, plan.DefaultWindowConfig(), dir)
		w.MixRootValue(share)
		w.DecayRootValue(decay)
		refresh(t, w)
		return w.shards[0].valueTarget(i, share, 0)
	}
	for i := range rows[:12] {
		v, d := float64(rows[i].RootValue), float64(rows[i].RootDraw)
		want := [3]float32{float32((1 + v - d) / 2), float32(d), float32((1 - v - d) / 2)}
		if got := target(1, 0, i); got != want {
			t.Errorf("row %d: target %v without decay, want %v", i, got, want)
		}
		result := [3]float32{}
		result[1-int(rows[i].Outcome)] = 1
		if got := target(0, 0.5, i); got != result {
			t.Errorf("row %d: target %v without a share, want %v", i, got, result)
		}
	}
}
