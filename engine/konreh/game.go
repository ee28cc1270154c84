package konreh

import "github.com/ludozero/ludozero/engine"

// Game is one ruleset of Kon'reh.
type Game struct {
	rules rules
	text  string // canonical rules word
	geo   *geometry
}

// newGame makes the game of complete settings of Family.
func newGame(s engine.Settings) (*Game, error) {
	r, err := newRules(s)
	if err != nil {
		return nil, err
	}
	g := &Game{rules: r, text: s.Rules, geo: &geometry8}
	if r.size == 6 {
		g.geo = &geometry6
	}
	return g, nil
}

// keyWords is the size of an exact position key: the two sides' pieces, the two
// kind boards, and the Blue states with the side to move.
const keyWords = 5

// newState returns a state at the start position.
func (g *Game) newState() *State {
	s := &State{game: g}
	s.Start(nil)
	return s
}

// NewHistory implements engine.Game.
func (g *Game) NewHistory() *engine.History { return engine.NewHistory(keyWords) }

// Turned implements [engine.Turner]: the half turn of the ruleset's board.
func (g *Game) Turned() []int32 { return g.geo.turnedCells[:] }

// Rules implements engine.Game.
func (g *Game) Rules() string { return g.text }
