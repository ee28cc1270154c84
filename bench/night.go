package bench

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/selfplay"
)

// size is a network by its tower.
type size struct{ blocks, channels int }

func (s size) String() string { return fmt.Sprintf("%dx%d", s.blocks, s.channels) }

// measuredSizes are measured for the plan, the smallest first; the plan compares
// candidateSizes.
var (
	measuredSizes  = []size{{2, 16}, {4, 32}, {6, 64}, {10, 128}}
	candidateSizes = []size{{2, 16}, {2, 32}, {4, 32}, {4, 48}, {6, 48}, {6, 64}, {8, 64}, {8, 96}, {10, 96}, {10, 128}}
)

// of is the configured network with another tower.
func (s size) of(n model.Network) model.Network {
	n.Config.Blocks, n.Config.Channels = s.blocks, s.channels
	return n
}

// rate is what was measured of a network on all threads.
type rate struct {
	network              model.Network
	evaluations, samples float64 // a second
}

func (b *bench) night(ctx context.Context, s *Section) error {
	var rates []rate
	for _, size := range measuredSizes {
		n := size.of(b.network)
		if len(rates) > 0 && b.tooLong(&rates[len(rates)-1], n) {
			s.Notes = append(s.Notes, fmt.Sprintf("networks from %v on were not measured: one training step would take longer than %v", size, b.o.Time))
			break
		}
		r, err := b.rateOf(ctx, s, size, n)
		if err != nil {
			return err
		}
		rates = append(rates, r)
	}
	s.Notes = append(s.Notes, "on all threads; evaluations in batches as large as a worker's games in flight")
	b.report.Night = newNight(b.basis(), rates)
	b.report.Night.Settings = settings(b.cfg, b.report.Night)
	return nil
}

// tooLong tells whether a step of n would take longer than a measurement, to go
// by what was measured before.
func (b *bench) tooLong(before *rate, n model.Network) bool {
	larger := float64(n.TrainingMultiplyAdds()) / float64(before.network.TrainingMultiplyAdds())
	return larger*float64(b.cfg.Train.Batch)/before.samples > b.o.Time.Seconds()
}

func (b *bench) rateOf(ctx context.Context, s *Section, size size, n model.Network) (rate, error) {
	w := untrained(n, b.cfg.Seed)
	play, err := b.forward(ctx, b.format, w, b.cfg.SelfPlay.GamesInFlight, b.o.Threads, 1)
	if err != nil {
		return rate{}, err
	}
	l, err := b.newLesson(ctx, w)
	if err != nil {
		return rate{}, err
	}
	defer runtime.GC() // large graphs go before larger ones come
	defer l.trainer.Close()
	learn := l.probe(b.o.Threads, 2*float64(n.TrainingMultiplyAdds()))
	play.figures[0].Name, learn.figures[0].Name = size.String()+" forward", size.String()+" training step"
	play.what, learn.what = "evaluations of "+size.String(), "training of "+size.String()
	err = b.measure(ctx, play, learn)
	s.add(play, 0, nil)
	s.add(learn, 0, nil)
	if err != nil {
		return rate{}, err
	}
	return rate{n, spreadOf(play.of(0)).Median, spreadOf(learn.of(0)).Median}, nil
}

// passes is how often a position is learned, with what window.cheap_skip leaves out of those of
// fast searches.
func (b *bench) passes() float64 {
	return b.cfg.PassesPerPosition * (1 - b.cfg.Window.CheapSkip*(1-b.cfg.SelfPlay.FullShare))
}

// basis is what the plan rests on besides rates.
func (b *bench) basis() basis {
	return basis{
		night: b.o.Night, threads: b.o.Threads, network: b.network,
		simulations: b.cfg.SelfPlay.Search.Simulations, perPosition: b.cost.perPosition, beside: b.cost.beside,
		perGame: float64(len(b.rows)) / float64(max(b.games, 1)),
		passes:  b.passes(), batch: b.cfg.Train.Batch, teacher: b.cfg.SelfPlay.Teacher,
	}
}

// basis of a plan.
type basis struct {
	night   time.Duration
	threads int
	network model.Network
	// perPosition evaluations are computed for a position searched with that many
	// simulations; a worker spends beside seconds for each besides the network.
	simulations         int
	perPosition, beside float64
	// perGame positions are searched in a game, each learned passes times in
	// batches of batch.
	perGame, passes float64
	batch           int
	teacher         selfplay.TeacherConfig
}
