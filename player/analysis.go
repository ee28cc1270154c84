package player

import "github.com/ludozero/ludozero/match"

// shareBest gives the moves with the highest value equal shares of the policy.
func shareBest(moves []match.Move) {
	best, count := -2.0, 0
	for _, m := range moves {
		switch {
		case m.Value > best:
			best, count = m.Value, 1
		case m.Value == best:
			count++
		}
	}
	for i := range moves {
		if moves[i].Value == best {
			moves[i].Prob = 1 / float64(count)
		}
	}
}
