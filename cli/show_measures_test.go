package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/konreh/measure"
)

// measuredLine is a position of which every measure below can be seen on the board.
const measuredLine = "7b/8/8/4B3/4r3/8/8/8 A m D,r0,s1,x0,c0,n-,h1,k0 H,r0,s0,x0,c0,n-,h1,k0 0 40"

func TestShowMeasures(t *testing.T) {
	text := mustCall(t, "show", "--game", "konreh", "--position", measuredLine, "--measures")
	for _, want := range []string{
		`clocks: turns in the Cross +1 of 3 +0 of 3`,
		`  specials left +1 +1`,
		`  turns left to plant +- +-`,
		`S, the opponent's specials +1 +1`,
		`XS of e5 +\d`,
		`CCA +0 +0`,
		`SRI where Blue stands +0 +1`,
		`T\* +∞ +\d`,
		`κ +0 in 5 turns +\d in 5 turns`,
		`SRI of each second special: e5\*e4 0`,
	} {
		if !regexp.MustCompile("(?m)^" + want + "$|^" + want + " ").MatchString(text) {
			t.Errorf("no line %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "ΔT*") {
		t.Errorf("nothing was played, yet it says\n%s", text)
	}
	if plain := mustCall(t, "show", "--game", "konreh", "--position", measuredLine); !strings.HasPrefix(text, plain) {
		t.Errorf("without --measures\n%s\nwith\n%s", plain, text)
	}
}

// TestShowMeasuresOfAMove: both columns change with the whole last turn, and a game
// that is over has measures, too.
func TestShowMeasuresOfAMove(t *testing.T) {
	line := "8/8/5R2/8/8/8/8/b7 A m HD,r0,s0,x0,c5,n-,h0,k0 HD,r0,s0,x0,c0,n-,h1,k0 0 40"
	text := mustCall(t, "show", "--position", line, "--moves", "f6f8", "--measures")
	for _, want := range []string{`ΔT\* of the last turn +-1 +0`, `Δκ of the last turn +\+∞ +0`, `κ +∞ in 4 turns`, `  turns left to plant +4 +-`} {
		if !regexp.MustCompile("(?m)^" + want).MatchString(text) {
			t.Errorf("no line %q in\n%s", want, text)
		}
	}
	over := mustCall(t, "show", "--position", "8/8/5R2/8/8/8/8/b7 A m HD,r0,s0,x0,c1,n-,h0,k0 HD,r0,s0,x0,c0,n-,h1,k0 0 40", "--moves", "f6f8", "--measures")
	if !strings.Contains(over, "over: reforge") || !strings.Contains(over, "\nT* ") {
		t.Errorf("after the end\n%s", over)
	}
}

func TestShowMeasuresAsJSON(t *testing.T) {
	x := decode[measure.Description](t, mustCall(t, "show", "--game", "konreh", "--position", measuredLine, "--measures", "--json"))
	if x.Position != measuredLine || x.Rules != "standard" || x.Sides[0].Side != "A" || x.Sides[1].Side != "B" {
		t.Errorf("%+v", x)
	}
	a, b := x.Sides[0], x.Sides[1]
	if a.Race.PlantTurns != nil || b.Race.PlantTurns == nil || *a.Race.Kappa != 0 || a.Before != nil {
		t.Errorf("races %+v and %+v", a.Race, b.Race)
	}
	// Both columns name the squares of the board in one order.
	if a.Sanctums[0].Square != "h1" || b.Sanctums[0].Square != "h1" || a.Sanctums[1].Square != "a8" || a.Cross[0].Square != "d4" || b.Cross[0].Square != "d4" || len(b.Cross) != 4 {
		t.Errorf("squares %+v and %+v", a, b)
	}
	if len(x.SecondSpecials) != 1 || x.SecondSpecials[0] != (measure.DescribedSpecial{Move: "e5*e4", SRI: 0}) || *a.SRI != 0 {
		t.Errorf("second specials %+v, SRI %d", x.SecondSpecials, *a.SRI)
	}
	micro := decode[measure.Description](t, mustCall(t, "show", "--rules", "micro", "--measures", "--json"))
	if len(micro.Sides[0].Cross) != 0 || micro.SecondSpecials != nil {
		t.Errorf("micro has no Cross and no second special: %+v", micro)
	}
}

func TestShowMeasuresIsRefused(t *testing.T) {
	mustFail(t, 2, []string{"show", "--game", "connect4", "--measures"}, "connect4", "--game konreh")
	mustFail(t, 2, []string{"show", "--json"}, "--measures")
	mustFail(t, 2, []string{"show", "--measures", "--svg", "-"}, "--svg")
}
