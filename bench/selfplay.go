package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/selfplay/record"
)

const (
	// selfPlayPart is how long self-play is measured, in units of Options.Time:
	// longer than other things, since games are of many phases; and as long before, so that
	// batches and caches are as they stay.
	selfPlayPart = 2
	warmPart     = 1
	// scheduled is the number of batches that stand for those of self-play.
	scheduled = 64
)

// meter is a network that notes how long it is asked and how much.
type meter struct {
	net     mcts.Network
	seconds float64
	sizes   []int64 // calls by batch
}

func (m *meter) Forward(planes, globals []float32, offsets, cells []int32, logits, wdl, turns []float32) error {
	m.sizes[len(offsets)-1]++
	began := time.Now()
	err := m.net.Forward(planes, globals, offsets, cells, logits, wdl, turns)
	m.seconds += time.Since(began).Seconds()
	return err
}

// playing is a self-play job that goes on in slices.
type playing struct {
	threads  int
	gate     *gate
	counters selfplay.Counters
	cancel   context.CancelFunc
	done     chan struct{} // closed when the job has ended, with err
	err      error

	mu     sync.Mutex
	meters []*meter // of the workers; theirs alone while the gate is open
}

// work is what a job has done.
type work struct {
	games, decisions, evaluations, hits int64
	calls                               int64
	network                             float64 // seconds of all workers
	busy                                float64 // the same, with all else
}

// play begins a job that waits for its first slice. Its games begin within
// recorded ones, so that all phases of the game are there from the first moment.
func (b *bench) play(ctx context.Context, threads int, fork func() mcts.Network) *playing {
	var earlier []selfplay.EarlierGame
	for _, rows := range record.Games(b.rows) {
		earlier = append(earlier, selfplay.NewEarlierGame(rows, 0))
	}
	cfg := b.cfg.SelfPlay
	cfg.Beginnings.EarlierShare, cfg.Beginnings.SampledShare = 1, 0
	cfg.FirstSimulations = 0
	cfg.Teacher.Player = "" // what is measured is the search
	ctx, cancel := context.WithCancel(ctx)
	p := &playing{threads: threads, gate: newGate(ctx, threads), cancel: cancel, done: make(chan struct{})}
	job := selfplay.Job{
		Game: b.game, Run: runName, Seed: b.cfg.Seed, Workers: threads, Cores: p.gate, Counters: &p.counters,
		Source: &endless{begun: p.mayHaveBegun(&cfg), player: &selfplay.Player{Earlier: selfplay.NewEarlier(earlier), Fork: func() mcts.Network {
			m := &meter{net: fork(), sizes: make([]int64, cfg.GamesInFlight+1)}
			p.mu.Lock()
			defer p.mu.Unlock()
			p.meters = append(p.meters, m)
			return m
		}}},
	}
	go func() {
		defer close(p.done)
		p.err = selfplay.Run(ctx, cfg, job, func(*selfplay.Finished) error { return nil })
	}()
	return p
}

// mayHaveBegun lets the games of a worker begin one after the other, spread over
// the rounds of a search. If all began at once they would all decide at once, and
// positions would come in bursts.
//
// With G games and S simulations a game is added every S/G rounds. After r rounds
// there are r·G/S, which have asked for r²·G/S/2 evaluations.
func (p *playing) mayHaveBegun(cfg *selfplay.Config) func() int64 {
	workers, games, rounds := float64(p.threads), float64(cfg.GamesInFlight), float64(cfg.Search.Simulations)
	return func() int64 {
		done := float64(p.counters.Evaluations.Load()) / workers
		begun := workers * (1 + math.Sqrt(2*done*games/rounds))
		if begun >= workers*games {
			return math.MaxInt64
		}
		return int64(begun)
	}
}

// end stops the job and waits for it.
func (p *playing) end() {
	p.cancel()
	<-p.done
}

// total is all that was done, while nobody computes.
func (p *playing) total() work {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := &p.counters
	w := work{games: c.Games.Load(), decisions: c.Decisions.Load(), evaluations: c.Evaluations.Load(), hits: c.Hits.Load()}
	for _, m := range p.meters {
		w.network += m.seconds
		for _, n := range m.sizes {
			w.calls += n
		}
	}
	return w
}

// slice lets the job go on for d, or until it has evaluated something or found it in the
// cache, where small games end up to be altogether, and returns what it did.
func (p *playing) slice(ctx context.Context, d time.Duration) (work, error) {
	before := p.total()
	asked := func() int64 { return p.counters.Evaluations.Load() + p.counters.Hits.Load() }
	p.gate.start()
	timer := time.NewTimer(d)
	defer timer.Stop()
	for waiting := true; waiting; {
		select {
		case <-timer.C:
			waiting = asked() == before.evaluations+before.hits
			timer.Reset(time.Millisecond)
		case <-ctx.Done():
			waiting = false
		case <-p.done:
			return work{}, errors.Join(p.err, ctx.Err())
		}
	}
	busy := p.gate.stop()
	w := p.total()
	w.games -= before.games
	w.decisions -= before.decisions
	w.evaluations -= before.evaluations
	w.hits -= before.hits
	w.calls -= before.calls
	w.network -= before.network
	w.busy = busy.Seconds()
	return w, nil
}

// Places of the figures of a self-play probe.
const (
	playedPositions = iota
	playedEvaluations
	playedBatch
	playedHits
	playedBeside
)

// probe measures the job. did is told of each slice.
func (p *playing) probe(format precision.Precision, did func(work)) *probe {
	q := &probe{what: fmt.Sprintf("self-play with %d workers", p.threads), part: selfPlayPart, threads: p.threads}
	for _, f := range []Figure{
		{Name: "positions searched", Unit: "positions/s"},
		{Name: "evaluations computed", Unit: "evaluations/s"},
		{Name: "evaluations in a batch", Unit: ""},
		{Name: "evaluations from the cache", Unit: "%"},
		{Name: "time beside the network", Unit: "%"},
	} {
		f.Precision, f.Threads = format.String(), p.threads
		q.figures = append(q.figures, f)
	}
	q.slice = func(ctx context.Context, d time.Duration) ([]float64, error) {
		w, err := p.slice(ctx, d)
		if err != nil || ctx.Err() != nil {
			return nil, errors.Join(err, ctx.Err())
		}
		did(w)
		seconds := w.busy / float64(p.threads)
		return []float64{
			float64(w.decisions) / seconds,
			float64(w.evaluations) / seconds,
			float64(w.evaluations) / float64(max(w.calls, 1)),
			float64(w.hits) / float64(w.hits+w.evaluations),
			1 - w.network/w.busy,
		}, nil
	}
	return q
}

// schedule are batch sizes that stand for those of the job so far, in an order
// in which large and small ones alternate.
func (p *playing) schedule() []int {
	p.mu.Lock()
	defer p.mu.Unlock()
	var counts []int64
	var calls int64
	for _, m := range p.meters {
		counts = append(counts, make([]int64, max(0, len(m.sizes)-len(counts)))...)
		for size, n := range m.sizes {
			counts[size] += n
			calls += n
		}
	}
	var list []int
	var passed int64
	for size, n := range counts {
		for passed += n; int64(len(list)*2+1)*calls < passed*2*scheduled && len(list) < scheduled; {
			list = append(list, size)
		}
	}
	mixed := make([]int, len(list))
	for i := range list {
		mixed[i] = list[i*(scheduled/2+1)%len(list)] // an odd step comes past all
	}
	return mixed
}

// alone measures the network with batches like those of the job.
func (b *bench) alone(ctx context.Context, p *playing) (*probe, error) {
	sizes := p.schedule()
	net, err := b.open(ctx, b.format, b.weights, b.cfg.SelfPlay.GamesInFlight)
	if err != nil {
		return nil, err
	}
	q, err := b.question(ctx, b.cfg.SelfPlay.GamesInFlight)
	if err != nil {
		return nil, err
	}
	f := Figure{Name: "the network alone, such batches", Unit: "evaluations/s", Precision: b.format.String(), Operations: 2 * float64(b.network.MultiplyAdds())}
	return newProbe(f, 1, each(p.threads, func(thread int) func() (float64, error) {
		fork, mine, next := net.Fork(), q.own(), thread
		return func() (float64, error) {
			n := sizes[next%len(sizes)]
			next++
			return float64(n), mine.ask(fork, n)
		}
	})...), nil
}

// sharing is what the plan takes from self-play: evaluations computed for a
// searched position, and the time of a worker for each beside the network.
type sharing struct {
	perPosition, beside float64
}

func (b *bench) selfPlay(ctx context.Context, s *Section) error {
	if err := b.record(ctx); err != nil {
		return err
	}
	net, err := b.open(ctx, b.format, b.weights, b.cfg.SelfPlay.GamesInFlight)
	if err != nil {
		return err
	}
	var probes []*probe
	var games int64
	var all work
	for _, threads := range b.o.threads() {
		p := b.play(ctx, threads, func() mcts.Network { return net.Fork() })
		defer p.end()
		b.tell("games until caches are warm")
		w, err := p.slice(ctx, time.Duration(warmPart*float64(b.o.Time)/float64(len(b.o.threads()))))
		if err != nil {
			return err
		}
		games += w.games
		alone, err := b.alone(ctx, p)
		if err != nil {
			return err
		}
		all = work{} // of the most threads
		probes = append(probes, p.probe(b.format, func(w work) {
			games += w.games
			all.decisions += w.decisions
			all.evaluations += w.evaluations
			all.busy += w.busy
			all.network += w.network
		}), alone)
	}
	b.spent += time.Duration(warmPart * float64(b.o.Time))
	err = b.measure(ctx, probes...)
	for i := 0; i < len(probes); i += 2 {
		p, alone := probes[i], probes[i+1]
		for f := range p.figures {
			var share *Share
			if f == playedEvaluations {
				share = shareOf("the network alone in such batches", p.of(f), alone.of(0), 1)
			} else if f == playedPositions && i > 0 {
				share = shareOf(fmt.Sprintf("%d × one worker", p.threads), p.of(f), probes[0].of(f), 1/float64(p.threads))
			}
			s.add(p, f, share)
		}
		s.add(alone, 0, nil)
	}
	b.cost = sharing{perPosition: float64(b.cfg.SelfPlay.Search.Simulations)}
	if all.decisions > 0 && all.evaluations > 0 {
		b.cost.perPosition = float64(all.evaluations) / float64(all.decisions)
		b.cost.beside = (all.busy - all.network) / float64(all.evaluations)
	}
	s.Notes = append(s.Notes, fmt.Sprintf(
		"games of an untrained network, begun within recorded ones so that all phases are there; %d ended meanwhile. Shards are not written and nothing is learned beside it", games))
	return err
}
