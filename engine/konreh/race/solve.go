package race

import (
	"context"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// Verdict is the value of a race, or of a turn in it, for the player to move.
type Verdict int8

// The verdicts. Open means that neither player can run out the other's countdown: the
// game continues, or is drawn.
const (
	Lost Verdict = iota - 1
	Open
	Won
)

func (v Verdict) String() string { return [...]string{"lost", "open", "won"}[v+1] }

// Turn is all decisions of a turn, in order.
type Turn struct {
	Actions []engine.Action
	Verdict Verdict
	after   konreh.State
}

// Result is the value of a race, and every turn that may begin it.
type Result struct {
	// Verdict is the best of Turns.
	Verdict Verdict
	// Left is the number of own turns left of the side whose countdown decides: the
	// opponent's if the race is won or only the opponent counts down, else the player
	// to move.
	Left int
	// Depth is the depth of the proof in player turns: to the end of the countdown that
	// runs out, or to the end of the turn by which every countdown can be stopped.
	Depth int
	// Turns are all legal turns in the order of their actions; Keeping is the number of
	// them that keep the verdict.
	Turns   []Turn
	Keeping int
}

// Choice reports whether some turns keep the verdict and others do not.
func (r *Result) Choice() bool { return r.Keeping < len(r.Turns) }

// ErrNodes is returned for a race that takes more positions than allowed.
var ErrNodes = errors.New("the race takes more positions than allowed")

// Check returns why s cannot be solved: a turn must begin, after the opening, a countdown
// must run, and no limit of turns may end the game first.
func (v *Solver) Check(s *konreh.State) error {
	quiet, limit := s.Quiet()
	switch end := 2 * max(s.Reforge(0), s.Reforge(1)); {
	case s.Actor() == engine.Nobody || !s.BeginsTurn():
		return errors.New("no turn begins here")
	case s.Early():
		return fmt.Errorf("turn %d: rules about the opening still hold", s.Turn())
	case end == 0:
		return errors.New("no countdown runs")
	case v.stalemateLoses:
		return errors.New("stalemate=loss: races are solved where it is a draw")
	case limit > 0 && quiet+end >= limit:
		return fmt.Errorf("%d turns without progress: the limit of %d may end the game before the countdown", quiet, limit)
	case v.maxTurns > 0 && s.Turn()+end >= v.maxTurns:
		return fmt.Errorf("turn %d: the limit of %d may end the game before the countdown", s.Turn(), v.maxTurns)
	}
	return nil
}

// Solve solves the race in s, a position that Check accepts, as if the game began there.
// It returns ErrNodes if that takes more than nodes positions, 0 for no limit, and the
// cause of ctx if that ends first.
func (v *Solver) Solve(ctx context.Context, s *konreh.State, nodes int64) (*Result, error) {
	if err := v.Check(s); err != nil {
		return nil, fmt.Errorf("position %s: %w", s.AppendPosition(nil), err)
	}
	v.begin(ctx, nodes)
	own := s.Side()
	r := &Result{Turns: turns(nil, s, nil)}
	won, failed := v.hunt(r.Turns, s, own)
	lost, saved := v.hunt(r.Turns, s, 1-own)
	switch {
	case v.out && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case v.out:
		return nil, ErrNodes
	}
	r.Verdict = Lost
	for i := range r.Turns {
		t := &r.Turns[i]
		switch {
		case won[i]:
			t.Verdict = Won
		case lost[i]:
			t.Verdict = Lost
		}
		switch {
		case t.Verdict > r.Verdict:
			r.Verdict, r.Keeping = t.Verdict, 1
		case t.Verdict == r.Verdict:
			r.Keeping++
		}
	}
	mine, theirs := s.Reforge(own), s.Reforge(1-own)
	r.Left = mine
	if r.Verdict == Won || mine == 0 {
		r.Left = theirs
	}
	switch r.Verdict {
	case Won:
		r.Depth = 2 * theirs
	case Lost:
		r.Depth = 2*mine - 1
	default:
		r.Depth = max(2*saved-1, 2*failed)
	}
	return r, nil
}

// turns appends every legal turn of the side to move in s that begins with begun.
func turns(list []Turn, s *konreh.State, begun []engine.Action) []Turn {
	for _, a := range s.Legal(nil, nil) {
		t := Turn{Actions: append(begun[:len(begun):len(begun)], a)}
		t.after.CopyFrom(s)
		t.after.Apply(a, nil)
		if t.after.Actor() == s.Actor() && t.after.Turn() == s.Turn() {
			list = turns(list, &t.after, t.Actions)
			continue
		}
		list = append(list, t)
	}
	return list
}

// hunt reports for each turn that may begin the race in s whether hunter runs out the
// other side's countdown after it. With a shorter countdown more turns succeed: asking
// for 1 turn left, then for 2 and so on leaves out turns that have failed. depth is the
// number of the racer's turns until none is left, if hunter is to move, or until one
// fails, if the racer is; otherwise, and if no countdown runs, 0.
func (v *Solver) hunt(list []Turn, s *konreh.State, hunter engine.Side) (wins []bool, depth int) {
	wins = make([]bool, len(list))
	racer := 1 - hunter
	left := s.Reforge(racer)
	if left == 0 {
		return wins, 0
	}
	for i := range wins {
		wins[i] = true
	}
	alive := len(list)
	for k := 1; k <= left && alive > 0; k++ {
		v.ask(hunter, left-k)
		for i := range list {
			if wins[i] && !v.holds(&list[i].after, 0) {
				wins[i] = false
				alive--
			}
		}
		if depth == 0 && (alive == 0 || s.Side() == racer && alive < len(list)) {
			depth = k
		}
	}
	return wins, depth
}
