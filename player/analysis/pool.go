package analysis

import (
	"slices"
	"sync"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// leastIdle is how many players wait for their next query at least, mostSpecs how many
// descriptions are kept: players of one share its network.
const (
	leastIdle = 16
	mostSpecs = 64
)

// pool keeps players from query to query: their memory and networks take longer to make
// than a short search.
type pool struct {
	most  int // idle players
	mu    sync.Mutex
	specs map[string]*player.Spec // by text
	idle  []idle                  // the longest idle first
}

// idle is a player that nobody asks.
type idle struct {
	key string
	one match.Player
}

// keyOf tells players apart.
func keyOf(spec *player.Spec, g engine.Game) string { return spec.Text + "\n" + g.Rules() }

// take returns a player of spec for g that nobody else asks.
func (p *pool) take(spec *player.Spec, g engine.Game) (match.Player, error) {
	p.mu.Lock()
	key := keyOf(spec, g)
	for i := len(p.idle) - 1; i >= 0; i-- {
		if p.idle[i].key == key {
			one := p.idle[i].one
			p.idle = slices.Delete(p.idle, i, i+1)
			p.mu.Unlock()
			return one, nil
		}
	}
	if known := p.specs[spec.Text]; known != nil {
		spec = known
	} else {
		if p.specs == nil || len(p.specs) >= mostSpecs {
			p.specs = map[string]*player.Spec{}
		}
		p.specs[spec.Text] = spec
	}
	p.mu.Unlock()
	return spec.New(g)
}

// give takes a player back.
func (p *pool) give(spec *player.Spec, g engine.Game, one match.Player) {
	p.mu.Lock()
	p.idle = append(p.idle, idle{keyOf(spec, g), one})
	var oldest match.Player
	if len(p.idle) > p.most {
		oldest, p.idle = p.idle[0].one, slices.Delete(p.idle, 0, 1)
	}
	p.mu.Unlock()
	match.Dismiss(oldest)
}

// dismiss sends all idle players away.
func (p *pool) dismiss() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, x := range p.idle {
		match.Dismiss(x.one)
	}
	p.idle = nil
}

// queue is a heap of jobs, the most urgent first.
type queue []*job

func (q queue) Len() int      { return len(q) }
func (q queue) Swap(i, k int) { q[i], q[k] = q[k], q[i] }

func (q queue) Less(i, k int) bool {
	if q[i].query.Priority != q[k].query.Priority {
		return q[i].query.Priority > q[k].query.Priority
	}
	return q[i].number < q[k].number
}

// Push implements heap.Interface.
func (q *queue) Push(x any) { *q = append(*q, x.(*job)) }

// Pop implements heap.Interface.
func (q *queue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	return x
}
