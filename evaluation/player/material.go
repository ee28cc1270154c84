package player

import (
	"bytes"

	"github.com/ludozero/ludozero/engine"
)

// Material is implemented by states of games in which a count of what stands on
// the board says who is ahead.
type Material interface {
	// Material is the worth of what player p owns, in units of the game's
	// smallest piece. It does not allocate.
	Material(p engine.Player) float32
}

// evenMaterial is the lead, in units of the smallest piece, that minimax takes
// for half of maxJudged.
const evenMaterial = 10

// judge values positions that a search does not look beyond.
type judge struct {
	// material is p's worth in s; nil where nothing is known and every position
	// counts as even.
	material func(s engine.State, p engine.Player) float32
}

// judgeOf prefers what the game itself says, then what this package knows.
func judgeOf(g engine.Game) judge {
	if _, ok := g.NewState().(Material); ok {
		return judge{func(s engine.State, p engine.Player) float32 { return s.(Material).Material(p) }}
	}
	if g.Info().Name == "konreh" {
		k := &konrehMaterial{}
		return judge{k.of}
	}
	return judge{}
}

// value is the judgement of s in p's view, within ±maxJudged.
func (j judge) value(s engine.State, p engine.Player) float32 {
	if j.material == nil {
		return 0
	}
	lead := j.material(s, p) - j.material(s, p.Other())
	return maxJudged * lead / (evenMaterial + max(lead, -lead))
}

// konrehMaterial counts Kon'reh pieces in the position line, so that this
// package needs no game. Blue is worth its piece and half a Red for each special
// it has left; a side without Blue pays one Red for every turn of its Reforge
// countdown that has passed.
type konrehMaterial struct{ line []byte }

// konrehPieces is the worth of side 0's letters and konrehReforge the length of
// the countdown under most presets; after a shorter one the penalty starts high,
// which is as it should be.
var konrehPieces = [...]struct {
	letter byte
	worth  float32
}{{'R', 1}, {'O', 2}, {'G', 3}, {'B', 5}}

const (
	konrehReforge = 5
	konrehSpecial = 0.5
)

func (k *konrehMaterial) of(s engine.State, p engine.Player) float32 {
	side := s.SideOf(p)
	k.line = s.AppendPosition(k.line[:0])
	board, rest, _ := bytes.Cut(k.line, space)
	_, rest, _ = bytes.Cut(rest, space) // side to move
	_, rest, _ = bytes.Cut(rest, space) // phase
	blue, rest, _ := bytes.Cut(rest, space)
	lower := byte(0)
	if side == 1 {
		blue, _, _ = bytes.Cut(rest, space)
		lower = 'a' - 'A'
	}
	sum := float32(0)
	for _, c := range board {
		for _, piece := range konrehPieces {
			if c == piece.letter+lower {
				sum += piece.worth
			}
		}
	}
	for _, c := range blue {
		if c == ',' {
			break
		}
		if c == 'H' || c == 'D' {
			sum += konrehSpecial
		}
	}
	if i := bytes.Index(blue, countdown); i >= 0 && i+2 < len(blue) {
		if left := blue[i+2] - '0'; left > 0 && left < konrehReforge {
			sum -= float32(konrehReforge - left)
		}
	}
	return sum
}

var space, countdown = []byte(" "), []byte(",c")
