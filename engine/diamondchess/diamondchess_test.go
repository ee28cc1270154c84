package diamondchess

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest"
	"github.com/ludozero/ludozero/engine/enginetest/pagetest"
)

func TestConformance(t *testing.T) { enginetest.Run(t, &Family) }

func TestConformanceOfOptions(t *testing.T) {
	enginetest.Run(t, &Family,
		"listed,second_move=optional,pounce_range=adjacent", "listed,sacrifice=piece,herethroy_attack=target-home,futile_attacks=true",
		"free,ziri_blocks=false,town_fords=true,repetition=2", "listed,no_capture_turns=10,max_turns=40")
}

func TestPerft(t *testing.T) {
	for rules, want := range map[string][]uint64{
		"free":                         {8, 64, 456},
		"listed":                       {28, 631, 17330},
		"listed,pounce_range=adjacent": {28, 631, 17169},
		"listed,second_move=optional":  {28, 659, 18113},
	} {
		pagetest.Perft(t, pagetest.Open(t, &Family, rules), "", want...)
	}
}

// TestGames plays the games of the slow reference implementation.
func TestGames(t *testing.T) {
	pagetest.Games(t, &Family, os.DirFS("testdata"), "diamond-chess-games.jsonl.gz", 40)
}

// TestPositions compares worked positions of the rules page.
func TestPositions(t *testing.T) {
	pagetest.Positions(t, &Family, os.DirFS("testdata"), "diamond-chess-positions.jsonl.gz", 25, func(p *pagetest.Position, g engine.Coded) engine.State {
		var page struct {
			State struct {
				Pieces map[string]string
				Player uint8
				Phase  string
				Hit    []string
				Moved  []string
				Pack   map[string]int
				More   uint8
				Turn   uint16
				Quiet  int16
				Step   int
			}
		}
		p.Decode(t, &page)
		w := &page.State
		s := &State{game: g.(*Game), side: w.Player, strikes: w.More, turn: w.Turn, quiet: w.Quiet}
		s.phase = phase(slices.Index([]string{"SETUP", "START", "PACK", "MOVE2", "KHT"}, w.Phase))
		s.second = s.phase == phaseSecond
		square := func(name string) int {
			sq, err := readSquare(w.Pieces[name])
			if err != nil {
				t.Fatalf("%s: %s: %v", p.Name, name, err)
			}
			return sq
		}
		for name := range w.Pieces {
			kind := slices.IndexFunc(kindNames[:], func(k string) bool { return strings.HasPrefix(name[2:], strings.ReplaceAll(k, " ", "")) })
			s.put(name[0]-'0', kind, square(name))
		}
		for _, name := range w.Hit {
			if w.Pieces[name] != "" {
				s.spent[name[0]-'0'] |= 1 << square(name)
			}
		}
		for _, name := range w.Moved {
			if strings.HasSuffix(name, "ziri") {
				s.flown = true
			} else {
				s.moved |= 1 << square(name)
			}
		}
		for name, steps := range w.Pack {
			s.unpackAllowance(square(name), steps)
		}
		if err := s.check(); err != nil && p.Name != "orren in the river" { // no gormoror can stand in it
			t.Errorf("%s: %v", p.Name, err)
		}
		return s
	})
}

func TestRefusals(t *testing.T) {
	g := pagetest.Open(t, &Family, "listed")
	start := string(g.NewState().AppendPosition(nil))
	rows := strings.Fields(start)[0]
	pagetest.Refused(t, g.NewState(), map[string]string{
		"":                               "position \"\"",
		start + " ":                      "one blank",
		rows + " south":                  "phase: missing",
		rows + " east start":             `side to act "east": want south, north`,
		rows + " south start z=30 Z=7":   "Z=7: want squares of two digits",
		rows + " south start z=3031":     "south has 2 zi ri: want at most 1",
		rows + " south start quiet=101":  "quiet=101: want 1 to 100",
		rows + " south start Z=74 z=30":  "out of order",
		rows + " south pack z=30":        "pack: want cani",
		rows + " south second":           "second: want one piece that has moved",
		rows + " south strike strikes=2": "strike: the khtsoyis has no target",
		rows + " south setup":            "set-up",
		rows + " south start spent=01":   "spent: only a gormoror and a rassimel",
		rows + " south start moved=01":   "start: nothing has moved yet",
		rows + " south start two=01":     "two, three: only in the phase pack",
		rows + " south start three=01":   "two, three: only in the phase pack",
		"t" + start:                      "line 1 of the board",
		strings.Replace(start, "k", ".", 1)[:7] + "h" + start[8:]: "south has 2 herethroy",
		strings.Replace(start, "t", ".", 1) + " x":                "unknown",
	})
	s := g.NewState()
	for word, want := range map[string]string{
		"22-22": "its own side stands there", "stop": "a move or an attack is possible", "44-45": "south has no piece there", "22": "want FROM-TO",
		"22x44": "neighbouring squares only", "22x32": "no enemy stands there", "place:cani": "the set-up is over", "place:king": "no such piece", "88-11": `square "88"`,
	} {
		_, err := s.ParseAction(word, nil)
		pagetest.Says(t, err, want, word)
	}
}

func FuzzPosition(f *testing.F) {
	pagetest.FuzzPosition(f, &Family, []string{"free,town_fords=true", "listed"})
}
