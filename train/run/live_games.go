package run

import (
	"context"
	"sync"

	"github.com/ludozero/ludozero/selfplay"
)

// liveGames is a selfplay.Source that goes on while networks are trained: each
// game gets its number and the newest network at one moment, so that generations
// never fall from game to game. It hands out no game that is too far ahead of
// what was learned.
//
// That bounds the networks with games in flight, too: shards are learned in
// order of game number, so that while game n goes on no generation is complete
// that needs it. With games at most two generations ahead, game n is played by
// generation n/g - 2 at least, if g games make one, and the newest is n/g at
// most: there are three.
type liveGames struct {
	first int64
	end   int64 // no game from here on is ever needed

	mu     sync.Mutex
	player *selfplay.Player // the newest
	next   int64
	limit  int64         // no game from here on is begun now
	raised chan struct{} // closed when limit is raised
}

func newLiveGames(first, limit, end int64, p *selfplay.Player) *liveGames {
	return &liveGames{first: first, end: end, player: p, next: first, limit: limit, raised: make(chan struct{})}
}

// First is the number of the first game.
func (l *liveGames) First() int64 { return l.first }

// Next hands out the next game, if one may begin now.
func (l *liveGames) Next() (selfplay.Assignment, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.next >= min(l.limit, l.end) {
		return selfplay.Assignment{}, false
	}
	l.next++
	return selfplay.Assignment{Number: l.next - 1, Player: l.player}, true
}

// Wait waits until a game may begin; false if none ever will.
func (l *liveGames) Wait(ctx context.Context) (bool, error) {
	for {
		l.mu.Lock()
		next, limit, raised := l.next, l.limit, l.raised
		l.mu.Unlock()
		switch {
		case next >= l.end:
			return false, nil
		case next < limit:
			return true, nil
		}
		select {
		case <-raised:
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// publish makes p the network of the games that begin from now on.
func (l *liveGames) publish(p *selfplay.Player) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.player = p
}

// allow lets games below limit begin.
func (l *liveGames) allow(limit int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.limit = limit
	close(l.raised)
	l.raised = make(chan struct{})
}
