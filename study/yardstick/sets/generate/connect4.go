package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/connect4/solve"
)

// connect4Flags returns the stages of the set of Connect Four. Each position comes from a
// game that begins with random stones and continues half with moves that keep the game
// value, half with random ones (where a line can be completed at once, the former
// complete or prevent it). A position enters the set if neither side could complete a
// line with the next stone, if some column has a lower value than another, and if neither
// it nor its mirror image is in the set already.
//
// Positions with few stones take a second each, and of random games few are long: those
// that begin with more stones give later positions in less time.
func connect4Flags() func() []stage {
	list := []struct {
		first, last int // stones
		each        int // positions for every number of stones
	}{{8, 11, 16}, {12, 15, 102}, {16, 21, 102}, {22, 30, 102}}
	for i := range list {
		s := &list[i]
		flag.IntVar(&s.each, fmt.Sprintf("from%d", s.first), s.each, fmt.Sprintf("of connect4: positions for every number of stones from %d to %d", s.first, s.last))
	}
	return func() []stage {
		var stages []stage
		for _, x := range list {
			s := stage{name: fmt.Sprintf("yardstick %d", x.first), worker: func(table int) func(context.Context, *rand.Rand) ([]entry, error) {
				v := solve.New(table)
				return func(ctx context.Context, rng *rand.Rand) ([]entry, error) {
					return playConnect4(ctx, v, rng, x.first, x.last)
				}
			}}
			for n := x.first; n <= x.last; n++ {
				s.slots = append(s.slots, slot{strconv.Itoa(n), x.each})
			}
			stages = append(stages, s)
		}
		return stages
	}
}

// playConnect4 plays a game that begins with first random stones and lists its positions
// with first to last stones.
func playConnect4(ctx context.Context, v *solve.Solver, rng *rand.Rand, first, last int) ([]entry, error) {
	var list []entry
	var moves []byte
	at, image := new(connect4.State), new(connect4.State)
	for at.Actor() != engine.Nobody && at.Turn() <= last {
		legal := at.Legal(nil, nil)
		column := legal[rng.IntN(len(legal))]
		if at.Turn() >= first {
			exactly := rng.IntN(2) == 0
			reply, tactical := solve.Tactical(at)
			switch {
			case !tactical:
				columns, err := v.Outcomes(ctx, at)
				if err != nil {
					return nil, err
				}
				if solve.Choice(columns) {
					key := min(string(at.AppendPosition(nil)), string(image.AppendPosition(nil)))
					line := struct {
						Moves  string `json:"moves"`  // columns from 1
						Values string `json:"values"` // a letter a column: win, draw, loss, or a dot if it is full
					}{string(moves), letters(columns)}
					list = append(list, entry{line, strconv.Itoa(len(moves)), key})
				}
				for exactly && columns[column] != solve.Best(columns) {
					column = legal[rng.IntN(len(legal))]
				}
			case exactly:
				column = reply
			}
		}
		at.Apply(column, nil)
		image.Apply(solve.Columns-1-column, nil)
		moves = append(moves, '1'+byte(column))
	}
	return list, nil
}

func letters(columns [solve.Columns]solve.Score) string {
	var b [solve.Columns]byte
	for i, x := range columns {
		if b[i] = '.'; x != solve.Full {
			b[i] = "ldw"[x.Outcome()+1]
		}
	}
	return string(b[:])
}
