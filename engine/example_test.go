package engine_test

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

// A game is parsed from its rules word and played with the words of its actions.
func Example() {
	g, err := tictactoe.Family.Parse("standard")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	for _, word := range []string{"b2", "a1", "c1", "a3", "a2", "c2", "b1"} {
		a, err := s.ParseAction(word, h)
		if err != nil {
			fmt.Println(err)
			return
		}
		s.Apply(a, h)
	}
	fmt.Print(s.Board(false))
	for _, a := range s.Legal(nil, h) {
		fmt.Printf("%v may play %s\n", s.Actor(), s.AppendAction(nil, a))
	}
	_, err = s.ParseAction("b2", h)
	fmt.Println(err)
	// Output:
	// 3  o . .
	// 2  x x o
	// 1  o x x
	//    a b c
	// second may play b3
	// second may play c3
	// move b2: the cell is taken
}

// A rules word is a preset, with options if the family has any. Errors name what is
// wrong and what is allowed.
func ExampleFamily_Parse() {
	_, err := tictactoe.Family.Parse("large")
	fmt.Println(err)
	// Output:
	// rules of tictactoe: tictactoe has no preset "large": want one of standard
}

// Perft counts the lines of play of a given length, to test the rules of a game.
func ExamplePerft() {
	g, err := tictactoe.Family.Parse("")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	fmt.Println(engine.Perft(g, s, h, 3))
	// Output: 504
}
