package train

import (
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/selfplay/record/recordtest"
	"github.com/ludozero/ludozero/train/replay"
)

// TestResignedGamesDoNotTrainTurnsLeft from the shard to the batch: their rows
// keep value and policy, the turns left have weight 0; other games have all.
func TestResignedGamesDoNotTrainTurnsLeft(t *testing.T) {
	dir := t.TempDir()
	g := newGame(t, &tictactoe.Family, "")
	all, info := recordtest.WithPolicies(g, 0, 10), g.Info()
	var rows []record.Row
	resigned := map[string]bool{} // by position
	for _, game := range record.Games(all) {
		last := &game[len(game)-2]
		if game[0].GameNumber%2 == 0 && last.Outcome == -1 { // give up the move before the end
			game = game[:len(game)-1]
			for i := range game {
				game[i].Reason = record.ReasonResignation
				game[i].TurnsLeft--
				resigned[string(game[i].Packed)] = true
			}
			last.Resigns = true
		}
		rows = append(rows, game...)
	}
	for i := range rows { // a position that came up in both kinds of games says nothing
		if rows[i].Reason != record.ReasonResignation {
			delete(resigned, string(rows[i].Packed))
		}
	}
	if _, _, err := record.Write(dir, info, record.Head{Run: "night"}, rows); err != nil {
		t.Fatal(err)
	}
	w := newWindow(t, dir)
	refresh(t, w)
	b := NewBatch(info, 1)
	r := rand.New(seed.Stream(1, "draw", 0))
	var s replay.Sample
	unknown := map[string]bool{}
	for range 3000 {
		w.Draw(r, &s)
		b.Reset()
		if err := b.Append(&s, 0); err != nil {
			t.Fatal(err)
		}
		want := float32(1)
		if s.TurnsUnknown {
			unknown[string(s.Packed)] = true
			want = 0
		}
		policy := float32(0)
		if s.Policy != nil {
			policy = 1
		}
		if b.TurnsWeight[0] != want || b.ValueWeight[0] != 1 || b.PolicyWeight[0] != policy || s.TurnsUnknown && s.TurnsLeft != 0 {
			t.Fatalf("turns left %g, unknown %t: weights of turns %g, value %g, policy %g", s.TurnsLeft, s.TurnsUnknown, b.TurnsWeight[0], b.ValueWeight[0], b.PolicyWeight[0])
		}
		if resigned[string(s.Packed)] && !s.TurnsUnknown {
			t.Fatal("a row of a resigned game has turns left")
		}
	}
	if len(resigned) == 0 {
		t.Fatal("no game was resigned")
	}
	for packed := range resigned {
		if !unknown[packed] {
			t.Error("a row of a resigned game was never drawn")
		}
	}
}
