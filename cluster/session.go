package cluster

import (
	"context"
	"sync"
	"time"

	"github.com/ludozero/ludozero/selfplay"
)

// session is the play of one task by a worker: it hands out the numbers of its games.
type session struct {
	task     Task
	counters selfplay.Counters // of self-play
	hungry   func()            // called when it has no game left to hand out, once until leases come

	mu      sync.Mutex
	held    []*held // in the order of their grants
	dropped map[uint64]bool
	ended   bool
	asked   bool          // hungry was called
	more    chan struct{} // closed when more may begin or ended is set

	// Of a concurrent run, nil otherwise: who plays by a task, the newest of which is task,
	// and all tasks by their networks; what Worker.steer said, and how many games may begin
	// before it says more.
	players      map[Task]*selfplay.Player
	tasks        map[int]Task
	full, enough bool
	part         int64 // of a generation's games, that is the worker's
	mayBegin     int64
}

// held is a lease that is played.
type held struct {
	Lease
	next     int64 // game to begin next
	done     int   // games finished
	ended    map[int64]bool
	finished []*result // and in no parcel yet
	packed   time.Time // when a parcel was made of finished, or the lease came
}

func newSession(t Task, hungry func()) *session {
	return &session{task: t, hungry: hungry, dropped: map[uint64]bool{}, more: make(chan struct{})}
}

// begin returns the game to begin next, if there is one, and in a concurrent run who plays
// it.
func (s *session) begin() (number int64, by *selfplay.Player, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var first *held
	for _, h := range s.held {
		// Somebody waits for the games of an exact lease.
		if s.rest(h) > 0 && (first == nil || h.Exact && !first.Exact) {
			first = h
		}
	}
	if first != nil {
		first.next++
		t := s.task
		if first.Exact {
			t = first.Task
		} else {
			s.mayBegin--
		}
		return first.next - 1, s.players[t], true
	}
	if !s.asked {
		s.asked = true
		s.hungry()
	}
	return 0, nil, false
}

// rest is how many games of a lease may begin. The caller has locked s.
func (s *session) rest(h *held) int {
	switch {
	case s.dropped[h.Fence]:
		return 0
	case s.players == nil || h.Exact && !s.full:
		return int(h.End - h.next)
	case s.full || s.enough:
		return 0
	}
	return int(max(0, min(h.End-h.next, s.mayBegin)))
}

// wait waits until there is a game to begin; false: there will be none.
func (s *session) wait(ctx context.Context) (bool, error) {
	for {
		s.mu.Lock()
		more, ended, left := s.more, s.ended, s.left()
		s.mu.Unlock()
		switch {
		case ended:
			return false, nil
		case left > 0:
			return true, nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// left is how many games are still to begin. The caller has locked s.
func (s *session) left() int {
	n := 0
	for _, h := range s.held {
		n += s.rest(h)
	}
	return n
}

// add takes leases of the session's task, each once.
func (s *session) add(leases []Lease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range leases {
		known := false
		for _, h := range s.held {
			known = known || h.Fence == l.Fence
		}
		if !known {
			s.held = append(s.held, &held{Lease: l, next: l.First, ended: map[int64]bool{}, packed: time.Now()})
		}
	}
	s.tellMore()
}

// tellMore says that games may begin. The caller has locked s.
func (s *session) tellMore() {
	s.asked = false
	close(s.more)
	s.more = make(chan struct{})
}

// drop begins no more games of leases. Those that were begun are finished.
func (s *session) drop(fences []uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range fences {
		s.dropped[f] = true
	}
	// A lease goes when none of its games is in flight.
	kept := s.held[:0]
	for _, h := range s.held {
		if !s.dropped[h.Fence] || int64(h.done) < h.next-h.First || len(h.finished) > 0 {
			kept = append(kept, h)
		}
	}
	clear(s.held[len(kept):])
	s.held = kept
}

// end hands out no more games.
func (s *session) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		s.ended = true
		close(s.more)
	}
}

// holds lists the leases for a Report, and how many games are in flight or to begin.
func (s *session) holds() (list []Hold, games int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.held {
		games += int(h.next-h.First) - h.done
		if !s.dropped[h.Fence] {
			games += int(h.End - h.next)
			list = append(list, Hold{h.Lease, h.done})
		}
	}
	return list, games
}

// finish takes a game that has ended and returns the games to be packed, with the lease
// they are of: those of a lease that is complete.
func (s *session) finish(f *result) (games []*result, l Lease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.held {
		// Two leases may have the same game, if it was given to this worker again.
		if f.number < h.First || f.number >= h.next || h.ended[f.number] {
			continue
		}
		h.done++
		h.ended[f.number] = true
		h.finished = append(h.finished, f)
		if int64(h.done) == h.End-h.First || s.dropped[h.Fence] {
			return h.take(), h.Lease
		}
		return nil, h.Lease
	}
	return nil, Lease{}
}

// aged returns the finished games of some lease whose last parcel is older than packAfter,
// nil if there are none. In a concurrent run it does not wait for more if there are many, or
// none are in flight: the network that played them grows old.
func (s *session) aged() ([]*result, Lease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	inFlight := int64(0)
	for _, h := range s.held {
		inFlight += h.next - h.First - int64(h.done)
	}
	for _, h := range s.held {
		ripe := s.players != nil && (10*int64(len(h.finished)) >= s.part || inFlight == 0)
		if len(h.finished) > 0 && (ripe || time.Since(h.packed) >= packAfter) {
			return h.take(), h.Lease
		}
	}
	return nil, Lease{}
}

func (h *held) take() []*result {
	games := h.finished
	h.finished, h.packed = nil, time.Now()
	return games
}

// unpacked returns the finished games of some lease that are in no parcel yet, nil if there
// are none.
func (s *session) unpacked() ([]*result, Lease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.held {
		if len(h.finished) > 0 {
			return h.take(), h.Lease
		}
	}
	return nil, Lease{}
}
