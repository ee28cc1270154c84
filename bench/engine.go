package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
)

const (
	// perftTime is what one count should take at least, perftDepth where it ends
	// in games that are short.
	perftTime  = 5 * time.Millisecond
	perftDepth = 12
	// randomStep decisions are played between two looks at the clock.
	randomStep = 1000
)

// engineSlots are perft, alphabeta twice, random games by threads, and what is measured beside.
func engineSlots(o *Options) float64 {
	n := 3 + float64(len(o.threads()))
	if o.Reference != nil {
		n += 2
	}
	return n
}

func (b *bench) engine(ctx context.Context, s *Section) error {
	perft := b.perftProbe()
	alone := []*probe{b.searchProbe(b.game, ""), b.randomProbe(b.game, "", 1)}
	probes, beside := []*probe{perft}, []*probe{nil, nil}
	if r := b.o.Reference; r != nil {
		name := r.Info().Name
		beside = []*probe{b.searchProbe(r, name), b.randomProbe(r, name, 1)}
	}
	for i, p := range alone {
		if probes = append(probes, p); beside[i] != nil {
			probes = append(probes, beside[i]) // right after what it is compared with
		}
	}
	evaluated, err := b.evaluatedProbe()
	if err != nil {
		return err
	}
	if evaluated != nil {
		probes = append(probes, evaluated)
	}
	if b.o.Threads > 1 {
		probes = append(probes, b.randomProbe(b.game, "", b.o.Threads))
	}
	err = b.measure(ctx, probes...)
	s.add(perft, 0, nil)
	for i, p := range alone {
		if other := beside[i]; other != nil {
			s.add(p, 0, shareOf(other.figures[0].Game, p.of(0), other.of(0), 1))
			s.add(other, 0, nil)
		} else {
			s.add(p, 0, nil)
		}
	}
	if evaluated != nil {
		s.add(evaluated, 0, shareOf("alphabeta by the game's own terms", evaluated.of(0), alone[0].of(0), 1))
	}
	if threaded := probes[len(probes)-1]; b.o.Threads > 1 {
		s.add(threaded, 0, scaling([]*probe{alone[1], threaded}, 1))
	}
	s.Notes = append(s.Notes, fmt.Sprintf("nothing that was measured of the machine bounds the rules; alphabeta plays its own games with %d positions a decision, without a network", searchNodes))
	return err
}

// perftProbe counts from the start, as deep as takes perftTime.
func (b *bench) perftProbe() *probe {
	s, h := b.game.NewState(), b.game.NewHistory()
	s.Start(h)
	depth := 1
	for ; depth < perftDepth; depth++ {
		began := time.Now()
		engine.CountPerft(b.game, s, h, depth)
		if time.Since(began) >= perftTime {
			break
		}
	}
	return newProbe(Figure{Name: fmt.Sprintf("perft %d", depth), Unit: "positions/s"}, 1,
		always(func() float64 { return float64(engine.CountPerft(b.game, s, h, depth)) }))
}

// randomProbe plays random games of g in threads. name is its name if it is not the
// game of the report.
func (b *bench) randomProbe(g engine.Game, name string, threads int) *probe {
	return newProbe(Figure{Name: "random games", Game: name, Unit: "decisions/s"}, 1,
		each(threads, func(thread int) func() (float64, error) { return b.randomGames(g, thread) })...)
}

// randomGames plays one random game after the other: legal moves, a draw among
// them, the move, repetition and the end. Chance and beginnings take time, too,
// but only the players' decisions count.
func (b *bench) randomGames(g engine.Game, thread int) func() (float64, error) {
	var p *randomPlay
	return always(func() float64 {
		if p == nil {
			// Here and not before: what threads of their own allocate does not
			// share cache lines.
			p = newRandomPlay(g, rand.New(seed.Stream(b.cfg.Seed, "bench-random", uint64(thread))))
		}
		p.play(randomStep)
		return randomStep
	})
}

type randomPlay struct {
	rng     *rand.Rand
	s       engine.State
	h       *engine.History
	legal   []engine.Action
	chances []engine.Weighted
}

func newRandomPlay(g engine.Game, rng *rand.Rand) *randomPlay {
	p := &randomPlay{rng: rng, s: g.NewState(), h: g.NewHistory(), legal: make([]engine.Action, 0, g.Info().MaxLegal)}
	p.s.Start(p.h)
	return p
}

func (p *randomPlay) play(n int) {
	for decided := 0; decided < n; {
		switch p.s.Actor() {
		case engine.Nobody:
			p.s.Start(p.h)
		case engine.Chance:
			p.chance()
		default:
			p.legal = p.s.Legal(p.legal[:0], p.h)
			p.s.Apply(p.legal[p.rng.IntN(len(p.legal))], p.h)
			decided++
		}
	}
}

// chance draws what chance decides.
func (p *randomPlay) chance() {
	p.chances = p.s.Chance(p.chances[:0])
	p.s.Apply(engine.Draw(p.chances, p.rng.Float64()), p.h)
}
