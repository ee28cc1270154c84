package match

import (
	"fmt"
	"math"

	"github.com/ludozero/ludozero/stats/rating"
)

// Estimate is a number with its 95 % interval.
type Estimate = rating.Estimate

// PairCounts counts pairs of games by the half points that A made in them.
type PairCounts = rating.PairCounts

// eloText writes an Elo difference for people: "+35 (95 %: -2 to +73)", and at
// the extremes, where there is no number, what the match has shown at 95 %.
func eloText(e Estimate) string {
	switch {
	case math.IsInf(e.Value, 1):
		return fmt.Sprintf("above %+.0f (95 %%; every game won, so no estimate)", e.Low)
	case math.IsInf(e.Value, -1):
		return fmt.Sprintf("below %+.0f (95 %%; every game lost, so no estimate)", e.High)
	}
	return fmt.Sprintf("%+.0f (95 %%: %+.0f to %+.0f)", e.Value, e.Low, e.High)
}
