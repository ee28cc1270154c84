// Package pienim is a small game for tests of signs: a player may move twice
// running, and a swap parts players from sides.
//
// Three heaps of stones. A turn takes one to three stones from one heap; who
// takes the last stone wins. The sides differ: side "even" moves again after
// taking exactly two, side "odd" after taking exactly three, once a turn.
// After the first turn Second says hold or swap; a swap exchanges the players'
// sides, and side odd moves either way.
//
// With the option shift a turn may instead move one stone to the next heap, if
// that stays within the starting height. Positions can then recur, and the
// third occurrence is a draw.
package pienim

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
)

const (
	heaps     = 3
	maxTake   = 3
	maxHeight = 4
)

// The actions: 3·heap + stones - 1 takes stones, then the others. shift + heap
// moves a stone from that heap to the next.
const (
	hold       engine.Action = heaps * maxTake
	swap       engine.Action = hold + 1
	shift      engine.Action = swap + 1
	numActions               = int(shift) + heaps
)

// again is how many stones give a side its second move.
var again = [2]engine.Action{2, 3}

// Family lists the rulesets.
var Family = engine.Family{
	Name: "pienim",
	Doc:  "Nim with a pie rule and second moves, for tests.",
	Presets: []engine.Preset{
		{Name: "standard", Doc: "three heaps of three"},
		{Name: "shifting", Doc: "stones may be moved to the next heap", Set: map[string]string{"shift": "true"}},
	},
	Options: []engine.Option{
		{Name: "height", Doc: "stones in each heap at the start", Default: "3", Min: 2, Max: maxHeight},
		{Name: "pie", Doc: "second may swap sides after the first turn", Default: "true", Values: engine.Bools},
		{Name: "shift", Doc: "a turn may move a stone to the next heap", Default: "false", Values: engine.Bools},
	},
	Build: func(s engine.Settings) (engine.Game, error) {
		return &game{rules: s.Rules, height: uint8(s.Int("height")), pie: s.Bool("pie"), shift: s.Bool("shift")}, nil
	},
}

// New returns the game of a rules word, which must be right.
func New(rules string) engine.Game {
	g, err := Family.Parse(rules)
	if err != nil {
		panic("BUG: pienim: " + err.Error())
	}
	return g
}

type game struct {
	rules      string
	height     uint8
	pie, shift bool
}

func (g *game) Info() *engine.Info          { return &info }
func (g *game) Rules() string               { return g.rules }
func (g *game) NewHistory() *engine.History { return engine.NewHistory(1) }

func (g *game) NewState() engine.State {
	s := &State{game: g}
	s.Start(nil)
	return s
}

var info = engine.Info{
	Name:           "pienim",
	Version:        1,
	EncoderVersion: 1,
	Sides:          [2]string{"even", "odd"},
	NumActions:     numActions,
	MaxLegal:       numActions,
	PackedBytes:    packedBytes,
	Features: engine.Features{
		Planes: 2, Height: heaps, Width: maxHeight,
		Globals:     8,
		MaskPlane:   1,
		PlaneNames:  []string{"stones", "board"},
		GlobalNames: []string{"side odd", "second move", "pie", "pie to come", "swapped", "shift", "occurrence / 3", "first turn"},
	},
	Policy: engine.PolicyHead{Planes: maxTake + 1, Globals: 2, Cells: policyCells(),
		PlaneNames: headNames(), GlobalNames: []string{"hold", "swap"}},
	Symmetries: symmetries(),
}

// policyCells reads takes of k stones on plane k-1 and shifts on the last
// plane, in the heap's row.
func policyCells() []int32 {
	t := make([]int32, numActions)
	for h := range heaps {
		for k := range maxTake {
			t[h*maxTake+k] = int32((k*heaps + h) * maxHeight)
		}
		t[int(shift)+h] = int32((maxTake*heaps + h) * maxHeight)
	}
	t[hold] = (maxTake + 1) * heaps * maxHeight
	t[swap] = t[hold] + 1
	return t
}

func headNames() []string {
	var names []string
	for k := range maxTake {
		names = append(names, fmt.Sprintf("take %d of the heap", k+1))
	}
	return append(names, "shift the heap")
}

// symmetries are the rotations of the heaps, which keep every heap's next one.
func symmetries() []engine.Symmetry {
	list := []engine.Symmetry{{Name: "identity"}, {Name: "rotate 1"}, {Name: "rotate 2"}}
	for by := 1; by < heaps; by++ {
		y := &list[by]
		y.Cells = make([]int32, heaps*maxHeight)
		y.Actions = make([]engine.Action, numActions)
		y.Actions[hold], y.Actions[swap] = hold, swap
		for h := range heaps {
			to := (h + by) % heaps
			for i := range maxHeight {
				y.Cells[h*maxHeight+i] = int32(to*maxHeight + i)
			}
			for k := range maxTake {
				y.Actions[h*maxTake+k] = engine.Action(to*maxTake + k)
			}
			y.Actions[shift+engine.Action(h)] = shift + engine.Action(to)
		}
	}
	return list
}
