package replay

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
)

// surprised is columns of games with these surprises; a negative one stands for
// a row without a policy target.
func surprised(games ...[]float32) *record.Columns {
	c := &record.Columns{}
	for _, game := range games {
		for _, s := range game {
			if s >= 0 {
				c.Policy = append(c.Policy, record.PolicyOne)
			}
			c.PolicyEnd = append(c.PolicyEnd, int32(len(c.Policy)))
			c.Surprise = append(c.Surprise, max(0, s))
			c.Rows++
		}
		c.GameEnd = append(c.GameEnd, int32(c.Rows))
	}
	return c
}

func TestSurpriseWeightsByHand(t *testing.T) {
	lone := make([]float32, 30) // one surprise of 30 means, of which 10 count
	lone[7] = 3
	quiet := make([]float64, 30)
	for i := range quiet {
		quiet[i] = 1 - 0.5/3
	}
	quiet[7] = 1 + 0.5*(10-1./3)
	for _, c := range []struct {
		name  string
		share float64
		games [][]float32
		want  []float64
	}{
		{"half", 0.5, [][]float32{{0.1, 0.3, -1, 0.2}}, []float64{0.75, 1.25, 1, 1}},
		{"all", 1, [][]float32{{0.1, 0.3, -1, 0.2}}, []float64{0.5, 1.5, 1, 1}},
		{"each game has its own mean", 0.5, [][]float32{{1, 3}, {0.1, 0.3}}, []float64{0.75, 1.25, 0.75, 1.25}},
		{"no surprise", 0.5, [][]float32{{0, 0, -1}, {1, 3}}, []float64{1, 1, 1, 0.75, 1.25}},
		{"no target", 1, [][]float32{{-1, -1}}, []float64{1, 1}},
		{"nothing is lost for good", 1, [][]float32{{0, 2}}, []float64{1. / weightOne, 2}},
		{"capped", 0.5, [][]float32{lone}, quiet},
	} {
		sums := drawWeights(surprised(c.games...), &plan.WindowConfig{SurpriseShare: c.share})
		last := int64(0)
		for i, sum := range sums {
			if got := float64(sum-last) / weightOne; math.Abs(got-c.want[i]) > 0.5/weightOne {
				t.Errorf("%s: weight of row %d is %.5f, want %.5f", c.name, i, got, c.want[i])
			}
			last = sum
		}
		if len(sums) != len(c.want) || math.Abs(float64(last)/weightOne-float64(len(sums))) > 1e-3 {
			t.Errorf("%s: %d rows weigh %.5f together", c.name, len(sums), float64(last)/weightOne)
		}
	}
}

// TestCheapRowsAreDrawnLessOften by hand, with surprise and without, and in draws.
func TestCheapRowsAreDrawnLessOften(t *testing.T) {
	for share, want := range map[float64][]float64{0: {1, 1, 0.25, 1, 0.25}, 0.5: {0.75, 1.25, 0.25, 1, 0.25}} {
		sums := drawWeights(surprised([]float32{0.1, 0.3, -1, 0.2, -1}), &plan.WindowConfig{SurpriseShare: share, CheapSkip: 0.75})
		last := int64(0)
		for i, sum := range sums {
			if got := float64(sum-last) / weightOne; math.Abs(got-want[i]) > 0.5/weightOne {
				t.Errorf("share %g: weight of row %d is %.5f, want %g", share, i, got, want[i])
			}
			last = sum
		}
	}
	dir := t.TempDir()
	rows := writeSurprises(t, dir, 2)
	targets := 0.0
	for i := range rows {
		if len(rows[i].Policy) > 0 {
			targets++
		}
	}
	cheap := float64(len(rows)) - targets
	cfg := plan.DefaultWindowConfig()
	cfg.CheapSkip = 0.75
	w := newWindow(t, cfg, dir)
	refresh(t, w)
	if got, want := w.MeanWeight(), (targets+0.25*cheap)/(targets+cheap); math.Abs(got-want) > 1e-9 {
		t.Errorf("the mean weight is %g, want %g", got, want)
	}
	r, drawn, n := rand.New(seed.Stream(1, "draw", 0)), 0.0, 40000.0
	var s Sample
	for range int(n) {
		if w.Draw(r, &s); s.Policy == nil {
			drawn++
		}
	}
	p := 0.25 * cheap / (targets + 0.25*cheap)
	if math.Abs(drawn/n-p) > 5*math.Sqrt(p*(1-p)/n) {
		t.Errorf("%.4f of the draws have no policy target, want %.4f", drawn/n, p)
	}
	if plain := newWindow(t, plan.DefaultWindowConfig(), dir); plain.MeanWeight() != 1 {
		t.Errorf("without a skip the mean weight is %g, want 1 exactly", plain.MeanWeight())
	}
}

// writeSurprises writes shards of ten games as writeShard does, with surprises
// from 0 to 4, and returns all rows.
func writeSurprises(t testing.TB, dir string, shards int64) []record.Row {
	t.Helper()
	var all []record.Row
	r := rand.New(seed.Stream(5, "surprise", 0))
	for n := range shards {
		rows, info := playRows(t, 10*n, 10)
		for i := range rows {
			if len(rows[i].Policy) > 0 && rows[i].GameNumber%7 != 3 { // games without any surprise, too
				rows[i].Surprise = 4 * r.Float32() * r.Float32() * r.Float32()
			}
		}
		if _, _, err := record.Write(dir, info, record.Head{Run: "night", Number: n}, rows); err != nil {
			t.Fatal(err)
		}
		all = append(all, rows...)
	}
	return all
}

// wantWeights are the weights of rows by the formula, each game on its own.
func wantWeights(rows []record.Row, share float64) []float64 {
	var weights []float64
	for _, game := range record.Games(rows) {
		sum, n := 0.0, 0.0
		for i := range game {
			if game[i].PolicyKind != record.PolicyNone {
				sum += float64(game[i].Surprise)
				n++
			}
		}
		for i := range game {
			w := 1.0
			if game[i].PolicyKind != record.PolicyNone && sum > 0 {
				w = 1 - share + share*float64(game[i].Surprise)*n/sum
			}
			weights = append(weights, w)
		}
	}
	return weights
}

// rowKey tells rows of playRows apart, and samples of them.
func rowKey(turnsLeft int32, legal int) string { return fmt.Sprint(turnsLeft, " ", legal) }

// TestDrawsGoBySurprise over windows that begin within a game, at the edge of a
// shard and with everything: frequencies are the weights, of what is in the
// window, and of nothing else. A window opened late draws the same.
func TestDrawsGoBySurprise(t *testing.T) {
	dir := t.TempDir()
	rows := writeSurprises(t, dir, 5)
	first := int64(0) // rows of the first three shards
	for i := range rows {
		if rows[i].GameNumber < 30 {
			first++
		}
	}
	seen := int64(len(rows))
	for _, size := range []int64{seen, seen - first, seen - first - 1, seen - first + 1, 3, 1} {
		cfg := plan.WindowConfig{MinPositions: 1, Exponent: 1, Taper: 1, MaxPositions: size, SurpriseShare: 0.7}
		w := newWindow(t, cfg, dir)
		refresh(t, w)
		if w.Len() != size {
			t.Fatalf("window of %d, want %d", w.Len(), size)
		}
		late := newWindow(t, cfg, dir) // loads some of the shards before it knows of the others
		for n := range int64(5) {
			if _, err := late.RefreshTo(n + 1); err != nil {
				t.Fatal(err)
			}
		}
		a, b := rand.New(seed.Stream(3, "draw", uint64(size))), rand.New(seed.Stream(3, "draw", uint64(size)))
		weights := wantWeights(rows, cfg.SurpriseShare)[seen-size:]
		total := 0.0
		for _, v := range weights {
			total += v
		}
		counts := map[string]int{}
		draws := 40 * int(size)
		var s, s2 Sample
		for range draws {
			w.Draw(a, &s)
			late.Draw(b, &s2)
			if s.TurnsLeft != s2.TurnsLeft || string(s.Packed) != string(s2.Packed) {
				t.Fatal("two windows over the same shards draw differently")
			}
			counts[rowKey(int32(s.TurnsLeft), len(s.Actions))]++
		}
		chi2, found := 0.0, 0
		for i := range rows[seen-size:] {
			r := &rows[int(seen-size)+i]
			n, want := counts[rowKey(r.TurnsLeft, len(r.Legal))], weights[i]/total*float64(draws)
			found += n
			chi2 += (float64(n) - want) * (float64(n) - want) / want
		}
		if found != draws {
			t.Errorf("window of %d: %d of %d draws are of rows outside", size, draws-found, draws)
		}
		// Mean k, standard deviation sqrt(2k); with counts of 12 at least, nearly
		// normal. Five of them.
		if k := float64(size - 1); math.Abs(chi2-k) > 5*math.Sqrt(2*k)+1e-9 {
			t.Errorf("window of %d: chi-squared %.1f of %.0f degrees of freedom", size, chi2, k)
		}
		if n := testing.AllocsPerRun(200, func() { w.Draw(a, &s) }); n != 0 {
			t.Errorf("Draw allocates %v times", n)
		}
	}
}

// TestWithoutSurpriseDrawsAreAsBefore: one bounded integer counts the rows of
// the window, whatever their surprise.
func TestWithoutSurpriseDrawsAreAsBefore(t *testing.T) {
	dir := t.TempDir()
	rows := writeSurprises(t, dir, 3)
	w := newWindow(t, plan.WindowConfig{MinPositions: 1, Exponent: 1, Taper: 1, MaxPositions: 100}, dir)
	refresh(t, w)
	a, b := rand.New(seed.Stream(3, "draw", 0)), rand.New(seed.Stream(3, "draw", 0))
	var s Sample
	for range 1000 {
		w.Draw(a, &s)
		want := &rows[len(rows)-100+int(b.Int64N(100))]
		if int32(s.TurnsLeft) != want.TurnsLeft || string(s.Packed) != string(want.Packed) {
			t.Fatal("another row is drawn")
		}
	}
	if a.Uint64() != b.Uint64() {
		t.Error("a draw takes more than one bounded integer")
	}
}
