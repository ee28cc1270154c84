package record

import (
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/stats/interval"
)

// ReasonResignation is the end of a game that is not over by its rules: the
// player of its last row resigned and lost.
const ReasonResignation = "resignation"

// checkResignation reports what a row on its own says wrong of a resignation.
func (r *Row) checkResignation() error {
	if !r.Resigns || r.Reason != ReasonResignation {
		return nil
	}
	if r.Outcome != -1 {
		return fmt.Errorf("outcome %d of a player who resigned: want -1", r.Outcome)
	}
	if len(r.After) != 0 {
		return errors.New("the game goes on after its player resigned")
	}
	return nil
}

// resignsOnce checks a row against the rules of resignation within its game: marked
// says that a row before it resigns, last that it is the last one.
func (r *Row) resignsOnce(marked, last bool) error {
	switch {
	case r.Resigns && marked:
		return fmt.Errorf("game %d: resigns a second time", r.GameNumber)
	case r.Reason != ReasonResignation:
	case r.Resigns && !last:
		return fmt.Errorf("game %d: goes on after its player resigned", r.GameNumber)
	case !r.Resigns && last:
		return fmt.Errorf("game %d: ends by resignation, but its last row does not resign", r.GameNumber)
	}
	return nil
}

// Resignations counts resignations in a number of games.
type Resignations struct {
	// Resigned games ended by it.
	Resigned int
	// PlayedOn games went on although a player would have resigned; of these,
	// Wrong ones that player drew or won; Repeated ones are the same as another from first
	// action to last, and no evidence.
	PlayedOn, Wrong, Repeated int
}

// Add counts a game, all of whose rows these are.
func (n *Resignations) Add(game []Row) {
	for i := range game {
		r := &game[i]
		switch {
		case !r.Resigns:
			continue
		case r.Reason == ReasonResignation:
			n.Resigned++
		default:
			n.PlayedOn++
			if r.Outcome >= 0 {
				n.Wrong++
			}
		}
		return
	}
}

// maxWrong is the share of wrong resignations that AlphaGo Zero kept below.
// Wilson's interval is too sure of itself where such a share of the games is
// less than one: fewer than fewPlayedOn are not judged by it.
const (
	maxWrong    = 0.05
	fewPlayedOn = 20
)

// ErrorRate is the share of games played on whose player would have been wrong
// to resign, with Wilson's interval of 95 % by those that repeat no other: 0 to 1 if no game was played on.
func (n *Resignations) ErrorRate() (rate, low, high float64) {
	if n.PlayedOn == 0 {
		return 0, 0, 1
	}
	rate = float64(n.Wrong) / float64(n.PlayedOn)
	low, high = interval.Wilson(rate, float64(n.PlayedOn-n.Repeated), interval.Normal95)
	return rate, low, high
}

// Advice says what to do about resignations that are wrong too often: more than
// 5 % of them even at the lower end of the interval, in at least 20 different games. It is
// empty otherwise.
func (n *Resignations) Advice() string {
	if _, low, _ := n.ErrorRate(); low > maxWrong && n.PlayedOn-n.Repeated >= fewPlayedOn {
		return "threshold too low"
	}
	return ""
}
