package konreh

import (
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest"
)

// constant lists the inputs that CheckInputs does not see vary in the 30 games
// of a ruleset, with the reason, by plane and cell or by global (cell -1).
var constant = []struct {
	why   string
	name  string
	cells func(cell int) bool
}{
	{"every side's own Home Apex is its square a1", "own Home Apex", everywhere},
	{"h8, and f6 on the board of preset micro", "other Home Apex", except(63, 45)},
	{"a8 and h1, and a6 and f1", "Sanctums", except(7, 56, 5, 40)},
	{"only a Sanctum is banned", "own Sanctum ban", except(7, 56, 5, 40)},
	{"only a Sanctum is banned", "other Sanctum ban", except(7, 56, 5, 40)},
	{"bans are rare on the board of micro", "own Sanctum ban", only(5, 40)},
	{"bans are rare on the board of micro", "other Sanctum ban", only(5, 40)},
	{"the four squares of the Cross alone", "Cross", except(27, 28, 35, 36)},
	{"squares of both boards", "board", func(cell int) bool { return cell/8 < 6 && cell%8 < 6 }},
	{"squares of the first moves of a game", "moved first", except(4, 5, 11, 12, 18, 19, 25, 26, 32, 33, 40)},
	{"no Blue with a choice stands on an Apex", "Blue with a special or Seed to decide", only(0, 63)},
	{"the other side is never in the middle of a turn", "other leaves Home", everywhere},

	// Seen to vary in 200 games.
	{"rare", "Blue with a special or Seed to decide", only(47, 54, 55, 61, 62)},
	{"rare", "own Green", only(63)},
	{"rare", "runner Orange", everywhere},
	{"rare", "runner Green", everywhere},
	{"rare", "phase Green for the Apex", everywhere},
}

func everywhere(int) bool { return true }

func only(cells ...int) func(int) bool {
	return func(c int) bool { return slices.Contains(cells, c) }
}

func except(cells ...int) func(int) bool {
	return func(c int) bool { return !slices.Contains(cells, c) }
}

// TestInputsVary compares positions that differ in little over rulesets that
// differ in every option, and demands that every input that can vary does.
func TestInputsVary(t *testing.T) {
	var games []engine.Game
	for _, rules := range []string{
		"standard", "letter", "table", "tutor", "basic-cf", "basic-mobilization", "micro", "blitz", "lightning",
		"standard,seed_limit=1",
		"standard,balance=single,buyback=true,max_turns=200",
		"standard,balance=pie-double,buyback=true,seed_limit=2",
		"table,balance=double-pie,cross_exclusion=1,green_cap=12,buyback=true",
		"letter,reforge_turns=15,no_progress=0,max_turns=600",
		"standard,cross_stay=0,no_capture_turns=10",
		"standard,target_zoc_exempt=false,cross_stay=1,mobilization=false",
		"micro,balance=pie,no_progress=40",
		"standard,stalemate=loss",
	} {
		games = append(games, mustGame(t, rules))
	}
	in, err := enginetest.CheckInputs(games, 30, 1)
	if err != nil {
		t.Error(err)
	}
	t.Log(&in)
	for _, i := range in.Same {
		known := false
		for _, c := range constant {
			known = known || c.name == i.Name && c.cells(i.Cell)
		}
		if !known {
			t.Errorf("%v never varies", i)
		}
	}
}
