package train

import (
	"math/rand/v2"
	"testing"

	"github.com/ludozero/ludozero/engine/tictactoe"
)

// TestFillWithRepliesDoesNotAllocate in the memory of a batch that has filled up before.
func TestFillWithRepliesDoesNotAllocate(t *testing.T) {
	dir := t.TempDir()
	writeShard(t, dir)
	w := newWindow(t, dir)
	w.LoadReplies()
	refresh(t, w)
	r := rand.New(rand.NewPCG(1, 2))
	batch := NewBatch(newGame(t, &tictactoe.Family, "").Info(), 32)
	if n := testing.AllocsPerRun(50, func() {
		if err := batch.Fill(w, r); err != nil {
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
