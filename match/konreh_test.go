package match_test

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/match"
)

// TestKonrehOpeningsLeaveABalancedStart needs openings of four turns to end where
// side A begins a turn, owned by the player who began, and nothing of the start
// balance is left to be decided, under every kind of balance.
func TestKonrehOpeningsLeaveABalancedStart(t *testing.T) {
	for _, rules := range []string{"standard", "balance=single", "balance=pie", "balance=pie-double", "balance=double-pie"} {
		g, err := konreh.Family.Parse(rules)
		if err != nil {
			t.Fatal(err)
		}
		cfg := match.Config{Pairs: 10, OpeningTurns: 4, MaxTurns: 600, Workers: 2, Seed: 1}
		p := contestant(t, "random", g)
		r := matchOf(t, cfg, g, p, p)
		if r.DistinctOpenings != 10 || r.RepeatedGames != 0 {
			t.Errorf("%s: %d distinct openings, %d repeated games", rules, r.DistinctOpenings, r.RepeatedGames)
		}
		for i := 0; i < len(r.Games); i += 2 {
			words := strings.Fields(r.Games[i].Moves)[:r.Games[i].Opening]
			fields := strings.Fields(string(replay(t, g, words).AppendPosition(nil)))
			if fields[1] != "A" || fields[2] != "m" || fields[6] != "4" {
				t.Errorf("%s: opening %v ends in %v", rules, words, fields)
			}
			if !strings.HasPrefix(r.Games[i+1].Moves, strings.Join(words, " ")) {
				t.Errorf("%s: games %d and %d have different openings", rules, i+1, i+2)
			}
		}
	}
}
