package table

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/report/board"
)

// Past is the position after some decisions of the game, to look back at. The other
// fields are as in [View].
type Past struct {
	Steps int `json:"steps"`
	Drawn
}

// Drawn is a position as a page shows it.
type Drawn struct {
	// Picture is the board, with the decisions of the last turn marked.
	Picture *engine.Picture `json:"picture"`
	// Boards are the picture drawn as SVG, bare as [board.Options] describes it,
	// with side 0 and with side 1 at the bottom. Discs stand beside the names of the
	// sides, Pools are the pieces beside the board, and Signs explain the overlays.
	Boards [2]string    `json:"boards"`
	Discs  [2]string    `json:"discs"`
	Pools  []board.Pool `json:"pools"`
	Signs  []board.Sign `json:"signs,omitempty"`
}

// At returns the position after n decisions.
func (t *Table) At(n int) (*Past, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if last := len(t.session.Steps()); n < 0 || n > last {
		return nil, fmt.Errorf("position after %d decisions: want 0 to %d", n, last)
	}
	return &Past{n, t.drawn(n)}, nil
}

// drawn draws the position after n decisions, the last turn marked. t.mu is held.
func (t *Table) drawn(n int) (d Drawn) {
	steps, state := t.session.Steps(), t.session.State()
	if n < len(steps) {
		state = t.game.NewState()
		t.session.Before(state, n)
	}
	p, ok := engine.PictureOf(t.game, state)
	if !ok {
		return d
	}
	if p.Pieces == nil {
		p.Pieces = []engine.Piece{} // a list in JSON, too
	}
	first := max(n-1, 0)
	for first > 0 && steps[first-1].Turn == steps[n-1].Turn && steps[first-1].Actor == steps[n-1].Actor {
		first--
	}
	before, after := t.game.NewState(), t.game.NewState()
	t.session.Before(after, first)
	for _, step := range steps[first:n] {
		before.CopyFrom(after)
		after.Apply(step.Action, nil)
		p.Mark(before, step.Action, after)
	}
	d.Picture, d.Pools, d.Signs = p, board.Pools(p), board.Signs(p)
	for side := range engine.Side(2) {
		d.Boards[side] = string(board.SVG(p, board.Options{NoStyle: true, Bare: true, Flipped: side == 1}))
		d.Discs[side] = board.Disc(p, side)
	}
	return d
}
