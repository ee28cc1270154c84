package analysis

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// Answer is what a player thinks of a position. Values are in [-1, 1] in the view of the
// player who acts, +1 a win; where chance decides, of TurnOf, whose turn it is.
type Answer struct {
	Actor  string `json:"actor"`
	TurnOf string `json:"turn_of,omitempty"`
	// Value is nil if the player judges nothing. Lead says that values are a lead and no
	// expected result, Solved that Value is certain.
	Value  *float64 `json:"value"`
	Solved bool     `json:"solved"`
	Lead   bool     `json:"lead,omitempty"`
	// WDL are the probabilities of win, draw and loss that go with Value, if they are known.
	WDL *[3]float64 `json:"wdl,omitempty"`
	// Policy, Priors, Visits and Values are by the words of moves: the share of each in
	// the search, the network's probability before it, simulations, and values. Those
	// without visits or value are left out; Priors are nil without a network.
	Policy map[string]float64 `json:"policy"`
	Priors map[string]float64 `json:"priors,omitempty"`
	Visits map[string]int     `json:"visits"`
	Values map[string]float64 `json:"values"`
	// Choice is what the player would play, nil where chance decides. PV is the line
	// that it expects, Lines those of its best moves, the choice first.
	Choice *string    `json:"choice"`
	PV     []string   `json:"pv"`
	Lines  [][]string `json:"pvs,omitempty"`
	// Simulations, or positions looked at, and Depth in player turns, if it is counted.
	Simulations int `json:"simulations"`
	Depth       int `json:"reached_depth,omitempty"`
}

// answerFields are what an answer may add to an object.
var answerFields = []string{"actor", "turn_of", "value", "solved", "lead", "wdl", "policy", "priors", "visits", "values", "choice", "pv", "pvs", "simulations", "reached_depth"}

// Into adds the answer to an object.
func (a *Answer) Into(object map[string]any) {
	text, err := json.Marshal(a)
	if err == nil {
		var fields map[string]json.RawMessage
		if err = json.Unmarshal(text, &fields); err == nil {
			for name, value := range fields {
				object[name] = value
			}
		}
	}
	if err != nil {
		panic("BUG: an answer cannot be written: " + err.Error())
	}
}

// answer describes the analysis x of s, whose history is h, with that many lines.
func answer(g engine.Game, s engine.State, h *engine.History, x *match.Analysis, lines int) *Answer {
	word := func(a engine.Action) string { return string(s.AppendAction(nil, a)) }
	a := &Answer{
		Actor: s.Actor().String(), Solved: x.Solved, Lead: x.Lead && !x.Solved,
		Policy: map[string]float64{}, Visits: map[string]int{}, Values: map[string]float64{},
		PV: engine.LineWords(g, s, h, x.Line), Simulations: x.Simulations, Depth: x.Depth,
	}
	choice := word(x.Choice)
	a.Choice = &choice
	if x.Judged {
		v := short(x.Value)
		a.Value = &v
		if x.HasDraw {
			a.WDL = &[3]float64{short((1 - x.Draw + x.Value) / 2), short(x.Draw), short((1 - x.Draw - x.Value) / 2)}
		}
	}
	for _, m := range x.Moves {
		w := word(m.Action)
		a.Policy[w] = short(m.Prob)
		if m.Prior > 0 {
			if a.Priors == nil {
				a.Priors = map[string]float64{}
			}
			a.Priors[w] = short(m.Prior)
		}
		if m.Visits > 0 {
			a.Visits[w] = m.Visits
		}
		if m.Judged {
			a.Values[w] = short(m.Value)
		}
	}
	if lines > 0 {
		a.Lines = append(a.Lines, a.PV)
		best := slices.DeleteFunc(slices.Clone(x.Moves), func(m match.Move) bool { return m.Action == x.Choice || len(m.Line) == 0 })
		slices.SortStableFunc(best, func(m, n match.Move) int { return cmp.Or(cmp.Compare(n.Prob, m.Prob), cmp.Compare(n.Value, m.Value)) })
		for _, m := range best[:min(lines-1, len(best))] {
			a.Lines = append(a.Lines, engine.LineWords(g, s, h, m.Line))
		}
	}
	return a
}

// rolled describes the outcomes of the chance decision s.
func rolled(s engine.State, mean float64, list []player.Outcome) *Answer {
	owner := player.OwnerOfRoll(s)
	view := 1.0
	if owner == engine.Second {
		view = -1
	}
	v := short(view * mean)
	a := &Answer{
		Actor: s.Actor().String(), TurnOf: owner.String(), Value: &v,
		Policy: map[string]float64{}, Visits: map[string]int{}, Values: map[string]float64{}, PV: []string{},
	}
	for _, o := range list {
		w := string(s.AppendAction(nil, o.Code))
		a.Policy[w], a.Values[w] = short(o.Prob), short(view*o.Value)
	}
	return a
}

// short leaves out digits that mean nothing, and the sign of zero.
func short(x float64) float64 { return math.Round(x*1e6)/1e6 + 0 }
