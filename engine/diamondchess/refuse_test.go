package diamondchess

import (
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine/enginetest/pagetest"
)

// TestWhyNot: every rule that stands against a click has words of its own, and nothing
// stands against a legal one.
func TestWhyNot(t *testing.T) {
	const empty = "t......~/......~./.....~../....~.../...~..../..~...../.~....../~......T south start"
	sleeth := strings.Replace(empty, "/.....~../", "/..s..~../", 1)
	for _, c := range []struct{ rules, position, from, to, want string }{
		{"listed", "", "03", "04", ""},
		{"listed", "", "01", "01", "the cani on 01 can do nothing now"},
		{"listed", "", "03", "03", ""},
		{"listed", "", "77", "77", "the piece on 77 is the opponent's"},
		{"listed", "", "44", "44", "no piece there"},
		{"listed", "", "12", "16", "at most 3 straight"},
		{"listed", "", "22", "25", "may not stop in the river"},
		{"listed", "", "03", "12", "a piece of its own side"},
		{"listed", "", "02", "05", "at most 2 straight on its bank"},
		{"listed", "", "20", "50", "another piece is in the way"},
		{"listed", "", "30", "31", "leaps two squares one way"},
		{"free", "", "00", "01", "still in hand"},
		{"listed", strings.Replace(empty, "......~.", ".....s~.", 1), "15", "15", ""},
		{"listed", strings.Replace(empty, "......~.", "sC....~.", 1), "10", "11", ""},
		{"listed", strings.Replace(empty, "......~.", "cC....~.", 1), "10", "11", ""},
		{"listed", strings.Replace(empty, "......~.", "oC....~.", 1), "10", "11", "the magic of the orren strikes diagonally"},
		{"listed", strings.Replace(empty, "......~.", "c.C...~.", 1), "10", "12", "neighbouring squares only"},
		{"listed", strings.Replace(empty, "......~.", "cH....~.", 1), "10", "11", "weapons do nothing to a herethroy"},
		{"listed", strings.Replace(empty, "......~.", ".C....~.", 1), "00", "11", "a town does not attack"},
		{"listed", strings.Replace(empty, "......~.", "s.....~.", 1) + " Z=11", "10", "11", ""},
		{"listed", strings.Replace(empty, "......~.", ".k....~.", 1) + " Z=12", "11", "22", ""},
		{"listed", strings.Replace(empty, "......~.", ".k....~.", 1) + " Z=12", "11", "12", ""},
		{"listed", strings.Replace(empty, "......~.", ".k....~.", 1) + " Z=22", "11", "22", "strikes straight, not diagonally"},
		{"listed", strings.Replace(empty, "......~.", "oC....~.", 1) + " z=00", "00", "11", ""},
		{"listed", strings.Replace(empty, "..~.....", "..~..hC.", 1), "55", "56", "only on its own side"},
		{"listed", strings.Replace(empty, "south start", "south second moved=00 second=1", 1), "00", "01", "has moved this turn"},
		{"listed", sleeth + " z=24", "22", "24", "nobody enters the square of a zi ri"},
		{"listed,pounce_range=adjacent", sleeth + " Z=24", "22", "24", "a sleeth pounces one step away only"},
		{"listed", strings.Replace(sleeth, "start", "second Z=24 moved=00 second=1", 1), "22", "24", "no attack after a move"},
		{"listed", sleeth + " Z=24", "22", "24", ""},
	} {
		s, _ := pagetest.At(t, pagetest.Open(t, &Family, c.rules), c.position)
		from, _ := readSquare(c.from)
		to, _ := readSquare(c.to)
		pagetest.Says(t, s.(*State).WhyNot(from, to, nil), c.want, c.rules, c.position, c.from, c.to)
	}
	s, h := pagetest.At(t, pagetest.Open(t, &Family, "listed"), "")
	a, err := s.ParseAction("12-13", h)
	if err != nil {
		t.Fatal(err)
	}
	s.Apply(a, h)
	pagetest.Says(t, s.(*State).WhyNot(8, 8, nil), "the cani on 10 can do nothing now", "after 12-13")
	pagetest.Says(t, s.(*State).WhyNot(11, 11, nil), "has moved", "after 12-13")
}
