package player

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
)

// TestCacheChangesNoMove plays games with players of one network that
// remember all, next to nothing and nothing: they choose alike, and the more
// they remember the less they ask. Folded they choose alike, too.
func TestCacheChangesNoMove(t *testing.T) {
	g := game(t, &connect4.Family)
	for _, fold := range []bool{false, true} {
		want, asked := "", 0
		for _, cache := range []int{0, 8, 65536} {
			var o opener
			text := fmt.Sprintf("net:a.st,sims=60,cache=%d,fold=%v", cache, fold)
			p, err := o.parse(t, text).New(g)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			rng := rand.New(rand.NewPCG(8, 1))
			for seed := range uint64(3) {
				p.NewGame(t.Context(), seed)
				s, h := g.NewState(), g.NewHistory()
				playRandom(s, h, 2, rng)
				for s.Actor() != engine.Nobody {
					a, err := choose(t.Context(), p, s, h)
					if err != nil {
						t.Fatal(err)
					}
					got += fmt.Sprint(a, " ")
					s.Apply(a, h)
				}
			}
			rows := o.made[0].rows
			t.Logf("%s: %d positions were evaluated", text, rows)
			if cache == 0 {
				want, asked = got, rows
			}
			if got != want {
				t.Errorf("%s chooses %s, without a cache %s", text, got, want)
			}
			if cache == 65536 && rows > asked*9/10 {
				t.Errorf("%s evaluated %d positions, without a cache %d", text, rows, asked)
			}
		}
	}
}

// TestFoldReachesTheNetwork: a player that folds is another one.
func TestFoldReachesTheNetwork(t *testing.T) {
	g := game(t, &connect4.Family)
	differ := 0
	s, h := g.NewState(), g.NewHistory()
	rng := rand.New(rand.NewPCG(5, 5))
	for range 30 {
		playRandom(s, h, 6, rng)
		if s.Actor() == engine.Nobody {
			continue
		}
		var o opener
		var moves []engine.Action
		for _, fold := range []string{"false", "true"} {
			p, err := o.parse(t, "net:a.st,sims=30,fold="+fold).New(g)
			if err != nil {
				t.Fatal(err)
			}
			a, err := choose(t.Context(), p, s, h)
			if err != nil {
				t.Fatal(err)
			}
			moves = append(moves, a)
		}
		if moves[0] != moves[1] {
			differ++
		}
	}
	if differ == 0 {
		t.Error("players that fold and players that do not choose alike in 30 positions")
	}
}
