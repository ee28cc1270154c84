package selfplay

import (
	"encoding/json"
	"fmt"
	"math"
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
	weights []int64         // of each beginning among all, at least 1; nil: 1 each
}

// mostWeight is the weight of a beginning whose value moved by the whole range. Weights are
// integers so that their sums are exact, in whatever order games are kept.
const mostWeight = 1 << 16

// NewEarlierGame keeps the actions that lead to the decisions of a game except the
// first and the last. rows are all its rows, regret is BeginningsConfig.EarlierRegret.
func NewEarlierGame(rows []record.Row, regret float64) EarlierGame {
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
			if regret > 0 {
				g.weights = append(g.weights, regretWeight(rows, i, regret))
			}
		}
		g.actions = append(g.actions, inner[i].Action)
	}
	return g
}

// regretSearches is the number of later searches that a decision's value is held against.
// In games of Kon'reh's shipped network the mean of four told best which values a search
// of 25 times as many simulations corrects; the result hardly told (docs/experiments-targets.md).
const regretSearches = 4

// unvalued tells whether nobody said what the position of a row is worth.
func unvalued(r *record.Row) bool { return r.Taught() && r.RootDraw == record.DrawUnknown }

// regretWeight is how likely new games begin at decision i of a game, in 1/mostWeight of
// the most: how far the next searches moved its value, in its player's view, to the power
// of regret. After the last search the result counts. What a teacher did not judge has no
// regret, and moves nothing.
func regretWeight(rows []record.Row, i int, regret float64) int64 {
	if unvalued(&rows[i]) {
		return 1
	}
	later, known := 0.0, 0.0
	for j := i + 1; j <= i+regretSearches; j++ {
		switch {
		case j >= len(rows):
			later += float64(rows[i].Outcome)
		case unvalued(&rows[j]):
			continue
		case rows[j].Player == rows[i].Player:
			later += float64(rows[j].RootValue)
		default:
			later -= float64(rows[j].RootValue)
		}
		known++
	}
	if known == 0 {
		return 1
	}
	moved := math.Abs(later/known-float64(rows[i].RootValue)) / 2
	return max(1, int64(math.Round(mostWeight*math.Pow(moved, regret))))
}

// earlierText is an EarlierGame as JSON.
type earlierText struct {
	Number  int64           `json:"number"`
	Rules   string          `json:"rules"`
	Actions []engine.Action `json:"actions"`
	Ends    []int32         `json:"ends"`
	Weights []int64         `json:"weights,omitempty"`
}

// MarshalJSON writes the game for another process to begin from.
func (g EarlierGame) MarshalJSON() ([]byte, error) {
	return json.Marshal(earlierText{g.Number, g.Rules, g.actions, g.ends, g.weights})
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
	if t.Weights != nil && len(t.Weights) != len(t.Ends) {
		return fmt.Errorf("earlier game %d: %d weights: want %d, one for each beginning", t.Number, len(t.Weights), len(t.Ends))
	}
	for _, w := range t.Weights {
		if w < 1 || w > mostWeight {
			return fmt.Errorf("earlier game %d: weight %d: want 1 to %d", t.Number, w, mostWeight)
		}
	}
	*g = EarlierGame{t.Number, t.Rules, t.Actions, t.Ends, t.Weights}
	return nil
}

// Earlier holds the earlier games that games may begin in. It is
// immutable and safe for concurrent use; a nil one is empty.
type Earlier struct{ byRules map[string]*earlierGames }

// earlierGames are the earlier games of one ruleset. upTo[i] is the weight of the
// beginnings in games up to i, a beginning of a game without weights counting 1.
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
		n := g.weight()
		if k := len(of.upTo); k > 0 {
			n += of.upTo[k-1]
		}
		of.games, of.upTo = append(of.games, g), append(of.upTo, n)
	}
	return e
}

// weight is the sum over the beginnings.
func (g *EarlierGame) weight() int64 {
	if g.weights == nil {
		return int64(len(g.ends))
	}
	sum := int64(0)
	for _, w := range g.weights {
		sum += w
	}
	return sum
}

// draw returns the actions that lead to a beginning under these rules, each as
// likely as its weight; none if there is none. They must not be changed.
func (e *Earlier) draw(rules string, r *rand.Rand) []engine.Action {
	if e == nil || e.byRules[rules] == nil {
		return nil
	}
	of := e.byRules[rules]
	k := r.Int64N(of.upTo[len(of.upTo)-1])
	i := sort.Search(len(of.upTo), func(i int) bool { return k < of.upTo[i] })
	g := &of.games[i]
	k -= of.upTo[i] - g.weight() // what is left of it in this game
	if g.weights == nil {
		return g.actions[:g.ends[k]]
	}
	j := 0
	for ; k >= g.weights[j]; j++ {
		k -= g.weights[j]
	}
	return g.actions[:g.ends[j]]
}
