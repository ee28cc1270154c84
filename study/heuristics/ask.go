package heuristics

import (
	"math/rand/v2"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/internal/seed"
)

// NoAction is where an action is left out.
const NoAction engine.Action = -1

// Asked is a choice that searches are asked about.
type Asked struct {
	// Game and Ply say before which decision of which game; Via is an action that was
	// legal there and leads to the choice, NoAction if it was the game's own.
	Game int           `json:"game"`
	Ply  int           `json:"ply"`
	Via  engine.Action `json:"via"`

	Question int             `json:"question"`
	Level    int             `json:"level"`
	Acts     []engine.Action `json:"acts"`
	Others   []engine.Action `json:"others"`
}

// Limits bound how many choices are asked about.
type Limits struct {
	// PerGame is how many of one question and level are taken from a game, Most from
	// all games: the first of each game first.
	PerGame, Most int
}

// Ask draws choices from games, from those after the first ones only where these have too
// few; seed determines which. Whether to seed, and where to place Blue, is also asked
// where a turn could have led there but went elsewhere.
func Ask(games []Game, first int, l Limits, run uint64) []Asked {
	type key struct{ question, level int }
	rounds := map[key][][]Asked{} // by the number of the choice in its game
	var scan Scanner
	for n := range games {
		g := &games[n]
		stream, number := "heuristics choices", n
		if n >= first { // so that more of the first ones change nothing here
			stream, number = "heuristics choices on and off", n-first
		}
		rng := rand.New(seed.Stream(run, stream, uint64(number)))
		seen, kept := map[key]int{}, map[key][]Asked{}
		offer := func(ply int, via engine.Action, x *Choice) {
			k := key{x.Question, x.Level}
			seen[k]++
			at := len(kept[k])
			if at >= l.PerGame { // each is as likely to be kept as any other (Vitter's algorithm R)
				if at = rng.IntN(seen[k]); at >= l.PerGame {
					return
				}
			} else {
				kept[k] = append(kept[k], Asked{})
			}
			kept[k][at] = Asked{Game: n, Ply: ply, Via: via, Question: x.Question, Level: x.Level, Acts: slices.Clone(x.Acts), Others: x.Others}
		}
		s, h := g.Rules.NewState().(*konreh.State), g.Rules.NewHistory()
		g.walk(s, h, func(ply int, _ engine.Action) bool {
			if !s.BeginsTurn() {
				return true // what is Even is asked below, by the action that led here; the rest is not
			}
			for _, x := range scan.Scan(s, h) {
				offer(ply, NoAction, &x)
			}
			for _, a := range s.Legal(nil, h) {
				next := *s
				next.Apply(a, nil)
				if next.Actor() != s.Actor() || next.Turn() != s.Turn() {
					continue
				}
				for _, x := range scan.Scan(&next, h) {
					if questions[x.Question].Even {
						offer(ply, a, &x)
					}
				}
			}
			return true
		})
		for k, list := range kept {
			for i, x := range list {
				if n >= first {
					i += l.PerGame
				}
				for i >= len(rounds[k]) {
					rounds[k] = append(rounds[k], nil)
				}
				rounds[k][i] = append(rounds[k][i], x)
			}
		}
	}
	var all []Asked
	for _, list := range rounds {
		flat := slices.Concat(list...)
		all = append(all, flat[:min(l.Most, len(flat))]...)
	}
	slices.SortFunc(all, func(a, b Asked) int {
		for _, d := range []int{a.Game - b.Game, a.Ply - b.Ply, int(a.Via - b.Via), a.Question - b.Question, a.Level - b.Level} {
			if d != 0 {
				return d
			}
		}
		return 0
	})
	return all
}

// Position sets s and h to where x is asked.
func (x *Asked) Position(games []Game, s *konreh.State, h *engine.History) {
	games[x.Game].walk(s, h, func(ply int, _ engine.Action) bool { return ply < x.Ply })
	if x.Via != NoAction {
		s.Apply(x.Via, h)
	}
}
