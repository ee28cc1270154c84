package player

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/pienim"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

// plain is minimax without pruning, in First's view: the specification.
func plain(g engine.Game, j evaluation, s engine.State, h *engine.History, start, last int) float64 {
	actor := s.Actor()
	if actor == engine.Nobody {
		return float64(s.Outcome().Value(engine.First) * (1 - turnCost*float32(s.Turn()-start)))
	}
	if actor != engine.Chance && s.Turn() >= last {
		return float64(j(s, engine.First))
	}
	mark := h.Len()
	after := func(a engine.Action) float64 {
		next := g.NewState()
		next.CopyFrom(s)
		next.Apply(a, h)
		v := plain(g, j, next, h, start, last)
		h.Truncate(mark)
		return v
	}
	if actor == engine.Chance {
		mean, proven, result := 0.0, 0.0, 0.0
		for _, w := range s.Chance(nil) {
			v := after(w.Code)
			mean, result = mean+w.Prob*v, result+w.Prob*expected(v)
			if math.Abs(v) > maxJudged {
				proven += w.Prob * math.Copysign(1, v)
			}
		}
		if math.Abs(proven) > 1-1e-9 {
			return mean
		}
		return unexpected(result)
	}
	sign := float64(1)
	if actor == engine.Second {
		sign = -1
	}
	best := math.Inf(-1)
	for _, a := range s.Legal(nil, h) {
		best = max(best, sign*after(a))
	}
	return sign * best
}

// noise judges by hash, so that every position at the horizon counts
// differently and a sign taken wrong shows.
func noise(s engine.State, p engine.Player) float32 {
	v := maxJudged * float32(int32(s.Hash()*0x9e3779b97f4a7c15>>32)) / (1 << 31)
	if p == engine.Second {
		return -v
	}
	return v
}

func TestMinimaxAgreesWithBruteForce(t *testing.T) {
	games := small(t)
	shift, err := pienim.Family.Parse("shift=true")
	if err != nil {
		t.Fatal(err)
	}
	games["pienim with repetition"] = shift
	for name, g := range games {
		rng := rand.New(rand.NewPCG(3, 4))
		s, h, after := g.NewState(), g.NewHistory(), g.NewState()
		for depth := 1; depth <= 3; depth++ {
			m := newMinimax(g, depth)
			m.value = noise
			for i := range 60 {
				playRandom(s, h, rng.IntN(10), rng)
				actor := s.Actor()
				if actor != engine.First && actor != engine.Second {
					continue
				}
				m.NewGame(t.Context(), uint64(i))
				a, err := choose(context.Background(), m, s, h)
				if err != nil {
					t.Fatal(err)
				}
				want := plain(g, noise, s, h, s.Turn(), s.Turn()+depth)
				mark := h.Len()
				after.CopyFrom(s)
				after.Apply(a, h)
				got := plain(g, noise, after, h, s.Turn(), s.Turn()+depth)
				h.Truncate(mark)
				if math.Abs(got-want) > 1e-6 {
					t.Fatalf("%s, depth %d: in %s Choose took %s worth %g, the best is worth %g",
						name, depth, s.AppendPosition(nil), s.AppendAction(nil, a), got, want)
				}
			}
		}
	}
}

// TestMinimaxPicksAmongEquals needs every first move of an empty tic-tac-toe
// board, which are all worth a draw, to be chosen about equally often.
func TestMinimaxPicksAmongEquals(t *testing.T) {
	g := game(t, &tictactoe.Family)
	m := newMinimax(g, 2)
	var count [9]int
	for i := range 900 {
		m.NewGame(t.Context(), uint64(i))
		a, err := choose(context.Background(), m, g.NewState(), nil)
		if err != nil {
			t.Fatal(err)
		}
		count[a]++
	}
	for a, n := range count {
		if n < 60 || n > 140 { // 100 ± 4.2 standard deviations
			t.Errorf("action %d was chosen %d times in 900, want about 100", a, n)
		}
	}
}

func TestMinimaxPrefersTheQuickerWin(t *testing.T) {
	g := game(t, &tictactoe.Family)
	s := g.NewState()
	// x has two in a row and may also win later in other ways.
	for _, a := range []engine.Action{0, 8, 1, 7} {
		s.Apply(a, nil)
	}
	m := newMinimax(g, 9)
	for i := range 20 {
		m.NewGame(t.Context(), uint64(i))
		if a, err := choose(context.Background(), m, s, nil); err != nil || a != 2 {
			t.Fatalf("seed %d: Choose = %d, %v, want 2, which wins at once", i, a, err)
		}
	}
}

func TestMinimaxDoesNotAllocateInSearch(t *testing.T) {
	g := game(t, &connect4.Family)
	m := newMinimax(g, 4)
	s, h := g.NewState(), g.NewHistory()
	choose := func() {
		if _, err := choose(context.Background(), m, s, h); err != nil {
			t.Fatal(err)
		}
	}
	choose()
	if n := testing.AllocsPerRun(10, choose); n > 1 {
		t.Errorf("a choice allocates %g times, want 1 for the answer", n)
	}
}

// counted is a state that counts its own material: First is always 10 ahead.
type counted struct{ engine.State }

func (counted) Material(p engine.Player) float32 { return 10 * float32(1-p) }

func TestJudgeAsksTheState(t *testing.T) {
	s := counted{game(t, &tictactoe.Family).NewState()}
	if first, second := byMaterial(s, engine.First), byMaterial(s, engine.Second); first != maxJudged/2 || second != -maxJudged/2 {
		t.Errorf("value = %g for First, %g for Second, want ±%g", first, second, maxJudged/2)
	}
}
