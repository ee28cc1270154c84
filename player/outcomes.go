package player

import (
	"context"
	"errors"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
)

// Outcome is what chance may decide.
type Outcome struct {
	engine.Weighted
	Value float64 // the result expected after it, in First's view
}

// OwnerOfRoll is the player whose turn the chance decision s belongs to.
func OwnerOfRoll(s engine.State) engine.Player {
	if s.SideOf(engine.Second) == s.Side() {
		return engine.Second
	}
	return engine.First
}

// ExpectedOf is the result that p expects of s in First's view, by a search within b of
// each position in which a player decides; h is the history of s.
func ExpectedOf(ctx context.Context, p match.Player, g engine.Game, s engine.State, h *engine.History, b match.Bounds) (float64, error) {
	switch s.Actor() {
	case engine.Nobody:
		return float64(s.Outcome().Value(engine.First)), nil
	case engine.Chance:
		mean, _, err := Outcomes(ctx, p, g, s, h, b)
		return mean, err
	}
	a, err := p.Think(ctx, s, h, b)
	if err != nil {
		return 0, err
	}
	if !a.Judged {
		return 0, errors.New("it says no value of positions")
	}
	v := Expected(a)
	if s.Actor() == engine.Second {
		v = -v
	}
	return v, nil
}

// Outcomes judges what may come of the chance decision s as ExpectedOf does; mean weighs
// by the probabilities. Equal positions are judged once.
func Outcomes(ctx context.Context, p match.Player, g engine.Game, s engine.State, h *engine.History, b match.Bounds) (mean float64, list []Outcome, err error) {
	known := map[string]float64{} // by packed position
	next, mark := g.NewState(), h.Len()
	var packed []byte
	for _, o := range s.Chance(nil) {
		next.CopyFrom(s)
		next.Apply(o.Code, h)
		packed = next.Pack(packed[:0])
		v, ok := known[string(packed)]
		if !ok {
			if v, err = ExpectedOf(ctx, p, g, next, h, b); err != nil {
				h.Truncate(mark)
				return 0, nil, err
			}
			known[string(packed)] = v
		}
		h.Truncate(mark)
		mean += o.Prob * v
		list = append(list, Outcome{o, v})
	}
	return mean, list, nil
}
