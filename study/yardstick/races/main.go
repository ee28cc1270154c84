// Command races makes the set of Reforge races of package yardstick. Its output is
// a function of its flags but -workers and -table:
//
//	go generate -run races ./study/yardstick
//
// Positions come from games of alphabeta against itself at depth 1 or 2, after 4 to
// 16 random turns and with one random turn in ten. A position where a turn begins
// and a countdown runs enters the set if 8 turns at least are legal, some keep what
// the race is worth and at most half of all do, if no position like it, in the mirror
// or not, is in the set already, and if its kind has room: who races and how many
// turns are left. A game gives one position of each kind at most.
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
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/konreh/race"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/player/alphabeta"
	"golang.org/x/sync/errgroup"
)

const (
	mostOpening  = 16 // random turns that games begin with, leastOpening at least
	leastOpening = 4
	blunder      = 10  // one turn in this many is random
	longest      = 600 // turns of a game
	fewest       = 8   // legal turns of a position
	rules        = "standard"
)

// entry is a line of the set.
type entry struct {
	Position string   `json:"pos"`
	Kind     string   `json:"kind"`  // who counts down: racer, to move; hunter, the opponent of the side to move; both
	Left     int      `json:"left"`  // own turns left to the side whose countdown it is about
	Worth    string   `json:"worth"` // w: won; d: kept open
	Depth    int      `json:"depth"` // player turns of the proof
	Turns    int      `json:"turns"` // legal ones
	Keeps    []string `json:"keeps"` // those that keep the worth
	key      string   // equal for mirror images
}

// kinds in the order of the file, and how many turns may be left.
var kinds = []struct {
	name  string
	turns int
}{{"racer", 5}, {"hunter", 4}, {"both", 4}}

type maker struct {
	game        *konreh.Game
	seed        uint64
	each, twice int // positions for every number of turns left, if one side counts and if both do
	table       int // bytes of a worker's
	workers     int
}

func main() {
	g, err := konreh.Family.Parse(rules)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	m := maker{game: g.(*konreh.Game)}
	out := flag.String("out", "", "file to write")
	flag.Uint64Var(&m.seed, "seed", 1, "seed of all games")
	flag.IntVar(&m.each, "each", 60, "positions for every number of turns left if one side counts down, for racers and hunters each")
	flag.IntVar(&m.twice, "both", 12, "positions for every number of turns left if both sides count down")
	flag.IntVar(&m.workers, "workers", runtime.GOMAXPROCS(0), "games at the same time; changes no position")
	flag.IntVar(&m.table, "table", 32, "MiB of each worker's table; changes no position")
	flag.Parse()
	m.table <<= 20
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := m.write(ctx, *out); err != nil {
		fmt.Fprintln(os.Stderr, "races:", err)
		os.Exit(1)
	}
}

type place struct {
	kind string
	left int
}

func (m *maker) write(ctx context.Context, path string) error {
	list, err := m.fill(ctx)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		out := json.NewEncoder(w)
		out.SetEscapeHTML(false) // a Hop is written ^, and no page shows this
		for _, k := range kinds {
			for left := 1; left <= k.turns; left++ {
				for _, e := range list[place{k.name, left}] {
					if err := out.Encode(e); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}

// fill plays games, a batch at a time, until there are enough positions of every
// kind. Games count in the order of their numbers.
func (m *maker) fill(ctx context.Context) (map[place][]entry, error) {
	room, missing := map[place]int{}, 0
	for _, k := range kinds {
		for left := 1; left <= k.turns; left++ {
			n := m.each
			if k.name == "both" {
				n = m.twice
			}
			room[place{k.name, left}] = n
			missing += n
		}
	}
	list, seen := map[place][]entry{}, map[string]bool{}
	solvers, engines := make([]*race.Solver, m.workers), make([]*alphabeta.Engine, m.workers)
	for w := range solvers {
		solvers[w], engines[w] = race.New(m.game, m.table), alphabeta.New(m.game)
	}
	for first := 0; missing > 0; first += batch {
		var played [batch][]entry
		group, running := errgroup.WithContext(ctx)
		for w := range m.workers {
			group.Go(func() error {
				for i := w; i < batch; i += m.workers {
					rng := rand.New(seed.Stream(m.seed, "yardstick races", uint64(first+i)))
					entries, err := m.play(running, solvers[w], engines[w], rng)
					if err != nil {
						return err
					}
					played[i] = entries
				}
				return nil
			})
		}
		if err := group.Wait(); err != nil {
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			return nil, err
		}
		for _, entries := range played {
			had := map[place]bool{}
			for _, e := range entries {
				p := place{e.Kind, e.Left}
				if room[p] == 0 || had[p] || seen[e.key] {
					continue
				}
				had[p], seen[e.key] = true, true
				list[p] = append(list[p], e)
				room[p]--
				missing--
			}
		}
		if done := first + batch; done%100 == 0 {
			fmt.Fprintf(os.Stderr, "%d games, %d positions missing\n", done, missing)
		}
	}
	return list, nil
}

// batch is how many games are played between looks at what is missing. It changes
// no position.
const batch = 20

// play plays one game and returns every position that could enter the set.
func (m *maker) play(ctx context.Context, v *race.Solver, e *alphabeta.Engine, rng *rand.Rand) ([]entry, error) {
	s, h := m.game.NewState().(*konreh.State), m.game.NewHistory()
	s.Start(h)
	e.NewGame()
	opening, depth := leastOpening+rng.IntN(mostOpening-leastOpening+1), 1+rng.IntN(2)
	var list []entry
	var actions []engine.Action
	atRandom := false
	for s.Actor() != engine.Nobody && s.Turn() < longest {
		if s.BeginsTurn() {
			atRandom = s.Turn() < opening || rng.IntN(blunder) == 0
		}
		if v.Check(s) == nil {
			r, err := v.Solve(ctx, s, 0)
			if err != nil {
				return nil, err
			}
			if r.Choice() && 2*r.Keeping <= len(r.Turns) && len(r.Turns) >= fewest {
				list = append(list, describe(s, r))
			}
		}
		actions = s.Legal(actions[:0], h)
		rng.Shuffle(len(actions), func(i, j int) { actions[i], actions[j] = actions[j], actions[i] })
		a := actions[0]
		if !atRandom {
			a = e.Search(s, h, actions, depth, nil).Action
		}
		s.Apply(a, h)
	}
	return list, nil
}

func describe(s *konreh.State, r *race.Result) entry {
	e := entry{Position: string(s.AppendPosition(nil)), Kind: "both", Left: r.Left, Worth: "d", Depth: r.Depth, Turns: len(r.Turns)}
	switch {
	case s.Reforge(1-s.Side()) == 0:
		e.Kind = "racer"
	case s.Reforge(s.Side()) == 0:
		e.Kind = "hunter"
	}
	if r.Verdict == race.Won {
		e.Worth = "w"
	}
	for i := range r.Turns {
		if t := &r.Turns[i]; t.Verdict == r.Verdict {
			e.Keeps = append(e.Keeps, words(*s, t.Actions))
		}
	}
	image := *s
	image.Transform(1)
	e.key = min(identity(s), identity(&image))
	return e
}

func identity(s *konreh.State) string { return fmt.Sprint(s.Identity()) }

// words writes the decisions of a turn that begins in s.
func words(s konreh.State, list []engine.Action) string {
	w := make([]string, len(list))
	for i, a := range list {
		w[i] = string(s.AppendAction(nil, a))
		s.Apply(a, nil)
	}
	return strings.Join(w, " ")
}
