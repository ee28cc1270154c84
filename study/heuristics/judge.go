package heuristics

import (
	"context"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/match"
)

// Judge finds what acts gain. Of each alternative one network chooses the best move, and
// another one says what is expected after it: the best of many noisy values is too high
// on average, and by more where there are more moves to choose from, but the value that
// another network gives to the move is none of those. Networks that were trained on the
// same games may still share what they misjudge.
//
// Network i judges what network i+1 has chosen, the last one what the first has. A Judge
// belongs to one goroutine.
type Judge struct {
	// Choosers and Judges are players of the same networks in the same order.
	Choosers, Judges []match.Player
	next             konreh.State
}

// Verdict is what one network makes of a choice.
type Verdict struct {
	// Act and Other are the moves that stand for the alternatives.
	Act   engine.Action `json:"act"`
	Other engine.Action `json:"other"`
	// Gain is the expected score after Act less that after Other, of who decides:
	// in [-1, 1].
	Gain float64 `json:"gain"`
	// Prefers says that the network that chose would rather have Act.
	Prefers bool `json:"prefers"`
}

// pickerSeed numbers the searches of a choice; networks draw nothing but the order of
// equal moves.
const pickerSeed = 1

// Ask judges a choice in s, whose history is h: a verdict of each network.
func (j *Judge) Ask(ctx context.Context, s *konreh.State, h *engine.History, x *Asked) ([]Verdict, error) {
	list := make([]Verdict, len(j.Judges))
	for i := range j.Judges {
		chooser := j.Choosers[(i+1)%len(j.Choosers)]
		v := &list[i]
		a, err := match.Analyze(ctx, chooser, pickerSeed, s, h)
		if err != nil {
			return nil, err
		}
		var act, other match.Move
		if act, err = j.best(ctx, chooser, s, h, a, x.Acts); err != nil {
			return nil, err
		}
		if other, err = j.best(ctx, chooser, s, h, a, x.Others); err != nil {
			return nil, err
		}
		v.Act, v.Other = act.Action, other.Action
		v.Prefers = act.Visits > other.Visits || act.Visits == other.Visits && act.Value > other.Value
		good, err := j.after(ctx, j.Judges[i], s, h, v.Act)
		if err != nil {
			return nil, err
		}
		bad, err := j.after(ctx, j.Judges[i], s, h, v.Other)
		if err != nil {
			return nil, err
		}
		v.Gain = (good - bad) / 2 // from values to scores
	}
	return list, nil
}

// best is the move of list that the analysis a prefers: that with the most visits, then
// with the higher value. Where none was visited the chooser looks into each.
func (j *Judge) best(ctx context.Context, chooser match.Player, s *konreh.State, h *engine.History, a *match.Analysis, list []engine.Action) (match.Move, error) {
	best := match.Move{Action: NoAction}
	for _, m := range a.Moves {
		for _, want := range list {
			if m.Action == want && m.Visits > 0 && (best.Action == NoAction || m.Visits > best.Visits || m.Visits == best.Visits && m.Value > best.Value) {
				best = m
			}
		}
	}
	if best.Action != NoAction {
		return best, nil
	}
	for _, want := range list {
		value := 0.0
		if len(list) > 1 {
			var err error
			if value, err = j.after(ctx, chooser, s, h, want); err != nil {
				return match.Move{}, err
			}
		}
		if best.Action == NoAction || value > best.Value {
			best = match.Move{Action: want, Value: value}
		}
	}
	return best, nil
}

// after is what p expects once a has been played in s, as a value of who decides in s.
func (j *Judge) after(ctx context.Context, p match.Player, s *konreh.State, h *engine.History, a engine.Action) (float64, error) {
	n := h.Len()
	defer h.Truncate(n)
	j.next = *s
	j.next.Apply(a, h)
	if o := j.next.Outcome(); o.Over {
		return float64(o.Value(s.Actor())), nil
	}
	x, err := match.Analyze(ctx, p, pickerSeed, &j.next, h)
	if err != nil {
		return 0, err
	}
	if j.next.Actor() == s.Actor() {
		return x.Value, nil
	}
	return -x.Value, nil
}
