package replay

import (
	"errors"
	"fmt"
	"math"

	"github.com/ludozero/ludozero/engine"
)

// Sample is one recorded decision as the trainer learns from it. The replay
// window fills it, the batch reads it; neither keeps the other's slices beyond
// the call they were handed in.
type Sample struct {
	// Game is the ruleset that the position is of. All samples of one batch
	// share its Info, not necessarily the ruleset.
	Game engine.Game
	// Packed is the position, as State.Pack wrote it under Game.
	Packed []byte
	// Actions are the legal actions, ascending.
	Actions []engine.Action
	// Policy is the probability of each action in the policy target, in the
	// order of Actions, summing to 1. Nil: the row has no policy target and
	// trains the value alone.
	Policy []float32
	// Value is the probability of win, draw and loss in the acting player's
	// view: the outcome itself, or a mixture with what the search expected.
	Value [3]float32
	// TurnsLeft is the number of player turns until the game ended.
	// TurnsUnknown says that it was not played to its end: the row does not
	// train the turns left, and TurnsLeft is 0.
	TurnsLeft    float32
	TurnsUnknown bool
	// Generation of the network that played, counted as the run does:
	// below 0 if it is one of an ancestor's before the last, see Window.Inherit.
	Generation int32
	// ReplyActions are the legal actions of the opponent's next searched decision,
	// ascending, as the side that it was made for writes them; Reply is the
	// probability of each in its policy target, summing to 1. Empty: the row has
	// no reply to learn.
	ReplyActions []engine.Action
	Reply        []float32
	// ReplyTurned says that the reply was made for the other side, so that a game
	// which turns the board wrote it from the other seat.
	ReplyTurned bool
	// Weight scales the row's part in every loss. 0 switches the row off.
	Weight float32
}

// sumTolerance is how far the target probabilities of a sample may be from
// summing to 1. Records hold them in 16-bit fixed point, so that up to a few
// hundred actions each off by half a step stay well below it.
const sumTolerance = 1e-2

// Check reports every way in which the numbers of s cannot be a training row.
// It does not look at the packed position.
func (s *Sample) Check() error {
	var errs []error
	if s.Game == nil {
		errs = append(errs, errors.New("no game"))
	}
	if len(s.Actions) == 0 {
		errs = append(errs, errors.New("no legal actions"))
	}
	errs = checkPolicy(errs, "", s.Actions, s.Policy)
	if len(s.ReplyActions) > 0 || len(s.Reply) > 0 {
		if s.Reply == nil {
			errs = append(errs, errors.New("reply actions without a policy"))
		}
		errs = checkPolicy(errs, "reply ", s.ReplyActions, s.Reply)
	}
	if err := checkProbs("value", s.Value[:]); err != nil {
		errs = append(errs, err)
	}
	if !(s.TurnsLeft >= 0) || math.IsInf(float64(s.TurnsLeft), 0) {
		errs = append(errs, fmt.Errorf("turns left %g: want a finite number >= 0", s.TurnsLeft))
	}
	if !(s.Weight >= 0) || math.IsInf(float64(s.Weight), 0) {
		errs = append(errs, fmt.Errorf("weight %g: want a finite number >= 0", s.Weight))
	}
	return errors.Join(errs...)
}

// checkPolicy appends what is wrong with actions or, unless it is nil, with the
// policy over them; of precedes their names.
func checkPolicy(errs []error, of string, actions []engine.Action, policy []float32) []error {
	for i := 1; i < len(actions); i++ {
		if actions[i] <= actions[i-1] {
			errs = append(errs, fmt.Errorf("%saction %d follows %d: want ascending order", of, actions[i], actions[i-1]))
			break
		}
	}
	if policy == nil {
		return errs
	}
	if len(policy) != len(actions) {
		errs = append(errs, fmt.Errorf("%spolicy of %d probabilities for %d actions", of, len(policy), len(actions)))
	}
	if err := checkProbs("policy", policy); err != nil {
		errs = append(errs, fmt.Errorf("%s%w", of, err))
	}
	return errs
}

func checkProbs(name string, probs []float32) error {
	var sum float64
	for i, p := range probs {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("%s probability %d is %g: want 0 to 1", name, i, p)
		}
		sum += float64(p)
	}
	if math.Abs(sum-1) > sumTolerance {
		return fmt.Errorf("%s sums to %g, want 1", name, sum)
	}
	return nil
}
