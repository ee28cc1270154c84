package engine

import "fmt"

// SetUp puts the position of a line on s, with its history h; "" is the start.
func SetUp(s State, h *History, line string) error {
	if line == "" {
		s.Start(h)
		return nil
	}
	if err := s.ParsePosition(line); err != nil {
		return fmt.Errorf("position %q: %w", line, err)
	}
	s.Begin(h)
	return nil
}

// PlayWords plays moves on s, with its history, by their words.
func PlayWords(s State, h *History, words []string) error {
	for i, word := range words {
		a, err := s.ParseAction(word, h)
		if err != nil {
			return fmt.Errorf("move %d, %q: %w", i+1, word, err)
		}
		s.Apply(a, h)
	}
	return nil
}

// LineWords are the words of a line of play from s on, whose history is h.
func LineWords(g Game, s State, h *History, line []Action) []string {
	words := make([]string, len(line))
	next := g.NewState()
	next.CopyFrom(s)
	mark := h.Len()
	for i, x := range line {
		words[i] = string(next.AppendAction(nil, x))
		next.Apply(x, h)
	}
	h.Truncate(mark)
	return words
}
