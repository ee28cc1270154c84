package selfplay

import (
	"context"
	"hash/fnv"
	"math"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/pienim"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/mcts"
)

// testGames are games with every peculiarity that records must survive: chance
// and a player who acts twice (racegame), a swap of sides (pienim, konreh with
// the pie rule), repetition (pienim shifting).
func testGames(t testing.TB) []engine.Game {
	t.Helper()
	return []engine.Game{
		parse(t, &tictactoe.Family, ""),
		parse(t, &connect4.Family, ""),
		racegame.New(),
		pienim.New(""),
		pienim.New("shifting"),
		parse(t, &konreh.Family, "micro,balance=pie,max_turns=20"),
	}
}

func parse(t testing.TB, f *engine.Family, rules string) engine.Game {
	t.Helper()
	g, err := f.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// row is one position as a network sees it.
type row struct {
	planes, globals []float32
	cells           []int32
	logits, wdl     []float32
	turns           *float32
}

// eachRow calls f for every position of a batch for a network of this family.
func eachRow(info *engine.Info, planes, globals []float32, offsets, cells []int32, logits, wdl, turns []float32, f func(row)) {
	p, g := info.Features.Planes*info.Features.Cells(), info.Features.Globals
	for i := range len(offsets) - 1 {
		from, to := offsets[i], offsets[i+1]
		f(row{planes[i*p : (i+1)*p], globals[i*g : (i+1)*g], cells[from:to], logits[from:to], wdl[3*i : 3*i+3], &turns[i]})
	}
}

// key is one-to-one: the bits of all inputs.
func (r *row) key() string {
	var b []byte
	for _, v := range slices.Concat(r.planes, r.globals) {
		w := math.Float32bits(v)
		b = append(b, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
	}
	return string(b)
}

// hashNetwork judges by lot: logits, values and turns left are hashes of a position's
// inputs, and nothing else. before, if set, is called with the size of every
// batch and may fail it.
type hashNetwork struct {
	info   *engine.Info
	before func(batch int) error
}

func (n *hashNetwork) Forward(planes, globals []float32, offsets, cells []int32, logits, wdl, turns []float32) error {
	if n.before != nil {
		if err := n.before(len(offsets) - 1); err != nil {
			return err
		}
	}
	eachRow(n.info, planes, globals, offsets, cells, logits, wdl, turns, func(r row) {
		h := fnv.New64a()
		h.Write([]byte(r.key()))
		base := h.Sum64()
		lot := func(i uint64) float32 {
			x := (base + i) * 0x9e3779b97f4a7c15
			x = (x ^ x>>31) * 0xbf58476d1ce4e5b9
			return float32(x>>40)/(1<<24)*4 - 2
		}
		for i := range r.wdl {
			r.wdl[i] = lot(uint64(i))
		}
		for i, c := range r.cells {
			r.logits[i] = lot(8 + uint64(c))
		}
		*r.turns = 40 + 20*lot(4)
	})
	return nil
}

// player is generation 3, with a network that is safe for concurrent use.
func player(net mcts.Network) *Player {
	return &Player{Generation: 3, Fork: func() mcts.Network { return net }}
}

// quick is self-play of few simulations with noise and a change of temperature.
func quick() Config {
	c := DefaultConfig()
	c.GamesInFlight = 4
	c.TemperatureTurns = 4
	c.Search.Simulations = 8
	return c
}

func job(g engine.Game, workers, count int) Job {
	return Job{
		Game: g, Run: "test", Seed: 7, Workers: workers,
		Source: &Range{Start: 10, Count: count, Player: player(&hashNetwork{g.Info(), nil})},
	}
}

// play runs a job and returns its games in the order of delivery.
func play(t testing.TB, cfg Config, j Job) []*Finished {
	t.Helper()
	var all []*Finished
	if err := Run(context.Background(), cfg, j, func(f *Finished) error {
		all = append(all, f)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}
