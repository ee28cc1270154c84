package player_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// A player is made of a line of text. It is asked for a move, for all that it knows of a
// position, or for what it finds out within other limits than its own.
func ExampleParse() {
	g, err := connect4.Family.Parse("")
	if err != nil {
		log.Fatal(err)
	}
	spec, err := player.Parse("mcts:sims=400", nil)
	if err != nil {
		log.Fatal(err)
	}
	p, err := spec.New(g)
	if err != nil {
		log.Fatal(err)
	}
	defer match.Dismiss(p)

	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	for _, word := range []string{"4", "1", "4", "1", "4", "1"} { // three in a column each
		a, err := s.ParseAction(word, h)
		if err != nil {
			log.Fatal(err)
		}
		s.Apply(a, h)
	}
	ctx := context.Background()
	if err := p.NewGame(ctx, 1); err != nil {
		log.Fatal(err)
	}
	move, err := p.Think(ctx, s, h, match.Bounds{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s plays %s\n", spec.Text, s.AppendAction(nil, move.Choice))

	quick, err := p.Think(ctx, s, h, match.Bounds{Simulations: 50, Analyze: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d simulations, %d moves, ended by its %s\n", quick.Simulations, len(quick.Moves), quick.Ending)
	// Output:
	// mcts:sims=400,cap=600 plays 4
	// 50 simulations, 7 moves, ended by its limit
}
