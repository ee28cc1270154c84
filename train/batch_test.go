package train

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/selfplay/record/recordtest"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/replay"
)

func newGame(t testing.TB, family *engine.Family, rules string) engine.Game {
	t.Helper()
	g, err := family.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// randomSamples walks through random games and makes a sample of every decision
// of a player, with a random policy target, none every fourth time.
func randomSamples(g engine.Game, n int, seed uint64) []replay.Sample {
	rng := rand.New(rand.NewPCG(seed, 4))
	var samples []replay.Sample
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	for len(samples) < n {
		if s.Outcome().Over {
			s.Start(h)
		}
		if s.Actor() == engine.Chance {
			outcomes := s.Chance(nil)
			s.Apply(outcomes[rng.IntN(len(outcomes))].Code, h)
			continue
		}
		legal := s.Legal(nil, h)
		x := replay.Sample{Game: g, Packed: s.Pack(nil), Actions: legal, TurnsLeft: float32(rng.IntN(100)), Weight: 1}
		x.Value[rng.IntN(3)] = 1
		if len(samples)%4 != 3 {
			x.Policy = make([]float32, len(legal))
			sum := float32(0)
			for i := range x.Policy {
				x.Policy[i] = rng.Float32()
				sum += x.Policy[i]
			}
			for i := range x.Policy {
				x.Policy[i] /= sum
			}
		}
		samples = append(samples, x)
		s.Apply(legal[rng.IntN(len(legal))], h)
	}
	return samples
}

// TestBatchHoldsThePositionUnderSymmetry compares every row with the encoding
// of the position that the engine itself has transformed.
func TestBatchHoldsThePositionUnderSymmetry(t *testing.T) {
	for _, g := range []engine.Game{
		newGame(t, &tictactoe.Family, ""), newGame(t, &connect4.Family, ""),
		newGame(t, &konreh.Family, ""), newGame(t, &konreh.Family, "micro"),
	} {
		info := g.Info()
		f := &info.Features
		b := NewBatch(info, 1)
		planes, globals := make([]float32, f.Planes*f.Cells()), make([]float32, f.Globals)
		for _, s := range randomSamples(g, 40, 1) {
			for i := range info.Symmetries {
				b.Reset()
				for k := range b.Planes {
					b.Planes[k] = float32(math.NaN())
				}
				if err := b.Append(&s, i); err != nil {
					t.Fatal(err)
				}
				state := g.NewState()
				if err := state.Unpack(s.Packed); err != nil {
					t.Fatal(err)
				}
				y := &info.Symmetries[0]
				if state.SymmetryMask()>>i&1 == 1 {
					y = &info.Symmetries[i]
					state.Transform(i)
				}
				state.Encode(planes, globals)
				for k, v := range planes {
					if got := b.Planes[k%f.Cells()*f.Planes+k/f.Cells()]; got != v {
						t.Fatalf("%s, symmetry %s: plane %d, cell %d = %g, want %g", info.Name, y.Name, k/f.Cells(), k%f.Cells(), got, v)
					}
				}
				if !slices.Equal(b.Globals, globals) {
					t.Fatalf("%s, symmetry %s: globals %v, want %v", info.Name, y.Name, b.Globals, globals)
				}
				for k, a := range s.Actions {
					if b.Cells[k] != info.Policy.Cells[y.Action(a)] {
						t.Fatalf("%s, symmetry %s: action %d in head cell %d", info.Name, y.Name, a, b.Cells[k])
					}
				}
				if s.Policy != nil && !slices.Equal(b.Policy, s.Policy) || (s.Policy != nil) != (b.PolicyWeight[0] == 1) {
					t.Fatalf("%s: policy %v of weight %g, want %v", info.Name, b.Policy, b.PolicyWeight[0], s.Policy)
				}
				if !slices.Equal(b.Value, s.Value[:]) || b.Turns[0] != s.TurnsLeft || b.ValueWeight[0] != 1 || b.TurnsWeight[0] != 1 {
					t.Fatalf("%s: value %v, turns %g", info.Name, b.Value, b.Turns)
				}
			}
		}
	}
}

func TestBatchRefusesWhatIsNoRow(t *testing.T) {
	g := newGame(t, &tictactoe.Family, "")
	race := newGame(t, &racegame.Family, "")
	good := randomSamples(g, 1, 1)[0]
	roll := race.NewState()
	for roll.Actor() != engine.Chance {
		roll.Apply(roll.Legal(nil, nil)[0], nil)
	}
	for want, spoil := range map[string]func(s *replay.Sample){
		"no game":                 func(s *replay.Sample) { s.Game = nil },
		"no legal actions":        func(s *replay.Sample) { s.Actions, s.Policy = nil, nil },
		"ascending":               func(s *replay.Sample) { s.Actions = []engine.Action{1, 1}; s.Policy = nil },
		"for 9 actions":           func(s *replay.Sample) { s.Policy = []float32{1} },
		"policy sums to":          func(s *replay.Sample) { s.Policy = make([]float32, 9) },
		"policy probability 0 is": func(s *replay.Sample) { s.Policy = append([]float32{-1}, s.Policy[1:]...) },
		"value sums to 0.5":       func(s *replay.Sample) { s.Value = [3]float32{0.5} },
		"value probability 2 is":  func(s *replay.Sample) { s.Value = [3]float32{1, 0, float32(math.NaN())} },
		"reply policy sums to":    func(s *replay.Sample) { s.ReplyActions, s.Reply = []engine.Action{1, 2}, []float32{1, 1} },
		"reply policy of 1":       func(s *replay.Sample) { s.ReplyActions, s.Reply = []engine.Action{1, 2}, []float32{1} },
		"reply policy of 2":       func(s *replay.Sample) { s.Reply = []float32{0.5, 0.5} },
		"reply action 1 follows":  func(s *replay.Sample) { s.ReplyActions, s.Reply = []engine.Action{1, 1}, []float32{0.5, 0.5} },
		"reply actions without":   func(s *replay.Sample) { s.ReplyActions = []engine.Action{1} },
		"9 of 9, in the reply":    func(s *replay.Sample) { s.ReplyActions, s.Reply = []engine.Action{1, 9}, []float32{0.5, 0.5} },
		"turns left -1":           func(s *replay.Sample) { s.TurnsLeft = -1 },
		"weight +Inf":             func(s *replay.Sample) { s.Weight = float32(math.Inf(1)) },
		"action 9 of 9":           func(s *replay.Sample) { s.Actions = []engine.Action{9}; s.Policy = nil },
		"in a batch of":           func(s *replay.Sample) { s.Game = race },
		"sample of " + g.Info().Name + " " + g.Rules() + ": ": func(s *replay.Sample) { s.Packed = s.Packed[1:] },
	} {
		b := NewBatch(g.Info(), 2)
		s := good
		spoil(&s)
		if err := b.Append(&s, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Append = %v, want it to say %q", err, want)
		}
		if b.Rows() != 0 || len(b.Cells) != 0 || len(b.Policy) != 0 || len(b.Offsets) != 1 ||
			len(b.ReplyCells) != 0 || len(b.ReplyPolicy) != 0 || len(b.ReplyOffsets) != 1 {
			t.Errorf("%s: the refused sample has left something in the batch", want)
		}
	}
	b := NewBatch(race.Info(), 1)
	s := replay.Sample{Game: race, Packed: roll.Pack(nil), Actions: []engine.Action{0}, Value: [3]float32{1}}
	if err := b.Append(&s, 0); err == nil || !strings.Contains(err.Error(), "want a player") {
		t.Errorf("Append of a chance decision = %v", err)
	}
	b = NewBatch(g.Info(), 1)
	if err := b.Append(&good, 8); err == nil {
		t.Error("Append took symmetry 8 of 8")
	}
	if err := b.Append(&good, 7); err != nil {
		t.Error(err)
	}
	if err := b.Append(&good, 0); err == nil || !b.Full() {
		t.Error("Append filled a batch beyond its rows")
	}
}

func TestFillDrawsFromTheWindow(t *testing.T) {
	dir := t.TempDir()
	writeShard(t, dir)
	w := newWindow(t, dir)
	refresh(t, w)
	info := newGame(t, &tictactoe.Family, "").Info()
	a, b := NewBatch(info, 32), NewBatch(info, 32)
	for _, x := range []*Batch{a, b} {
		if err := x.Fill(w, rand.New(rand.NewPCG(1, 2))); err != nil {
			t.Fatal(err)
		}
	}
	if !a.Full() || !slices.Equal(a.Planes, b.Planes) || !slices.Equal(a.Cells, b.Cells) || !slices.Equal(a.Policy, b.Policy) {
		t.Error("the same window and random state filled two batches differently")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	if n := testing.AllocsPerRun(20, func() { _ = a.Fill(w, rng) }); n != 0 {
		t.Errorf("filling a batch allocates %g times", n)
	}
}

func BenchmarkFill(bm *testing.B) {
	g := newGame(bm, &konreh.Family, "")
	samples := randomSamples(g, 256, 1)
	b := NewBatch(g.Info(), len(samples))
	for range bm.N {
		b.Reset()
		for i := range samples {
			if err := b.Append(&samples[i], i%len(g.Info().Symmetries)); err != nil {
				bm.Fatal(err)
			}
		}
	}
	bm.ReportMetric(float64(len(samples)*bm.N)/bm.Elapsed().Seconds(), "samples/s")
}

func newWindow(t testing.TB, dir string) *replay.Window {
	t.Helper()
	w, err := replay.NewWindow(plan.DefaultWindowConfig(), &tictactoe.Family, dir, "night")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func refresh(t testing.TB, w *replay.Window) {
	t.Helper()
	if _, err := w.Refresh(); err != nil {
		t.Fatal(err)
	}
}

// writeShard writes a shard of ten random games of tic-tac-toe.
func writeShard(t testing.TB, dir string) {
	t.Helper()
	g := newGame(t, &tictactoe.Family, "")
	recordtest.Write(t, dir, 0, g.Info(), recordtest.WithPolicies(g, 0, 10))
}
