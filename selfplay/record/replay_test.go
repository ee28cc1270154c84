package record

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

func TestGoodGamesReplay(t *testing.T) {
	for _, g := range []engine.Game{
		game(t, &konreh.Family, "blitz,balance=pie"), game(t, &connect4.Family, ""), game(t, &tictactoe.Family, ""), racegame.New(),
	} {
		p := NewReplayer(g)
		rows := randomRows(t, []engine.Game{g}, 0, 20, 2, 5)
		games, unsearched, chances := 0, 0, 0
		for start, rows := range Games(rows) {
			games++
			next := 0
			for _, problem := range p.Play(rows, func(s *Step) {
				switch {
				case s.Row == nil && s.State.Actor() == engine.Chance:
					chances++
				case s.Row == nil:
					unsearched++
				case s.Row != &rows[next] || s.Action != rows[next].Action || string(s.State.AppendPosition(nil)) != rows[next].Position:
					t.Fatalf("%s: step %d is not row %d", g.Info().Name, next, start+next)
				default:
					next++
				}
			}) {
				t.Errorf("%s %s: row %d: %v", g.Info().Name, g.Rules(), start+problem.Row, problem.Err)
			}
			if next != len(rows) || !p.State().Outcome().Over {
				t.Errorf("%s: game at %d: %d steps of %d rows, over %t", g.Info().Name, start, next, len(rows), p.State().Outcome().Over)
			}
		}
		if games != 20 || unsearched == 0 || (chances != 0) != (g.Info().NumChance != 0) {
			t.Errorf("%s: %d games, %d moves without a row, %d rolls", g.Info().Name, games, unsearched, chances)
		}
	}
}

// TestReplayFindsEveryFault alters one thing at a time in a good game.
func TestReplayFindsEveryFault(t *testing.T) {
	g := racegame.New() // chance, and players who move twice
	good := randomRows(t, []engine.Game{g}, 0, 40, 2, 5)
	var rows []Row
	for _, game := range Games(good) {
		if len(game) > len(rows) {
			rows = game
		}
	}
	last := len(rows) - 1
	// The row that is altered: a roll alone leads to it.
	k := 2
	for len(rows[k].Before) != 1 || rows[k].Ply != rows[k-1].Ply+1 {
		k++
	}
	if k > last-2 {
		t.Fatalf("the first row after a roll is %d of %d", k, last)
	}
	at := func(text string) string { return fmt.Sprintf("%d: %s", k, text) }
	p := NewReplayer(g)
	for _, c := range []struct {
		name  string
		alter func(rows []Row)
		want  []string // one for each problem: the row, then part of the text
	}{
		{"nothing", func([]Row) {}, nil},
		{"ply", func(r []Row) { r[k].Ply++ }, []string{fmt.Sprintf("%d: ply %d: want %d", k, rows[k].Ply+1, rows[k].Ply)}},
		{"turn", func(r []Row) { r[k].Turn++ }, []string{at("turn ")}},
		{"player", func(r []Row) { r[k].Player ^= 1 }, []string{at("player ")}},
		{"side", func(r []Row) { r[k].Side ^= 1 }, []string{at("side ")}},
		{"all four", func(r []Row) { r[k].Ply++; r[k].Turn++; r[k].Player ^= 1; r[k].Side ^= 1 },
			[]string{at("ply "), at("turn "), at("player "), at("side ")}},
		{"two rows", func(r []Row) { r[0].Side ^= 1; r[k].Side ^= 1 }, []string{"0: side ", at("side ")}},
		{"legal", func(r []Row) { r[k].Legal = nil }, []string{at("legal actions []: want [")}},
		{"text", func(r []Row) { r[k].Position = r[0].Position }, []string{at("the position \"") + rows[0].Position + "\" is not the packed one"}},
		{"packed", func(r []Row) { r[k].Packed = r[0].Packed }, []string{at("the packed position is not")}},
		{"packed length", func(r []Row) { r[k].Packed = nil }, []string{at("the packed position is not")}},
		{"both", func(r []Row) { r[k].Position, r[k].Packed, r[k+1].Side = r[0].Position, r[0].Packed, 7 }, // left there
			[]string{at("the position is \"") + rows[0].Position + "\", the actions lead to"}},
		{"action", func(r []Row) { r[k].Action = 99 }, []string{at("action 99 of ply ")}},
		{"negative action", func(r []Row) { r[k].Action = -1 }, []string{at("action -1 of ply ")}},
		{"roll", func(r []Row) { r[k].Before = []engine.Action{3} }, []string{at("chance outcome 3 of ply ")}},
		{"no roll", func(r []Row) { r[k].Before = nil }, []string{at("a decision of player ")}},
		{"too much after", func(r []Row) { r[last].After = append(slices.Clone(r[last].After), 0) }, []string{fmt.Sprintf("%d: action 0 of ply ", last)}},
		{"last row missing", func(r []Row) { r[last-1].After = nil; r[last] = r[last-1] }, []string{fmt.Sprintf("%d: ", last)}},
		{"outcome", func(r []Row) { r[last].Outcome = (r[last].Outcome+2)%3 - 1 }, []string{fmt.Sprintf("%d: outcome ", last)}},
		{"reason", func(r []Row) { r[last].Reason = "boredom" }, []string{fmt.Sprintf("%d: the game ended by \"boredom\": want ", last)}},
		{"turns left", func(r []Row) { r[last].TurnsLeft++ }, []string{fmt.Sprintf("%d: %d turns left: want %d", last, rows[last].TurnsLeft+1, rows[last].TurnsLeft)}},
	} {
		altered := slices.Clone(rows)
		c.alter(altered)
		problems := p.Play(altered, nil)
		ok := len(problems) == len(c.want)
		for i := range min(len(problems), len(c.want)) {
			ok = ok && strings.HasPrefix(fmt.Sprintf("%d: %v", problems[i].Row, problems[i].Err), c.want[i])
		}
		if !ok {
			t.Errorf("%s: problems %v, want %q", c.name, problems, c.want)
		}
	}
	if problems := p.Play(rows[:last], nil); len(problems) != 1 || !strings.Contains(problems[0].Err.Error(), "not over") {
		t.Errorf("without its last row: %v, want that the game is not over", problems)
	}
	if problems := p.Play(nil, nil); len(problems) != 0 {
		t.Errorf("no rows: %v", problems)
	}
}

// TestProblemsListsAll: Rows stops at the first fault, Problems does not.
func TestProblemsListsAll(t *testing.T) {
	rows, info := connect4Rows(t, 10)
	s, err := Parse("test", marshal(t, info, rows), info)
	if err != nil {
		t.Fatal(err)
	}
	if rows, err = s.Decode(); err != nil {
		t.Fatal(err)
	}
	if got := s.Problems(rows); len(got) != 0 {
		t.Fatalf("problems of a good shard: %v", got)
	}
	rows[3].Side = 2
	rows[7].Legal = nil
	rows[9].Reason = "boredom"
	s.Meta.RulesHash = "0"
	var at []int
	for _, p := range s.Problems(rows) {
		at = append(at, p.Row)
	}
	// A row that follows a bad one is not held against it.
	if want := []int{3, 7, 9, -1}; !slices.Equal(at, want) {
		t.Errorf("problems in rows %v, want %v", at, want)
	}
}

// TestParseAny finds out the game by itself.
func TestParseAny(t *testing.T) {
	rows, info := connect4Rows(t, 2)
	data := marshal(t, info, rows)
	s, err := ParseAny("test", data, func(name string) (*engine.Info, error) {
		if name != "connect4" {
			t.Errorf("asked for game %q", name)
		}
		return info, nil
	})
	if err != nil || s.Meta.Rows != len(rows) {
		t.Errorf("shard %+v, %v", s, err)
	}
	_, err = ParseAny("test", data, func(name string) (*engine.Info, error) { return nil, fmt.Errorf("no game %q", name) })
	if err == nil || err.Error() != `shard test: foreign shard: no game "connect4"` {
		t.Errorf("shard of an unknown game: %v", err)
	}
}

// TestReplayDoesNotAllocate once its memory has grown to what a game needs.
func TestReplayDoesNotAllocate(t *testing.T) {
	g := game(t, &konreh.Family, "blitz")
	rows := randomRows(t, []engine.Game{g}, 0, 1, 2, 5)
	p := NewReplayer(g)
	steps := 0
	count := func(*Step) { steps++ }
	play := func() {
		if problems := p.Play(rows, count); len(problems) != 0 {
			t.Fatal(problems)
		}
	}
	play()
	if n := testing.AllocsPerRun(10, play); n != 0 {
		t.Errorf("a game of %d steps: %g allocations, want none", steps, n)
	}
}
