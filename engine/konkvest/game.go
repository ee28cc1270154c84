// Package konkvest is Konkvest (Argent Hellion) on 114 hexes: two armies set up behind
// their pawns, whose wakes make territory, where captured pieces are summoned. Who topples
// the enemy Queen, or brings the own one to the enemy base, wins. docs/rules-konkvest.md
// says where the source leaves a choice and what is chosen.
package konkvest

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// Family is the game with all its rulesets.
var Family = engine.Family{
	Name:    "konkvest",
	Doc:     "Konkvest: armies on hexes, territory in the wake of pawns, captured pieces summoned there, and a Queen to topple.",
	Presets: presets,
	Options: options,
	Build:   build,
}

var presets = []engine.Preset{
	{Name: "free", Doc: "the players set up the pieces behind their pawns in turn"},
	{Name: "fixed", Doc: "all pieces stand in one formation", Set: map[string]string{"formation": "fixed"}},
}

// Values of guardReach and generalReach.
const (
	reachVertical = iota
	reachLines
	reachBoth
	reachDisc
)

// Values of heroForward, wake and cycle but the defaults.
const (
	heroExact = 1
	heroLines = 2

	wakeCone   = 0
	wakeColumn = 1
	wakeRows   = 2

	cycleLoses   = 0
	cycleForbids = 1
	cycleOff     = 2
)

var options = []engine.Option{
	{Name: "formation", Doc: "who decides where the pieces behind the pawns begin", Default: "free", Values: []string{"free", "fixed"}},
	{Name: "guard_reach", Doc: "the guard's attacks two hexes away: straight ahead, along the lines, or both", Default: "vertical", Values: []string{"vertical", "lines", "lines+vertical"}},
	{Name: "general_reach", Doc: "the general's attacks two hexes away: along the lines and straight ahead, along the lines, or everywhere but behind", Default: "lines+vertical", Values: []string{"lines+vertical", "lines", "disc"}},
	{Name: "hero_forward", Doc: "the hero's attacks ahead: up to two hexes, exactly two, or up to two along the lines too", Default: "upto2", Values: []string{"upto2", "exact2", "upto2-lines"}},
	{Name: "lanser", Doc: "where a lanser slides: along the front diagonals, or to the sides too", Default: "diagonals", Values: []string{"diagonals", "sides+forward"}},
	{Name: "support_leap", Doc: "the support's leap aside: to the next hex but one, or a row further", Default: "hex-diagonal", Values: []string{"hex-diagonal", "long"}},
	{Name: "wake", Doc: "what is in the wake of a piece: a cone behind it, the column, or all rows", Default: "cone", Values: []string{"cone", "column", "rows"}},
	{Name: "promotion", Doc: "whether a piece that may promote at the end of its move has to", Default: "optional", Values: []string{"optional", "forced"}},
	{Name: "queen_cycle", Doc: "what comes of chasing the Queen in circles: loss, the move is illegal, or nothing", Default: "loss", Values: []string{"loss", "forbid", "off"}},
	{Name: "blocked", Doc: "the result for a player without a legal action", Default: "loss", Values: []string{"loss", "draw"}},
	{Name: "full_reserve", Doc: "with 14 pieces in reserve nothing but the Queen is captured, or captures are lost", Default: "no-capture", Values: []string{"no-capture", "lost"}},
	{Name: "repetition", Doc: "draw when a position stands for this time", Default: "4", Min: 2, Max: 100},
	{Name: engine.PliesOption, Doc: "draw after this many actions after the formation", Default: "400", Min: 1, Max: 10000},
}

// Game is one ruleset.
type Game struct {
	*movement
	kit.Ruleset
	*kit.Judging
	variants                              []bool // what a network is shown of the options
	guardReach, generalReach, heroForward int
	wake, cycle                           int
	fixed, lanserSides, longLeap, forced  bool
	blockedDraws, lost                    bool
	repetition, maxPlies                  int
}

var (
	_ engine.Coded       = (*Game)(nil)
	_ engine.Turner      = (*Game)(nil)
	_ engine.Remembering = (*Game)(nil)
)

func build(s engine.Settings) (engine.Game, error) {
	g := &Game{
		Ruleset: kit.Ruleset{About: &info, Word: s.Rules, KeyWords: keyWords, Board: turned, Endings: endings}, Judging: &judging,
		variants: s.Variants("formation"), fixed: s.Index("formation") == 1, guardReach: s.Index("guard_reach"),
		generalReach: [...]int{reachBoth, reachLines, reachDisc}[s.Index("general_reach")],
		heroForward:  s.Index("hero_forward"), wake: s.Index("wake"), cycle: s.Index("queen_cycle"),
		lanserSides: s.Index("lanser") == 1, longLeap: s.Index("support_leap") == 1, forced: s.Index("promotion") == 1,
		blockedDraws: s.Index("blocked") == 1, lost: s.Index("full_reserve") == 1,
		repetition: s.Int("repetition"), maxPlies: s.Int(engine.PliesOption),
	}
	g.movement = newMovement(g)
	return g, nil
}

// NewState implements engine.Game.
func (g *Game) NewState() engine.State {
	s := &State{game: g}
	s.Start(nil)
	return s
}

// Remembers implements engine.Remembering.
func (g *Game) Remembers() string {
	if g.cycle == cycleForbids {
		return "a fourth attack on the Queen may not repeat the position after an earlier one"
	}
	return ""
}

// turned is how the other side sees the board.
var turned = hex.Inputs(func(i int) int { return hexes - 1 - i })

// Actions are written from the acting side's seat, hexes by number: twice 114·from + to,
// and 1 with a promotion, which has to = from in place; then summons by 114·kind + to;
// then placements of the formation.
const (
	firstSummon = 2 * hexes * hexes
	firstPlace  = firstSummon + hands*hexes
	numActions  = firstPlace + hexes
)

// The codes of the rules page.
const (
	codePromote = hexes * hexes
	codeInPlace = 2 * hexes * hexes
	codeSummon  = codeInPlace + hexes
)

// Code implements engine.Coded.
func (g *Game) Code(s engine.State, a engine.Action) int {
	x := int(a)
	if s.Side() == 1 {
		x = int(turnAction(a))
	}
	if x >= firstSummon {
		return codeSummon + x - firstSummon
	}
	promote, from, to := x&1, x/2/hexes, x/2%hexes
	if promote == 1 && from == to {
		return codeInPlace + from
	}
	return codePromote*promote + x/2
}

// turnAction writes an action from the other seat.
func turnAction(a engine.Action) engine.Action {
	if a < firstSummon {
		return firstSummon - 2 - a + 2*(a&1) // both hexes turned
	}
	x := a - firstSummon
	return a + hexes - 1 - 2*(x%hexes)
}

var info = engine.Info{
	Name: "konkvest", Version: 1, EncoderVersion: 2,
	Sides:      [2]string{"south", "north"},
	NumActions: numActions, MaxLegal: 1536, PackedBytes: packedBytes,
	Features: features(),
	Policy:   policyHead(), Symmetries: symmetries(),
}
