package bench

import (
	"fmt"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/player/alphabeta"
	"github.com/ludozero/ludozero/player/nnue/fit"
)

const (
	// searchNodes positions are searched for a decision: some milliseconds, three to six
	// turns deep.
	searchNodes = 10_000
	// searchOpening decisions at random begin every game, so that games differ.
	searchOpening = 6
	// searchDecisions end a piece of work even if hardly anything was to be searched.
	searchDecisions = 100
)

// searchProbe measures the handwritten search on g with one thread. name is the game's
// name if it is not the game of the report.
func (b *bench) searchProbe(g engine.Game, name string) *probe {
	return newProbe(Figure{Name: "alphabeta", Game: name, Unit: "positions/s"}, 1, b.searchedGames(g, alphabeta.New))
}

// evaluatedUnits is the size of the first layer that evaluatedProbe searches with.
const evaluatedUnits = 128

// evaluatedProbe measures the search by a network of evaluatedUnits units with its first weights,
// since speed does not depend on what it learned; nil if the game does not show its positions as bits.
func (b *bench) evaluatedProbe() (*probe, error) {
	if _, ok := b.game.(engine.Bitwise); !ok {
		return nil, nil
	}
	judge, err := fit.Untrained(b.game, evaluatedUnits, b.cfg.Seed)
	if err != nil {
		return nil, err
	}
	return newProbe(Figure{Name: fmt.Sprintf("alphabeta, %d units", evaluatedUnits), Unit: "positions/s"}, 1,
		b.searchedGames(b.game, func(g engine.Game) *alphabeta.Engine { return alphabeta.NewPruning(g, judge) })), nil
}

// searchedGames plays one game after the other between one engine and itself, and counts
// the positions that it looks at.
func (b *bench) searchedGames(g engine.Game, open func(engine.Game) *alphabeta.Engine) func() (float64, error) {
	var e *alphabeta.Engine
	var p *randomPlay
	return always(func() float64 {
		if e == nil { // its memory is only taken if it is measured
			e, p = open(g), newRandomPlay(g, rand.New(seed.Stream(b.cfg.Seed, "bench-alphabeta", 0)))
			p.play(searchOpening)
		}
		nodes := int64(0)
		for decided := 0; nodes < searchNodes && decided < searchDecisions; {
			switch p.s.Actor() {
			case engine.Nobody:
				p.s.Start(p.h)
				p.play(searchOpening)
				e.NewGame()
			case engine.Chance:
				p.chance()
			default:
				p.legal = p.s.Legal(p.legal[:0], p.h)
				looked := 0
				r := e.Search(p.s, p.h, p.legal, alphabeta.MaxDepth, func() bool {
					looked += alphabeta.NodesPerStop
					return looked >= searchNodes
				})
				p.s.Apply(r.Action, p.h)
				nodes += r.Nodes
				decided++
			}
		}
		return float64(nodes)
	})
}
