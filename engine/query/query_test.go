package query

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/knaw"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

var families = engine.Families{&tictactoe.Family, &knaw.Family}

// TestPositionsByHand: where a player decides, where chance does, and at the end.
func TestPositionsByHand(t *testing.T) {
	var m Scratch
	at := func(q Question) *Encoding {
		t.Helper()
		g, s, h, err := q.SetUp(families)
		if err != nil {
			t.Fatal(err)
		}
		return m.Encode(g, s, h)
	}
	e := at(Question{Game: "tictactoe", Moves: "b2 a1"})
	mask, err := base64.StdEncoding.DecodeString(e.Mask)
	if err != nil {
		t.Fatal(err)
	}
	if e.Actor != "first" || e.Side != "x" || e.Turn != 2 || e.Result != nil || len(e.Actions) != 7 || len(e.Words) != 7 || len(e.Cells) != 7 || len(e.Chance) != 0 {
		t.Errorf("%+v", e)
	}
	for a := range engine.Action(9) {
		if set := mask[a/8]>>(a%8)&1 == 1; set != slices.Contains(e.Actions, a) {
			t.Errorf("the mask has %t for action %d of %v", set, a, e.Actions)
		}
	}
	e = at(Question{Game: "tictactoe", Moves: "a1 b1 a2 b2 a3"})
	if r := e.Result; r == nil || r.Winner != "first" || r.WinnerSide != "x" || r.Reason != "line" || len(e.Actions) != 0 || len(e.Planes) != 0 || len(e.Globals) != 0 {
		t.Errorf("the end is %+v, %+v", e.Result, e)
	}
	e = at(Question{Game: "knaw"})
	sum := 0.0
	for _, p := range e.Chance {
		sum += p
	}
	if e.Actor != "chance" || len(e.Actions) != 6 || len(e.Chance) != 6 || sum < 1-1e-9 || sum > 1+1e-9 || len(e.Planes) != 0 {
		t.Errorf("before a roll %+v", e)
	}
}

func TestSparseIsTheSame(t *testing.T) {
	ones, others := Sparse([]float32{0, 1, 0.5, 1, 0})
	if !slices.Equal(ones, []int{1, 3}) || !slices.Equal(others, [][2]float32{{2, 0.5}}) {
		t.Errorf("%v, %v", ones, others)
	}
}

func TestQuestionsThatNobodyCanSetUp(t *testing.T) {
	for want, q := range map[string]Question{
		`no game "go"`: {Game: "go"}, `no preset "x"`: {Game: "tictactoe", Preset: "x"}, "move 2": {Game: "tictactoe", Moves: "a1 a1"}, "nonsense": {Game: "tictactoe", Pos: "nonsense"},
	} {
		if _, _, _, err := q.SetUp(families); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", q, err, want)
		}
	}
}
