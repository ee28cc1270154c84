package nnue

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/internal/invariants"
)

// random returns a network whose layers have sums of about 1.
func random(t testing.TB, units int, seed uint64) *Network {
	t.Helper()
	s := Shape{Words: 3, Units: units, TermShifts: []uint8{0, 3, 8}}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	n := New(s)
	r := rand.New(rand.NewPCG(seed, 1))
	for i, spread := range []float64{0.2, 0.2, 0.15, 0.3, 0.3, 0.3, 0.5, 0.5} {
		for j := range n.Parts()[i].Values {
			n.Parts()[i].Values[j] = float32(spread * r.NormFloat64())
		}
	}
	return n
}

// position is what a network sees.
type position struct {
	own, other []uint64
	terms      []int32
}

func randomPosition(r *rand.Rand, n *Network) position {
	p := position{make([]uint64, n.Words), make([]uint64, n.Words), make([]int32, len(n.TermShifts))}
	for i := range p.own {
		p.own[i], p.other[i] = r.Uint64()&r.Uint64()&r.Uint64(), r.Uint64()&r.Uint64()&r.Uint64()
	}
	for i := range p.terms {
		p.terms[i] = r.Int32N(21) - 10
	}
	return p
}

func (p *position) forward(n *Network) float32 {
	var s Scratch
	return n.Forward(AppendBits(nil, p.own), AppendBits(nil, p.other), p.terms, &s)
}

// TestIntegersMatchFloat within the rounding of their formats.
func TestIntegersMatchFloat(t *testing.T) {
	for _, units := range []int{64, 128, 192} {
		n := random(t, units, 5)
		w, err := Quantize(n)
		if err != nil {
			t.Fatal(err)
		}
		e, r := w.NewEvaluator(2), rand.New(rand.NewPCG(6, 1))
		worst, spread := 0.0, 0.0
		for range 500 {
			p := randomPosition(r, n)
			want := float64(p.forward(n))
			got := float64(e.Value(0, p.own, 1, p.other, p.terms)) / float64(w.Scale())
			worst, spread = max(worst, math.Abs(got-want)), max(spread, math.Abs(want))
		}
		// 2·units inputs, each off by up to half of 1/one, times weights of 0.15: some
		// thousandths.
		if worst > 0.02 || spread < 1 {
			t.Errorf("%d units: integers are off by up to %.4f of %.1f nats, want at most 0.02 of more than 1", units, worst, spread)
		}
	}
}

// TestUpdatesAreExact after a thousand steps from position to position, in slots that are
// used in turn.
func TestUpdatesAreExact(t *testing.T) {
	n := random(t, 128, 7)
	w, err := Quantize(n)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(8, 1))
	e, p := w.NewEvaluator(4), randomPosition(r, n)
	for step := range 1000 {
		p.own[r.IntN(3)] ^= 1 << r.IntN(64)
		first, second := r.IntN(64), r.IntN(64)
		p.other[r.IntN(3)] ^= 1<<first | 1<<second
		p.terms[step%3] = r.Int32N(9) - 4
		got := e.Value(step%2, p.own, 2+step%2, p.other, p.terms)
		if want := w.NewEvaluator(2).Value(0, p.own, 1, p.other, p.terms); got != want {
			t.Fatalf("step %d: updated it is %d, afresh %d", step, got, want)
		}
	}
	if c := e.Changes(); c < 1 || c > 8 {
		t.Errorf("%.1f bits changed in an update, want a few", c)
	}
}

// TestSeatsShareTheFirstLayer: what one seat sees counts the same for the other, but for
// the second layer.
func TestSeatsShareTheFirstLayer(t *testing.T) {
	n := random(t, 64, 9)
	half := n.Units * Second
	copy(n.Second[half:2*half], n.Second[:half])
	p := randomPosition(rand.New(rand.NewPCG(10, 1)), n)
	turned := position{p.other, p.own, p.terms}
	if a, b := p.forward(n), turned.forward(n); math.Abs(float64(a-b)) > 1e-4 {
		t.Errorf("with the same second layer for both seats a position is %g, turned %g", a, b)
	}
}

// TestQuantizeRefusesWhatMayOverflow, and chooses less precision where that helps.
func TestQuantizeRefusesWhatMayOverflow(t *testing.T) {
	for _, x := range []struct {
		name, want string
		change     func(n *Network)
	}{
		{"first layer", "first layer: unit 3 may reach", func(n *Network) {
			for bit := range 64 * n.Words {
				n.First[bit*n.Units+3] = 6 // 128 of them reach 768
			}
		}},
		{"first bias", "first.bias: weight 0 is 600", func(n *Network) { n.FirstBias[0] = 600 }},
		{"second weight", "second.weight: weight 0 is 33", func(n *Network) { n.Second[0] = 33 }},
		{"second bias", "second layer: output 2 may reach", func(n *Network) { n.SecondBias[2] = 32767 }},
		{"bias without bounds", "third.bias: bias 1 is 1e+09", func(n *Network) { n.ThirdBias[1] = 1e9 }},
		{"no number", "a weight is no number", func(n *Network) { n.Output[5] = float32(math.NaN()) }},
	} {
		n := random(t, 64, 11)
		x.change(n)
		_, err := Quantize(n)
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: error is %v, want %q", x.name, err, x.want)
		}
		if x.name != "no number" && !errors.Is(err, ErrOverflow) {
			t.Errorf("%s: %v does not wrap ErrOverflow", x.name, err)
		}
	}
	n := random(t, 64, 12)
	before, err := Quantize(n)
	if err != nil {
		t.Fatal(err)
	}
	for bit := range 64 * n.Words {
		n.First[bit*n.Units+3] = 1
	}
	after, err := Quantize(n)
	if err != nil || after.one >= before.one {
		t.Errorf("with sums up to 128 there are %d parts of 1, before %d: want less (%v)", after.one, before.one, err)
	}
}

// TestFirstLayerBoundIsReached: a network that just passes gives its extreme sums without
// wrapping round.
func TestFirstLayerBoundIsReached(t *testing.T) {
	n := New(Shape{Words: 1, Units: 64})
	for bit := range 64 {
		n.First[bit*n.Units] = 7.9
	}
	n.Second[Straight] = 1 // unit 0 of the own seat
	w, err := Quantize(n)
	if err != nil {
		t.Fatal(err)
	}
	e := w.NewEvaluator(2)
	all, none := []uint64{^uint64(0)}, []uint64{0}
	if v := e.Value(0, all, 1, none, nil); v != w.Scale() {
		t.Errorf("with all bits set the value is %d, want %d: one nat", v, w.Scale())
	}
	if v := e.Value(0, none, 1, all, nil); v != 0 {
		t.Errorf("with no bit set the value is %d, want 0", v)
	}
}

// TestManyBitsAreSummedWide: with more bits than the proof is for, sums beyond an int16 are
// right, and so is what comes after them.
func TestManyBitsAreSummedWide(t *testing.T) {
	n := New(Shape{Words: 4, Units: 64})
	for bit := range 256 {
		n.First[bit*n.Units], n.First[bit*n.Units+1] = 3.9, -3.9
	}
	n.Second[Straight], n.Second[Second+Straight] = 1, 1 // units 0 and 1 of the own seat
	w, err := Quantize(n)
	if err != nil {
		t.Fatal(err)
	}
	if sum := 256 * int(w.first[0]); sum <= math.MaxInt16 {
		t.Fatalf("the sums reach %d: the test shows nothing", sum)
	}
	e, none := w.NewEvaluator(2), make([]uint64, 4)
	for set, want := range []int64{w.Scale(), w.Scale(), w.Scale(), w.Scale(), 0} {
		own := make([]uint64, 4)
		for i := range (set + 1) % 5 {
			own[i] = ^uint64(0)
		}
		if v := e.Value(0, own, 1, none, nil); v != want {
			t.Errorf("with %d words of bits the value is %d, want %d", (set+1)%5, v, want)
		}
	}
}

func TestTermsAreScaledAndClipped(t *testing.T) {
	s := Shape{TermShifts: []uint8{0, 4, 8}}
	for _, x := range []struct {
		i, count, want int32
	}{{0, 5, 5}, {0, 3000, 2048}, {1, -3, -48}, {1, 200, 2048}, {2, 1, 256}, {2, math.MinInt32, -2048}, {2, math.MaxInt32, 2048}} {
		if got := s.scaled(int(x.i), x.count); got != x.want {
			t.Errorf("term %d: a count of %d is seen as %d, want %d", x.i, x.count, got, x.want)
		}
	}
}

func TestFilesHoldWhatWasWritten(t *testing.T) {
	n := random(t, 64, 13)
	c := Card{
		Game: "some", GameVersion: 3, Inputs: []Input{{"pieces", 0, 64}, {"more", 64, 64}, {"count", 128, 5}}, Terms: []string{"a", "b", "c"},
		Rules: []RulesShare{{"standard", 1}}, Runs: []string{"night"}, Games: 7, Positions: 70, Samples: 700, HeldLoss: .6, LeastLoss: .5,
	}
	data, err := Encode(n, c)
	if err != nil {
		t.Fatal(err)
	}
	m, card, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	p := randomPosition(rand.New(rand.NewPCG(14, 1)), n)
	if a, b := p.forward(n), p.forward(m); a != b {
		t.Errorf("read back it says %g, want %g", b, a)
	}
	if err := card.Fits("some", 3, c.Inputs, c.Terms); err != nil {
		t.Error(err)
	}
	for want, err := range map[string]error{
		"is of some, not other":      card.Fits("other", 3, c.Inputs, c.Terms),
		"version 3 of some, not 4":   card.Fits("some", 4, c.Inputs, c.Terms),
		"sees other bits":            card.Fits("some", 3, c.Inputs[:2], c.Terms),
		"counts other terms":         card.Fits("some", 3, c.Inputs, []string{"a", "b", "d"}),
		"term_shifts: 3 of 2 terms":  second(Encode(n, Card{Game: "x", Inputs: c.Inputs, Terms: c.Terms[:2]})),
		"want runs in order":         second(Encode(n, Card{Game: "x", Inputs: []Input{{"a", 60, 5}}, Terms: c.Terms})),
		"not a whole and unaltered":  third(Decode(data[:len(data)-1])),
		"held_out_loss = NaN: want ": second(Encode(n, Card{Game: "x", Inputs: c.Inputs, Terms: c.Terms, HeldLoss: math.NaN()})),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
	// A card of another shape than the tensors.
	c.Inputs = c.Inputs[:1]
	if data, err = Encode(n, c); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Decode(data); err == nil || !strings.Contains(err.Error(), `want "first.weight" of shape [64 64]`) {
		t.Errorf("tensors of another shape: error is %v", err)
	}
}

func second[A any](_ A, err error) error        { return err }
func third[A, B any](_ A, _ B, err error) error { return err }

func TestShapesAreChecked(t *testing.T) {
	for want, s := range map[string]Shape{
		"words = 0":             {Units: 64},
		"units = 100":           {Words: 1, Units: 100},
		"units = 2048":          {Words: 1, Units: 2048},
		"shift of term 1 = 9":   {Words: 1, Units: 64, TermShifts: []uint8{8, 9}},
		"terms = 4097: want at": {Words: 1, Units: 64, TermShifts: make([]uint8, 4097)},
	} {
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error is %v, want %q", s.Units, err, want)
		}
	}
}

func TestValueDoesNotAllocate(t *testing.T) {
	if invariants.Enabled {
		t.Skip("this machine: a build that checks invariants, at any cost")
	}
	n := random(t, 128, 15)
	w, err := Quantize(n)
	if err != nil {
		t.Fatal(err)
	}
	e, r := w.NewEvaluator(2), rand.New(rand.NewPCG(16, 1))
	a, b := randomPosition(r, n), randomPosition(r, n)
	if n := testing.AllocsPerRun(100, func() {
		e.Value(0, a.own, 1, a.other, a.terms)
		e.Value(0, b.own, 1, b.other, b.terms)
	}); n > 0 {
		t.Errorf("Value allocates %g times", n)
	}
}

// BenchmarkValue is a network of 128 units and 36 terms from one position to another that
// differs in six bits for each seat.
func BenchmarkValue(b *testing.B) {
	n := New(Shape{Words: 9, Units: 128, TermShifts: make([]uint8, 36)})
	w, err := Quantize(n)
	if err != nil {
		b.Fatal(err)
	}
	e, terms := w.NewEvaluator(2), make([]int32, 36)
	views := [2][]uint64{make([]uint64, 9), {1 << 3, 0, 1 << 20, 1, 0, 1 << 63, 0, 1 << 7, 2}}
	for i := 0; b.Loop(); i++ {
		e.Value(0, views[i&1], 1, views[i&1], terms)
	}
}
