package konreh

import "github.com/ludozero/ludozero/engine"

var (
	_ engine.Game      = (*Game)(nil)
	_ engine.Turner    = (*Game)(nil)
	_ engine.State     = (*State)(nil)
	_ engine.Annotator = (*State)(nil)
	_ engine.Pictured  = (*State)(nil)
	_ engine.Material  = (*State)(nil)
)

var info = engine.Info{
	Name:           gameName,
	Version:        1,
	EncoderVersion: 3,
	Sides:          [2]string{"A", "B"},
	NumActions:     numActions,
	MaxLegal:       maxLegal,
	PackedBytes:    packedBytes,
	Features:       features,
	Policy:         policyHead,
	Symmetries:     symmetries,
}

// Info implements [engine.Game].
func (g *Game) Info() *engine.Info { return &info }

// NewState implements [engine.Game].
func (g *Game) NewState() engine.State { return g.newState() }

// CopyFrom implements [engine.State].
func (s *State) CopyFrom(src engine.State) { *s = *src.(*State) }

// build makes the game of complete settings of Family.
func build(s engine.Settings) (engine.Game, error) {
	g, err := newGame(s)
	if err != nil {
		return nil, err
	}
	return g, nil
}
