package run

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/rundir"
)

// gameOf makes the rows of a game with these values and results.
func gameOf(values []float32, outcomes []int8) []record.Row {
	rows := make([]record.Row, len(values))
	for i := range rows {
		rows[i].NetworkValue, rows[i].Outcome = values[i], outcomes[i]
	}
	return rows
}

func networkValue(r *record.Row) float32 { return r.NetworkValue }

// TestReliabilityByHand: two games, worked out on paper.
func TestReliabilityByHand(t *testing.T) {
	var r reliability
	r.add(gameOf([]float32{0.5, -0.5}, []int8{1, -1}), networkValue)
	r.add(gameOf([]float32{0.5, -0.5}, []int8{-1, 1}), networkValue)
	r.add(gameOf([]float32{0.5, -1}, []int8{1, -1}), networkValue)
	bins := r.points()
	// Bin 7 is from 0.4 to 0.6: outcomes 1, -1, 1 against 0.5. Its games' sums of
	// outcome less value are 0.5, -1.5, 0.5; less their mean 0.667, -1.333, 0.667.
	want := rundir.ValueBin{Positions: 3, Games: 3, Predicted: 0.5, Outcome: 1. / 3, Error: math.Sqrt((2*4./9+16./9)*3/2) / 3}
	got := bins[7]
	if got.Positions != 3 || got.Games != 3 || !closeTo(got.Predicted, want.Predicted) || !closeTo(got.Outcome, want.Outcome) || !closeTo(got.Error, want.Error) {
		t.Errorf("bin 7 is %+v, want %+v", got, want)
	}
	if b := bins[2]; b.Positions != 2 || b.Games != 2 || b.Outcome != 0 || b.Predicted != -0.5 {
		t.Errorf("bin 2 is %+v, want two positions", b)
	}
	if b := bins[0]; b != (rundir.ValueBin{Positions: 1, Games: 1, Predicted: -1, Outcome: -1, Error: 1}) {
		t.Errorf("bin 0 is %+v, want one position of unknown error", b)
	}
	f := r.figures()
	// |0.5-1/3|·3 + |-0.5-0|·2 + 0, over six positions.
	if !closeTo(f.calibration, 1.5/6) {
		t.Errorf("calibration %g, want 0.25", f.calibration)
	}
	// Values 0.5 three times, -0.5 twice, -1; outcomes 1, -1, 1, -1, 1, -1, mean 0
	// and variance 1; differences 0.5, -0.5, -1.5, 1.5, 0.5, 0.
	if want := 1 - (5.25/6 - 0.5*0.5/36); !closeTo(f.explained, want) {
		t.Errorf("explained %g, want %g", f.explained, want)
	}
	// Sum of products 1.5, of squares 2.25 less 6·(mean -1/12)².
	if want := 1.5 / (2.25 - 6./144); !closeTo(f.slope, want) {
		t.Errorf("slope %g, want %g", f.slope, want)
	}
}

func closeTo(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// TestReliabilityOfKnownValues draws games whose positions share one chance of a
// win, which the value tells truly, halved, doubled or with the wrong sign.
func TestReliabilityOfKnownValues(t *testing.T) {
	for _, c := range []struct {
		name  string
		told  float64
		slope float64
	}{{"true", 1, 1}, {"too cautious", 0.5, 2}, {"too sure", 2, 0.5}, {"wrong sign", -1, -1}} {
		var r reliability
		rng := rand.New(rand.NewPCG(1, 2))
		for range 4000 {
			v := rng.Float64() - 0.5 // in the first player's view
			z := int8(1)
			if rng.Float64() > (1+v)/2 {
				z = -1
			}
			var values []float32
			var outcomes []int8
			for i := range 1 + rng.IntN(20) {
				sign := 1 - 2*(i%2)
				values, outcomes = append(values, float32(v*c.told)*float32(sign)), append(outcomes, z*int8(sign))
			}
			r.add(gameOf(values, outcomes), networkValue)
		}
		f := r.figures()
		if math.Abs(f.slope-c.slope) > 3*f.slopeError || f.slopeError > 0.3 || f.slopeError < 0.02 {
			t.Errorf("%s: slope %.3f ± %.3f, want %g", c.name, f.slope, f.slopeError, c.slope)
		}
		// 1 - Var(z-kv)/Var(z), with Var(z) = 1 and Cov(z, v) = Var(v) = 1/12.
		if want := (2*c.told - c.told*c.told) / 12; math.Abs(f.explained-want) > 0.02 {
			t.Errorf("%s: explained %.3f, want %.3f", c.name, f.explained, want)
		}
		off := 0
		for _, b := range r.points() {
			if math.Abs(b.Outcome-b.Predicted) > 3*b.Error {
				off++
			}
		}
		if c.told == 1 && off > 0 || c.told != 1 && off < 4 {
			t.Errorf("%s: %d bins are more than three errors off", c.name, off)
		}
	}
}

// TestReliabilityOfNothing: what does not vary explains nothing, and there are
// numbers everywhere.
func TestReliabilityOfNothing(t *testing.T) {
	var r reliability
	if f := r.figures(); f != (figures{}) || r.points() != nil {
		t.Errorf("without games: %+v, %v", f, r.points())
	}
	r.add(gameOf([]float32{0.25, 0.25}, []int8{0, 0}), networkValue)
	r.add(gameOf([]float32{0.25}, []int8{0}), networkValue)
	if f := r.figures(); f != (figures{calibration: 0.25}) {
		t.Errorf("of draws and one value: %+v", f)
	}
}

// TestRepeatedGames: games differ by rules, by any action, with or without a
// row, and by their length.
func TestRepeatedGames(t *testing.T) {
	game := func() []record.Row {
		return []record.Row{
			{Rules: "a", Before: []engine.Action{1}, Action: 2},
			{Rules: "a", Before: []engine.Action{3, 4}, Action: 5, After: []engine.Action{6}},
		}
	}
	var p playedGames
	p.add(game())
	for _, change := range []func(g []record.Row) []record.Row{
		func(g []record.Row) []record.Row { g[0].Rules, g[1].Rules = "b", "b"; return g },
		func(g []record.Row) []record.Row { g[0].Before[0] = 7; return g },
		func(g []record.Row) []record.Row { g[1].Action = 7; return g },
		func(g []record.Row) []record.Row { g[1].After = nil; return g },
		func(g []record.Row) []record.Row { return g[:1] },
	} {
		p.add(change(game()))
		if p.repeated != 0 {
			t.Fatal("another game is taken for the same")
		}
	}
	p.add(nil)
	p.add(nil)
	p.add(game())
	p.add(game())
	if p.repeated != 2 {
		t.Errorf("%d games were repeated, want 2", p.repeated)
	}
}
