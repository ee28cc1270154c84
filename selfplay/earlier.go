package selfplay

import (
	"math/rand/v2"
	"sort"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
)

// EarlierGame is the part of a recorded game that new games can begin from.
type EarlierGame struct {
	// Number is the game's number, Rules its rules word.
	Number int64
	Rules  string

	actions []engine.Action // all up to the last beginning, chance included
	ends    []int32         // each beginning is actions up to one of these
}

// NewEarlierGame keeps the actions that lead to the decisions of a game except the
// first and the last. rows are all its rows.
func NewEarlierGame(rows []record.Row) EarlierGame {
	g := EarlierGame{Number: rows[0].GameNumber, Rules: rows[0].Rules}
	if len(rows) < 3 {
		return g
	}
	inner := rows[:len(rows)-1]
	n := 0
	for i := range inner {
		n += len(inner[i].Before) + 1
	}
	g.actions, g.ends = make([]engine.Action, 0, n), make([]int32, 0, len(inner)-1)
	for i := range inner {
		g.actions = append(g.actions, inner[i].Before...)
		if i > 0 {
			g.ends = append(g.ends, int32(len(g.actions)))
		}
		g.actions = append(g.actions, inner[i].Action)
	}
	return g
}

// Earlier holds the earlier games that games may begin in. It is
// immutable and safe for concurrent use; a nil one is empty.
type Earlier struct{ byRules map[string]*earlierGames }

// earlierGames are the earlier games of one ruleset. upTo[i] is the number of
// beginnings in games up to i.
type earlierGames struct {
	games []EarlierGame
	upTo  []int64
}

// NewEarlier makes the set of these games. Draws depend on their order.
func NewEarlier(games []EarlierGame) *Earlier {
	e := &Earlier{map[string]*earlierGames{}}
	for _, g := range games {
		if len(g.ends) == 0 {
			continue
		}
		of := e.byRules[g.Rules]
		if of == nil {
			of = &earlierGames{}
			e.byRules[g.Rules] = of
		}
		n := int64(len(g.ends))
		if k := len(of.upTo); k > 0 {
			n += of.upTo[k-1]
		}
		of.games, of.upTo = append(of.games, g), append(of.upTo, n)
	}
	return e
}

// draw returns the actions that lead to a beginning under these rules, each as
// likely as any other; none if there is none. They must not be changed.
func (e *Earlier) draw(rules string, r *rand.Rand) []engine.Action {
	if e == nil || e.byRules[rules] == nil {
		return nil
	}
	of := e.byRules[rules]
	k := r.Int64N(of.upTo[len(of.upTo)-1])
	i := sort.Search(len(of.upTo), func(i int) bool { return k < of.upTo[i] })
	g := &of.games[i]
	return g.actions[:g.ends[int64(len(g.ends))-(of.upTo[i]-k)]]
}
