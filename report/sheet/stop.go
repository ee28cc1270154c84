package sheet

import (
	"fmt"
	"time"
)

// Stop says that an experiment ended at a limit of core time that was set before its
// games, and how far it came.
type Stop struct {
	// Round is the last that was played of Rounds.
	Round  int `json:"round"`
	Rounds int `json:"rounds"`
	// Limit is what was set.
	Limit time.Duration `json:"limit_ns"`
	// Asked are the sizes that were asked for, as flags.
	Asked string `json:"asked"`
}

// String says it in a sentence.
func (s *Stop) String() string {
	return fmt.Sprintf("Ended after round %d of %d, at the limit of %v of core time that was set beforehand. Rounds are whole and each has its share of all parts, so that no result had a say in it; asked for were %s.",
		s.Round, s.Rounds, s.Limit, s.Asked)
}
