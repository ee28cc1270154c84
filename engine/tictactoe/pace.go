package tictactoe

// TurnsLeft implements [engine.Pacer]: most games fill the board.
func (s *State) TurnsLeft() int { return max(1, 9-s.Turn()) }
