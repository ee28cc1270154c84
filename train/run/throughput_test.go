package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/train/plan"
)

// sliceEvaluations is how long a worker of the benchmark plays, and then
// evaluates alone, before it takes turns again: a fraction of a second.
const sliceEvaluations = 1000

// shortEvaluations is the same with -short, when no figure is read: kernels in
// plain Go take a second for it.
const shortEvaluations = 50

// warmSlices are not counted: games spread out and memory grows to its size.
const warmSlices = 2

// slice is what a worker did in one turn of each kind.
type slice struct {
	play, alone time.Duration // for the same batches
	outside     time.Duration // of play, between the calls of the network
	evaluations int
}

// questions are the arguments of one call of a network, kept.
type questions struct {
	planes, globals []float32
	offsets, cells  []int32
	logits, wdl     []float32
	calls           int // with a batch of this size in the present slice
}

// throughput is a network for one worker that measures what the worker makes of
// it. After every sliceEvaluations it evaluates batches of the same sizes once
// more, alone, in one piece, with questions that games have asked: the two rates
// are of the same moment, so that their ratio holds on a busy machine.
type throughput struct {
	net   mcts.Network
	batch []questions // by size
	began time.Time   // the present slice
	left  time.Time   // the last call
	now   slice

	length int // of a slice, in evaluations
	want   int // slices; then full is told
	full   func()
	warm   func() // called when the slices that are not counted are over
	all    []slice
	hist   []int // calls by size, over all slices
}

func (t *throughput) Forward(planes, globals []float32, offsets, cells []int32, logits, wdl, turns []float32) error {
	called := time.Now()
	if t.began.IsZero() {
		t.began, t.left = called, called
	}
	t.now.outside += called.Sub(t.left)
	if err := t.net.Forward(planes, globals, offsets, cells, logits, wdl, turns); err != nil {
		return err
	}
	t.left = time.Now()
	n := len(offsets) - 1
	q := &t.batch[n]
	q.calls++
	t.hist[n]++
	if t.now.evaluations += n; t.now.evaluations < t.length {
		if q.planes == nil {
			*q = questions{slices.Clone(planes), slices.Clone(globals), slices.Clone(offsets), slices.Clone(cells), slices.Clone(logits), slices.Clone(wdl), q.calls}
		}
		return nil
	}
	t.now.play = t.left.Sub(t.began)
	began := time.Now()
	for n := range t.batch {
		q := &t.batch[n]
		for range q.calls {
			if q.planes == nil { // it came up for the first time just now
				break
			}
			if err := t.net.Forward(q.planes, q.globals, q.offsets, q.cells, q.logits, q.wdl, nil); err != nil {
				return err
			}
		}
		q.calls = 0
	}
	t.began = time.Now()
	t.left = t.began
	t.now.alone = t.began.Sub(began)
	t.all = append(t.all, t.now)
	t.now = slice{}
	switch len(t.all) {
	case warmSlices:
		t.warm()
	case t.want:
		t.full()
	}
	return nil
}

// BenchmarkThroughput plays at 100 simulations a move, from openings drawn from
// the network's policy so that all phases of a game are met, with networks, with
// one that costs nothing, and with one that costs nothing but what it reads; by 1,
// 2, 4 and so on workers up to GOMAXPROCS, which -cpu sets. b.N is the number of
// slices of each worker. It tells the searched positions and the network
// evaluations a second, the evaluations that a cache spared for each, the mean
// batch, what share of the rate of the network alone, at the same batches, is
// reached, and the time outside the network for each evaluation; of the last two,
// the median of all slices. With -short it plays one number of games at a time.
func BenchmarkThroughput(b *testing.B) {
	for _, game := range []string{"konreh", "connect4"} {
		networks := []string{"R6x64", "R6x64-int8", "R4x32", "R4x32-int8", "cold", "free"}
		if os.Getenv(weightsVariable) != "" {
			networks = append(networks, "file", "file-int8")
		}
		for _, network := range networks {
			games := []int{4, 8, 16, 32, 64}
			if network == "cold" || network == "free" {
				games = []int{8, 32}
			}
			if testing.Short() {
				games = games[1:2]
			}
			for workers := 1; workers <= runtime.GOMAXPROCS(0); workers *= 2 {
				for _, games := range games {
					name := fmt.Sprintf("game=%s/network=%s/workers=%d/games=%d", game, network, workers, games)
					b.Run(name, func(b *testing.B) { benchmarkThroughput(b, game, network, workers, games) })
				}
			}
		}
	}
}

func benchmarkThroughput(b *testing.B, gameName, networkName string, workers, games int) {
	cfg := plan.DefaultConfig()
	cfg.Game, cfg.Rules = gameName, "standard"
	if gameName == "konreh" {
		cfg.Rules = "standard,max_turns=600"
	}
	rules := mustOpen(b, cfg)
	s := &cfg.SelfPlay
	s.GamesInFlight = games
	s.Search.Simulations, s.Search.CountReused = 100, true
	s.Beginnings.SampledShare, s.Beginnings.SampledTurns = 1, 30
	if gameName == "connect4" {
		s.Beginnings.SampledTurns = 8
	}

	evaluations := sliceEvaluations
	if testing.Short() {
		evaluations = shortEvaluations
	}
	fork := throughputNetwork(b, networkName, rules.Game, games)
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	counters := &selfplay.Counters{}
	var before sync.Once
	searched, evaluated, known := 0.0, 0.0, 0.0 // since the first worker was warm
	var mu sync.Mutex
	var all []*throughput
	left := workers
	player := &selfplay.Player{Fork: func() mcts.Network {
		t := &throughput{net: fork(), batch: make([]questions, games+1), hist: make([]int, games+1), length: evaluations, want: warmSlices + b.N}
		t.full = func() {
			mu.Lock()
			defer mu.Unlock()
			if left--; left == 0 {
				cancel()
			}
		}
		t.warm = func() {
			before.Do(func() {
				searched = -float64(counters.Decisions.Load())
				evaluated, known = -float64(counters.Evaluations.Load()), -float64(counters.Hits.Load())
			})
		}
		mu.Lock()
		defer mu.Unlock()
		all = append(all, t)
		return t
	}}
	err := selfplay.Run(ctx, *s, selfplay.Job{
		Game: rules.Game, Run: "bench", Workers: workers, Counters: counters, Source: &selfplay.Range{Count: 1 << 30, Player: player},
	}, func(*selfplay.Finished) error { return nil })
	if !errors.Is(err, context.Canceled) {
		b.Fatal(err)
	}

	var shares []float64
	var outside []time.Duration
	rate, batches, positions := 0.0, 0, 0
	for _, t := range all {
		var play time.Duration
		n := 0
		for _, s := range t.all[warmSlices:][:b.N] {
			shares = append(shares, s.alone.Seconds()/s.play.Seconds())
			play += s.play
			outside = append(outside, s.outside/time.Duration(s.evaluations))
			n += s.evaluations
		}
		rate += float64(n) / play.Seconds()
		for size, calls := range t.hist {
			batches, positions = batches+calls, positions+size*calls
		}
	}
	slices.Sort(shares)
	slices.Sort(outside)
	searched += float64(counters.Decisions.Load())
	evaluated += float64(counters.Evaluations.Load())
	known += float64(counters.Hits.Load())
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(rate*searched/evaluated, "positions/s")
	b.ReportMetric(rate, "evaluations/s")
	b.ReportMetric(known/evaluated, "hits/evaluation")
	b.ReportMetric(float64(positions)/float64(batches), "batch")
	b.ReportMetric(100*shares[len(shares)/2], "%ofnetwork")
	b.ReportMetric(float64(outside[len(outside)/2]), "outside-ns/evaluation")
}
