package konreh

import "github.com/ludozero/ludozero/engine"

// Reforge is the number of own turns in which side must plant, 0 with its Blue on
// the board or after the countdown has run out.
func (s *State) Reforge(side engine.Side) int { return s.blues[side&1].reforge() }

// Army is the pieces of side by kind, Red, Orange, Green, Blue, from its seat:
// bits 8a+b of the board turned so that its Home Apex is a1.
func (s *State) Army(side engine.Side) [4]uint64 {
	own, k0, k1 := s.occ[side&1], s.kind[0], s.kind[1]
	g := s.game.geo
	own, k0, k1 = g.seen(side, own), g.seen(side, k0), g.seen(side, k1)
	return [4]uint64{own &^ (k0 | k1), own & k0 &^ k1, own & k1 &^ k0, own & k0 & k1}
}

// Identity is all that makes a position where a turn begins the same as another
// for the repetition rule: unlike Hash, it is different for different ones.
func (s *State) Identity() [5]uint64 { return s.identity() }

// MaxTurns is the number of player turns after which a game is drawn, 0 for never.
func (g *Game) MaxTurns() int { return g.rules.maxTurns }
