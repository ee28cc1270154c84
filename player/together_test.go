package player

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
)

// TestOptionsTogether: networks with any options beside each other, asked in games with kept
// trees, moves by others, limits and takebacks, answer as they should.
func TestOptionsTogether(t *testing.T) {
	all := small(t)
	all["konreh"] = mustGame(t, "konreh", "micro,balance=double-pie")
	all["connect4"] = mustGame(t, "connect4", "")
	names := []string{"tictactoe", "pienim", "racegame", "konreh", "connect4"}
	options := strings.Fields("temperature=1 cache=0 cache=1 fold=true threads=2 leaves=1 leaves=9 leaves=40 proven=true look=1 look=2 look=3")
	tuning := strings.Fields("spread=1 fpu=0 root_fpu=2 choice=visits choice=bound moves_left=0 moves_left=1 bias=1 contempt=0.9 cpuct=0.1 cpuct=100")
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 5))
		g := all[names[seed%5]]
		o := opener{search: []string{"", mcts.SearchGumbel}[rng.IntN(2)]}
		text := []string{"net:a,sims=1", "net:a,sims=40", "net:a,time=1ms,edges=4096", "net:a,time=2ms", "net:a,time=clock"}[rng.IntN(5)]
		more := options
		if strings.Contains(text, "time") || o.search == "" {
			more = slices.Concat(options, tuning)
		}
		for range rng.IntN(6) {
			one := more[rng.IntN(len(more))]
			if name, _, _ := strings.Cut(one, "="); !strings.Contains(text, ","+name+"=") {
				text += "," + one
			}
		}
		p, err := o.parse(t, text).New(g)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		p.(*net).timer.now = ticking(200 * time.Microsecond)
		p.NewGame(t.Context(), seed)
		s, h, before, past := g.NewState(), g.NewHistory(), g.NewState(), g.NewHistory()
		s.Start(h)
		before.CopyFrom(s)
		past.CopyFrom(h)
		for s.Actor() != engine.Nobody && s.Turn() < 20 {
			if rng.IntN(3) == 0 || s.Actor() == engine.Chance {
				playRandomOn(s, h, 1, rng)
				continue
			}
			b := match.Bounds{Analyze: true, Play: rng.IntN(2) == 0, Lines: rng.IntN(2), Remaining: 40 * time.Millisecond, ByClock: rng.IntN(4) == 0}
			if rng.IntN(4) == 0 {
				b.Simulations = 1 + rng.IntN(60)
			}
			a, err := p.Think(t.Context(), s, h, b)
			if err != nil {
				t.Fatalf("%d: %s: %v", seed, text, err)
			}
			checkAnalysis(t, g, s, h, a, fmt.Sprintf("%d: %s, %+v", seed, text, b))
			if s.Apply(a.Choice, h); rng.IntN(20) == 0 {
				s.CopyFrom(before)
				h.CopyFrom(past)
			}
		}
	}
}
