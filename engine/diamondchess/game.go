// Package diamondchess is the diamond chess that Sythyry published in 2004, on 8×8
// squares stood on a corner and cut by a river. Eleven unequal pieces a side move two at
// a time or strike once; who takes the enemy's town wins. docs/rules-diamondchess.md
// says where the source leaves a choice and what is chosen.
package diamondchess

import (
	"strconv"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// Family is the game with all its rulesets.
var Family = engine.Family{
	Name:    "diamondchess",
	Doc:     "Diamond chess: two moves or one attack a turn, a river with fords, and towns to take.",
	Presets: presets,
	Options: options,
	Build:   build,
}

var presets = []engine.Preset{
	{Name: "free", Doc: "the players set up their pieces in turn"},
	{Name: "listed", Doc: "the pieces stand in the order of the source's table", Set: map[string]string{"setup": "listed"}},
}

var options = []engine.Option{
	{Name: "setup", Doc: "who decides where the pieces begin", Default: "free", Values: []string{"free", "listed"}},
	{Name: "second_move", Doc: "whether the second move of a turn may be left out", Default: "required", Values: []string{"required", "optional"}},
	{Name: "pounce_range", Doc: "how far a sleeth pounces: as far as it moves, or one step", Default: "move", Values: []string{"move", "adjacent"}},
	{Name: "herethroy_attack", Doc: "who must be on the herethroy's own side for its attack: itself, or its target too", Default: "attacker-home", Values: []string{"attacker-home", "target-home"}},
	{Name: "sacrifice", Doc: "which attack takes a zi ri that shares a square: any of the player's, or that of the piece it sits on", Default: "player", Values: []string{"player", "piece"}},
	{Name: "futile_attacks", Doc: "attacks that can have no effect are allowed", Default: "false", Values: engine.Bools},
	{Name: "ziri_blocks", Doc: "other pieces may not pass a zi ri's square", Default: "true", Values: engine.Bools},
	{Name: "town_fords", Doc: "towns may cross a ford", Default: "false", Values: engine.Bools},
	{Name: "repetition", Doc: "draw when a position stands at the start of a turn for this time", Default: "3", Min: 2, Max: 100},
	{Name: "no_capture_turns", Doc: "draw after this many turns in a row without a capture or a hit absorbed", Default: "100", Min: 1, Max: 1000},
	{Name: engine.LengthOption, Doc: "draw after this many turns", Default: "300", Min: 1, Max: 10000},
}

// Game is one ruleset.
type Game struct {
	kit.Ruleset
	*kit.Judging
	variants []bool // what a network is shown of the options
	// Each is the option's second value.
	listed, optional, adjacent, targetHome, piece, futile, passZiri, townFords bool
	repetition, noCapture, maxTurns                                            int
}

var (
	_ engine.Coded  = (*Game)(nil)
	_ engine.Turner = (*Game)(nil)
)

func build(s engine.Settings) (engine.Game, error) {
	return &Game{
		Ruleset: kit.Ruleset{About: &info, Word: s.Rules, KeyWords: keyWords, Board: kit.HalfTurn(squares), Endings: endings}, Judging: &judging,
		variants: s.Variants("setup"), listed: s.Index("setup") == 1, optional: s.Index("second_move") == 1, adjacent: s.Index("pounce_range") == 1,
		targetHome: s.Index("herethroy_attack") == 1, piece: s.Index("sacrifice") == 1, futile: s.Bool("futile_attacks"),
		passZiri: !s.Bool("ziri_blocks"), townFords: s.Bool("town_fords"),
		repetition: s.Int("repetition"), noCapture: s.Int("no_capture_turns"), maxTurns: s.Int(engine.LengthOption),
	}, nil
}

// NewState implements engine.Game.
func (g *Game) NewState() engine.State {
	s := &State{game: g}
	s.Start(nil)
	return s
}

// Code implements engine.Coded: the rules page numbers actions like ours, from the
// seat of side 0.
func (g *Game) Code(s engine.State, a engine.Action) int {
	if s.Side() == 1 {
		return int(turnAction(a))
	}
	return int(a)
}

var info = engine.Info{
	Name: "diamondchess", Version: 1, EncoderVersion: 2,
	Sides:      [2]string{"south", "north"},
	NumActions: numActions, MaxLegal: 256, PackedBytes: packedBytes,
	Features: features(),
	Policy:   policyHead(), Symmetries: symmetries(),
}

// Actions are written from the acting side's seat: 64·from + to of a relocation or
// pounce, then attacks by 16·from + 2·direction + z, then stop, then set-up.
const (
	firstAttack = squares * squares
	actionStop  = firstAttack + 16*squares
	firstPlace  = actionStop + 1
	numActions  = firstPlace + kinds - 1
)

// turnAction writes an action from the other seat.
func turnAction(a engine.Action) engine.Action {
	switch {
	case a < firstAttack:
		return firstAttack - 1 - a // both squares turned: 63-from, 63-to
	case a < actionStop:
		a -= firstAttack
		return firstAttack + (squares-1-a>>4)<<4 + (a&15 ^ 8)
	}
	return a
}

// appendSquare appends the name of a square, row and column.
func appendSquare(dst []byte, sq int) []byte { return append(dst, '0'+byte(sq>>3), '0'+byte(sq&7)) }

func squareName(sq int) string { return strconv.Itoa(sq>>3) + strconv.Itoa(sq&7) }
