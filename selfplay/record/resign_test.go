package record

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
)

// TestResignationRules breaks the rules of resignation, one at a time, in the
// first of two games of which its last player has lost by resignation.
func TestResignationRules(t *testing.T) {
	for _, c := range []struct {
		name, want string // "": it is good
		spoil      func(game []Row)
	}{
		{"resigned", "", func([]Row) {}},
		{"played on", "", func(game []Row) {
			last := len(game) - 1
			game[last].Resigns, game[last-2].Resigns = false, true
			for i := range game {
				game[i].Reason = "four"
			}
		}},
		{"nobody resigns", "last row does not resign", func(game []Row) { game[len(game)-1].Resigns = false }},
		{"twice", "a second time", func(game []Row) {
			for i := range game {
				game[i].Reason = "four"
			}
			game[len(game)-3].Resigns = true
		}},
		{"goes on", "goes on after its player resigned", func(game []Row) { game[len(game)-3].Resigns = true }},
		{"has not lost", "outcome 1 of a player who resigned", func(game []Row) {
			for i := range game {
				game[i].Outcome *= -1
			}
		}},
		{"after", "goes on after its player resigned", func(game []Row) { game[len(game)-1].After = game[0].Legal[:1] }},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, info := connect4Rows(t, 8)
			other := game(t, &connect4.Family, "")
			list := rows
			for _, game := range Games(rows) {
				// Without its last row, the last player of the game is the loser.
				if last := len(game) - 2; last > 5 && game[last].Outcome == -1 && len(game[last+1].After) == 0 {
					for i := range game {
						game[i].Reason = ReasonResignation
						game[i].TurnsLeft -= game[last+1].Turn + game[last+1].TurnsLeft - game[last].Turn - 1
					}
					game[last].Resigns = true
					list = append(append([]Row(nil), game[:last+1]...), randomRows(t, []engine.Game{other}, 90, 1, 4, 1)...)
					c.spoil(list[:last+1])
					break
				}
			}
			if len(list) == len(rows) {
				t.Fatal("no game to resign")
			}
			_, _, err := Marshal(info, head, list)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Fatalf("Marshal: %v, want %q", err, c.want)
			}
			if c.want != "" {
				return
			}
			s, err := Parse("s", marshal(t, info, list), info)
			if err != nil {
				t.Fatal(err)
			}
			checkColumns(t, s, list)
		})
	}
}

// resignedGame makes a game end by resignation with its row at: its player loses.
func resignedGame(game []Row, at, turns int32) []Row {
	rows := slices.Clone(game[:at+1])
	loser := rows[at].Player
	rows[at].Resigns, rows[at].After = true, nil
	for i := range rows {
		r := &rows[i]
		r.Reason, r.TurnsLeft, r.Outcome = ReasonResignation, turns-r.Turn, 1
		if r.Player == loser {
			r.Outcome = -1
		}
	}
	return rows
}

// TestReplayTakesResignation, and nothing else that the rules do not end.
func TestReplayTakesResignation(t *testing.T) {
	g := game(t, &connect4.Family, "")
	whole := randomRows(t, []engine.Game{g}, 0, 1, 4, 1)
	at := int32(len(whole) / 2)
	end := int32(len(whole) - 1)
	for whole[end-1].After != nil || len(whole[end].After) > 0 {
		t.Fatal("the game does not end with the action of its last row")
	}
	p := NewReplayer(g)
	for _, c := range []struct {
		name string
		rows []Row
		want string // "": no problem
	}{
		{"resigned", resignedGame(whole, at, whole[at].Turn+1), ""},
		{"turns", resignedGame(whole, at, whole[at].Turn+2), "2 turns left: want 1"},
		{"over by the rules", resignedGame(whole, end, whole[end].Turn+1), "resigns with the action that ends the game"},
		{"another reason", func() []Row {
			rows := resignedGame(whole, at, whole[at].Turn+1)
			rows[at].Reason = "four"
			return rows
		}(), "the game is not over"},
		{"won by who resigned", func() []Row {
			rows := resignedGame(whole, at, whole[at].Turn+1)
			rows[at].Outcome = 1
			return rows
		}(), "outcome 1 for player"},
	} {
		problems := p.Play(c.rows, nil)
		if c.want == "" {
			want := engine.Outcome{Over: true, Winner: engine.Player(whole[at].Player).Other(), Reason: ReasonResignation}
			if len(problems) != 0 || p.Outcome() != want {
				t.Errorf("%s: %v, outcome %+v, want %+v", c.name, problems, p.Outcome(), want)
			}
		} else if len(problems) == 0 || !strings.Contains(problems[0].Err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, problems, c.want)
		}
	}
	// The next game does not inherit the end of the one before.
	if problems := p.Play(whole, nil); len(problems) != 0 || p.Outcome() != p.State().Outcome() {
		t.Errorf("a whole game after one that was resigned: %v, %+v", problems, p.Outcome())
	}
}

func TestResignationsCount(t *testing.T) {
	row := func(resigns bool, reason string, outcome int8) Row {
		return Row{Resigns: resigns, Reason: reason, Outcome: outcome}
	}
	var n Resignations
	for _, game := range [][]Row{
		{},
		{row(false, "four", 1), row(false, "four", -1)},
		{row(false, ReasonResignation, 1), row(true, ReasonResignation, -1)},
		{row(true, "four", -1), row(false, "four", 1)},
		{row(false, "four", -1), row(true, "four", 1), row(false, "four", -1)},
		{row(true, "full", 0)},
	} {
		n.Add(game)
	}
	if want := (Resignations{Resigned: 1, PlayedOn: 3, Wrong: 2}); n != want {
		t.Errorf("%+v, want %+v", n, want)
	}
	for _, c := range []struct {
		wrong, of       int
		rate, low, high float64
		advice          bool
	}{ // by the formula of Wilson's interval, z = 1.96
		{0, 0, 0, 0, 1, false},
		{0, 20, 0, 0, 0.1611, false},
		{2, 20, 0.1, 0.0279, 0.3010, false},     // may be 5 %
		{5, 19, 5. / 19, 0.1181, 0.4879, false}, // few
		{5, 20, 0.25, 0.1119, 0.4687, true},
		{10, 100, 0.1, 0.0552, 0.1744, true},
		{9, 100, 0.09, 0.0481, 0.1623, false},
	} {
		n := Resignations{PlayedOn: c.of, Wrong: c.wrong}
		rate, low, high := n.ErrorRate()
		if rate != c.rate || math.Abs(low-c.low) > 1e-4 || math.Abs(high-c.high) > 1e-4 {
			t.Errorf("%d of %d: %.4f (%.4f to %.4f), want %.4f (%.4f to %.4f)", c.wrong, c.of, rate, low, high, c.rate, c.low, c.high)
		}
		if (n.Advice() != "") != c.advice {
			t.Errorf("%d of %d: advice %q", c.wrong, c.of, n.Advice())
		}
	}
}
