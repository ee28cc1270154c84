package konreh

// Under the presets that most games are played by, equal opponents that look two
// and three turns ahead took 130 to 160 player turns on average, half of the games
// 110 to 200, while the better of two very unequal ones won within 60.
const (
	usualTurns = 120
	leastTurns = 50
)

// TurnsLeft implements [engine.Pacer].
func (s *State) TurnsLeft() int {
	left := max(usualTurns-s.Turn(), leastTurns)
	if limit := s.game.rules.maxTurns; limit > 0 {
		left = min(left, limit-s.Turn())
	}
	return max(1, left)
}
