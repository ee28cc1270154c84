package cli

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player"
	engines "github.com/ludozero/ludozero/player/foreign"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/train"
	"github.com/ludozero/ludozero/train/run"
)

// playerKinds are the players that need more than package player has.
func playerKinds() map[string]player.Kind {
	net := player.NetKind(openNetwork)
	net.Identify = func(v player.Values) (string, error) {
		weights, err := weightsHash(v.Argument)
		if err == nil && v.Values["rating"] != "" {
			var table string
			table, err = ratingsHash(v.Argument)
			weights += table
		}
		return weights, err
	}
	return map[string]player.Kind{"net": net, "ugi": engines.Kind(&programs)}
}

// programs are those that play as ugi players. Whoever makes a player dismisses it;
// main ends what is left when the command has ended.
var programs engines.Programs

// weightsIdentity begins the identity of players that compute with a network.
const weightsIdentity = "weights "

// weightsHash identifies the weights that word names: 16 hexadecimal digits of
// the SHA-256 of their file.
func weightsHash(word string) (string, error) {
	n, err := findNetwork(word)
	if err != nil {
		return "", err
	}
	data, err := n.file()
	if err != nil {
		return "", err
	}
	return weightsIdentity + zoo.Digest(data), nil
}

// ratingsHash identifies the table of ratings of the network that word names, if it
// has one: settings of the same rating are others by another table.
func ratingsHash(word string) (string, error) {
	n, err := findNetwork(word)
	if err != nil || n.shipped == "" {
		return "", err
	}
	data, err := zoo.Ratings(n.shipped)
	if err != nil || data == nil {
		return "", err
	}
	return ", ratings " + zoo.Digest(data), nil
}

// networkOf enters the network of a run in matches of g under its name there, from
// the weight file at path, whose words need not be those of a description: a
// comma in it, which would end the path, does no harm.
func networkOf(g engine.Game, name, path string, simulations int) (match.Contestant, error) {
	kind := player.NetKind(func(_ string, p precision.Precision, batch int, g engine.Game) (*player.Opened, error) {
		return openNetwork(path, p, batch, g)
	})
	spec, err := player.Parse(ratings.NetworkName("weights", simulations), map[string]player.Kind{"net": kind})
	if err == nil {
		_, err = spec.New(g)
	}
	if err != nil {
		return match.Contestant{}, fmt.Errorf("network %s: %w", path, err)
	}
	c := spec.Contestant(g)
	c.Name = name
	return c, nil
}

// openNetwork reads the weights that word names and makes inference networks of
// them, for up to batch positions at once.
func openNetwork(word string, p precision.Precision, batch int, g engine.Game) (*player.Opened, error) {
	n, err := findNetwork(word)
	if err != nil {
		return nil, err
	}
	w, card, err := n.load()
	if err != nil {
		return nil, err
	}
	info := g.Info()
	if err := card.Fits(run.Identity(info), train.Shape(info)); err != nil {
		return nil, err // the player says which network
	}
	net, err := infer.New(card.Network, w, infer.Options{MaxBatch: batch, Precision: p, Calibration: card.Calibration})
	if err != nil {
		return nil, err
	}
	return &player.Opened{New: func() (mcts.Network, error) { return net.Fork(), nil }, CPuct: card.CPuct, Search: card.Search, Ratings: n.ratings}, nil
}
