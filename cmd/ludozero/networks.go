package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/evaluation"
	"github.com/ludozero/ludozero/evaluation/history"
	"github.com/ludozero/ludozero/evaluation/player"
	"github.com/ludozero/ludozero/internal/precision"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/train"
	"github.com/ludozero/ludozero/train/run"
)

// playerKinds are the players that need more than package player has.
func playerKinds() map[string]player.Kind {
	net := player.NetKind(openNetwork)
	net.Identify = func(v player.Values) (string, error) { return weightsHash(v.Argument) }
	return map[string]player.Kind{"net": net}
}

// weightsHash identifies the weights that path names: 16 hexadecimal digits of
// the SHA-256 of their file.
func weightsHash(path string) (string, error) {
	path, err := networkFile(path)
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("weights %x", sha256.Sum256(data))[:len("weights ")+16], nil
}

// networkFile is the weight file that path names: itself, that of a checkpoint's
// folder, or that of the newest checkpoint of a run.
func networkFile(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return path, nil // whoever opens it says what is wrong
	}
	file := filepath.Join(path, run.WeightsFile)
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		return file, err
	}
	generations, err := run.Generations(path)
	if err == nil && len(generations) == 0 {
		err = fmt.Errorf("%s is no weight file, checkpoint or run", path)
	}
	if err != nil {
		return "", err
	}
	return run.WeightsPath(path, generations[len(generations)-1]), nil
}

// networkOf enters the network of a run in matches of g under its name there, from
// the weight file at path, whose words need not be those of a description: a
// comma in it, which would end the path, does no harm.
func networkOf(g engine.Game, name, path string, simulations int) (evaluation.Contestant, error) {
	kind := player.NetKind(func(_ string, p precision.Precision, g engine.Game) (func() (mcts.Network, error), error) {
		return openNetwork(path, p, g)
	})
	spec, err := player.Parse(history.NetworkName("weights", simulations), map[string]player.Kind{"net": kind})
	if err == nil {
		_, err = spec.New(g)
	}
	if err != nil {
		return evaluation.Contestant{}, fmt.Errorf("network %s: %w", path, err)
	}
	c := spec.Contestant(g)
	c.Name = name
	return c, nil
}

// openNetwork reads the weights that path names and makes inference networks of
// them, one position at a time.
func openNetwork(path string, p precision.Precision, g engine.Game) (func() (mcts.Network, error), error) {
	path, err := networkFile(path)
	if err != nil {
		return nil, err
	}
	w, card, err := model.Load(path)
	if err != nil {
		return nil, err
	}
	info := g.Info()
	if err := card.Fits(run.Identity(info), train.Shape(info)); err != nil {
		return nil, err // the player says which file
	}
	net, err := infer.New(card.Network, w, infer.Options{MaxBatch: 1, Precision: p, Calibration: card.Calibration})
	if err != nil {
		return nil, err
	}
	return func() (mcts.Network, error) { return net.Fork(), nil }, nil
}
