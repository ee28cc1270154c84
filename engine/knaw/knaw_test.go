package knaw

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest"
	"github.com/ludozero/ludozero/engine/enginetest/pagetest"
)

// rare are positions before and after a resolution, and after a lost errand, which random
// play hardly reaches. They stand near the limit of turns, so that the games are short.
var rare = []string{
	"F21,F5,S17,S1,R16,F6 C3,C11,F8,F23,R2,R12 south move dice=1 turn=290",
	"F27,F10,S30,S12,R11,F1 R5,R15,F5,F21,S6,S22 south post-roll resolver=north turn=290",
	"F25,F12,S28,F13,S17,C3 F10,F28,F2,R18,S1,C10 south move dice=2 barred=bard-b turn=290",
}

func TestConformance(t *testing.T) { enginetest.RunFrom(t, &Family, rare) }

func TestConformanceOfOptions(t *testing.T) {
	enginetest.Run(t, &Family,
		"standard,solipsist_through=contention-only,errand_tie=mover,conserve_randomness=true,max_turns=80",
		"symmetric,locked_out=all-contention,errand_tie=defender,conserve_randomness=true,post_decline=false,max_turns=60")
}

// TestGames plays the games of the slow reference implementation, and those of another
// that was written from the rules page alone: values of all options.
func TestGames(t *testing.T) {
	pagetest.Games(t, &Family, os.DirFS("testdata"), "knaw-games.jsonl.gz", 32)
	pagetest.Games(t, &Family, os.DirFS("testdata"), "knaw-options.jsonl.gz", 40)
}

// written is a position as the rules page has it.
type written struct {
	Pieces     [sides]map[string]string
	Player     uint8
	Phase      string
	Dice       []uint8
	Contention map[string]uint8
	Locked     []any
	Selected   *string
	Challenged *string
	Barred     *string
	Carried    *uint8
	Resolver   *int8
	Turn       uint16
}

// state builds the position, over if the game has ended.
func (w *written) state(t *testing.T, g *Game, over bool) *State {
	t.Helper()
	s := &State{game: g, side: w.Player, turn: w.Turn, piece: noPiece, barred: noPiece, resolver: -1}
	for side, pieces := range w.Pieces {
		for name, space := range pieces {
			s.at[side][pieceNamed(name)] = uint8(mustNamed(space))
		}
	}
	s.settle(0)
	s.settle(1)
	for name, marks := range w.Contention {
		for side := range sides {
			if marks>>side&1 != 0 {
				s.rolled[side] = s.rolled[side].or(single(mustNamed(name)))
			}
		}
	}
	names := []string{"DECLARE", "roll", "MOVE", "SECOND-MOVE", "errand-roll", "ERRAND-MOVE", "path-roll", "PATH-MOVE", "post-roll", "POST-MOVE"}
	s.phase = phase(slices.Index(names, w.Phase))
	if w.Resolver != nil {
		s.resolver = *w.Resolver
	}
	if over {
		s.phase = phaseOver
		return s
	}
	copy(s.dice[:], w.Dice)
	if w.Locked != nil && s.phase != phaseMove {
		s.piece, s.die = pieceNamed(w.Locked[0].(string)), uint8(w.Locked[1].(float64))
	}
	if w.Selected != nil {
		s.piece = pieceNamed(*w.Selected)
	}
	if w.Challenged != nil {
		s.space = uint8(mustNamed(*w.Challenged))
	}
	if w.Barred != nil {
		s.barred = pieceNamed(*w.Barred)
	}
	return s
}

// TestPositions compares worked positions of the rules page.
func TestPositions(t *testing.T) {
	pagetest.Positions(t, &Family, os.DirFS("testdata"), "knaw-positions.jsonl.gz", 20, func(p *pagetest.Position, g engine.Coded) engine.State {
		var page struct {
			State   written
			Chance  [][2]float64
			Tallies [sides]int
		}
		p.Decode(t, &page)
		s := page.State.state(t, g.(*Game), p.Result != nil)
		if err := s.check(); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		if len(page.State.Contention) != s.contention().count() {
			t.Errorf("%s: contention %s, want %v", p.Name, setText(s.contention()), page.State.Contention)
		}
		for i, text := range p.Text {
			p.Text[i] = strings.ReplaceAll(text, " ", ":")
		}
		chance := s.Chance(nil)
		same := len(chance) == len(page.Chance)
		for i := 0; same && i < len(chance); i++ {
			same = chance[i].Code == engine.Action(page.Chance[i][0]) && math.Abs(chance[i].Prob-page.Chance[i][1]) < 1e-6
		}
		if !same {
			t.Errorf("%s, %s: chance %v, want %v", p.Name, s.AppendPosition(nil), chance, page.Chance)
		}
		if got := [sides]int{s.score(0), s.score(1)}; got != page.Tallies {
			t.Errorf("%s: scores %v, want %v", p.Name, got, page.Tallies)
		}
		return s
	})
}

// TestBoard compares every space with the rules page's table.
func TestBoard(t *testing.T) {
	text, err := os.ReadFile("testdata/board.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		x, err := named(f[0])
		if err != nil {
			t.Fatal(err)
		}
		if codes[x] != n {
			t.Errorf("%s has code %d, want %d", f[0], codes[x], n)
		}
		n++
		colour, list := "white", []string(nil)
		if quarterSpaces[x%quarter].black {
			colour = "black"
		}
		for k, name := range []string{"center", "second", "first", "rim"} {
			if tier[k].has(x) {
				list = append(list, name)
			}
		}
		wedge, slot := place(x)
		border := set{}
		for _, name := range strings.Split(f[6], ",") {
			border = border.or(single(mustNamed(name)))
		}
		got := fmt.Sprint(names[x], " ", colour, " ", strings.Join(list, "+"), " ", wedge, " ", slot, " ", names[opposite(x)])
		if want := strings.Join(f[:6], " "); got != want || beside[x] != border {
			t.Errorf("%s beside %s, want %s", got, setText(beside[x]), line)
		}
	}
	if n != spaces {
		t.Errorf("%d spaces", n)
	}
}

// TestStateIsSmall: searches copy it.
func TestStateIsSmall(t *testing.T) {
	if n := unsafe.Sizeof(State{}); n > 512 {
		t.Errorf("%d bytes, want at most 512", n)
	} else {
		t.Logf("%d bytes", n)
	}
}

func TestPerft(t *testing.T) {
	for rules, want := range map[string][]uint64{
		"standard":  {6, 304, 1824, 91892},
		"symmetric": {36, 3344},
	} {
		pagetest.Perft(t, pagetest.Open(t, &Family, rules), "", want...)
	}
}

func parse(t *testing.T, rules, position string) *State {
	t.Helper()
	s, _ := pagetest.At(t, pagetest.Open(t, &Family, rules), position)
	return s.(*State)
}

const (
	startPieces = "F20,F12,R12,R8,R11,R9 F4,F28,R2,R18,R1,R19 "
	declare     = "F20,F6,F18,S9,S19,C4 F4,F23,S5,S23,S4,C11 south declare south=C10 north=F5,C10 turn=14"
	errand      = "F20,S3,R15,R5,F25,R6 S7,S21,F7,F23,R2,R12 south move dice=3 south=R4,F8,R14,F24 north=R4,F8 turn=72"
)

func TestRefusals(t *testing.T) {
	pagetest.Refused(t, parse(t, "", ""), map[string]string{
		"":                                                       "position \"\"",
		startPieces + "south":                                    "phase: missing",
		startPieces + "east roll":                                `side to act "east": want south, north`,
		startPieces + "south throw":                              "phase \"throw\"",
		startPieces + "south move":                               "dice: want as many",
		startPieces + "south move dice=7":                        "dice=7: want a number",
		startPieces + "south move dice=1+2":                      "dice: want as many",
		startPieces + "south roll dice=1":                        "dice: none in the phase roll",
		startPieces + "south roll south=C0":                      "C0 is no point of contention",
		startPieces + "south roll turn=300":                      "the game ends after 300",
		startPieces + "south declare":                            "no point of contention has matured",
		startPieces + "south over":                               "nobody has resolved",
		startPieces + "south post-roll":                          "want a resolver",
		startPieces + "south move dice=1 barred=king":            "barred=king: want bard-a",
		startPieces + "south move dice=1 barred=bard-a":          "could not ask for an errand",
		startPieces + "south move dice=1 piece=bard-a":           "piece: want one on an errand",
		startPieces + "south second dice=1 piece=bard-a":         "a turn has one die",
		startPieces + "south path-roll piece=bard-a":             "space: missing",
		startPieces + "south roll x":                             "unknown",
		"F20,F12,R12,R8,R11 F4,F28,R2,R18,R1,R19 south roll":     "want 6 spaces",
		"F20,F12,R12,R8,R11,R20 F4,F28,R2,R18,R1,R19 south roll": `space "R20"`,
		"F20,F12,R12,R8,R11,F4 F4,F28,R2,R18,R1,R19 south roll":  "want one on a space",
		"F20,F12,R12,R8,R11,F3 F4,F28,R2,R18,R1,R19 south roll":  "borders an enemy",
	})
}

// TestWhyNot: every rule that stands against an action has words of its own, and nothing
// stands against a legal one.
func TestWhyNot(t *testing.T) {
	const (
		roll   = startPieces + "south move dice="
		second = startPieces + "south second dice=2 piece=fool-a"
		lost   = "F25,F12,S28,F13,S17,C3 F10,F28,F2,R18,S1,C10 south move dice=2 barred=bard-b south=F11,C9,S19,F27,F29 north=F11,F27,F29 turn=18"
		path   = "F20,F6,F18,S9,S19,C4 F4,F23,S5,S23,S4,C11 south path dice=4 piece=herald-a space=C10 south=C10 north=F5,C10 turn=14"
		post   = "F27,F10,S30,S12,R11,F1 R5,R15,F5,F21,S6,S22 south post dice=1 resolver=north turn=35"
	)
	for _, c := range []struct{ rules, position, word, want string }{
		{"", startPieces + "south roll", "7", "want a number from 1 to 6"},
		{"symmetric", startPieces + "south roll", "6", "two numbers such as 5+3"},
		{"", startPieces + "south roll", "6", ""},
		{"", roll + "1", "bard-a>F19", ""},
		{"", roll + "1", "bard-a", "want go, PIECE>SPACE"},
		{"", roll + "1", "king>F19", "want go, PIECE>SPACE"},
		{"", roll + "1", "bard-a>F40", `space "F40"`},
		{"", roll + "1", "go", "a move is possible"},
		{"", roll + "1", "bard-a>F22", "no path of 1 jumps leads from F20 to F22"},
		{"", roll + "1", "herald-a>R12", "a piece stands on R12"},
		{"", roll + "1", "errand:bard-a", "only a piece that is locked out"},
		{"", roll + "1", "path:bard-a>F19", "declared before the roll"},
		{"", roll + "1", "bard-a>F19:2", "no second die"},
		{"symmetric", roll + "3+3", "bard-a>F19:2", "equal dice are one choice"},
		{"symmetric", second, "fool-a>S18", "the piece has moved this turn"},
		{"symmetric", second, "bard-a>S20", "of the same type"},
		{"symmetric", second, "fool-b>S14", ""},
		{"", declare, "path:herald-a>C10", ""},
		{"", declare, "path:herald-a>C9", "C9 does not border"},
		{"", declare, "path:bard-a>S3", "S3 does not border"},
		{"", declare, "path:herald-a>S20", "S20 is no point of contention"},
		{"", declare, "path:bard-b>F5", "F5 has not matured"},
		{"", declare, "bard-a>F19", "before the roll, or go"},
		{"", errand, "errand:fool-b", ""},
		{"", errand, "fool-b>S9", "every path of this length passes"},
		{"", strings.Replace(errand, "dice=3", "dice=1", 1), "errand:fool-b", "no end with a 1"},
		{"", lost, "bard-b>S12", "lost its errand"},
		{"", lost, "errand:bard-b", "a turn has one errand"},
		{"", path, "bard-a>F19", "the move is that of herald-a"},
		{"", path, "herald-a>F15", "by way of C10"},
		{"", post, "go", ""},
		{"standard,post_decline=false", post, "go", "may not be declined"},
		{"", post, "bard-a>F27", "must make a connection"},
		{"", post, "bard-a>F26", ""},
		// The die of an errand is the one that it was asked for with.
		{"symmetric", strings.Replace(errand, "move dice=3", "errand dice=1+3 die=2 piece=fool-b", 1), "fool-b>S0", "no path of 3 jumps leads from R5 to S0"},
	} {
		s := parse(t, c.rules, c.position)
		_, err := s.ParseAction(c.word, nil)
		pagetest.Says(t, err, c.want, c.rules, c.position, c.word)
	}
	s := parse(t, "", roll+"1")
	for _, c := range []struct{ from, to, want string }{
		{"F20", "F19", ""}, {"F20", "F20", ""}, {"F4", "F4", "the opponent's"}, {"C0", "C1", "south has no piece"}, {"R11", "C0", "no path of 1 jumps"},
	} {
		pagetest.Says(t, s.WhyNot(mustNamed(c.from), mustNamed(c.to), nil), c.want, c.from, c.to)
	}
}

// TestOptions plays what the reference games do not decide.
func TestOptions(t *testing.T) {
	// A die kept from a Path is rolled alone in the symmetric version too.
	const kept = "symmetric,conserve_randomness=true"
	s := parse(t, kept, strings.Replace(declare, "declare", "declare carried=5", 1))
	s.Apply(actionGo, nil)
	if got := string(s.AppendPosition(nil)); !strings.Contains(got, "south move dice=5 ") {
		t.Errorf("a kept 5 leads to %s", got)
	}
	// A piece that lost its errand may make the second move.
	s = parse(t, "symmetric", strings.Replace(errand, "dice=3", "dice=3+2", 1))
	play(t, s, "errand:fool-b", "6")
	if _, err := s.ParseAction("errand:fool-b", nil); err == nil {
		t.Error("a second request in a turn")
	}
	play(t, s, "fool-a>"+names[s.first("fool-a", t)])
	if s.phase != phaseSecond || s.barred != noPiece {
		t.Errorf("after the first move: %s", s.AppendPosition(nil))
	}
	for tie, want := range map[string]int{"reroll": 5, "defender": 6, "mover": 6} {
		s := parse(t, "standard,errand_tie="+tie, errand)
		play(t, s, "errand:fool-b")
		if got := s.Chance(nil); len(got) != want || got[0].Prob != 1/float64(want) {
			t.Errorf("tie=%s: rolls %v", tie, got)
		}
		if tie != "reroll" {
			play(t, s, "3")
			if won := s.phase == phaseErrand; won != (tie == "mover") {
				t.Errorf("tie=%s: %s", tie, s.AppendPosition(nil))
			}
		}
	}
	// The bonus counts, and the limit may draw.
	const resolved = "F20,F4,S19,S3,F0,F16 F8,F24,S9,C5,R7,R17 north over resolver=south turn=53"
	for rules, want := range map[string]int{"standard": 24, "standard,resolution_bonus=0": 18} {
		s := parse(t, rules, resolved)
		if s.score(0) != want || s.Outcome().Winner != engine.First {
			t.Errorf("%s: score %d, want %d", rules, s.score(0), want)
		}
		if s.Turn() != 54 { // 53 before the one that resolved
			t.Errorf("%s: %d turns at the end, want 54", rules, s.Turn())
		}
	}
	const limit = "F20,F4,S19,S3,F0,R13 F8,F23,S9,C5,R7,C1 south over turn=9"
	for rules, want := range map[string]engine.Player{"standard,max_turns=9": engine.First, "standard,max_turns=9,cap_result=draw": engine.Nobody} {
		if o := parse(t, rules, limit).Outcome(); !o.Over || o.Winner != want {
			t.Errorf("%s: %+v", rules, o)
		}
	}
}

// TestAskedAfterResolution: go is offered only where it can be played.
func TestAskedAfterResolution(t *testing.T) {
	const post = "F27,F10,S30,S12,R11,F1 R5,R15,F5,F21,S6,S22 south post dice=1 resolver=north turn=35"
	for _, c := range []struct{ rules, position, want string }{
		{"standard", post, "a connection by a move of 1, or go"},
		{"standard,post_decline=false", post, "a connection by a move of 1"},
		{"standard,post_decline=false", strings.Replace(post, "dice=1", "dice=2", 1), "a connection by a move of 2, or go"}, // there is none
	} {
		if got := string(parse(t, c.rules, c.position).AppendAsked(nil)); got != c.want {
			t.Errorf("%s, %s: asked for %q, want %q", c.rules, c.position, got, c.want)
		}
	}
}

func play(t *testing.T, s *State, words ...string) {
	t.Helper()
	for _, w := range words {
		a, err := s.ParseAction(w, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(a, nil)
	}
}

// first is an end of a move of a piece.
func (s *State) first(piece string, t *testing.T) int {
	t.Helper()
	for _, a := range s.Legal(nil, nil) {
		if d := s.decode(a); d.kind == doMove && d.die == 0 && pieceNames[d.piece] == piece {
			return d.space
		}
	}
	t.Fatalf("%s: no move of %s", s.AppendPosition(nil), piece)
	return 0
}

func FuzzPosition(f *testing.F) {
	pagetest.FuzzPosition(f, &Family, []string{"standard,errand_tie=mover", "symmetric,conserve_randomness=true"},
		append([]string{startPieces + "south roll", declare, errand}, rare...)...)
}
