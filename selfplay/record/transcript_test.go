package record

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

// resigned makes the player of the row after half of a game's rows resign there.
func resigned(rows []Row) []Row {
	rows = append([]Row(nil), rows[:len(rows)/2+1]...)
	last := &rows[len(rows)-1]
	last.Resigns = true
	for i := range rows {
		r := &rows[i]
		r.Reason, r.Outcome = ReasonResignation, 1
		if r.Player == last.Player {
			r.Outcome = -1
		}
	}
	return rows
}

func shared(r *Row) Row {
	return Row{Run: r.Run, Generation: r.Generation, GameNumber: r.GameNumber, Seed: r.Seed}
}

// TestTranscriptRestoresEveryRow, of games to their end and of resigned ones.
func TestTranscriptRestoresEveryRow(t *testing.T) {
	for _, g := range []engine.Game{
		game(t, &konreh.Family, "blitz,balance=pie"), game(t, &connect4.Family, ""), game(t, &tictactoe.Family, ""), racegame.New(),
	} {
		p := NewReplayer(g)
		for _, rows := range Games(randomRows(t, []engine.Game{g}, 0, 20, 2, 5)) {
			for i := range rows {
				rows[i].Round()
			}
			end := rows[0].Turn + rows[0].TurnsLeft
			got, o, err := p.Restore(shared(&rows[0]), g, AppendTranscript(nil, rows))
			if err != nil || !reflect.DeepEqual(got, rows) || o.Reason != rows[0].Reason || p.State().Turn() != int(end) {
				t.Fatalf("%s: game %d comes back as another, which ends with %+v: %v", g.Info().Name, rows[0].GameNumber, o, err)
			}
			if g.Info().NumChance > 0 {
				continue // a roll of the dice may follow
			}
			short := resigned(rows)
			p.Play(short, nil)
			for i := range short {
				short[i].TurnsLeft = int32(p.State().Turn()) - short[i].Turn
			}
			if problems := p.Play(short, nil); len(problems) > 0 {
				continue // the action ended the game
			}
			got, o, err = p.Restore(shared(&short[0]), g, AppendTranscript(nil, short))
			if err != nil || !reflect.DeepEqual(got, short) || o != p.Outcome() || o.Reason != ReasonResignation {
				t.Fatalf("%s: resigned game %d comes back as another, which ends with %+v: %v", g.Info().Name, short[0].GameNumber, o, err)
			}
		}
	}
}

// TestTranscriptsAreRefusedByName: what cannot have been played, or no shard could hold.
func TestTranscriptsAreRefusedByName(t *testing.T) {
	g := game(t, &konreh.Family, "blitz")
	p := NewReplayer(g)
	rows := randomRows(t, []engine.Game{g}, 0, 1, 1, 5)
	for _, c := range []struct {
		want  string
		alter func(r []Row)
	}{
		{"action 9999 of ply 0 is not possible", func(r []Row) { r[0].Action = 9999 }},
		{"action 60000 of ply 2 is not possible", func(r []Row) { r[2].Before = []engine.Action{60000} }},
		{"policy sums to 65534", func(r []Row) { r[1].Policy[0]-- }},
		{"visits of 1 actions", func(r []Row) { r[1].Visits = []int32{3} }},
		{"root value 2", func(r []Row) { r[1].RootValue = 2 }},
		{"resigns with the action that ends the game", func(r []Row) { r[len(r)-1].Resigns = true }},
		{"resigns a second time", func(r []Row) { r[0].Resigns, r[1].Resigns = true, true }},
		{"cut off", func(r []Row) { r[0].PolicyKind = "guesses" }},
		{"cut off", func(r []Row) { r[0].Visits = []int32{-1} }},
	} {
		bad := append([]Row(nil), rows...)
		for i := range bad {
			bad[i].Round()
			bad[i].Policy = append([]uint16(nil), bad[i].Policy...)
		}
		c.alter(bad)
		if _, _, err := p.Restore(shared(&bad[0]), g, AppendTranscript(nil, bad)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: want %q", err, c.want)
		}
	}
	if _, _, err := p.Restore(shared(&rows[0]), g, AppendTranscript(nil, rows[:len(rows)/2])); err == nil || !strings.Contains(err.Error(), "not over") {
		t.Errorf("half a game: %v", err)
	}
}

// TestAnyTranscript: a damaged one is refused, or makes rows that a shard takes.
func TestAnyTranscript(t *testing.T) {
	g := game(t, &konreh.Family, "blitz")
	p := NewReplayer(g)
	rows := randomRows(t, []engine.Game{g}, 0, 1, 1, 5)
	for i := range rows {
		rows[i].Round()
	}
	good := AppendTranscript(nil, rows)
	rng := rand.New(rand.NewPCG(1, 2))
	refused, taken := 0, 0
	for n := range 2000 {
		text := append([]byte(nil), good...)
		if n%4 == 0 {
			text = text[:rng.IntN(len(text))]
		} else {
			text[rng.IntN(len(text))] = byte(rng.Uint32())
		}
		got, _, err := p.Restore(shared(&rows[0]), g, text)
		if err != nil {
			refused++
			continue
		}
		taken++
		if problems := p.Play(got, nil); len(problems) > 0 {
			t.Errorf("%v", problems)
		}
		if _, _, err := Marshal(g.Info(), Head{Run: got[0].Run, Generation: got[0].Generation}, got); err != nil {
			t.Error(err)
		}
	}
	if refused < 500 || taken < 10 {
		t.Errorf("%d transcripts were refused and %d taken, of which one would expect more", refused, taken)
	}
}

func BenchmarkRestore(b *testing.B) {
	g := game(b, &konreh.Family, "")
	rows := randomRows(b, []engine.Game{g}, 0, 1, 3, 1)
	for i := range rows {
		rows[i].Round()
	}
	text := AppendTranscript(nil, rows)
	p := NewReplayer(g)
	for b.Loop() {
		if _, _, err := p.Restore(shared(&rows[0]), g, text); err != nil {
			b.Fatal(err)
		}
	}
	report(b, len(rows), text)
}
