// Package knaw is kn@w ("know") by Bryan Jurish, 1995 to 2001: two players with two
// Bards, two Fools and two Heralds each move by dice over a round board of a hundred
// spaces. Pieces influence what borders them, hold each other off, and connect across the
// hub; who connects all three types on three tiers is resolved and ends the game.
// docs/rules-knaw.md says where the source leaves a choice and what is chosen.
package knaw

import (
	"strconv"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// Family is the game with all its rulesets.
var Family = engine.Family{
	Name:    "knaw",
	Doc:     "kn@w: move by dice on a round board, and connect pieces across the hub.",
	Presets: presets,
	Options: options,
	Build:   build,
}

var presets = []engine.Preset{
	{Name: "standard", Doc: "one die and one move a turn"},
	{Name: "symmetric", Doc: "two dice a turn, for two pieces of a type", Set: map[string]string{"version": "symmetric"}},
}

var options = []engine.Option{
	{Name: "version", Doc: "how many dice a turn has: one, or two", Default: "standard", Values: []string{"standard", "symmetric"}},
	{Name: "solipsist_through", Doc: "what a Solipsistic Path may pass: all that is influenced, or points of contention only", Default: "any-influenced", Values: []string{"any-influenced", "contention-only"}},
	{Name: "locked_out", Doc: "who may go on a Significant Errand: a piece without a first jump, or one with enemy influence all around", Default: "no-first-jump", Values: []string{"no-first-jump", "all-contention"}},
	{Name: "errand_tie", Doc: "who wins equal rolls for an errand", Default: "reroll", Values: []string{"reroll", "defender", "mover"}},
	{Name: "conserve_randomness", Doc: "the die that wins against a Path is the winner's next roll", Default: "false", Values: engine.Bools},
	{Name: "post_decline", Doc: "a connection after the other's resolution may be declined", Default: "true", Values: engine.Bools},
	{Name: "resolution_bonus", Doc: "points for a resolution", Default: "6", Max: maxBonus},
	{Name: engine.LengthOption, Doc: "the game ends after this many turns", Default: "300", Min: 1, Max: 1000},
	{Name: "cap_result", Doc: "how the game ends then: by score, or drawn", Default: "score", Values: []string{"score", "draw"}},
}

// maxBonus is about the highest score without a bonus.
const maxBonus = 30

// tie says what equal rolls for an errand are.
type tie uint8

const (
	tieReroll tie = iota
	tieDefender
	tieMover
)

// Game is one ruleset.
type Game struct {
	kit.Ruleset
	*kit.Judging
	routes   *routes
	tie      tie
	variants []bool // what a network is shown of the options
	// Each is the option's second value.
	symmetric, contentionOnly, allContention, conserve, compulsory, capDraw bool
	bonus, maxTurns                                                         int
}

var (
	_ engine.Coded  = (*Game)(nil)
	_ engine.Turner = (*Game)(nil)
)

func build(s engine.Settings) (engine.Game, error) {
	return &Game{
		Ruleset: kit.Ruleset{About: &info, Word: s.Rules, Board: turnedCells, Endings: endings}, Judging: &judging, routes: allRoutes(),
		variants: s.Variants(), tie: tie(s.Index("errand_tie")),
		symmetric: s.Index("version") == 1, contentionOnly: s.Index("solipsist_through") == 1,
		allContention: s.Index("locked_out") == 1, conserve: s.Bool("conserve_randomness"),
		compulsory: !s.Bool("post_decline"), capDraw: s.Index("cap_result") == 1,
		bonus: s.Int("resolution_bonus"), maxTurns: s.Int(engine.LengthOption),
	}, nil
}

// NewState implements engine.Game.
func (g *Game) NewState() engine.State {
	s := &State{game: g}
	s.Start(nil)
	return s
}

// Code implements engine.Coded.
func (g *Game) Code(s engine.State, a engine.Action) int {
	if s.Actor() == engine.Chance {
		return int(a)
	}
	do := s.(*State).decode(a)
	space := 0
	if do.kind == doMove || do.kind == doPath {
		space = codes[do.space]
	}
	switch do.kind {
	case doMove:
		return 1 + 1206*do.die + spaces*do.piece + space
	case doErrand:
		return 601 + 1206*do.die + do.piece
	case doPath:
		return 607 + spaces*do.piece + space
	}
	return 0
}

const sides = 2

var info = func() engine.Info {
	f := features()
	return engine.Info{
		Name: "knaw", Version: 1, EncoderVersion: 1,
		Sides:      [sides]string{"south", "north"},
		NumActions: numActions, NumChance: 36, MaxLegal: 1024, PackedBytes: packedBytes,
		Features: f, Policy: policyHead(), Symmetries: symmetries(f.Planes),
	}
}()

// Actions are numbered as the rules page does, but with spaces as they are numbered here
// and seen from the acting side's seat.
const (
	actionGo     = 0
	firstMove    = 1                           // 100·piece + space
	firstErrand  = firstMove + pieces*spaces   // piece
	firstPath    = firstErrand + pieces        // 100·piece + space
	firstSecond  = firstPath + pieces*spaces   // a move with the second die
	secondErrand = firstSecond + pieces*spaces // an errand with the second die
	numActions   = secondErrand + pieces
)

// doing is what an action does.
type doing uint8

const (
	doGo doing = iota
	doMove
	doErrand
	doPath
)

// deed is an action, with the space on the board; die is 1 for the second one.
type deed struct {
	kind       doing
	piece, die int
	space      int
}

// decode reads an action of the side to act.
func (s *State) decode(a engine.Action) (d deed) {
	x := int(a)
	if x >= firstSecond {
		d.die = 1
		x -= firstSecond - firstMove
	}
	switch {
	case x == actionGo:
		return deed{}
	case x < firstErrand:
		d.kind, x = doMove, x-firstMove
	case x < firstPath:
		d.kind, d.piece = doErrand, x-firstErrand
		return d
	default:
		d.kind, x = doPath, x-firstPath
	}
	d.piece, d.space = x/spaces, x%spaces
	if s.side == 1 {
		d.space = opposite(d.space)
	}
	return d
}

// action is the number of a deed of the side to act.
func (s *State) action(d deed) engine.Action {
	if s.side == 1 {
		d.space = opposite(d.space)
	}
	switch d.kind {
	case doMove:
		return engine.Action(firstMove + (firstSecond-firstMove)*d.die + spaces*d.piece + d.space)
	case doErrand:
		return engine.Action(firstErrand + (secondErrand-firstErrand)*d.die + d.piece)
	case doPath:
		return engine.Action(firstPath + spaces*d.piece + d.space)
	}
	return actionGo
}

// dieName is the suffix of a word for a move with a die.
func dieName(die int) string {
	if die == 0 {
		return ""
	}
	return ":" + strconv.Itoa(die+1)
}
