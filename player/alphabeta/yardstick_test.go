package alphabeta

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine"
)

// TestYardstick: the engine of Kon'reh is a yardstick, so its moves and node counts on a
// thousand positions of all rules stay as they were when it was first measured against.
func TestYardstick(t *testing.T) {
	const want = "193462 nodes, 02a15e5b633c59d3"
	hash, nodes := sha256.New(), int64(0)
	for i := range 1000 {
		rules := allRules[i%len(allRules)]
		g := game(t, rules)
		rng := rand.New(rand.NewPCG(7, uint64(i)))
		s, h := newState(g), g.NewHistory()
		for n := 3 + rng.IntN(90); ; n /= 2 {
			if wander(s, h, n, rng); s.Actor() != engine.Nobody {
				break
			}
		}
		e := New(g)
		r := e.Search(s, h, s.Legal(nil, h), 1+i%3, nil)
		fmt.Fprintf(hash, "%s %s %d %d\n", s.AppendPosition(nil), s.AppendAction(nil, r.Action), r.Value, r.Nodes)
		nodes += r.Nodes
	}
	if got := fmt.Sprintf("%d nodes, %.8x", nodes, hash.Sum(nil)); got != want {
		t.Errorf("the searches are %s, want %s", got, want)
	}
}
