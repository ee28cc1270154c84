package match_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// Two players meet in pairs of games with the seats swapped.
func ExamplePlay() {
	g, err := tictactoe.Family.Parse("")
	if err != nil {
		log.Fatal(err)
	}
	var sides []match.Contestant
	for _, text := range []string{"exact", "random"} {
		spec, err := player.Parse(text, nil)
		if err != nil {
			log.Fatal(err)
		}
		sides = append(sides, spec.Contestant(g))
	}
	cfg := match.DefaultConfig()
	cfg.Pairs, cfg.OpeningTurns, cfg.Seed = 10, 1, 7
	r, err := match.Play(context.Background(), cfg, g, sides[0], sides[1], nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s against %s: %d games, %d lost\n", r.A, r.B, r.Tally.Games(), r.Losses)
	// Output:
	// exact against random: 20 games, 0 lost
}

// A configuration that makes no sense is an error that names every key.
func ExampleConfig_Validate() {
	cfg := match.Config{Pairs: 0, OpeningTurns: -1, Clock: "five minutes"}
	fmt.Println(cfg.Validate())
	// Output:
	// pairs=0: want 1 to 10000000
	// opening_turns=-1: want 0 or more
	// clock="five minutes": want MINUTES+SECONDS, such as 5+3 or 0.5+0.1
}
