package rating

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func fitted(t testing.TB, names []string, pairings []Pairing, opt Options) *Table {
	t.Helper()
	table, err := Fit(names, pairings, opt)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestLawHoldsItsDefinition: the mean is logistic, draws follow Davidson, and
// the derivatives equal those computed from the logarithms.
func TestLawHoldsItsDefinition(t *testing.T) {
	for _, nu := range []float64{0, 0.1, 1, 2, 10, 1000} {
		for _, d := range []float64{-20, -3, -0.5, 0, 1e-9, 0.5, 3, 20} {
			l := newLaw(d, nu)
			p := 1 / (1 + math.Exp(-d))
			if !near(l.win+l.draw+l.loss, 1, 1e-12) || !near(l.win+l.draw/2, p, 1e-12) || !near(l.p, p, 1e-12) {
				t.Errorf("d=%g nu=%g: %+v", d, nu, l)
			}
			if want := nu * math.Sqrt(l.win*l.loss); !near(l.draw, want, 1e-9*(1+want)) {
				t.Errorf("d=%g nu=%g: draws %g, Davidson %g", d, nu, l.draw, want)
			}
			if want := l.win*(1-p)*(1-p) + l.draw*(0.5-p)*(0.5-p) + l.loss*p*p; !near(l.v, want, 1e-9*want) {
				t.Errorf("d=%g nu=%g: variance %g, want %g", d, nu, l.v, want)
			}
			if math.Abs(d) > 10 {
				continue // differences of logarithms lose too much there
			}
			const h = 1e-5
			high, low := newLaw(d+h, nu), newLaw(d-h, nu)
			more, less := newLaw(d, nu*math.Exp(h)), newLaw(d, nu*math.Exp(-h))
			for i := range 3 {
				if i == 1 && nu == 0 {
					continue
				}
				slope := (math.Log(high.prob(i)) - math.Log(low.prob(i))) / (2 * h)
				if got := (float64(i)/2 - l.p) * l.weight(); !near(got, slope, 1e-4*(1+math.Abs(slope))) {
					t.Errorf("d=%g nu=%g result %d: derivative %g, by differences %g", d, nu, i, got, slope)
				}
				slope = (high.weight() - low.weight()) / (2 * h)
				if got := l.bend(); !near(got, slope, 1e-4*(1+math.Abs(slope))) {
					t.Errorf("d=%g nu=%g: derivative of the weight %g, by differences %g", d, nu, got, slope)
				}
				slope = (math.Log(more.prob(i)) - math.Log(less.prob(i))) / (2 * h)
				if got := l.drawScore(i); !near(got, slope, 1e-4*(1+math.Abs(slope))) {
					t.Errorf("d=%g nu=%g result %d: derivative by ln nu %g, by differences %g", d, nu, i, got, slope)
				}
			}
		}
	}
}

// baseball is the season of 1987 of the American League East (Agresti 2002,
// Categorical Data Analysis, Table 10.10): wins and losses of the home team, by
// rows, against the visitors.
var baseballTeams = []string{"Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"}

var baseball = [7][7][2]int{
	{{}, {4, 3}, {4, 2}, {4, 3}, {6, 1}, {4, 2}, {6, 0}},
	{{3, 3}, {}, {4, 2}, {4, 3}, {6, 0}, {6, 1}, {4, 3}},
	{{2, 5}, {4, 3}, {}, {2, 4}, {4, 3}, {4, 2}, {6, 0}},
	{{3, 3}, {5, 1}, {2, 5}, {}, {4, 3}, {4, 2}, {6, 1}},
	{{5, 1}, {2, 5}, {3, 3}, {4, 2}, {}, {5, 2}, {6, 0}},
	{{2, 5}, {3, 3}, {3, 4}, {4, 3}, {4, 2}, {}, {2, 4}},
	{{2, 5}, {1, 5}, {1, 6}, {2, 4}, {1, 6}, {3, 4}, {}},
}

func baseballPairings() []Pairing {
	var list []Pairing
	for i := range 7 {
		for j := i + 1; j < 7; j++ {
			home, away := baseball[i][j], baseball[j][i]
			list = append(list, Pairing{A: i, B: j, AFirst: [3]int{home[1], 0, home[0]}, BFirst: [3]int{away[0], 0, away[1]}})
		}
	}
	return list
}

// TestAgainstAgresti holds the fit to Table 10.11 there: Bradley-Terry strengths
// in logits over Baltimore's without home advantage, and with it strengths that
// sum to one, home advantage 0.302.
func TestAgainstAgresti(t *testing.T) {
	none := 0.0
	plain := fitted(t, baseballTeams, baseballPairings(), Options{Anchor: "Baltimore", Seat: &none})
	for i, want := range []float64{1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0} {
		if got := plain.Players[i].Elo.Value * logit; !near(got, want, 0.005) {
			t.Errorf("%s: %.3f, want %.2f", baseballTeams[i], got, want)
		}
	}
	home := fitted(t, baseballTeams, baseballPairings(), Options{Anchor: "Baltimore"})
	sum := 0.0
	for i := range home.Players {
		sum += math.Exp(home.Players[i].Elo.Value * logit)
	}
	for i, want := range []float64{0.220, 0.190, 0.164, 0.157, 0.137, 0.088, 0.044} {
		if got := math.Exp(home.Players[i].Elo.Value*logit) / sum; !near(got, want, 0.001) {
			t.Errorf("%s at home: %.4f, want %.3f", baseballTeams[i], got, want)
		}
	}
	if got := home.Seat.Value * logit; !near(got, 0.302, 0.005) {
		t.Errorf("home advantage %.4f, want 0.302", got)
	}
}

// TestTwoPlayersAreAMatch: with seats that make no difference, the rating of two
// players is the Elo of the score, whatever the draws.
func TestTwoPlayersAreAMatch(t *testing.T) {
	none := 0.0
	for _, pairs := range [][3][3]int{
		{{10, 0, 20}, {0, 0, 0}, {20, 0, 30}},
		{{2, 3, 4}, {5, 40, 7}, {8, 9, 10}},
		{{0, 0, 1}, {0, 90, 4}, {0, 5, 0}},
	} {
		p := Pairing{A: 0, B: 1, Pairs: pairs}
		want := EloOf(p.PairCounts().Mean())
		got := fitted(t, []string{"a", "b"}, []Pairing{p}, Options{Anchor: "b", Seat: &none})
		if !near(got.Players[0].Elo.Value, want, 1e-4) || got.Players[1].Elo != (Estimate{}) {
			t.Errorf("%v: %+v, want %.3f and 0", pairs, got.Players, want)
		}
		match := p.PairCounts().Score(p.PairCounts().Pairs()).Elo()
		if e := got.Players[0].Elo; !near(e.Low, match.Low, 0.15*(match.High-match.Low)) || !near(e.High, match.High, 0.15*(match.High-match.Low)) {
			t.Errorf("%v: %+v, as a match %+v", pairs, e, match)
		}
		t.Logf("%v: rating %+v, match %+v, draws %+v", pairs, got.Players[0].Elo, match, got.Draws)
	}
}

// TestHundredPercent: no finite rating, but the bound that the games have shown,
// which equals a match's.
func TestHundredPercent(t *testing.T) {
	for _, n := range []int{10, 100, 1000} {
		p := Pairing{A: 0, B: 1, Pairs: [3][3]int{2: {2: n}}}
		table := fitted(t, []string{"a", "b"}, []Pairing{p}, Options{Anchor: "b"})
		e, match := table.Players[0].Elo, p.PairCounts().Score(n).Elo()
		if !math.IsInf(e.Value, 1) || !math.IsInf(e.High, 1) || !near(e.Low, match.Low, 60) {
			t.Errorf("%d pairs won: %+v, as a match %+v", n, e, match)
		}
		if d := table.Differences[0]; !math.IsInf(d.Elo.Value, 1) || d.Ahead == nil || *d.Ahead < 0.5 || n >= 10 && *d.Ahead < 0.99 {
			t.Errorf("%d pairs won: difference %+v", n, d)
		}
	}
}

// TestGroups: a and b know each other, c lost everything to b, d and e only
// played each other.
func TestGroups(t *testing.T) {
	mixed := [3][3]int{{3, 0, 2}, {0, 4, 1}, {5, 0, 6}}
	table := fitted(t, []string{"a", "b", "c", "d", "e"}, []Pairing{
		{A: 0, B: 1, Pairs: mixed},
		{A: 1, B: 2, Pairs: [3][3]int{2: {2: 8}}},
		{A: 3, B: 4, Pairs: mixed},
	}, Options{})
	if len(table.Group) != 2 || table.Group[0] != 0 || table.Group[1] != 1 {
		t.Errorf("group %v, want a and b", table.Group)
	}
	p := table.Players
	if sum := p[0].Elo.Value + p[1].Elo.Value; !near(sum, 0, 1e-6) {
		t.Errorf("mean %g", sum/2)
	}
	if c := p[2].Elo; !math.IsInf(c.Value, -1) || !math.IsInf(c.Low, -1) || !(c.High < 0) {
		t.Errorf("c: %+v", c)
	}
	if d := p[3].Elo; !math.IsNaN(d.Value) || !math.IsInf(d.Low, -1) || !math.IsInf(d.High, 1) {
		t.Errorf("d: %+v, want nothing known", d)
	}
	for _, d := range table.Differences {
		known := d.B <= 2 || d.A >= 3
		if (d.Ahead != nil) != known {
			t.Errorf("difference %+v: known = %v", d, !known)
		}
	}
	// a met c only through b: its bound must be weaker or stronger by about what
	// it is weaker or stronger than b, and wider.
	ac, bc := table.Differences[1].Elo, table.Differences[4].Elo
	if !math.IsInf(ac.Value, 1) || !(ac.Low < bc.Low+p[0].Elo.Value-p[1].Elo.Value) {
		t.Errorf("a - c %+v, b - c %+v", ac, bc)
	}
}

// TestSeatWinsAll: the seat decides every game and players are equal.
func TestSeatWinsAll(t *testing.T) {
	table := fitted(t, []string{"a", "b"}, []Pairing{{A: 0, B: 1, Pairs: [3][3]int{2: {0: 50}}}}, Options{})
	if e := table.Players[0].Elo; !near(e.Value, 0, 1e-6) {
		t.Errorf("a: %+v", e)
	}
	if s := table.Seat; !(s.Value > 500) || math.IsInf(s.Value, 0) || !(s.Low > 300) {
		t.Errorf("seat: %+v", s)
	}
}

// TestAllDrawn: nobody is better and the error is small.
func TestAllDrawn(t *testing.T) {
	table := fitted(t, []string{"a", "b"}, []Pairing{{A: 0, B: 1, Pairs: [3][3]int{1: {1: 50}}}}, Options{Anchor: "b"})
	if e := table.Players[0].Elo; !near(e.Value, 0, 1e-6) || !(e.High > 1 && e.High < 40) || !near(e.Low, -e.High, 1e-3) {
		t.Errorf("a: %+v", e)
	}
	if d := table.Draws; !(d.Value > 0.98 && d.Low > 0.9) {
		t.Errorf("draws: %+v", d)
	}
}

func TestRepeatedPairsDoNotNarrowRatings(t *testing.T) {
	few := Pairing{A: 0, B: 1, Pairs: [3][3]int{{1, 0, 2}, {0, 4, 1}, {2, 0, 3}}}
	many := few
	for i := range 3 {
		for j := range 3 {
			many.Pairs[i][j] *= 10
		}
	}
	many.Repeated = 9 * few.PairCounts().Pairs()
	a := fitted(t, []string{"a", "b"}, []Pairing{few}, Options{}).Differences[0].Elo
	b := fitted(t, []string{"a", "b"}, []Pairing{many}, Options{}).Differences[0].Elo
	if !near(a.Value, b.Value, 1e-6) || !near(a.Low, b.Low, 1e-3) || !near(a.High, b.High, 1e-3) {
		t.Errorf("13 pairs %+v, 130 that repeat them %+v", a, b)
	}
}

// TestPairsCarryTheError: the same results game by game, but pairs that split
// tell more than pairs that are won or lost together.
func TestPairsCarryTheError(t *testing.T) {
	split := Pairing{A: 0, B: 1, Pairs: [3][3]int{{5, 0, 45}, {}, {45, 0, 5}}}
	whole := Pairing{A: 0, B: 1, Pairs: [3][3]int{{45, 0, 5}, {}, {5, 0, 45}}}
	width := func(p Pairing) float64 {
		e := fitted(t, []string{"a", "b"}, []Pairing{p}, Options{}).Differences[0].Elo
		return e.High - e.Low
	}
	// Variances of pairs 0.1·¼ and 0.9·¼.
	if a, b := width(split), width(whole); !(b/a > 2.5 && b/a < 3.1) {
		t.Errorf("widths %.1f and %.1f: want about three times", a, b)
	}
}

// TestSharedOpeningsCarryTheError: where all pairings play the same openings and
// half of these win for whoever moves first, the seat's advantage is known from as
// many openings as there are, not from as many pairs.
func TestSharedOpeningsCarryTheError(t *testing.T) {
	const openings = 40
	width := func(shared bool) (seat, difference float64) {
		var list []Pairing
		for i := range 4 {
			for j := range i {
				p := Pairing{A: i, B: j}
				for k := range openings {
					o := OpenedPair{Opening: k, First: k % 2 * 2, Second: 2 - k%2*2}
					p.Pairs[o.First][o.Second]++
					if shared {
						p.Opened = append(p.Opened, o)
					}
				}
				list = append(list, p)
			}
		}
		table := fitted(t, []string{"a", "b", "c", "d"}, list, Options{})
		e := table.Differences[0].Elo
		return table.Seat.High - table.Seat.Low, e.High - e.Low
	}
	seat, difference := width(false)
	sharedSeat, sharedDifference := width(true)
	// Six pairings: the error of the mean over openings is sqrt(6) times as large.
	if ratio := sharedSeat / seat; ratio < 2.2 || ratio > 2.8 {
		t.Errorf("the seat's interval is %.1f Elo wide with shared openings, %.1f with others: want some 2.5 times", sharedSeat, seat)
	}
	if sharedDifference > difference*1.3 {
		t.Errorf("a difference is %.1f Elo wide with shared openings, %.1f with others: results of a seat cancel in it", sharedDifference, difference)
	}
}

// TestCovarianceAgreesWithIntervals where both are near normal.
func TestCovarianceAgreesWithIntervals(t *testing.T) {
	var list []Pairing
	for i := range 4 {
		for j := i + 1; j < 4; j++ {
			list = append(list, Pairing{A: i, B: j, Pairs: [3][3]int{{50 + 10*i, 20, 100}, {30, 200, 30}, {90 + 10*j, 25, 80}}})
		}
	}
	table := fitted(t, []string{"a", "b", "c", "d"}, list, Options{})
	for _, d := range table.Differences {
		c := table.Covariance
		se := math.Sqrt(c[d.A][d.A] + c[d.B][d.B] - 2*c[d.A][d.B])
		if half := (d.Elo.High - d.Elo.Low) / 2; !near(half, 1.96*se, 0.02*half) {
			t.Errorf("%d - %d: half width %.3f, 1.96 standard errors %.3f", d.A, d.B, half, 1.96*se)
		}
		sum := 0.0
		for j := range c {
			sum += c[d.A][j]
		}
		if !near(sum, 0, 1e-6) {
			t.Errorf("row %d of the covariance sums to %g: ratings are relative to their mean", d.A, sum)
		}
	}
}

func TestFitNamesFaults(t *testing.T) {
	_, err := Fit([]string{"a", "b"}, []Pairing{
		{A: 0, B: 2}, {A: 0, B: 1, AFirst: [3]int{-1}}, {A: 1, B: 0, Repeated: 3, Pairs: [3][3]int{{3}}, Opened: []OpenedPair{{First: 1}}},
	}, Options{})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"pairing 0: players 0 and 2", "pairing 1: a count of -1", "pairing 2: players 1 and 0 have a pairing already", "repeated=3 of 3 pairs", "pairing 2: the pairs with openings are not the pairs counted"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q: %v", want, err)
		}
	}
	if _, err := Fit([]string{"a", "a"}, nil, Options{}); err == nil || !strings.Contains(err.Error(), `"a"`) {
		t.Errorf("equal names: %v", err)
	}
	if _, err := Fit([]string{"a", "b"}, nil, Options{Anchor: "c"}); err == nil || !strings.Contains(err.Error(), "anchor=c") {
		t.Errorf("unknown anchor: %v", err)
	}
}

// TestFitConverges on results without sense: few and many games, with and
// without partners, all draws, everything one-sided. Intervals must be in order,
// and exchanging the players of a difference must mirror it.
func TestFitConverges(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 100 {
		n := 2 + rng.IntN(4)
		names := []string{"a", "b", "c", "d", "e"}[:n]
		var list, mirrored []Pairing
		scale, kinds := []int{1, 3, 100}[rng.IntN(3)], 1+rng.IntN(9)
		for i := range n {
			for j := range i {
				p := Pairing{A: i, B: j}
				for range rng.IntN(kinds + 1) {
					p.Pairs[rng.IntN(3)][rng.IntN(3)] += rng.IntN(scale + 1)
				}
				if rng.IntN(4) == 0 {
					p.AFirst[rng.IntN(3)], p.BFirst[rng.IntN(3)] = rng.IntN(scale+1), rng.IntN(scale+1)
				}
				list = append(list, p)
				q := Pairing{A: j, B: i}
				for x := range 3 {
					for y := range 3 {
						q.Pairs[2-y][2-x] = p.Pairs[x][y]
					}
					q.AFirst[2-x], q.BFirst[2-x] = p.BFirst[x], p.AFirst[x]
				}
				mirrored = append(mirrored, q)
			}
		}
		a, b := fitted(t, names, list, Options{}), fitted(t, names, mirrored, Options{})
		for k, d := range a.Differences {
			e, f := d.Elo, b.Differences[k].Elo
			if e.Low > e.Value || e.Value > e.High || e.Low >= e.High {
				t.Fatalf("%+v is out of order: %+v", e, list)
			}
			if same := func(x, y float64) bool { return x == y || near(x, y, 0.01) || math.IsNaN(x) && math.IsNaN(y) }; !same(e.Value, f.Value) || !same(e.Low, f.Low) || !same(e.High, f.High) {
				t.Fatalf("%+v, from the other side %+v: %+v", e, f, list)
			}
		}
	}
}

// TestDivergenceIsAnError: a likelihood that is not a number ends in the error,
// not in a rating.
func TestDivergenceIsAnError(t *testing.T) {
	p := (&fit{}).problem([]cell{{0, 1, [3]float64{1, 0, math.NaN()}}, {1, 0, [3]float64{math.Inf(1), 0, 1}}}, []int{0, 0})
	if err := p.maximise(&point{x: make([]float64, 3)}, false); !errors.Is(err, ErrDiverged) {
		t.Errorf("err = %v", err)
	}
}

// TestOnlySomeRatings: leaving others out changes none of those that are wanted.
func TestOnlySomeRatings(t *testing.T) {
	all := fitted(t, baseballTeams, baseballPairings(), Options{Anchor: "Baltimore"})
	some := fitted(t, baseballTeams, baseballPairings(), Options{Anchor: "Baltimore", Only: []string{"Boston", "Detroit"}})
	for i, p := range some.Players {
		if wanted := p.Name == "Boston" || p.Name == "Detroit"; wanted && p != all.Players[i] {
			t.Errorf("%+v, want %+v", p, all.Players[i])
		} else if !wanted && (!math.IsNaN(p.Elo.Value) || !math.IsInf(p.Elo.Low, -1) || !math.IsInf(p.Elo.High, 1)) {
			t.Errorf("%+v, want nothing known", p)
		}
	}
	if len(some.Differences) != 0 || some.Seat != all.Seat {
		t.Errorf("%d differences, seat %+v, want none and %+v", len(some.Differences), some.Seat, all.Seat)
	}
	if _, err := Fit(baseballTeams, baseballPairings(), Options{Only: []string{"Chicago"}}); err == nil {
		t.Error("Fit rates a team that did not play")
	}
}
