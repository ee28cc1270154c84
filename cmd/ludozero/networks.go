package main

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/evaluation/player"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/train"
	"github.com/ludozero/ludozero/train/run"
)

// playerKinds are the players that need more than package player has.
func playerKinds() map[string]player.Kind {
	return map[string]player.Kind{"net": player.NetKind(openNetwork)}
}

// openNetwork reads a weight file and makes inference networks of it, one
// position at a time.
func openNetwork(path string, g engine.Game) (func() (mcts.Network, error), error) {
	w, card, err := model.Load(path)
	if err != nil {
		return nil, err
	}
	info := g.Info()
	if err := card.Fits(run.Identity(info), train.Shape(info)); err != nil {
		return nil, err // the player says which file
	}
	net, err := infer.New(card.Network, w, 1)
	if err != nil {
		return nil, err
	}
	return func() (mcts.Network, error) { return net.Fork(), nil }, nil
}
