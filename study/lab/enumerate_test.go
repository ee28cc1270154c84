package lab

import (
	"math"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

// enumerate plays all games from the position of a line, "" for the start, on a board of that
// number of cells, of which every move fills one.
func enumerate(g engine.Game, line string, cells float64) truth {
	w, of := truth{}, map[string]float64{} // sums and what they are divided by
	add := func(id string, p, x float64) { w[id], of[id] = w[id]+p*x, of[id]+p }
	known := map[uint64]float64{}
	values := []float64{}
	legal := []int{}
	var play func(s engine.State, p float64)
	play = func(s engine.State, p float64) {
		if out := s.Outcome(); out.Over {
			c := Curve{Values: append(append([]float64{}, values...), float64(out.Value(engine.First)))}
			n := float64(len(values))
			add("first_score", p, (1+c.result())/2)
			add("draws", p, indicator(out.Winner == engine.Nobody))
			add("completed", p, 1)
			add("turns", p, float64(s.Turn()))
			add("decisions", p, n)
			add("board", p, n/cells)
			w["end:"+out.Reason] += p
			of["end:"+out.Reason] = 1
			for _, k := range legal {
				add("branching", p, float64(k))
				add("choices", p, indicator(k > 1))
			}
			// The measures of a curve once more, in other words.
			lost, reached, holds, changes, last, total := 0.0, -1, 0.0, 0.0, 0.0, 0.0
			for i, v := range c.Values {
				if v != 0 {
					if v == -last {
						changes++
					}
					last = v
				}
				if i == len(values) {
					break
				}
				total += 1 - math.Abs(v)
				lost = max(lost, -v*c.result())
				if v != 0 && reached < 0 {
					reached, holds = i, (1+v*c.result())/2
				}
			}
			add("leads", p, changes)
			add("uncertainty", p, total/n)
			if reached >= 0 {
				add("decisiveness", p, holds)
			}
			if c.result() != 0 {
				add("drama", p, lost/2)
				from := len(values)
				for from > 0 && values[from-1] == c.result() {
					from--
				}
				add("decisive_turn", p, float64(from)/n)
			}
			return
		}
		actions := s.Legal(nil, nil)
		v := solve(s, known)
		values, legal = append(values, v), append(legal, len(actions))
		sign := 1.0
		if s.Actor() == engine.Second {
			sign = -1
		}
		for _, a := range actions {
			next := g.NewState()
			next.CopyFrom(s)
			next.Apply(a, nil)
			each := p / float64(len(actions))
			add("tempo", each, sign*(v-solve(next, known))/2)
			play(next, each)
		}
		values, legal = values[:len(values)-1], legal[:len(legal)-1]
	}
	s := g.NewState()
	if err := engine.SetUp(s, nil, line); err != nil {
		panic(err)
	}
	play(s, 1)
	for id := range w {
		w[id] /= of[id]
	}
	return w
}

// solve is the value of s in the first player's view, by minimax and, where chance decides,
// by its mean.
func solve(s engine.State, known map[uint64]float64) float64 {
	if out := s.Outcome(); out.Over {
		return float64(out.Value(engine.First))
	}
	if v, ok := known[s.Hash()]; ok {
		return v
	}
	next := cloneOf(s)
	var best float64
	switch s.Actor() {
	case engine.Chance:
		for _, o := range s.Chance(nil) {
			next.CopyFrom(s)
			next.Apply(o.Code, nil)
			best += o.Prob * solve(next, known)
		}
	default:
		best = math.Inf(-1)
		sign := 1.0
		if s.Actor() == engine.Second {
			sign = -1
		}
		for _, a := range s.Legal(nil, nil) {
			next.CopyFrom(s)
			next.Apply(a, nil)
			best = max(best, sign*solve(next, known))
		}
		best *= sign
	}
	known[s.Hash()] = best
	return best
}

// cloneOf is another state of the same game.
func cloneOf(s engine.State) engine.State {
	switch s := s.(type) {
	case *tictactoe.State:
		c := *s
		return &c
	case *connect4.State:
		c := *s
		return &c
	case *racegame.State:
		c := *s
		return &c
	}
	panic("a game of another test")
}

// expect is what a game comes to in which each player draws one of the moves that choose
// leaves.
func expect(g engine.Game, choose func(engine.State, []engine.Action) []engine.Action) truth {
	type sums struct{ first, draws, turns, decisions, legal, choices float64 }
	known := map[uint64]sums{}
	var of func(s engine.State) sums
	of = func(s engine.State) sums {
		if out := s.Outcome(); out.Over {
			return sums{first: (1 + float64(out.Value(engine.First))) / 2, draws: indicator(out.Winner == engine.Nobody), turns: float64(s.Turn())}
		}
		if x, ok := known[s.Hash()]; ok {
			return x
		}
		var list []engine.Weighted
		total := sums{}
		if s.Actor() == engine.Chance {
			list = s.Chance(nil)
		} else {
			actions := s.Legal(nil, nil)
			total.decisions, total.legal, total.choices = 1, float64(len(actions)), indicator(len(actions) > 1)
			chosen := choose(s, actions)
			for _, a := range chosen {
				list = append(list, engine.Weighted{Code: a, Prob: 1 / float64(len(chosen))})
			}
		}
		for _, o := range list {
			next := g.NewState()
			next.CopyFrom(s)
			next.Apply(o.Code, nil)
			x := of(next)
			total.first += o.Prob * x.first
			total.draws += o.Prob * x.draws
			total.turns += o.Prob * x.turns
			total.decisions += o.Prob * x.decisions
			total.legal += o.Prob * x.legal
			total.choices += o.Prob * x.choices
		}
		known[s.Hash()] = total
		return total
	}
	s := g.NewState()
	s.Start(nil)
	x := of(s)
	return truth{"first_score": x.first, "draws": x.draws, "turns": x.turns, "decisions": x.decisions, "branching": x.legal / x.decisions, "choices": x.choices / x.decisions}
}
