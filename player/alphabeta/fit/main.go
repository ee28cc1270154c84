// Command fit fits the weights of package alphabeta to the results of games that
// the engine plays against itself, and prints weights.txt (Texel tuning, Österlund
// 2014: logistic regression of results on quiet positions). Each round plays with
// the weights of the round before, the first with those of start.txt, and lets the
// new weights play the old ones. The same arguments print the same weights and
// scores, on any number of cores; scripts/fit-alphabeta.sh has those of the
// weights in use.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/player/alphabeta"
)

//go:embed start.txt
var start string

// sample is a quiet position and what became of it for the side to act: 1, ½, 0.
type sample struct {
	facts  []float64
	result float64
}

func main() {
	games := flag.Int("games", 1200, "games of a round")
	depth := flag.Int("depth", 3, "player turns looked ahead")
	run := flag.Uint64("seed", 1, "seed of the games of the first round; the others count on")
	rules := flag.String("rules", "standard,max_turns=600", "rules to play by")
	pull := flag.Float64("pull", 1e-4, "penalty for leaving the weights of the round before, in nats for each Red² of each term")
	rounds := flag.Int("rounds", 2, "rounds of playing and fitting")
	check := flag.Int("check", 50, "pairs of games of the new weights against those before, in each round")
	flag.Parse()
	if flag.NArg() > 0 || *games < 1 || *depth < 1 || *rounds < 1 || *check < 0 || *depth > alphabeta.MaxDepth {
		flag.Usage()
		os.Exit(2)
	}
	g, err := konreh.Family.Parse(*rules)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
	k := g.(*konreh.Game)
	w, err := konreh.ParseWeights(start)
	if err != nil {
		panic("BUG: start.txt: " + err.Error())
	}
	for round := range *rounds {
		old := w
		samples, results := play(k, w, *games, *depth, *run+uint64(round))
		fmt.Fprintf(os.Stderr, "round %d: %d games: A won %d, B won %d, %d drawn; %d quiet positions\n",
			round+1, *games, results[engine.First], results[engine.Second], results[engine.Nobody], len(samples))
		w = fit(samples, old, *pull)
		if *check > 0 {
			won, drawn := compare(k, [2]konreh.Weights{w, old}, *check, *depth, *run+uint64(round))
			fmt.Fprintf(os.Stderr, "against the weights before, depth %d: +%d =%d -%d\n", *depth, won, drawn, 2**check-won-drawn)
		}
	}
	fmt.Printf("# Worth of one of each term in hundredths of a Red: see terms.go for what they count.\n"+
		"# By fit -rounds %d -games %d -depth %d -seed %d -rules %s -pull %g\n%s", *rounds, *games, *depth, *run, *rules, *pull, w.String())
}

// share calls do for the numbers below n, on all cores, each with engines of its
// own.
func share(g *konreh.Game, n int, weights []konreh.Weights, do func(number int, e []*alphabeta.Engine)) {
	numbers := make(chan int)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			var engines []*alphabeta.Engine
			for _, w := range weights {
				engines = append(engines, alphabeta.NewWith(g, g.NewEvaluator(w)))
			}
			for i := range numbers {
				do(i, engines)
			}
		})
	}
	for i := range n {
		numbers <- i
	}
	close(numbers)
	wait.Wait()
}

// compare counts the games that the first of two engines wins and draws, in pairs
// from random openings of four turns with seats swapped.
func compare(g *konreh.Game, weights [2]konreh.Weights, pairs, depth int, run uint64) (won, drawn int) {
	winners := make([]engine.Player, 2*pairs)
	share(g, len(winners), weights[:], func(n int, e []*alphabeta.Engine) {
		rng := rand.New(seed.Stream(run, "alphabeta compare", uint64(n/2)))
		s, h := g.NewState().(*konreh.State), g.NewHistory()
		s.Start(h)
		e[0].NewGame()
		e[1].NewGame()
		var list []engine.Action
		for s.Actor() != engine.Nobody {
			list = s.Legal(list[:0], h)
			rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			if s.Turn() < 4 {
				s.Apply(list[0], h)
				continue
			}
			s.Apply(e[(int(s.Actor())+n)%2].Search(s, h, list, depth, nil).Action, h)
		}
		winners[n] = s.Outcome().Winner
	})
	for n, w := range winners {
		switch {
		case w == engine.Nobody:
			drawn++
		case (int(w)+n)%2 == 0:
			won++
		}
	}
	return won, drawn
}

// play plays the games with weights w and returns their quiet positions in order, and how often
// each side won.
func play(g *konreh.Game, w konreh.Weights, games, depth int, run uint64) (all []sample, results [engine.Nobody + 1]int) {
	lists := make([][]sample, games)
	winners := make([]engine.Player, games)
	share(g, games, []konreh.Weights{w}, func(n int, e []*alphabeta.Engine) {
		lists[n], winners[n] = playGame(g, e[0], depth, rand.New(seed.Stream(run, "alphabeta fit", uint64(n))))
	})
	for n, list := range lists {
		all = append(all, list...)
		results[winners[n]]++
	}
	return all, results
}

const (
	// Games begin with up to mostOpening random turns, and one move in blunder is
	// random, so that unequal positions come up.
	mostOpening = 16
	blunder     = 60
	// One quiet position in sparse is a sample: neighbours say the same.
	sparse = 4
)

func playGame(g *konreh.Game, e *alphabeta.Engine, depth int, rng *rand.Rand) ([]sample, engine.Player) {
	s, h := g.NewState().(*konreh.State), g.NewHistory()
	s.Start(h)
	e.NewGame()
	opening := 4 + rng.IntN(mostOpening-3)
	var list []sample
	var sides []engine.Side
	var actions []engine.Action
	judge := g.NewEvaluator(konreh.Weights{}) // counts, whatever the weights
	for s.Actor() != engine.Nobody {
		actions = s.Legal(actions[:0], h)
		rng.Shuffle(len(actions), func(i, j int) { actions[i], actions[j] = actions[j], actions[i] })
		if s.Turn() < opening || rng.IntN(blunder) == 0 {
			s.Apply(actions[0], h)
			continue
		}
		if s.BeginsTurn() && rng.IntN(sparse) == 0 {
			if f, ok := judge.Facts(s); ok && e.Calm(s) {
				list, sides = append(list, sample{facts: f[:]}), append(sides, s.Side())
			}
		}
		s.Apply(e.Search(s, h, actions, depth, nil).Action, h)
	}
	winner := s.Outcome().Winner
	for i := range list {
		switch {
		case winner == engine.Nobody:
			list[i].result = 0.5
		case s.SideOf(winner) == sides[i]:
			list[i].result = 1
		}
	}
	return list, winner
}

// fit minimises the cross-entropy of results given by 1/(1+exp(-value/scale)),
// plus the pull towards start. The scale is the one that suits start best; it
// stays, so that weights remain hundredths of a Red.
func fit(samples []sample, start konreh.Weights, pull float64) konreh.Weights {
	w := make([]float64, len(start))
	for i, v := range start {
		w[i] = float64(v)
	}
	scale, least := 0.0, math.Inf(1)
	for try := 50.0; try < 2000; try *= 1.1 {
		if l := loss(samples, w, try); l < least {
			scale, least = try, l
		}
	}
	fmt.Fprintf(os.Stderr, "scale %.0f, loss %.4f\n", scale, least)
	// Adam (Kingma and Ba 2015) over all samples at once, steps in hundredths of a
	// Red that shrink to nothing.
	const (
		rounds = 400
		step   = 8.0
	)
	mean, square, grad := make([]float64, len(w)), make([]float64, len(w)), make([]float64, len(w))
	for t := 1; t <= rounds; t++ {
		for i := range grad {
			grad[i] = 2 * pull * (w[i] - float64(start[i])) / 1e4 * scale
		}
		for _, s := range samples {
			d := (expect(s.facts, w, scale) - s.result) / float64(len(samples))
			for i, f := range s.facts {
				grad[i] += d * f
			}
		}
		for i, d := range grad {
			mean[i] = 0.9*mean[i] + 0.1*d
			square[i] = 0.999*square[i] + 0.001*d*d
			m, q := mean[i]/(1-math.Pow(0.9, float64(t))), square[i]/(1-math.Pow(0.999, float64(t)))
			w[i] -= step * (1 - float64(t)/rounds) * m / (math.Sqrt(q) + 1e-9)
		}
	}
	fmt.Fprintf(os.Stderr, "loss %.4f\n", loss(samples, w, scale))
	var out konreh.Weights
	for i := range out {
		out[i] = int32(math.Round(w[i]))
	}
	return out
}

// expect is the result that weights expect.
func expect(facts, w []float64, scale float64) float64 {
	sum := 0.0
	for i, f := range facts {
		sum += w[i] * f
	}
	return 1 / (1 + math.Exp(-sum/scale))
}

// loss is the mean cross-entropy in nats.
func loss(samples []sample, w []float64, scale float64) float64 {
	sum := 0.0
	for _, s := range samples {
		p := min(max(expect(s.facts, w, scale), 1e-9), 1-1e-9)
		sum -= s.result*math.Log(p) + (1-s.result)*math.Log(1-p)
	}
	return sum / float64(len(samples))
}
