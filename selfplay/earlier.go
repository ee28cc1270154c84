package selfplay

import (
	"encoding/json"
	"fmt"
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

// earlierText is an EarlierGame as JSON.
type earlierText struct {
	Number  int64           `json:"number"`
	Rules   string          `json:"rules"`
	Actions []engine.Action `json:"actions"`
	Ends    []int32         `json:"ends"`
}

// MarshalJSON writes the game for another process to begin from.
func (g EarlierGame) MarshalJSON() ([]byte, error) {
	return json.Marshal(earlierText{g.Number, g.Rules, g.actions, g.ends})
}

// UnmarshalJSON reads what MarshalJSON wrote. Whether the actions are legal is for the
// caller to know.
func (g *EarlierGame) UnmarshalJSON(text []byte) error {
	var t earlierText
	if err := json.Unmarshal(text, &t); err != nil {
		return err
	}
	last := int32(0)
	for _, end := range t.Ends {
		if end <= last || int(end) > len(t.Actions) {
			return fmt.Errorf("earlier game %d: beginning after %d of %d actions: want more than %d", t.Number, end, len(t.Actions), last)
		}
		last = end
	}
	*g = EarlierGame{t.Number, t.Rules, t.Actions, t.Ends}
	return nil
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
