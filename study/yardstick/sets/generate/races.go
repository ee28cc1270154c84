package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/konreh/race"
	"github.com/ludozero/ludozero/player/alphabeta"
)

const (
	mostOpening  = 16 // random turns that games begin with, leastOpening at least
	leastOpening = 4
	blunder      = 10  // one turn in this many is random
	longest      = 600 // turns of a game
	fewest       = 8   // legal turns of a position
)

// raceLine is a line of the set of races.
type raceLine struct {
	Position string   `json:"pos"`
	Kind     string   `json:"kind"`  // who counts down: racer, to move; hunter, the opponent of the side to move; both
	Left     int      `json:"left"`  // own turns left to the side whose countdown it is about
	Worth    string   `json:"worth"` // w: won; d: kept open
	Depth    int      `json:"depth"` // player turns of the proof
	Turns    int      `json:"turns"` // legal ones
	Keeps    []string `json:"keeps"` // those that keep the result
}

func raceSlot(kind string, left int) string { return fmt.Sprint(kind, " ", left) }

// racesFlags returns the one stage of the set of Reforge races of Kon'reh. Positions come
// from games of alphabeta against itself at depth 1 or 2, after 4 to 16 random turns and
// with one random turn in ten. A position where a turn begins and a countdown runs enters
// the set if 8 turns at least are legal, some keep the result of the race and at most
// half of all do, if no position like it, in the mirror or not, is in the set already,
// and if its kind has room: who races and how many turns are left. A game gives one
// position of each kind at most.
func racesFlags() func() []stage {
	each := flag.Int("each", 60, "of races: positions for every number of turns left if one side counts down, for racers and hunters each")
	both := flag.Int("both", 12, "of races: positions for every number of turns left if both sides count down")
	return func() []stage { return races(*each, *both) }
}

func races(each, both int) []stage {
	g, err := konreh.Family.Parse("standard")
	if err != nil {
		panic("BUG: " + err.Error())
	}
	s := stage{name: "yardstick races", once: true, worker: func(table int) func(context.Context, *rand.Rand) ([]entry, error) {
		v, e := race.New(g.(*konreh.Game), table), alphabeta.New(g.(*konreh.Game))
		return func(ctx context.Context, rng *rand.Rand) ([]entry, error) { return playRaces(ctx, g, v, e, rng) }
	}}
	for _, k := range []struct {
		kind        string
		turns, room int
	}{{"racer", 5, each}, {"hunter", 4, each}, {"both", 4, both}} {
		for left := 1; left <= k.turns; left++ {
			s.slots = append(s.slots, slot{raceSlot(k.kind, left), k.room})
		}
	}
	return []stage{s}
}

// playRaces plays one game and lists every position that could enter the set.
func playRaces(ctx context.Context, g engine.Game, v *race.Solver, e *alphabeta.Engine, rng *rand.Rand) ([]entry, error) {
	s, h := g.NewState().(*konreh.State), g.NewHistory()
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
	e := raceLine{Position: string(s.AppendPosition(nil)), Kind: "both", Left: r.Left, Worth: "d", Depth: r.Depth, Turns: len(r.Turns)}
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
	return entry{e, raceSlot(e.Kind, e.Left), min(fmt.Sprint(s.Identity()), fmt.Sprint(image.Identity()))}
}

// words writes the decisions of a turn that begins in s.
func words(s konreh.State, list []engine.Action) string {
	w := make([]string, len(list))
	for i, a := range list {
		w[i] = string(s.AppendAction(nil, a))
		s.Apply(a, nil)
	}
	return strings.Join(w, " ")
}
