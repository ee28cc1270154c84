package konkvest

import (
	"os"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest"
	"github.com/ludozero/ludozero/engine/enginetest/pagetest"
)

func TestConformance(t *testing.T) { enginetest.Run(t, &Family) }

func TestConformanceOfOptions(t *testing.T) {
	enginetest.Run(t, &Family,
		"fixed,guard_reach=lines+vertical,general_reach=disc,hero_forward=upto2-lines,queen_cycle=forbid,max_plies=60",
		"fixed,guard_reach=lines,general_reach=lines,hero_forward=exact2,lanser=sides+forward,support_leap=long,wake=rows,max_plies=60",
		"free,wake=column,promotion=forced,full_reserve=lost,blocked=draw,queen_cycle=off,repetition=2,max_plies=60")
}

func parse(t *testing.T, rules string) *Game {
	t.Helper()
	g, err := Family.Parse(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g.(*Game)
}

func TestPerft(t *testing.T) {
	for rules, want := range map[string][]uint64{
		"free":              {12, 144, 1584},
		"fixed":             {36, 1296, 49104},
		"fixed,wake=column": {36, 1296, 49104},
		"fixed,general_reach=disc,guard_reach=lines+vertical": {36, 1296, 49392},
	} {
		pagetest.Perft(t, parse(t, rules), "", want...)
	}
}

// TestGames plays the games of the slow reference implementation.
func TestGames(t *testing.T) {
	pagetest.Games(t, &Family, os.DirFS("testdata"), "konkvest-games.jsonl.gz", 40)
}

// pageState is a position in the terms of the rules page.
type pageState struct {
	Pieces    map[string]string
	Reserve   [2]map[string]int
	Player    uint8
	Formation uint8
	Ply       uint16
	Streak    [2]uint16
}

// state makes the position under g; result is the outcome that the page gives.
func (w *pageState) state(t *testing.T, g *Game, result []any) *State {
	t.Helper()
	s := &State{game: g}
	s.clear()
	s.side, s.step, s.ply, s.runs = w.Player, w.Formation, w.Ply, w.Streak
	for name, word := range w.Pieces {
		text, up := strings.CutPrefix(word, "+")
		kind := strings.IndexByte(letters, text[0]&^32)
		if up {
			kind += promoted
		}
		side := text[0] >> 5 & 1
		s.put(side, kind, seen(side, first+hex.Named(name)))
	}
	for side := range w.Reserve {
		for word, n := range w.Reserve[side] {
			s.keep(uint8(side), strings.Index(letters, word), n)
		}
		s.refresh(uint8(side))
	}
	if result != nil && result[1] == "queen cycle" {
		s.runs[1-s.side]++ // the page counts no attack that ends the game
		s.end, s.seen = endCycle, 1
	} else if s.step == toPlace {
		s.end = s.finish(nil)
	}
	return s
}

// TestPositions compares worked positions of the rules page.
func TestPositions(t *testing.T) {
	pagetest.Positions(t, &Family, os.DirFS("testdata"), "konkvest-positions.jsonl.gz", 29, func(p *pagetest.Position, g engine.Coded) engine.State {
		var page struct{ State pageState }
		p.Decode(t, &page)
		s := page.State.state(t, g.(*Game), p.Result)
		if err := s.check(); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		return s
	})
}

// play plays words from a position.
func play(t *testing.T, s *State, h *engine.History, words string) {
	t.Helper()
	for _, w := range strings.Fields(words) {
		a, err := s.ParseAction(w, h)
		if err != nil {
			t.Fatalf("%s: %v", s.AppendPosition(nil), err)
		}
		s.Apply(a, h)
	}
}

// at is a state at a position with the history that begins there.
func at(t *testing.T, rules, position string) (*State, *engine.History) {
	t.Helper()
	s, h := pagetest.At(t, parse(t, rules), position)
	return s.(*State), h
}

// chase is worked position 16: a general chases a Queen to and fro.
const chase = "p5/7/8/9/3q6/11/12/4N6/10/9/8/7/QP4 south play"

// TestQueenCycle: the seventh move is the fourth attack and comes back to a position.
func TestQueenCycle(t *testing.T) {
	const six, quiet = "f5-g5 i4-h4 g5-f4 h4-i4 f4-g5 i4-h4", "f5-g5 i4-h4 g5-f4 h4-i4 f4-e3 i4-h4 e3-f4 h4-i4 f4-g5 i4-h4"
	for _, c := range []struct{ rules, words, last, want string }{
		{"", six, "g5-f4", "queen-cycle"},
		{"queen_cycle=off", six, "g5-f4", ""},
		{"queen_cycle=off,repetition=2", "f5-g5 i4-h4 g5-f4 h4-i4", "f4-g5", "repetition"},
		{"", six, "g5-g6", ""},   // a new position
		{"", quiet, "g5-f4", ""}, // the run began anew in between
	} {
		s, h := at(t, c.rules, chase)
		play(t, s, h, c.words+" "+c.last)
		if o := s.Outcome(); o.Reason != c.want || c.want == "queen-cycle" && o.Winner != engine.Second {
			t.Errorf("%s: %s %s: %+v, want %q", c.rules, c.words, c.last, o, c.want)
		}
	}
	for rules, drawn := range map[string]bool{"": false, "queen_cycle=forbid": false, "queen_cycle=off": true} {
		s, h := at(t, rules, chase)
		play(t, s, h, "f5-g5 i4-h4 g5-f4 h4-i4 f4-g5")
		if s.RepeatedSince(h, 0) != drawn {
			t.Errorf("%s: a search takes a chase for a draw: %t", rules, !drawn)
		}
	}
	s, h := at(t, "queen_cycle=forbid", chase)
	play(t, s, h, six)
	if _, err := s.ParseAction("g5-f4", h); err == nil || !strings.Contains(err.Error(), "fourth attack") {
		t.Errorf("%v, want the cycle refused", err)
	}
	if _, err := s.ParseAction("g5-f4", nil); err != nil {
		t.Errorf("without a past: %v", err)
	}
	if want := len(s.Legal(nil, nil)) - 1; len(s.Legal(nil, h)) != want {
		t.Errorf("%d legal actions with the past, want %d", len(s.Legal(nil, h)), want)
	}
}

// TestEndings are results that random games rarely come to.
func TestEndings(t *testing.T) {
	const blocked = "6/3q3/8/9/10/11/12/11/10/1p7/p1p5/PPr4/QP4 north play south=PPPPPSSSGGRRLN"
	for _, c := range []struct {
		rules, position, words, want string
		winner                       engine.Player
	}{
		{"", "6/r2q3/3Q4/9/10/11/12/11/10/9/8/7/6 south play", "k4-l4", "toppled", engine.First},
		{"", "q5/r6/3Q4/9/10/11/12/11/10/9/8/7/6 south play", "k4-l4", "occupation", engine.First},
		{"", "6/7/8/9/10/11/12/11/10/9/3q4/7/5Q north play", "c4-b4", "occupation", engine.Second},
		{"", blocked, "d2-c2", "blocked", engine.Second},
		{"blocked=draw", blocked, "d2-c2", "blocked", engine.Nobody},
		{"fixed,max_plies=2", "", "c1-d1 k1-j1", "max-plies", engine.Nobody},
		{"fixed,repetition=2", "", "b3-b2 l5-l6 b2-b3 l6-l5", "repetition", engine.Nobody},
	} {
		s, h := at(t, c.rules, c.position)
		play(t, s, h, c.words)
		if o := s.Outcome(); o.Reason != c.want || o.Over && o.Winner != c.winner {
			t.Errorf("%s %s: %+v, want %q of %v", s.AppendPosition(nil), c.words, o, c.want, c.winner)
		}
	}
}

func TestRefusals(t *testing.T) {
	g := parse(t, "fixed")
	start := string(g.NewState().AppendPosition(nil))
	board := strings.Fields(start)[0]
	with := func(old, new string) string { return strings.Replace(board, old, new, 1) }
	pagetest.Refused(t, g.NewState(), map[string]string{
		"":                                          "position \"\"",
		start + " ":                                 "one blank",
		board + " south":                            "phase: missing",
		board + " east play":                        `side to act "east": want south, north`,
		board[1:] + " south play":                   "row m: want 6 hexes",
		"x" + board + " south play":                 "row m: \"xrlnnlr\"",
		with("/12/", "/6+N5/") + " south play":      "with + for promoted ones",
		with("/12/", "/66/") + " south play":        "row g: want 12 hexes",
		with("/12/", "/0012/") + " south play":      "want the number of empty hexes",
		with("/12/", "/6Q5/") + " south play":       "another Queen of south",
		with("/12/", "/6N5/") + " south play":       "5 pieces of kind general",
		with("q", "1") + " north play":              "row l: want 7 hexes",
		with("gqg", "g1g") + " north play":          "end: the game has ended here, want toppled",
		board + " south play end=toppled":           "end: the game goes on here",
		board + " south play end=glory":             "end=glory: want toppled",
		board + " south play south=XX":              "letters of PSGRLN, in this order",
		board + " south play south=SP":              "in this order",
		board + " south play ply=401":               "ply=401: want 1 to 400",
		board + " south play ply=1 seen=3":          "beyond what ends the game",
		board + " south play south-attacks=2":       "south-attacks=2: want at most 0 after 0 actions",
		board + " south play south-attacks=1 ply=1": "south-attacks=1: want at most 0 after 1 actions",
		board + " north play south-attacks=4 ply=7 seen=1 end=queen-cycle": "end: the game goes on here",
		board + " south play north=SSS south=SSS":                          "out of order",
		board + " south formation":                                         "there is none to decide under these rules",
	})
	off := parse(t, "fixed,queen_cycle=off").NewState()
	pagetest.Refused(t, off, map[string]string{board + " south play north-attacks=1 ply=2": "north-attacks=1: want none with queen_cycle=off"})
	forbid := parse(t, "fixed,queen_cycle=forbid").NewState()
	pagetest.Refused(t, forbid, map[string]string{board + " south play south-attacks=3 ply=6 end=blocked": "end: the game goes on here"})
	free := parse(t, "free").NewState()
	open := strings.Fields(string(free.AppendPosition(nil)))[0]
	pagetest.Refused(t, free, map[string]string{
		open + " north formation south=SSS north=SSS":                                      "south acts",
		open + " south formation south=SSS":                                                "north has more than its pawns",
		strings.Replace(open, "/6", "/G5", 1) + " north formation south=SSS north=SSS":     "south has 0 of kind rook",
		strings.Replace(open, "/12/", "/R11/", 1) + " north formation south=SSS north=SSS": "south has more than its pawns",
	})
}

// TestWhyNot: every rule that stands against a click or a word has words of its own, and
// nothing stands against a legal one.
func TestWhyNot(t *testing.T) {
	const lone = "6/3q3/p7/9/4P5/4Rs5/12/11/10/9/8/3Q3/6 south play north=G"
	full := strings.Replace(lone, "north=G", "south=PPPPPPPSSSGGRL", 1)
	for _, c := range []struct{ rules, position, from, to, want string }{
		{"fixed", "", "c1", "d1", ""},
		{"fixed", "", "a3", "a3", "the general on a3 can do nothing now"},
		{"fixed", "", "m1", "m1", "the piece on m1 is the opponent's"},
		{"fixed", "", "b1", "b1", ""}, // a summon
		{"fixed", "", "g1", "g1", "g1 is empty, and nothing can be summoned there"},
		{"fixed", "", "g1", "g2", "south has no piece there"},
		{"fixed", "", "c1", "c2", "a pawn does not go there"},
		{"fixed", "", "b4", "c4", "a piece of its own side stands there"},
		{"fixed", "", "b3", "d4", "other pieces are in the way"},
		{"free", "", "a1", "a1", ""},
		{"free", "", "c1", "c1", "a rook has to be placed"},
		{"free", "", "c1", "d1", "a rook has to be placed"},
		{"", lone, "h5", "h6", ""},
		{"", full, "h5", "h6", "with 14 pieces in reserve"},
		{"full_reserve=lost", full, "h5", "h6", ""},
		{"", lone, "h5", "h7", "other pieces are in the way"},
		{"", strings.Replace(lone, "4Rs5", "5sP4", 1), "h7", "i6", ""},
		{"", strings.Replace(lone, "4P5/", "3sP5/", 1) + "", "h5", "i4", ""},
		{"", strings.Replace(lone, "p7/9/4P5", "8/4p4/4P5", 1), "i5", "j5", ""},
		{"", strings.Replace(lone, "p7/9/4P5", "4p3/9/4P5", 1), "i5", "k4", ""},
		{"", strings.Replace(lone, "p7/9/4P5", "3p4/9/4P5", 1), "i5", "k4", "only if the hex is empty"},
	} {
		s, h := at(t, c.rules, c.position)
		pagetest.Says(t, s.WhyNot(hex.Named(c.from), hex.Named(c.to), h), c.want, c.rules, c.position, c.from, c.to)
	}
	for _, c := range []struct{ rules, position, word, want string }{
		{"", lone, "h5-h6+", "no promotion with a capture"},
		{"", lone, "h5-i4+", "promotion needs undisputed territory"},
		{"", lone, "b4-c4+", "a Queen does not promote"},
		{"promotion=forced", strings.Replace(lone, "s5", "6", 1), "h5-h6", "has to promote there"},
		{"", lone, "G@a1", "south has no guard in reserve"},
		{"", full, "G@g1", "summoned onto territory of one's own"},
		{"", full, "G@b4", "the hex is taken"},
		{"", lone, "place@a1", "the formation is over"},
		{"", lone, "K@a1", "before the @"}, {"", lone, "G@z1", "no such hex"}, {"", lone, "h5-z1", "no such hex"}, {"", lone, "foo", `"foo": no such hex; want FROM-TO`},
		{"", lone, "h5", "want FROM-TO"}, {"", lone, "h5-h5+", "want FROM-TO"}, {"", lone, "h5-h5", "want FROM-TO"},
	} {
		s, h := at(t, c.rules, c.position)
		_, err := s.ParseAction(c.word, h)
		pagetest.Says(t, err, c.want, c.rules, c.position, c.word)
	}
}

func FuzzPosition(f *testing.F) {
	pagetest.FuzzPosition(f, &Family, []string{"free", "fixed", "fixed,queen_cycle=forbid"}, chase)
}
