package player

import (
	"runtime"
	"sync"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/mcts"
)

// Joint evaluates the positions of several searches together, which each have one at a
// time: eight in a batch take little more than half of the time of eight batches of one.
// What a network answers to a position does not depend on the others of its batch, so that
// searches are the same alone.
//
// Nobody waits for a batch to be full, as nobody knows who is still searching. A search
// that has a position lets the other goroutines run, which come to a position too, and
// then, if a network is free, evaluates all that wait.
type Joint struct {
	info *engine.Info
	most int // positions in a batch

	mu      sync.Mutex
	free    []mcts.Network
	waiting []*jointRequest // the first that came first
}

// NewJoint returns a Joint that evaluates batches of up to most positions of a game's
// family by networks, which compute the same and are used by nobody else: as many batches
// at a time.
func NewJoint(info *engine.Info, most int, networks ...mcts.Network) *Joint {
	return &Joint{info: info, most: most, free: networks}
}

// Member returns a network for one search at a time, of one position at a time.
func (j *Joint) Member() mcts.Network {
	return &jointMember{joint: j, request: jointRequest{wake: make(chan mcts.Network, 1)}}
}

// jointRequest is a position to evaluate.
type jointRequest struct {
	planes, globals    []float32
	cells              []int32
	logits, wdl, turns []float32
	err                error
	// wake tells who waits: nil if it is evaluated, or the network to do so with. called
	// says that it has or was handed one: nobody hands it another.
	wake   chan mcts.Network
	called bool
}

type jointMember struct {
	joint   *Joint
	request jointRequest
	batch   jointBatch
}

// Forward implements [mcts.Network]. Rows of a larger batch come one after the other.
func (m *jointMember) Forward(planes, globals []float32, offsets, cells []int32, logits, wdl, turns []float32) error {
	f := &m.joint.info.Features
	p, g := f.Planes*f.Cells(), f.Globals
	for i := range len(offsets) - 1 {
		r := &m.request
		r.planes, r.globals = planes[i*p:(i+1)*p], globals[i*g:(i+1)*g]
		r.cells, r.logits = cells[offsets[i]:offsets[i+1]], logits[offsets[i]:offsets[i+1]]
		r.wdl, r.turns = wdl[3*i:3*i+3], nil
		if turns != nil {
			r.turns = turns[i : i+1]
		}
		if err := m.joint.evaluate(r, &m.batch); err != nil {
			return err
		}
	}
	return nil
}

// evaluate returns once r is evaluated; batch is scratch.
func (j *Joint) evaluate(r *jointRequest, batch *jointBatch) error {
	j.mu.Lock()
	r.called = false
	j.waiting = append(j.waiting, r)
	j.mu.Unlock()
	runtime.Gosched()
	j.mu.Lock()
	var network mcts.Network
	if n := len(j.free); n > 0 && !r.called && j.waits(r) {
		network, j.free = j.free[n-1], j.free[:n-1]
		r.called = true
	}
	j.mu.Unlock()
	for {
		if network == nil {
			if network = <-r.wake; network == nil {
				return r.err
			}
		}
		j.mu.Lock()
		if !j.waits(r) { // somebody else evaluates it by now
			j.release(network)
			j.mu.Unlock()
			network = nil
			continue
		}
		batch.take(j.waiting[:min(j.most, len(j.waiting))])
		j.waiting = append(j.waiting[:0], j.waiting[len(batch.requests):]...)
		j.mu.Unlock()
		err := batch.run(network)
		own := false
		for _, other := range batch.requests {
			if own = own || other == r; other != r {
				other.err = err
				other.wake <- nil
			}
		}
		if own {
			j.mu.Lock()
			defer j.mu.Unlock()
			j.release(network)
			return err
		}
	}
}

// release hands a network to the first who waits and was not handed one, or nobody. j.mu
// is held.
func (j *Joint) release(network mcts.Network) {
	for _, r := range j.waiting {
		if !r.called {
			r.called = true
			r.wake <- network
			return
		}
	}
	j.free = append(j.free, network)
}

// waits tells whether nobody has taken r yet. j.mu is held.
func (j *Joint) waits(r *jointRequest) bool {
	for _, other := range j.waiting {
		if other == r {
			return true
		}
	}
	return false
}

// jointBatch is memory for the rows of a batch.
type jointBatch struct {
	requests        []*jointRequest
	planes, globals []float32
	offsets, cells  []int32
	logits          []float32
	wdl, turns      []float32
}

// take gathers requests.
func (b *jointBatch) take(requests []*jointRequest) {
	b.requests = append(b.requests[:0], requests...)
	b.planes, b.globals, b.cells, b.offsets = b.planes[:0], b.globals[:0], b.cells[:0], append(b.offsets[:0], 0)
	for _, r := range requests {
		b.planes, b.globals = append(b.planes, r.planes...), append(b.globals, r.globals...)
		b.cells = append(b.cells, r.cells...)
		b.offsets = append(b.offsets, int32(len(b.cells)))
	}
}

// run evaluates the requests and hands out the answers.
func (b *jointBatch) run(network mcts.Network) error {
	n := len(b.requests)
	b.logits, b.wdl, b.turns = grown(b.logits, len(b.cells)), grown(b.wdl, 3*n), grown(b.turns, n)
	if err := network.Forward(b.planes, b.globals, b.offsets, b.cells, b.logits, b.wdl, b.turns); err != nil {
		return err
	}
	for i, r := range b.requests {
		copy(r.logits, b.logits[b.offsets[i]:b.offsets[i+1]])
		copy(r.wdl, b.wdl[3*i:3*i+3])
		copy(r.turns, b.turns[i:i+1])
	}
	return nil
}

// grown is s with length n.
func grown(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	return s[:n]
}
