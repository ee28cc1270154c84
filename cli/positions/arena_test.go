package positions

import (
	"fmt"
	"testing"

	"github.com/ludozero/ludozero/match"
)

// TestArenaMakesRoom: when a ruleset too many comes, all players are sent away.
func TestArenaMakesRoom(t *testing.T) {
	a := &arena{games: map[string]*jsonTable{}}
	for i := range maxPlayers {
		a.games[fmt.Sprint(i)] = &jsonTable{}
		if a.makeRoom(); i > 0 && a.games["0"].player == nil {
			t.Fatalf("players are sent away when there are %d", i)
		}
		a.games[fmt.Sprint(i)].player = struct{ match.Player }{}
	}
	if a.makeRoom(); a.games["0"].player != nil || len(a.games) != maxPlayers {
		t.Error("the players stay")
	}
}
