package diamondchess

import (
	"errors"
	"fmt"
	"math/bits"
)

// check refuses positions that break a rule. Positions need not be reachable: any pieces
// may be gone.
func (s *State) check() error {
	if err := s.checkPieces(); err != nil {
		return err
	}
	if s.pieces[0][town] == 0 || s.pieces[1][town] == 0 {
		if s.pieces[0][town]|s.pieces[1][town] == 0 {
			return errors.New("both towns are gone")
		}
		if s.phase != phaseStart {
			return errors.New("phase: a game without a town is over, and wants start")
		}
	}
	if s.phase != phaseStart && (s.seen > 0 || s.passes > 0) && s.phase != phaseStrike && s.phase != phasePack && s.phase != phaseSecond {
		return errors.New("seen, passes: nothing was seen or passed in the set-up")
	}
	if int(s.turn) > s.game.maxTurns || int(s.quiet) > s.game.noCapture || int(s.quiet) > int(s.turn) || int(s.seen) >= s.game.repetition || s.passes > 2 {
		return fmt.Errorf("turn %d, quiet %d, seen %d, passes %d: beyond what ends the game", s.turn, s.quiet, s.seen, s.passes)
	}
	if s.phase != phaseStart && (int(s.turn) >= s.game.maxTurns || int(s.quiet) >= s.game.noCapture || int(s.seen)+1 >= s.game.repetition || s.passes >= 2) {
		return errors.New("the game was over when this turn began")
	}
	return s.checkPhase()
}

func (s *State) checkPieces() error {
	for side := range uint8(2) {
		for kind, b := range s.pieces[side] {
			if n := bits.OnesCount64(b); n > fullSet[kind] {
				return fmt.Errorf("%s has %d %s: want at most %d", info.Sides[side], n, kindNames[kind], fullSet[kind])
			}
			if kind != orren && kind != khtsoyis && kind != sleeth && kind != ziri && b&river != 0 {
				return fmt.Errorf("a %s stands in the river, %s", kindNames[kind], squareName(bits.TrailingZeros64(b&river)))
			}
		}
		if b := s.pieces[side][town]; b&^edge != 0 || b&^sides[side] != 0 && !s.game.townFords {
			return fmt.Errorf("the town of %s stands on %s: want an edge square of its side", info.Sides[side], squareName(bits.TrailingZeros64(b)))
		}
		if s.spent[side]&^(s.pieces[side][gormoror]|s.pieces[side][rassimel]) != 0 {
			return errors.New("spent: only a gormoror and a rassimel absorb a hit")
		}
	}
	return nil
}

func (s *State) checkPhase() error {
	own := s.of(s.side)
	idle := s.moved == 0 && s.pack == 0 && !s.flown && !s.second
	switch {
	case s.moved&^own != 0 || s.flown && s.pieces[s.side][ziri] == 0:
		return errors.New("moved: want squares of the acting side's pieces")
	case (s.phase == phaseStrike) != (s.strikes > 0) || s.strikes > 2:
		return errors.New("strikes: want 1 or 2 in the phase strike, and none in others")
	case s.quiet < 0 && s.phase != phaseStrike:
		return errors.New("effect: only in the phase strike")
	case s.phase != phasePack && s.pack|s.two|s.three != 0:
		return errors.New("pack, two, three: only in the phase pack")
	}
	switch s.phase {
	case phaseSetup:
		if !idle || s.turn != 0 || s.quiet != 0 || s.seen != 0 || s.passes != 0 || s.spent != [2]uint64{} {
			return errors.New("set-up: nothing has moved, absorbed a hit or been counted yet")
		}
		return s.checkSetup()
	case phaseStart:
		if !idle {
			return errors.New("start: nothing has moved yet")
		}
	case phaseStrike:
		if !idle {
			return errors.New("strike: nothing has moved in a turn with an attack")
		}
		if b := s.pieces[s.side][khtsoyis]; b == 0 || !s.strikesFrom(bits.TrailingZeros64(b)) {
			return errors.New("strike: the khtsoyis has no target")
		}
	case phasePack:
		return s.checkPack()
	case phaseSecond:
		n := bits.OnesCount64(s.moved)
		if s.flown {
			n++
		}
		if !s.second || n == 0 || n > fullSet[cani] || n > 1 && s.moved&^s.pieces[s.side][cani] != 0 || n > 1 && s.flown {
			return errors.New("second: want one piece that has moved, or cani")
		}
	}
	return nil
}

func (s *State) checkSetup() error {
	n := [2]int{s.placed(0), s.placed(1)}
	if s.game.listed || n[0] != n[1]+int(s.side) || n[1] >= toPlace {
		return fmt.Errorf("set-up: %d and %d pieces with %s to place: want turns, from %s, up to %d", n[0], n[1], info.Sides[s.side], info.Sides[0], toPlace)
	}
	for side := range uint8(2) {
		want := uint64(1) << homes[side]
		for _, sq := range fill[side][:n[side]] {
			want |= 1 << sq
		}
		if got := s.of(side) | s.pieces[side][ziri]; got != want || s.pieces[side][town] != 1<<homes[side] || s.of(side)&s.pieces[side][ziri] != 0 {
			return fmt.Errorf("set-up: %s has not filled its squares in order", info.Sides[side])
		}
	}
	return nil
}

func (s *State) checkPack() error {
	own := s.pieces[s.side][cani]
	if s.moved&own == 0 || s.pack == 0 || s.pack&^(own&^s.moved) != 0 || s.three&^s.two != 0 || s.two&^s.pack != 0 {
		return errors.New("pack: want cani that have not moved, beside one that has")
	}
	if others := s.moved&^own != 0 || s.flown; others && !s.second || bits.OnesCount64(s.moved&^own)+int(asBit(s.flown)) > 1 {
		return errors.New("pack: another piece has moved before the first move was over")
	}
	if s.packMoves() {
		return nil
	}
	return errors.New("pack: no member can move")
}
