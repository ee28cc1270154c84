package infer_test

import (
	"fmt"

	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/model/zoo"
)

// A shipped network evaluates the start position of Connect Four, where the middle
// column wins.
func Example() {
	weights, card, err := zoo.Load("connect4")
	if err != nil {
		fmt.Println(err)
		return
	}
	net, err := infer.New(card.Network, weights, infer.Options{MaxBatch: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := connect4.Family.Parse("")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)

	batch := mcts.NewBatch(g.Info())
	legal := s.Legal(nil, h)
	place := batch.Add(s, legal)
	if err := batch.Evaluate(net); err != nil {
		fmt.Println(err)
		return
	}
	best := 0
	logits := batch.Logits(place)
	for i, x := range logits {
		if x > logits[best] {
			best = i
		}
	}
	fmt.Printf("column %s, better for the first player: %v\n", s.AppendAction(nil, legal[best]), batch.Evaluation(place).Value > 0)
	// Output: column 4, better for the first player: true
}
