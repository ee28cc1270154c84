package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/player"
)

const (
	// searchTime is how long one search takes, if a slice does not end before: it begins with a small tree and gives up
	// the leaves that are pending at its end, as in a game.
	searchTime = 100 * time.Millisecond
	// oneBatch is how many leaves are evaluated together at most.
	oneBatch = 8
	// almost is the part of the most simulations that is as good: fewer leaves choose
	// better lines.
	almost = 0.97
	// manyThreads is the number of threads that is simulated, whatever there is here.
	manyThreads = 16
)

// crew is a search with some threads and pending leaves.
type crew struct{ threads, leaves int }

// crews lists what is measured: threads in powers of two up to most, with one, two
// and four batches for each.
func crews(most int) (list []crew) {
	list = []crew{{1, 1}, {1, oneBatch}}
	for threads := 2; threads < most; threads *= 2 {
		list = append(list, crew{threads, oneBatch * threads}, crew{threads, 2 * oneBatch * threads}, crew{threads, 4 * oneBatch * threads})
	}
	if most > 1 {
		list = append(list, crew{most, oneBatch * most}, crew{most, 2 * oneBatch * most}, crew{most, 4 * oneBatch * most})
	}
	for i := range list {
		list[i].leaves = min(list[i].leaves, mcts.MaxPendingLeaves)
	}
	return list
}

// batchSizes are those whose evaluation is measured for the simulation of the pipeline.
var batchSizes = [...]int{1, 2, 4, oneBatch}

// threadSlots are the searches, the parts of one, and batches.
func threadSlots(o *Options) float64 {
	return float64(len(crews(o.Threads))) + 1 + float64(len(batchSizes))*limitPart
}

// threads measures one search with several threads.
func (b *bench) threads(ctx context.Context, s *Section) error {
	states, err := b.states(ctx, searchedStates)
	if err != nil {
		return err
	}
	net, err := b.open(ctx, b.format, b.weights, oneBatch)
	if err != nil {
		return err
	}
	list := crews(b.o.Threads)
	var probes []*probe
	for _, c := range list {
		p := newProbe(Figure{Name: fmt.Sprintf("one search, %d leaves", c.leaves), Unit: "simulations/s", Precision: b.format.String()}, 1, b.crew(states, net, c))
		p.threads, p.figures[0].Threads = c.threads, c.threads
		probes = append(probes, p)
	}
	parts := b.partsProbe(states, net)
	all := append(append([]*probe{}, probes...), parts)
	for _, n := range batchSizes {
		p, err := b.forward(ctx, b.format, b.weights, n, 1, limitPart)
		if err != nil {
			return err
		}
		all = append(all, p)
	}
	err = b.measure(ctx, all...)
	alone := probes[1] // one thread, one batch
	for i, p := range probes {
		if i == 1 {
			s.add(p, 0, nil)
		} else {
			s.add(p, 0, shareOf("one thread with 8 leaves", p.of(0), alone.of(0), 1))
		}
	}
	for f := range parts.figures {
		s.add(parts, f, nil)
	}
	if err == nil {
		b.noteThreads(s, list, probes, parts, all[len(probes)+1:])
	}
	return err
}

// noteThreads says which threads and leaves suit, and what more threads would give.
func (b *bench) noteThreads(s *Section, list []crew, probes []*probe, parts *probe, forwards []*probe) {
	median := func(p *probe, f int) float64 { return spreadOf(p.of(f)).Median }
	best, most := 0, 0.0
	for _, p := range probes {
		most = max(most, median(p, 0))
	}
	for i := len(list) - 1; i >= 0; i-- {
		if median(probes[i], 0) >= almost*most && (list[i].leaves < list[best].leaves || median(probes[best], 0) < almost*most) {
			best = i
		}
	}
	s.Notes = append(s.Notes, fmt.Sprintf("threads=%d,leaves=%d suits one search here: of those within %.0f %% of the fastest the one with the fewest leaves, which choose the better lines",
		list[best].threads, list[best].leaves, 100*(1-almost)))

	serial, evaluation := median(parts, partSerial), median(parts, partEvaluation)
	whole := forwards[len(forwards)-1]
	beside := max(0, evaluation-1e6/median(whole, 0)) // a leaf's encoding and cache
	cost := player.PipelineCost{Serial: serial / 1e6}
	for n := 1; n <= oneBatch; n++ {
		at := 0
		for batchSizes[at] < n {
			at++
		}
		time := float64(batchSizes[at]) / median(forwards[at], 0)
		if low := batchSizes[max(0, at-1)]; low < n && n < batchSizes[at] { // between two that were measured
			below := float64(low) / median(forwards[at-1], 0)
			time = below + (time-below)*float64(n-low)/float64(batchSizes[at]-low)
		}
		cost.Batch[n-1] = time + float64(n)*beside/1e6
	}
	gain := func(threads, leaves int) float64 { return cost.Rate(threads, leaves) / cost.Rate(1, oneBatch) }
	s.Notes = append(s.Notes,
		fmt.Sprintf("%.1f %% of a simulation is serial, by the owner of the tree: no number of threads gives more than %.3g times the simulations", 100*serial/(serial+evaluation), (serial+evaluation)/serial),
		fmt.Sprintf("by a simulation of the pipeline with these times, without shared memory and caches, %d threads give %.3g times the simulations with %d leaves and %.3g with %d; 2 threads %.3g with %d",
			manyThreads, gain(manyThreads, 2*oneBatch*manyThreads), 2*oneBatch*manyThreads, gain(manyThreads, 4*oneBatch*manyThreads), 4*oneBatch*manyThreads, gain(2, 4*oneBatch), 4*oneBatch),
		"searches of 100 ms of recorded positions without a cache, as players do them by time; a share is what threads gain")
}

// crew searches one position after the other, as a player does.
func (b *bench) crew(states []engine.State, net *infer.Net, c crew) func() (float64, error) {
	kinds := map[string]player.Kind{"net": player.NetKind(func(string, precision.Precision, int, engine.Game) (*player.Opened, error) {
		return &player.Opened{New: func() (mcts.Network, error) { return net.Fork(), nil }}, nil
	})}
	var p match.Player
	past := b.game.NewHistory()
	i := 0
	return func() (float64, error) {
		if p == nil { // its memory is only taken if it is measured
			limit := max(time.Millisecond, min(searchTime, b.o.Time/repeats))
			spec, err := player.Parse(fmt.Sprintf("net:measured,time=%v,threads=%d,leaves=%d,cache=0", limit, c.threads, c.leaves), kinds)
			if err == nil {
				p, err = spec.New(b.game)
			}
			if err != nil {
				return 0, err
			}
		}
		s := states[i%len(states)]
		i++
		if err := p.NewGame(context.Background(), uint64(i)); err != nil {
			return 0, err
		}
		s.Begin(past)
		a, err := p.Think(context.Background(), s, past, match.Bounds{Analyze: true})
		if err != nil {
			return 0, err
		}
		return float64(a.Simulations), nil
	}
}

// Places of the figures of partsProbe.
const (
	partSerial = iota
	partEvaluation
)

// partsProbe measures what a simulation costs on one thread: in the tree, and in the
// evaluation of its leaf.
func (b *bench) partsProbe(states []engine.State, net *infer.Net) *probe {
	p := &probe{what: "the parts of a simulation", part: 1, threads: 1, figures: []Figure{
		{Name: "a simulation in the tree", Unit: "µs", Threads: 1, Precision: b.format.String()},
		{Name: "its evaluation", Unit: "µs", Threads: 1, Precision: b.format.String(), Batch: oneBatch},
	}}
	var tree *mcts.Tree
	var runner *mcts.Runner
	timed := &timedEvaluator{}
	past, i := b.game.NewHistory(), 0
	p.slice = func(ctx context.Context, d time.Duration) ([]float64, error) {
		if tree == nil {
			cfg := mcts.DefaultConfig()
			cfg.PendingLeaves, cfg.Edges = oneBatch, 1<<22
			var err error
			if tree, err = mcts.New(b.game, cfg); err != nil {
				return nil, err
			}
			timed.Evaluator = mcts.ByNetwork(b.game.Info(), net.Fork())
			runner = mcts.NewRunner(b.game, timed, oneBatch)
		}
		timed.spent = 0
		simulations, began := 0, time.Now()
		for first := true; first || time.Since(began) < d && ctx.Err() == nil; first = false {
			s := states[i%len(states)]
			i++
			s.Begin(past)
			tree.Reset(mcts.Root{State: s, History: past, Rand: rand.New(seed.Stream(b.cfg.Seed, "bench-threads", uint64(i)))})
			tree.SetBudget(mcts.MaxSimulations)
			for search := time.Now(); time.Since(search) < min(searchTime, d) && !tree.Full() && !tree.Done(); {
				if _, err := runner.Step(tree); err != nil {
					return nil, err
				}
			}
			simulations += tree.Simulations()
		}
		each := 1e6 / float64(max(1, simulations))
		return []float64{(time.Since(began) - timed.spent).Seconds() * each, timed.spent.Seconds() * each}, nil
	}
	return p
}

// timedEvaluator adds up how long it is asked.
type timedEvaluator struct {
	mcts.Evaluator
	spent time.Duration
}

func (e *timedEvaluator) Evaluate(leaves []mcts.Leaf, offsets []int32, logits []float32, evaluations []mcts.Evaluation) error {
	began := time.Now()
	err := e.Evaluator.Evaluate(leaves, offsets, logits, evaluations)
	e.spent += time.Since(began)
	return err
}
