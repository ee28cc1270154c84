package alphabeta

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// published calls do for every position of the games that come with the rules,
// of all presets, in which a side has one turn left to plant.
func published(t *testing.T, do func(g *konreh.Game, s *konreh.State, h *engine.History)) {
	t.Helper()
	f, err := os.Open("../../engine/konreh/testdata/konreh-games.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	games := map[string]*konreh.Game{}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var p struct {
			Preset, Pos, Moves string
			Options            []string
		}
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		rules := strings.Join(append([]string{p.Preset}, p.Options...), ",")
		g := games[rules]
		if g == nil {
			g = game(t, rules)
			games[rules] = g
		}
		s, h := newState(g), g.NewHistory()
		s.Start(h)
		if p.Pos != "" {
			s, h = positionAt(t, g, p.Pos)
		}
		for _, w := range strings.Fields(p.Moves) {
			if line := string(s.AppendPosition(nil)); s.BeginsTurn() && strings.Contains(line, ",c1,") {
				do(g, s, h)
			}
			a, err := s.ParseAction(w, h)
			if err != nil {
				t.Fatal(err)
			}
			s.Apply(a, h)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// TestReforgeRaces: with its last turn to plant running, a side plants; and a
// player whose opponent has one turn left stops the plant if any move does. What
// is right follows from the rules by playing every move, without the engine.
func TestReforgeRaces(t *testing.T) {
	plants, parries := 0, 0
	engines := map[*konreh.Game]*Engine{}
	published(t, func(g *konreh.Game, s *konreh.State, h *engine.History) {
		list := s.Legal(nil, h)
		e := engines[g]
		if e == nil {
			e = New(g)
			engines[g] = e
		}
		e.NewGame()
		var own konreh.Measures
		s.Measure(s.Side(), &own)
		if own.Reforge == 1 {
			saves := those(s, list, func(next *konreh.State) bool {
				o := next.Outcome()
				return !o.Over || o.Winner != s.Actor().Other()
			})
			if len(saves) > 0 && len(saves) < len(list) {
				plants++
				if r := e.Search(s, h, list, 1, nil); !contains(saves, r.Action) {
					t.Errorf("%s: %s loses at once", s.AppendPosition(nil), s.AppendAction(nil, r.Action))
				}
			}
			return
		}
		wins := those(s, list, func(next *konreh.State) bool { return winsNextTurn(next, s.Actor()) })
		if len(wins) > 0 && len(wins) < len(list) {
			parries++
			r := e.Search(s, h, list, 3, nil)
			if !contains(wins, r.Action) || r.Value != win-1 {
				t.Errorf("%s: %s (%d) lets the win go", s.AppendPosition(nil), s.AppendAction(nil, r.Action), r.Value)
			}
		}
	})
	t.Logf("%d plants, %d parries", plants, parries)
	if plants < 8 || parries < 15 {
		t.Errorf("%d plants and %d parries: want 8 and 15", plants, parries)
	}
}

// winsNextTurn tells whether player, who may still have to finish the turn, can
// do so in a way that every reply loses.
func winsNextTurn(s *konreh.State, player engine.Player) bool {
	if o := s.Outcome(); o.Over {
		return o.Winner == player
	}
	list := s.Legal(nil, nil)
	won := those(s, list, func(next *konreh.State) bool {
		if s.Actor() == player {
			return winsNextTurn(next, player)
		}
		// Whoever plants has a turn to finish yet.
		o := next.Outcome()
		return o.Over && o.Winner == player || !o.Over && next.Actor() != player && winsNextTurn(next, player)
	})
	return s.Actor() == player && len(won) > 0 || len(won) == len(list)
}

// those are the actions that lead to a position that good accepts.
func those(s *konreh.State, list []engine.Action, good func(next *konreh.State) bool) []engine.Action {
	var saves []engine.Action
	for _, a := range list {
		next := *s
		if next.Apply(a, nil); good(&next) {
			saves = append(saves, a)
		}
	}
	return saves
}

// TestTactics has positions with one good move.
func TestTactics(t *testing.T) {
	const fresh, spent = "HD,r0,s0,x0,c0,n-,h1,k0", "-,r0,s0,x0,c0,n-,h1,k0"
	for _, c := range []struct{ name, rules, line, want string }{
		{"take Blue while its men are far from the Apex", "standard", "7r/6rr/8/8/2b5/8/2R5/B3R3 A m " + fresh + " " + fresh + " 0 40", "c2c4"},
		{"a bare Blue is no prey: without it no move is left, which is a draw", "standard", "8/8/8/8/2b5/8/2R5/B3R3 A m " + fresh + " " + spent + " 0 40", "!c2c4"},
		{"where that is a loss it is", "standard,stalemate=loss", "8/8/8/8/2b5/8/2R5/B3R3 A m " + fresh + " " + spent + " 0 40", "c2c4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := game(t, c.rules)
			s, h := positionAt(t, g, c.line)
			r := New(g).Search(s, h, s.Legal(nil, h), 3, nil)
			word := string(s.AppendAction(nil, r.Action))
			if want, not := strings.CutPrefix(c.want, "!"); (word == want) == not {
				t.Errorf("%s plays %s (%d), want %s", c.line, word, r.Value, c.want)
			}
		})
	}
}
