package engine

// AppendPossible appends what can be applied at s: legal actions at a player's
// decision, the codes of all outcomes at chance's, nothing after the end.
// scratch is working memory that is kept between calls.
func AppendPossible(dst []Action, scratch *[]Weighted, s State, h *History) []Action {
	if s.Actor() != Chance {
		return s.Legal(dst, h)
	}
	*scratch = s.Chance((*scratch)[:0])
	for _, w := range *scratch {
		dst = append(dst, w.Code)
	}
	return dst
}

// Draw is the outcome that a uniform random number u in [0, 1) falls on.
func Draw(outcomes []Weighted, u float64) Action {
	for _, o := range outcomes {
		if u -= o.Prob; u < 0 {
			return o.Code
		}
	}
	return outcomes[len(outcomes)-1].Code // the probabilities' rounding
}
