package mcts_test

import (
	"fmt"

	"github.com/ludozero/ludozero/engine/tictactoe"
	"github.com/ludozero/ludozero/mcts"
)

// A search without a network: all actions have the same prior, and values come from
// the ends of games alone.
func Example() {
	g, err := tictactoe.Family.Parse("")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, h := g.NewState(), g.NewHistory()
	if err := s.ParsePosition("o../xx./.o. x"); err != nil {
		fmt.Println(err)
		return
	}
	s.Begin(h)

	cfg := mcts.DefaultConfig()
	cfg.Simulations, cfg.Proven = 200, true // the search ends when it has proven the result
	tree, err := mcts.New(g, cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	tree.Reset(mcts.Root{State: s, History: h})
	if err := mcts.NewRunner(g, mcts.Uniform{}, 1).Run(tree); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s, value %.1f\n", s.AppendAction(nil, tree.Best()), tree.RootValue())
	// Output: c2, value 1.0
}

// A caller with a network of its own takes leaves from the tree and hands evaluations
// back; leaves of many trees can fill one batch.
func ExampleTree_Collect() {
	g, err := tictactoe.Family.Parse("")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	tree, err := mcts.New(g, mcts.DefaultConfig())
	if err != nil {
		fmt.Println(err)
		return
	}
	tree.Reset(mcts.Root{State: s, History: h, Search: mcts.Search{Simulations: 100}})
	leaves := make([]mcts.Leaf, 1)
	evaluations := 0
	for !tree.Done() {
		for i := range leaves[:tree.Collect(leaves)] {
			l := &leaves[i]
			logits := make([]float32, len(l.Actions)) // one for each action
			tree.Backup(l, logits, mcts.Evaluation{Value: 0, Draw: 0.5, Turns: 4})
			evaluations++
		}
	}
	stats := tree.Stats()
	fmt.Println(stats.Simulations, "simulations, the root and its", len(tree.Root(nil)), "actions:", evaluations > 9)
	// Output: 100 simulations, the root and its 9 actions: true
}

// An invalid configuration is an error that names every key, value and rule.
func ExampleNew() {
	g, err := tictactoe.Family.Parse("")
	if err != nil {
		fmt.Println(err)
		return
	}
	cfg := mcts.DefaultConfig()
	cfg.Simulations, cfg.FPU = 0, "zero"
	_, err = mcts.New(g, cfg)
	fmt.Println(err)
	// Output:
	// search of tictactoe: simulations: 0: want 1 to 4194304
	// fpu: "zero": want one of reduction, absolute
}
