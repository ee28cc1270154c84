package replay_test

import (
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/pienim"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/konkvest"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/selfplay/record/recordtest"
	"github.com/ludozero/ludozero/train"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/replay"
)

// konrehSquare is the first square that a word of Kon'reh names, as a side sees
// it; A's Home is square 0 and B's the last.
func konrehSquare(word string, side int8, size int) (int, bool) {
	for i := 0; i+1 < len(word); i++ {
		if word[i] >= 'a' && word[i] <= 'h' && word[i+1] >= '1' && word[i+1] <= '8' {
			a, b := int(word[i]-'a'), int(word[i+1]-'1')
			if side == 1 {
				a, b = size-1-a, size-1-b
			}
			return 8*a + b, true
		}
	}
	return 0, false
}

// showsOther tells whether the only row of a batch of Kon'reh shows a piece of
// the side that does not act on a cell.
func showsOther(f *engine.Features, b *train.Batch, cell int) bool {
	for p, name := range f.PlaneNames {
		switch name {
		case "other Red", "other Orange", "other Green", "other Blue":
			if b.Planes[cell*f.Planes+p] == 1 {
				return true
			}
		}
	}
	return false
}

// TestRepliesStandWhereTheyWerePlayed plays games with swaps, double moves,
// phases and chance, and holds every row's reply to the games: the right row,
// its policy target, and, in Kon'reh, head cells on the squares that the words
// name, as the side of the row sees them: where it sees a piece of the opponent.
func TestRepliesStandWhereTheyWerePlayed(t *testing.T) {
	for _, c := range []struct {
		family *engine.Family
		rules  string
		games  int64
		size   int  // of Kon'reh's board
		swaps  bool // there are replies for the side that has just been played
	}{
		{&tictactoe.Family, "", 20, 0, false},
		{&connect4.Family, "", 20, 0, false},
		{&racegame.Family, "", 40, 0, false},
		{&pienim.Family, "standard,height=4", 60, 0, true},
		{&konkvest.Family, "fixed,max_plies=30", 2, 0, false},
		{&konreh.Family, "standard,max_turns=60", 4, 8, false},
		{&konreh.Family, "micro,balance=pie", 30, 6, true},
		{&konreh.Family, "lightning", 12, 8, true},
	} {
		t.Run(c.family.Name+" "+c.rules, func(t *testing.T) {
			g, err := c.family.Parse(c.rules)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			rows, words := recordtest.WriteRandom(t, g, dir, c.games)
			w, err := replay.NewWindow(plan.DefaultWindowConfig(), c.family, dir, "night")
			if err != nil {
				t.Fatal(err)
			}
			w.LoadReplies()
			if _, err := w.Refresh(); err != nil {
				t.Fatal(err)
			}
			info := g.Info()
			b := train.NewBatch(info, 1)
			var s replay.Sample
			targets, sameSide, squares := 0, 0, 0
			for i := range rows {
				row := &rows[i]
				s = replay.Sample{Game: g, Packed: row.Packed, Actions: row.Legal, Value: [3]float32{1}, Weight: 0.5, ReplyActions: s.ReplyActions, Reply: s.Reply}
				w.SetReply(i, &s)
				j := i + 1
				for j < len(rows) && rows[j].GameNumber == row.GameNumber && rows[j].Player == row.Player {
					j++
				}
				if j == len(rows) || rows[j].GameNumber != row.GameNumber || rows[j].PolicyKind == record.PolicyNone {
					if len(s.ReplyActions) > 0 || len(s.Reply) > 0 {
						t.Fatalf("row %d has reply %v of nobody", i, s.ReplyActions)
					}
					b.Reset()
					if err := b.Append(&s, 0); err != nil || b.ReplyWeight[0] != 0 || len(b.ReplyCells) != 0 {
						t.Fatalf("row %d without a reply: weight %g, %d cells, %v", i, b.ReplyWeight[0], len(b.ReplyCells), err)
					}
					continue
				}
				reply := &rows[j]
				targets++
				if reply.Side == row.Side {
					sameSide++
				}
				if !slices.Equal(s.ReplyActions, reply.Legal) || s.ReplyTurned != (reply.Side != row.Side) {
					t.Fatalf("row %d: reply %v, turned %t; row %d has %v for side %d after %d", i, s.ReplyActions, s.ReplyTurned, j, reply.Legal, reply.Side, row.Side)
				}
				for k, p := range s.Reply {
					if p != float32(reply.Policy[k])/65535 {
						t.Fatalf("row %d: reply policy %v of %v", i, s.Reply, reply.Policy)
					}
				}
				for n := range info.Symmetries {
					y := &info.Symmetries[n]
					b.Reset()
					if err := b.Append(&s, n); err != nil {
						t.Fatal(err)
					}
					if b.ReplyWeight[0] != 0.5 || !slices.Equal(b.ReplyPolicy, s.Reply) || int(b.ReplyOffsets[1]) != len(s.Reply) {
						t.Fatalf("row %d: weight %g, policy %v, offsets %v", i, b.ReplyWeight[0], b.ReplyPolicy, b.ReplyOffsets)
					}
					// The opponent's pieces stand where they stood, if it has not
					// moved in between without a row.
					unmoved := reply.Side != row.Side && !slices.ContainsFunc(rows[i+1:j+1], func(r record.Row) bool { return len(r.Before) > 0 })
					for k, a := range reply.Legal {
						own, got := int(info.Policy.Cells[y.Action(a)]), int(b.ReplyCells[k])
						if c.size == 0 {
							if engine.Turned(g) == nil && got != own {
								t.Fatalf("row %d: action %d of the reply in head cell %d, want %d", i, a, got, own)
							}
							continue
						}
						square, ok := konrehSquare(words[j][k], row.Side, c.size)
						if !ok { // a word: hold, swap, none
							if got != own {
								t.Fatalf("row %d: %s in head cell %d, want %d", i, words[j][k], got, own)
							}
							continue
						}
						if y.Cells != nil {
							square = int(y.Cells[square])
						}
						if got%64 != square || got/64 != own/64 {
							t.Fatalf("row %d, symmetry %s: %s is in head cell %d on plane %d, want %d on plane %d", i, y.Name, words[j][k], got%64, got/64, square, own/64)
						}
						squares++
						if unmoved && !showsOther(&info.Features, b, square) {
							t.Fatalf("row %d, symmetry %s: %s begins on cell %d, where the row shows no piece of the opponent", i, y.Name, words[j][k], square)
						}
					}
				}
			}
			if targets < 10 || (sameSide > 0) != c.swaps || (squares > 0) != (c.size > 0) {
				t.Errorf("%d replies, %d for the same side, %d squares: the games do not test what they should", targets, sameSide, squares)
			}
		})
	}
}
