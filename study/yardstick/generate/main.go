// Command generate makes the set of Connect Four positions of package yardstick.
// Its output is a function of its flags but -workers and -table:
//
//	go generate -run connect4 ./study/yardstick
//
// Each position comes from a game that begins with random stones and continues half
// with moves that keep the game value, half with random ones (where a line can be
// completed at once, the former complete or prevent it). A position enters the set if neither side could complete a line with the
// next stone, if some column has a lower value than another, and if neither it nor its
// mirror image is in the set already.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/connect4/solve"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/seed"
)

// A stage is games of one kind: they begin with first random stones and give
// positions with first to last stones.
type stage struct {
	name        string // of its random streams
	first, last int
	each        int // positions for every number of stones, unless a flag says otherwise
}

// stages are played one after the other. Positions with few stones take a second
// each, and of random games few are long: those that begin with more stones give
// later positions in less time.
var stages = []stage{
	{name: "yardstick 8", first: 8, last: 11, each: 16},
	{name: "yardstick 12", first: 12, last: 15, each: 102},
	{name: "yardstick 16", first: 16, last: 21, each: 102},
	{name: "yardstick 22", first: 22, last: 30, each: 102},
}

type maker struct {
	seed  uint64
	table int // bytes of a worker's
	count int // workers
}

func main() {
	m := maker{}
	out := flag.String("out", "", "file to write")
	flag.Uint64Var(&m.seed, "seed", 1, "seed of all games")
	for i := range stages {
		s := &stages[i]
		word := "from" + strings.Fields(s.name)[1]
		flag.IntVar(&s.each, word, s.each, fmt.Sprintf("positions for every number of stones from %d to %d", s.first, s.last))
	}
	flag.IntVar(&m.count, "workers", runtime.GOMAXPROCS(0), "games at the same time; changes no position")
	flag.IntVar(&m.table, "table", 64, "MiB of each worker's table; changes no position")
	flag.Parse()
	m.table <<= 20
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := m.write(ctx, *out)
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func (m *maker) write(ctx context.Context, path string) error {
	list := map[int][]entry{} // by stones
	seen := map[string]bool{}
	for _, s := range stages {
		if err := m.fill(ctx, s, list, seen); err != nil {
			return err
		}
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		b := bufio.NewWriter(w)
		for _, s := range stages {
			for n := s.first; n <= s.last; n++ {
				for _, e := range list[n] {
					fmt.Fprintf(b, "{\"moves\":%q,\"values\":%q}\n", e.moves, e.values)
				}
			}
		}
		return b.Flush()
	})
}

// fill plays games of s until there are enough positions of every kind. Games
// count in the order of their numbers, whichever is finished first.
func (m *maker) fill(ctx context.Context, s stage, list map[int][]entry, seen map[string]bool) error {
	type played struct {
		entries []entry
		err     error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	order := make(chan chan played, m.count) // one a game
	work := make(chan func(*solve.Solver), m.count)
	go func() {
		defer close(work)
		for i := uint64(0); ctx.Err() == nil; i++ {
			result := make(chan played, 1)
			job := func(v *solve.Solver) {
				entries, err := s.play(ctx, v, rand.New(seed.Stream(m.seed, s.name, i)))
				result <- played{entries, err}
			}
			select {
			case work <- job:
			case <-ctx.Done():
				return
			}
			select {
			case order <- result:
			case <-ctx.Done():
				return
			}
		}
	}()
	for range m.count {
		go func() {
			v := solve.New(m.table)
			for job := range work {
				job(v)
			}
		}()
	}
	missing := (s.last - s.first + 1) * s.each
	for game := 0; missing > 0; game++ {
		var p played
		select {
		case result := <-order:
			select {
			case p = <-result:
			case <-ctx.Done():
			}
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if p.err != nil {
			return p.err
		}
		for _, e := range p.entries {
			n := len(e.moves)
			if len(list[n]) == s.each || seen[e.key] {
				continue
			}
			seen[e.key] = true
			list[n] = append(list[n], e)
			missing--
		}
		if game%100 == 99 {
			fmt.Fprintf(os.Stderr, "%s: %d games, %d positions missing\n", s.name, game+1, missing)
		}
	}
	return nil
}

type entry struct {
	moves  string // columns from 1
	values string // a letter a column: win, draw, loss, or a dot if it is full
	key    string // equal for mirror images
}

// play plays one game and returns every position that could enter the set.
func (s stage) play(ctx context.Context, v *solve.Solver, rng *rand.Rand) ([]entry, error) {
	var list []entry
	var moves []byte
	at, image := new(connect4.State), new(connect4.State)
	for at.Actor() != engine.Nobody && at.Turn() <= s.last {
		legal := at.Legal(nil, nil)
		column := legal[rng.IntN(len(legal))]
		if at.Turn() >= s.first {
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
					list = append(list, entry{string(moves), letters(columns), key})
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
