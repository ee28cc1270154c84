package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/train/run"
)

// shippedPrefix is for those who have a network of their own under the name of a
// shipped one.
const shippedPrefix = "shipped:"

// networkSource is where a network is that a word on the command line names: shipped
// under a name, or in a weight file.
type networkSource struct{ shipped, path string }

// findNetwork says which network a word means. One with a slash in it is a path:
// of a weight file, a checkpoint's folder, or a run for its newest network. A name
// alone is that of a shipped network, if there is one, or such a path, too. If it
// is both it is refused, with what to write instead: a run that somebody trains
// must not be taken for ours, nor the other way round. Folders that hold no
// network do not count, such as those of games in this repository.
func findNetwork(word string) (networkSource, error) {
	if name, ok := strings.CutPrefix(word, shippedPrefix); ok {
		_, err := zoo.File(name)
		return networkSource{shipped: name}, err
	}
	path, err := networkFile(word)
	if isPath := strings.ContainsFunc(word, isSeparator); isPath {
		return networkSource{path: path}, err
	}
	missing := false
	if err == nil {
		_, stat := os.Stat(path)
		missing = errors.Is(stat, os.ErrNotExist)
	}
	switch isNetwork := err == nil && !missing; {
	case !zoo.Has(word) && missing:
		return networkSource{}, fmt.Errorf("no file or folder %s, and no shipped network of that name: want a path, or %s", word, strings.Join(zoo.Names(), " or "))
	case !zoo.Has(word):
		return networkSource{path: path}, err
	case isNetwork:
		return networkSource{}, fmt.Errorf("%s is a shipped network and also a network here: want ./%s for the one here, %s%s for the shipped one", word, word, shippedPrefix, word)
	}
	return networkSource{shipped: word}, nil
}

func isSeparator(r rune) bool { return r == '/' || r == filepath.Separator }

// networkFile is the weight file that a path names: itself, that of a checkpoint's
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

func (n networkSource) String() string {
	if n.shipped != "" {
		return "shipped network " + n.shipped
	}
	return n.path
}

// file is the weight file.
func (n networkSource) file() ([]byte, error) {
	if n.shipped != "" {
		return zoo.File(n.shipped)
	}
	return os.ReadFile(n.path)
}

// table is the table of ratings of a shipped network; nil if there is none.
func (n networkSource) table() (*player.Ratings, error) {
	if n.shipped == "" {
		return nil, nil
	}
	data, err := zoo.Ratings(n.shipped)
	if data == nil || err != nil {
		return nil, err
	}
	r, err := player.ReadRatings(data)
	if err != nil {
		return nil, fmt.Errorf("ratings of %s: %w", n, err)
	}
	return r, nil
}

// ratings is the table by which the network plays at a rating under the rules of g.
func (n networkSource) ratings(g engine.Game) (*player.Ratings, error) {
	r, err := n.table()
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, fmt.Errorf("no ratings were measured of %s: only shipped networks have some, see ludozero networks", n)
	}
	family, err := games.ByName(r.Game)
	if err != nil {
		return nil, err
	}
	if err := r.Under(family, g.Rules()); err != nil {
		return nil, fmt.Errorf("%s: %w", n, err)
	}
	return r, nil
}

// load reads the weight file.
func (n networkSource) load() (*model.Weights, *model.Card, error) {
	if n.shipped != "" {
		return zoo.Load(n.shipped)
	}
	return model.Load(n.path)
}
