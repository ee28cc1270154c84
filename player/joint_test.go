package player

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
)

// sums is a network whose answers depend on every input and cell of a row, and which
// notes the largest batch.
type sums struct {
	info    *engine.Info
	mu      *sync.Mutex
	largest *int
	fails   bool
}

func (n *sums) Forward(planes, globals []float32, offsets, cells []int32, logits, wdl, turns []float32) error {
	rows := len(offsets) - 1
	n.mu.Lock()
	*n.largest = max(*n.largest, rows)
	n.mu.Unlock()
	if n.fails {
		return errors.New("it fails")
	}
	f := &n.info.Features
	p, g := f.Planes*f.Cells(), f.Globals
	for i := range rows {
		sum := float32(1)
		for k, x := range slices.Concat(planes[i*p:(i+1)*p], globals[i*g:(i+1)*g]) {
			sum += x * float32(k%17) / 16
		}
		for k := offsets[i]; k < offsets[i+1]; k++ {
			logits[k] = float32(int(sum*16)*int(cells[k]+3)%7) / 4
		}
		wdl[3*i], wdl[3*i+1], wdl[3*i+2], turns[i] = sum/8, 0.5, -sum/16, 3
	}
	return nil
}

// timeOf is what differs between two searches.
var timeOf = regexp.MustCompile(`Time:\S+`)

// TestJointSearchesAreTheSame: twelve searches at a time by two networks find what each
// finds alone, in batches of more than one position, and all learn of a failure.
func TestJointSearchesAreTheSame(t *testing.T) {
	g, err := tictactoe.Family.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	largest := 0
	networks := func(fails bool) (list []mcts.Network) {
		for range 2 {
			list = append(list, &sums{g.Info(), &mu, &largest, fails})
		}
		return list
	}
	cfg := mcts.DefaultConfig()
	cfg.Simulations = 150
	search := func(network mcts.Network, number int) string {
		p, err := NewNet(g, network, cfg)
		if err != nil {
			t.Error(err)
			return ""
		}
		s, h := g.NewState(), g.NewHistory()
		s.Start(h)
		s.Apply(s.Legal(nil, h)[number%9], h)
		x, err := match.Analyze(t.Context(), p, 1, s, h)
		return fmt.Sprintf("%+v %v", x, err)
	}
	strip := func(text string) string { return timeOf.ReplaceAllString(text, "") }
	want := make([]string, 12)
	for i := range want {
		want[i] = strip(search(networks(false)[0], i))
	}
	largest = 0
	for _, most := range []int{8, 3} {
		j := NewJoint(g.Info(), most, networks(false)...)
		var group sync.WaitGroup
		for i := range want {
			group.Go(func() {
				m := j.Member()
				for range 3 {
					if got := strip(search(m, i)); got != want[i] {
						t.Errorf("search %d in batches of %d: %s, want %s", i, most, got, want[i])
					}
				}
			})
		}
		group.Wait()
		if largest < 2 || largest > 8 || len(j.free) != 2 || len(j.waiting) != 0 {
			t.Errorf("batches of %d: up to %d, %d networks and %d positions are left", most, largest, len(j.free), len(j.waiting))
		}
	}
	j := NewJoint(g.Info(), 8, networks(true)...)
	var group sync.WaitGroup
	for i := range want {
		group.Go(func() {
			if got := search(j.Member(), i); got != "<nil> it fails" {
				t.Errorf("%s", got)
			}
		})
	}
	group.Wait()
}

// TestTogetherPlayersShareACache, others do not; without a cache there is none.
func TestTogetherPlayersShareACache(t *testing.T) {
	info := game(t, &tictactoe.Family).Info()
	for _, together := range []bool{false, true} {
		o := &Opened{Together: together}
		one, two := o.newCache(info, 10), o.newCache(info, 10)
		if one == nil || (one == two) != together || o.newCache(info, 0) != nil {
			t.Errorf("together %v: the caches of two players are the same: %v", together, one == two)
		}
	}
}
