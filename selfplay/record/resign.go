package record

import (
	"errors"
	"fmt"
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

// resignsOnce holds a row to the rules of resignation within its game: marked
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
