// Command generate makes the sets of positions of package sets. Its output is a
// function of its flags except -workers and -table:
//
//	go generate -run connect4.jsonl ./study/yardstick/sets
//	go generate -run fresh ./study/yardstick/sets
//	go generate -run races ./study/yardstick/sets
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/seed"
	"golang.org/x/sync/errgroup"
)

// entry is a position that could enter the set.
type entry struct {
	line any    // of the file, as JSON
	slot string // what it counts for
	key  string // equal for positions of which the set takes only one
}

// slot is a kind of positions with the number that the set still wants.
type slot struct {
	name string
	room int
}

// stage is games of one kind, which fill some slots.
type stage struct {
	name  string // of its random streams
	slots []slot // in the order of the file
	once  bool   // a game fills a slot once at most
	// worker returns a function of one goroutine that plays a game and lists its
	// entries; table is the size of its transposition table in bytes.
	worker func(table int) func(context.Context, *rand.Rand) ([]entry, error)
}

// maker makes a set of stages, one after the other.
type maker struct {
	stages         []stage
	seed           uint64
	workers, table int
}

func main() {
	m := maker{}
	set := flag.String("set", "", "set to make, connect4 or races")
	out := flag.String("out", "", "file to write")
	flag.Uint64Var(&m.seed, "seed", 1, "seed of all games")
	flag.IntVar(&m.workers, "workers", runtime.GOMAXPROCS(0), "games at the same time; changes no position")
	flag.IntVar(&m.table, "table", 64, "MiB of each worker's table; changes no position")
	sets := map[string]func() []stage{"connect4": connect4Flags(), "races": racesFlags()}
	flag.Parse()
	m.table <<= 20
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := fmt.Errorf("-set %q: want connect4 or races", *set)
	if stages := sets[*set]; stages != nil {
		m.stages = stages()
		err = m.write(ctx, *out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func (m *maker) write(ctx context.Context, path string) error {
	list, seen := map[string][]entry{}, map[string]bool{}
	for i := range m.stages {
		if err := m.fill(ctx, &m.stages[i], list, seen); err != nil {
			return err
		}
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		out := json.NewEncoder(w)
		out.SetEscapeHTML(false) // a Hop is written ^, and no page shows this
		for _, s := range m.stages {
			for _, slot := range s.slots {
				for _, e := range list[slot.name] {
					if err := out.Encode(e.line); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}

// batch is the number of games played between looks at what is missing. It changes no
// position.
const batch = 20

// fill plays games of s, a batch at a time, until its slots are full. Games count in
// the order of their numbers.
func (m *maker) fill(ctx context.Context, s *stage, list map[string][]entry, seen map[string]bool) error {
	room, missing := map[string]int{}, 0
	for _, slot := range s.slots {
		room[slot.name] = slot.room
		missing += slot.room
	}
	play := make([]func(context.Context, *rand.Rand) ([]entry, error), m.workers)
	for w := range play {
		play[w] = s.worker(m.table)
	}
	for first := 0; missing > 0; first += batch {
		var played [batch][]entry
		group, running := errgroup.WithContext(ctx)
		for w := range m.workers {
			group.Go(func() (err error) {
				for i := w; i < batch && err == nil; i += m.workers {
					played[i], err = play[w](running, rand.New(seed.Stream(m.seed, s.name, uint64(first+i))))
				}
				return err
			})
		}
		if err := group.Wait(); err != nil {
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			return err
		}
		for _, entries := range played {
			had := map[string]bool{}
			for _, e := range entries {
				if room[e.slot] == 0 || had[e.slot] || seen[e.key] {
					continue
				}
				had[e.slot], seen[e.key] = s.once, true
				list[e.slot] = append(list[e.slot], e)
				room[e.slot]--
				missing--
			}
		}
		if done := first + batch; done%100 == 0 {
			fmt.Fprintf(os.Stderr, "%s: %d games, %d positions missing\n", s.name, done, missing)
		}
	}
	return nil
}
