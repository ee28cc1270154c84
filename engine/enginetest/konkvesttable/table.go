// Package konkvesttable is the widest action space among the games to come, for
// tests of records and policy heads: Konkvest's 26,904 action codes, its head of
// 112 planes on 13×12 and its observation. Of the rules it plays only a part
// that ends by itself: from the fixed formation, pawns move, capture and
// promote; the other pieces stand. Who takes the Queen wins, who cannot move
// loses.
package konkvesttable

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
)

// The action codes, from the acting player's seat.
const (
	codeMove    = 0                         // 114·from + to
	codePromote = tiles * tiles             // the same, and promote
	codeInPlace = 2 * tiles * tiles         // + tile
	codeSummon  = codeInPlace + tiles       // + 114·kind + tile
	codePlace   = codeSummon + summon*tiles // + tile
	numActions  = codePlace + tiles         // 26,904
	summon      = 6                         // kinds that can be summoned
)

// The planes of the policy head.
const (
	planeMove    = 0
	planePromote = numWays
	planeInPlace = 2 * numWays
	planeSummon  = planeInPlace + 1
	planePlace   = planeSummon + summon
	numHead      = planePlace + 1 // 112
	numWays      = 52
)

// ways are the displacements by which pieces move: slides of 1 to 11 tiles to
// the left, the right and the two forward sides; a step back to either side;
// two straight ahead or back; leaps, near and far.
var ways = func() map[point]int {
	w := map[point]int{}
	add := func(x, y int) { w[point{x, y}] = len(w) }
	for _, d := range []point{{-2, 0}, {2, 0}, {-1, 1}, {1, 1}} {
		for k := 1; k <= 11; k++ {
			add(k*d.x, k*d.y)
		}
	}
	for _, d := range []point{{-1, -1}, {1, -1}, {0, 2}, {0, -2}, {-3, 1}, {3, 1}, {-4, 2}, {4, 2}} {
		add(d.x, d.y)
	}
	return w
}()

// headCells maps every action to its head cell, and codes that no rule makes
// legal to -1.
func headCells() []int32 {
	const plane = height * width
	t := make([]int32, numActions)
	for a := range t {
		t[a] = -1
	}
	for from, p := range points {
		at := int32(cell(from))
		for to, q := range points {
			if way, ok := ways[point{q.x - p.x, q.y - p.y}]; ok {
				t[codeMove+tiles*from+to] = int32(planeMove+way)*plane + at
				t[codePromote+tiles*from+to] = int32(planePromote+way)*plane + at
			}
		}
		t[codeInPlace+from] = planeInPlace*plane + at
		for k := range summon {
			t[codeSummon+tiles*k+from] = int32(planeSummon+k)*plane + at
		}
		if p.y <= 2 && from != base {
			t[codePlace+from] = planePlace*plane + at
		}
	}
	return t
}

// headNames are the planes of the policy head in words.
func headNames() []string {
	var way [numWays]string
	for by, i := range ways {
		way[i] = fmt.Sprintf("%+d%+d", by.x, by.y)
	}
	var names []string
	for _, what := range []string{"move by ", "move and promote by "} {
		for _, w := range way {
			names = append(names, what+w)
		}
	}
	names = append(names, "promote in place")
	for k := range summon {
		names = append(names, "summon "+kindWords[k])
	}
	return append(names, "place")
}

// mirror is X → -X.
func mirror() engine.Symmetry {
	y := engine.Symmetry{Name: "mirror", Cells: make([]int32, height*width), Actions: make([]engine.Action, numActions)}
	for c := range y.Cells {
		y.Cells[c] = int32(c) // stays so off the board
	}
	for i := range tiles {
		y.Cells[cell(i)] = int32(cell(mirrored(i)))
	}
	for from := range tiles {
		for to := range tiles {
			a := engine.Action(tiles*mirrored(from) + mirrored(to))
			y.Actions[codeMove+tiles*from+to] = codeMove + a
			y.Actions[codePromote+tiles*from+to] = codePromote + a
		}
	}
	for first := codeInPlace; first < numActions; first += tiles {
		for i := range tiles {
			y.Actions[first+i] = engine.Action(first + mirrored(i))
		}
	}
	return y
}

func mirrored(tile int) int {
	p := points[tile]
	return tileAt[point{-p.x, p.y}]
}

// Family lists the one ruleset.
var Family = engine.Family{
	Name:    "konkvesttable",
	Doc:     "The pawns of Konkvest with its whole action table, for tests.",
	Presets: []engine.Preset{{Name: "fixed", Doc: "from the fixed formation"}},
	Build:   func(engine.Settings) (engine.Game, error) { return game{}, nil },
}

// New returns the game.
func New() engine.Game { return game{} }

type game struct{}

func (game) Info() *engine.Info          { return &info }
func (game) Rules() string               { return "fixed" }
func (game) NewHistory() *engine.History { return engine.NewHistory(0) }

// Turned implements engine.Turner.
func (game) Turned() []int32 { return turned[:] }

func (game) NewState() engine.State {
	s := new(State)
	s.Start(nil)
	return s
}

var info = engine.Info{
	Name:           "konkvesttable",
	Version:        1,
	EncoderVersion: 1,
	Sides:          [2]string{"0", "1"},
	NumActions:     numActions,
	MaxLegal:       2048,
	PackedBytes:    packedBytes,
	Features: engine.Features{
		Planes: numPlanes, Height: height, Width: width,
		Globals:     numGlobals,
		MaskPlane:   planeBoard,
		PlaneNames:  planeNames(),
		GlobalNames: globalNames(),
	},
	Policy:     engine.PolicyHead{Planes: numHead, Cells: headCells(), PlaneNames: headNames()},
	Symmetries: []engine.Symmetry{{Name: "identity"}, mirror()},
}

func planeNames() []string {
	var names []string
	for _, owner := range []string{"own", "enemy"} {
		for k := range numKinds {
			names = append(names, owner+" "+kindWords[k])
		}
	}
	return append(names, "board", "own base", "enemy base", "own territory", "enemy territory",
		"no-man's land", "own promotional territory", "enemy promotional territory")
}

func globalNames() []string {
	var names []string
	for _, owner := range []string{"own", "enemy"} {
		for k := range summon {
			names = append(names, fmt.Sprintf("%s reserve %s / 4", owner, kindWords[k]))
		}
	}
	for _, k := range []string{"R", "G", "L", "N", "nothing"} {
		names = append(names, "to place "+k)
	}
	return append(names, "ply / 400", "own attack run / 4", "enemy attack run / 4", "seen before")
}
