package train

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/enginetest/pienim"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/engine/konkvest"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train/plan"
)

// recordGames writes random games as a shard. Single legal moves and chance
// have no row; two rows in three have a policy target. words holds, for each
// row, the words of its legal actions.
func recordGames(t *testing.T, g engine.Game, dir string, games int64) (rows []record.Row, words [][]string) {
	t.Helper()
	for number := range games {
		r := rand.New(seed.Stream(5, "game", uint64(number)))
		s, h := g.NewState(), g.NewHistory()
		s.Start(h)
		start, ply := len(rows), int32(0)
		var before []engine.Action
		for !s.Outcome().Over {
			if s.Actor() == engine.Chance {
				w := s.Chance(nil)
				before = append(before, w[r.IntN(len(w))].Code)
				s.Apply(before[len(before)-1], h)
				continue
			}
			legal := s.Legal(nil, h)
			if len(legal) > 1 {
				row := record.Row{Run: "night", Game: g.Info().Name, Rules: g.Rules(), GameNumber: number, Beginning: record.BeginningStart,
					Ply: ply, Turn: int32(s.Turn()), Player: int8(s.Actor()), Side: int8(s.Side()),
					Position: string(s.AppendPosition(nil)), Packed: s.Pack(nil), Before: before, Legal: legal,
					PolicyKind: record.PolicyNone, Action: legal[r.IntN(len(legal))]}
				before = nil
				if r.IntN(3) > 0 {
					probs := make([]float32, len(legal))
					for i := range probs {
						probs[i] = 0.1 + r.Float32()
					}
					row.PolicyKind, row.Policy = record.PolicyVisits, record.AppendPolicy(nil, probs)
				}
				var list []string
				for _, a := range legal {
					list = append(list, string(s.AppendAction(nil, a)))
				}
				rows, words = append(rows, row), append(words, list)
				s.Apply(row.Action, h)
			} else {
				before = append(before, legal[0])
				s.Apply(legal[0], h)
			}
			ply++
		}
		for i := start; i < len(rows); i++ {
			rows[i].Outcome = int8(s.Outcome().Value(engine.Player(rows[i].Player)))
			rows[i].Reason = s.Outcome().Reason
			rows[i].TurnsLeft = int32(s.Turn()) - rows[i].Turn
		}
		if len(rows) > start {
			rows[len(rows)-1].After = before
		}
	}
	if _, _, err := record.Write(dir, g.Info(), record.Head{Run: "night"}, rows); err != nil {
		t.Fatal(err)
	}
	return rows, words
}

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
func showsOther(b *Batch, cell int) bool {
	planes := b.info.Features.Planes
	for p, name := range b.info.Features.PlaneNames {
		switch name {
		case "other Red", "other Orange", "other Green", "other Blue":
			if b.Planes[cell*planes+p] == 1 {
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
			g, dir := newGame(t, c.family, c.rules), t.TempDir()
			rows, words := recordGames(t, g, dir, c.games)
			w, err := NewWindow(plan.DefaultWindowConfig(), c.family, dir, "night")
			if err != nil {
				t.Fatal(err)
			}
			w.LoadReplies()
			refresh(t, w)
			info := g.Info()
			b, shard := NewBatch(info, 1), &w.shards[0]
			var s Sample
			targets, sameSide, squares := 0, 0, 0
			for i := range rows {
				row := &rows[i]
				s = Sample{Game: g, Packed: row.Packed, Actions: row.Legal, Value: [3]float32{1}, Weight: 0.5, ReplyActions: s.ReplyActions, Reply: s.Reply}
				shard.setReply(i, &s)
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
						if unmoved && !showsOther(b, square) {
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

// TestDrawGivesReplies: only a window that was asked has replies, draws the same
// rows with them, and does not allocate for them; nor does the batch.
func TestDrawGivesReplies(t *testing.T) {
	dir := t.TempDir()
	writeShard(t, dir, 0)
	with, without := newWindow(t, plan.DefaultWindowConfig(), dir), newWindow(t, plan.DefaultWindowConfig(), dir)
	with.LoadReplies()
	refresh(t, with)
	refresh(t, without)
	if got, want := with.Bytes()-without.Bytes(), with.Seen(); got != want {
		t.Errorf("replies take %d bytes, want %d", got, want)
	}
	r, q := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(1, 2))
	var a, b Sample
	replies := 0
	for range 300 {
		with.Draw(r, &a)
		without.Draw(q, &b)
		if err := a.Check(); err != nil {
			t.Fatal(err)
		}
		if a.TurnsLeft != b.TurnsLeft || string(a.Packed) != string(b.Packed) || len(b.Reply) != 0 {
			t.Fatal("a window with replies draws otherwise than one without")
		}
		// The tic-tac-toe of these tests has targets at even plies only.
		if even := len(a.Actions)%2 == 1; even && len(a.Reply) != 0 || !even && len(a.Reply) > 0 && len(a.ReplyActions) != len(a.Actions)-1 {
			t.Fatalf("%d actions have a reply of %d", len(a.Actions), len(a.ReplyActions))
		}
		if len(a.Reply) > 0 {
			replies++
		}
	}
	if replies < 50 {
		t.Errorf("%d replies in 300 draws", replies)
	}
	batch := NewBatch(with.info, 32)
	if n := testing.AllocsPerRun(50, func() {
		if err := batch.Fill(with, r); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("filling a batch with replies allocates %g times", n)
	}
}

// TestReplyHeadOverfits: the head learns random replies by heart.
func TestReplyHeadOverfits(t *testing.T) {
	cfg := testConfig()
	cfg.ReplyLoss, cfg.WeightDecay = 1, 0
	net := smallNetwork(t)
	net.Config.Reply = true
	tr, b := newTrainer(t, firstWeights(net), cfg, 2), sampleBatch(t, cfg.Batch, 1)
	for i := range b.ReplyWeight {
		b.ReplyCells = append(b.ReplyCells, b.Cells[b.Offsets[i]:b.Offsets[i+1]]...)
		b.ReplyOffsets[i+1] = int32(len(b.ReplyCells))
		for k := range b.Offsets[i+1] - b.Offsets[i] {
			p := float32(0)
			if int(k) == i%int(b.Offsets[i+1]-b.Offsets[i]) {
				p = 1
			}
			b.ReplyPolicy = append(b.ReplyPolicy, p)
		}
		b.ReplyWeight[i] = 1
	}
	first := mustStep(t, tr, b)
	var last Progress
	for range 200 {
		last = mustStep(t, tr, b)
	}
	if !(last.Reply < 0.05) || !(first.Reply > 1) {
		t.Errorf("reply loss %.4f, it was %.4f", last.Reply, first.Reply)
	}
}
