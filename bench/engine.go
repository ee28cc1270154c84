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

func (b *bench) engine(ctx context.Context, s *Section) error {
	probes := []*probe{b.perftProbe()}
	for _, threads := range b.o.threads() {
		probes = append(probes, newProbe(Figure{Name: "random games", Unit: "decisions/s"}, 1, each(threads, b.randomGames)...))
	}
	err := b.measure(ctx, probes...)
	for i, p := range probes {
		s.add(p, 0, scaling(probes, i))
	}
	s.Notes = append(s.Notes, "rules have no limit of their own: docs/performance.md compares them with other programs; what they cost in self-play is part of its last lines")
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

// randomGames plays one random game after the other: legal moves, a draw among
// them, the move, repetition and the end. Chance and beginnings take time, too,
// but only the players' decisions count.
func (b *bench) randomGames(thread int) func() (float64, error) {
	var p *randomPlay
	return always(func() float64 {
		if p == nil {
			// Here and not before: what threads of their own allocate does not
			// share cache lines.
			p = &randomPlay{rng: rand.New(seed.Stream(b.cfg.Seed, "bench-random", uint64(thread))), s: b.game.NewState(), h: b.game.NewHistory()}
			p.s.Start(p.h)
			p.legal = make([]engine.Action, 0, b.game.Info().MaxLegal)
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

// play makes n decisions.
func (p *randomPlay) play(n int) {
	for decided := 0; decided < n; {
		switch p.s.Actor() {
		case engine.Nobody:
			p.s.Start(p.h)
		case engine.Chance:
			p.chances = p.s.Chance(p.chances[:0])
			p.s.Apply(engine.Draw(p.chances, p.rng.Float64()), p.h)
		default:
			p.legal = p.s.Legal(p.legal[:0], p.h)
			p.s.Apply(p.legal[p.rng.IntN(len(p.legal))], p.h)
			decided++
		}
	}
}
