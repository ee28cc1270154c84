// Package elements is a game without a title whose twenty pieces are the elements: one
// of each kind, drafted from a shared pool and placed on a board of territories. Who
// controls a territory gets turns of its own. Whoever controls the goal, by two pieces
// or by Sun, wins. docs/rules-elements.md says where the source leaves a choice and what
// is chosen.
package elements

import (
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

// Family is the game with all its rulesets.
var Family = engine.Family{
	Name:    "elements",
	Doc:     "Elements: draft twenty different pieces, control territories for turns of their own, and take the goal.",
	Presets: presets,
	Options: options,
	Build:   build,
}

var presets = []engine.Preset{
	{Name: "alternating", Doc: "a territory has its turn after each turn of a player"},
	{Name: "rounds", Doc: "both players have a turn, then all four territories", Set: map[string]string{"cycle": "0:1:a:b:c:d"}},
}

var options = []engine.Option{
	{Name: "layout", Doc: "the zones of the board, row by row", Default: defaultLayout, Data: &engine.Data{
		Form: "rows of letters with colons between: a, b, c, d territories, w place area, n neutral zone, * goal",
		Examples: []string{
			"aaawwwbbb:aawwwwwbb:awwwwwwwb:wwwnnnwww:wwwn*nwww:wwwnnnwww:dwwwwwwwc:ddwwwwwcc:dddwwwccc",
			"aawwwbb:aawwwbb:wwnnnww:wwn*nww:wwnnnww:ddwwwcc:ddwwwcc",
		},
		Canonical: canonicalLayout,
	}},
	{Name: "cycle", Doc: "the order of turns: players and territories", Default: defaultCycle, Data: &engine.Data{
		Form:      "slots with colons between: 0 and 1 the players, a, b, c, d the territories, up to 12",
		Examples:  []string{"0:1:a:b:c:d", "0:a:d:c:b:d:1:d:d:d:b:d"},
		Canonical: canonicalCycle,
	}},
	{Name: "distance", Doc: "whether moves of two or three squares may be shorter", Default: "upto", Values: []string{"upto", "exact"}},
	{Name: "wind", Doc: "what Wind does: an own piece next to it moves, or one from anywhere is put next to it", Default: "adjacent-piece-moves", Values: []string{"adjacent-piece-moves", "bring-adjacent"}},
	{Name: "sun_wins_goal", Doc: "Sun counts two on the goal and wins alone", Default: "true", Values: engine.Bools},
	{Name: "act_pass", Doc: "the action may be left out", Default: "true", Values: engine.Bools},
	{Name: "place_pass", Doc: "placing and drafting may be left out", Default: "false", Values: engine.Bools},
	{Name: "territory_draft", Doc: "a territory's turn may draft", Default: "true", Values: engine.Bools},
	{Name: "ice_passives", Doc: "Ice silences passive abilities too", Default: "false", Values: engine.Bools},
	{Name: "lotus_displacement", Doc: "White Lotus holds back pieces that are swapped, pulled or pushed", Default: "true", Values: engine.Bools},
	{Name: "reserve_max", Doc: "pieces that a reserve holds", Default: "7", Min: 1, Max: kinds},
	{Name: "draft_max", Doc: "pieces drafted in a turn", Default: "3", Min: 1, Max: kinds},
	{Name: "repetition", Doc: "draw when a position stands at the start of a turn for this time", Default: "3", Min: 2, Max: 100},
	{Name: engine.LengthOption, Doc: "draw after this many turns", Default: "200", Min: 1, Max: 10000},
}

// Game is one ruleset.
type Game struct {
	kit.Ruleset
	*kit.Judging
	zone       [zones]set
	board      set // all squares
	open       set // all but goal and neutral zone
	goal       int
	rows, cols int
	cycle      []uint8
	// order[slot] are the territories of the cycle in the order in which they come from
	// the slot on, which is the first.
	order  [maxCycle][]uint8
	layout *engine.Layout
	shift  [8]int // see shifts
	// center says for each square by how many steps it is nearer to the goal than 4.
	center [squares]int32
	mask   uint32 // the symmetries that hold

	variants []bool // what a network is shown of the options
	// Each is the option's second value, numbers aside.
	exact, bring, sunOne, mustAct, mayPass, noDraft, silence, lotusMoves bool
	reserveMax, draftMax, repetition, maxTurns                           int
}

var _ engine.Coded = (*Game)(nil)

func build(s engine.Settings) (engine.Game, error) {
	g := &Game{
		Ruleset: kit.Ruleset{About: &info, Word: s.Rules, KeyWords: keyWords, Endings: endings}, Judging: &judging,
		variants: s.Variants(), exact: s.Index("distance") == 1, bring: s.Index("wind") == 1, sunOne: !s.Bool("sun_wins_goal"),
		mustAct: !s.Bool("act_pass"), mayPass: s.Bool("place_pass"), noDraft: !s.Bool("territory_draft"),
		silence: s.Bool("ice_passives"), lotusMoves: !s.Bool("lotus_displacement"),
		reserveMax: s.Int("reserve_max"), draftMax: s.Int("draft_max"), repetition: s.Int("repetition"), maxTurns: s.Int(engine.LengthOption),
	}
	var err error
	if g.zone, err = readLayout(s.Text("layout")); err != nil {
		return nil, err
	}
	if g.cycle, err = readCycle(s.Text("cycle")); err != nil {
		return nil, err
	}
	for _, b := range g.zone {
		g.board = g.board.Or(b)
	}
	g.open = g.board.Minus(g.zone[zoneGoal]).Minus(g.zone[zoneNeutral])
	g.goal = g.zone[zoneGoal].First()
	g.rows, g.cols = g.board.Last()/size+1, g.board.Last()%size+1
	for slot := range g.cycle {
		for j := range g.cycle {
			if x := g.cycle[(slot+j)%len(g.cycle)]; x >= 2 && !slices.Contains(g.order[slot], x-2) {
				g.order[slot] = append(g.order[slot], x-2)
			}
		}
	}
	for sq := range g.center {
		g.center[sq] = int32(max(0, 4-max(abs(sq/size-g.goal/size), abs(sq%size-g.goal%size))))
	}
	g.shift = shifts(&g.zone, g.cycle)
	for i, k := range g.shift {
		if k >= 0 {
			g.mask |= 1 << i
		}
	}
	g.layout = g.newLayout()
	return g, nil
}

// NewState implements engine.Game.
func (g *Game) NewState() engine.State {
	s := &State{game: g}
	s.Start(nil)
	return s
}

// Code implements engine.Coded.
func (g *Game) Code(s engine.State, a engine.Action) int {
	switch t := s.(*State); {
	case a >= firstBring:
		from, to := t.brought(a)
		return squares*from + to
	case a >= firstShadow:
		return squares*int(t.where[shadow]) + int(a-firstShadow)
	}
	return int(a)
}

var info = engine.Info{
	Name: "elements", Version: 1, EncoderVersion: 2,
	Sides:      [2]string{"red", "blue"},
	NumActions: numActions, MaxLegal: kinds*squares + kinds + 1, PackedBytes: packedBytes,
	Features: features(),
	Policy:   policyHead(), Symmetries: symmetries(),
}
