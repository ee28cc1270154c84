// Package racegame is a small game for tests: chance between two decisions of
// one player, and few enough positions for exact expectimax.
//
// Two tokens race along a track. On its turn a player first chooses a die,
// safe or bold; the die is rolled; then the same player moves its own token
// forward by the roll or pushes the other token back by it. Reaching the end
// of the track wins. When the turns are used up, the token ahead wins; side by
// side is a draw.
package racegame

import "github.com/ludozero/ludozero/engine"

// The actions. The first two choose a die, the others use the roll.
const (
	Safe engine.Action = iota
	Bold
	Forward
	Push
	numActions
)

const (
	maxTrack = 6
	maxTurns = 20
	maxRoll  = 4
	height   = 3
	width    = maxTrack + 1
)

// dice are the rolls of Safe and Bold.
var dice = [2][]engine.Weighted{
	{{Code: 1, Prob: 2. / 3}, {Code: 2, Prob: 1. / 3}},
	{{Code: 0, Prob: 1. / 2}, {Code: 2, Prob: 1. / 3}, {Code: 4, Prob: 1. / 6}},
}

// Family lists the rulesets.
var Family = engine.Family{
	Name:    "racegame",
	Doc:     "A race of two tokens with dice, for tests.",
	Presets: []engine.Preset{{Name: "standard", Doc: "four steps in eight turns"}},
	Options: []engine.Option{
		{Name: "track", Doc: "steps to the end of the track", Default: "4", Min: 2, Max: maxTrack},
		{Name: "turns", Doc: "turns of both players together", Default: "8", Min: 1, Max: maxTurns},
	},
	Build: func(s engine.Settings) (engine.Game, error) {
		return &game{rules: s.Rules, track: uint8(s.Int("track")), turns: uint8(s.Int("turns"))}, nil
	},
}

// New returns the game of the standard rules.
func New() engine.Game {
	g, err := Family.Parse("")
	if err != nil {
		panic("BUG: racegame: " + err.Error())
	}
	return g
}

type game struct {
	rules        string
	track, turns uint8
}

func (g *game) Info() *engine.Info          { return &info }
func (g *game) Rules() string               { return g.rules }
func (g *game) NewState() engine.State      { return &State{game: g} }
func (g *game) NewHistory() *engine.History { return engine.NewHistory(0) }

var info = engine.Info{
	Name:           "racegame",
	Version:        1,
	EncoderVersion: 1,
	Sides:          [2]string{"near", "far"},
	NumActions:     int(numActions),
	NumChance:      maxRoll + 1,
	MaxLegal:       2,
	PackedBytes:    packedBytes,
	Features: engine.Features{
		Planes: 3, Height: height, Width: width,
		Globals:     6,
		MaskPlane:   2,
		PlaneNames:  []string{"own token", "other token", "track"},
		GlobalNames: []string{"choosing", "moving", "roll / 4", "turn / 20", "turns / 20", "track / 6"},
	},
	// Safe and Forward share a logit: they are never legal together.
	Policy: engine.PolicyHead{Planes: 1, Globals: 2, Cells: []int32{
		Safe: height * width, Bold: height*width + 1, Forward: height * width, Push: 0,
	}, PlaneNames: []string{"push"}, GlobalNames: []string{"safe or forward", "bold"}},
	Symmetries: []engine.Symmetry{{Name: "identity"}},
}
