// Package player holds players of games: random play, exact play, searches with and
// without a network, and a parser that makes a player of one line of text. How a
// network is found and read is the caller's business; package open does it.
//
// A line is a kind, then an argument if the kind takes one, then options:
//
//	random
//	minimax:depth=2
//	alphabeta:depth=4
//	mcts:sims=400
//	net:PATH,sims=64
//
// Players answer one question, match.Player.Think, with a move, or on request with an
// analysis: the value of the position, a policy, the line that they expect.
//
// Players know a game through package engine alone; what minimax needs besides, a
// count of material, is an optional interface of its states. Kinds for one game alone,
// such as a solver, are packages of their own, built with [NewOracle] or [NewAlphaBeta]
// and listed in package kinds. A player owns its scratch memory and is used by one
// goroutine at a time.
package player

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
)

// Factory makes a player of one game, each time a new one with memory of its
// own. It is safe for concurrent use.
type Factory func(g engine.Game) (match.Player, error)

// ErrNoDecision is returned for a state in which no player is to decide.
var ErrNoDecision = errors.New("no player is to decide in this position")

// source is the random source of the players here: PCG with a bounded draw that
// costs one multiplication.
type source struct{ pcg rand.PCG }

// reseed starts the stream of one game. The second word only has to be fixed:
// evaluation hands out seeds that are hashes already.
func (r *source) reseed(seed uint64) { r.pcg.Seed(seed, 0x6c75646f7a65726f) }

// below returns a number in [0, n). Its bias is under n/2^64.
func (r *source) below(n int) int {
	hi, _ := bits.Mul64(r.pcg.Uint64(), uint64(n))
	return int(hi)
}

// unit returns a number in [0, 1).
func (r *source) unit() float64 { return float64(r.pcg.Uint64()>>11) / (1 << 53) }

// shuffle puts list into random order.
func (r *source) shuffle(list []engine.Action) {
	for i := len(list) - 1; i > 0; i-- {
		j := r.below(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}

// legal lists the choices at a player's decision.
func legal(dst []engine.Action, s engine.State, h *engine.History) ([]engine.Action, error) {
	if p := s.Actor(); p != engine.First && p != engine.Second {
		return dst, ErrNoDecision
	}
	dst = s.Legal(dst, h)
	if len(dst) == 0 {
		return dst, fmt.Errorf("a player is to decide but has no legal action: %s", s.AppendPosition(nil))
	}
	return dst, nil
}
