package open

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/train/rundir"
)

// ShippedPrefix before a name means the shipped network, also where a file or a run
// of that name is in the working folder.
const ShippedPrefix = "shipped:"

// Network is a network that a word names: one that is shipped, or a weight file.
type Network struct {
	Shipped string // its name; empty for a file
	Path    string // of the weight file; empty for a shipped network
}

// Find says which network a word means. A word with a slash is a path: of a weight
// file, a checkpoint's folder, or a run, which stands for its newest network. Any
// other word is the name of a shipped network, or such a path if none has that name. A word
// that is both is refused, so that a run is never taken for the shipped network or the
// other way round; folders that hold no network do not count. Files are not read
// here: one that does not exist is an error only of a word without a slash.
func Find(word string) (Network, error) {
	if name, ok := strings.CutPrefix(word, ShippedPrefix); ok {
		_, err := zoo.File(name)
		return Network{Shipped: name}, err
	}
	path, err := weightsAt(word)
	if strings.ContainsFunc(word, func(r rune) bool { return r == '/' || r == filepath.Separator }) {
		return Network{Path: path}, err
	}
	missing := false
	if err == nil {
		_, stat := os.Stat(path)
		missing = errors.Is(stat, os.ErrNotExist)
	}
	switch isNetwork := err == nil && !missing; {
	case !zoo.Has(word) && missing:
		return Network{}, fmt.Errorf("no file or folder %s, and no shipped network of that name: want a path, or %s", word, strings.Join(zoo.Names(), " or "))
	case !zoo.Has(word):
		return Network{Path: path}, err
	case isNetwork:
		return Network{}, fmt.Errorf("%s is a shipped network and also a network here: want ./%s for the one here, %s%s for the shipped one", word, word, ShippedPrefix, word)
	}
	return Network{Shipped: word}, nil
}

// weightsAt is the weight file that a path names: itself, that of a checkpoint's
// folder, or that of the newest checkpoint of a run.
func weightsAt(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return path, nil // reading it says what is wrong
	}
	file := filepath.Join(path, rundir.WeightsFile)
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		return file, err
	}
	generations, err := rundir.Generations(path)
	if err == nil && len(generations) == 0 {
		err = fmt.Errorf("%s is no weight file, checkpoint or run", path)
	}
	if err != nil {
		return "", err
	}
	return rundir.WeightsPath(path, generations[len(generations)-1]), nil
}

func (n Network) String() string {
	if n.Shipped != "" {
		return "shipped network " + n.Shipped
	}
	return n.Path
}

// File returns the bytes of the weight file.
func (n Network) File() ([]byte, error) {
	if n.Shipped != "" {
		return zoo.File(n.Shipped)
	}
	return input.Read(n.Path, input.Large)
}

// Load reads the weights and the card.
func (n Network) Load() (*model.Weights, *model.Card, error) {
	if n.Shipped != "" {
		return zoo.Load(n.Shipped)
	}
	return model.Load(n.Path)
}

// Ratings returns the measured table of ratings of a shipped network, nil if there is
// none.
func (n Network) Ratings() (*player.Ratings, error) {
	if n.Shipped == "" {
		return nil, nil
	}
	data, err := zoo.Ratings(n.Shipped)
	if data == nil || err != nil {
		return nil, err
	}
	r, err := player.ReadRatings(data)
	if err != nil {
		return nil, fmt.Errorf("ratings of %s: %w", n, err)
	}
	return r, nil
}

// ratingsUnder returns the table by which the network plays at a rating under the
// rules of g.
func (n Network) ratingsUnder(g engine.Game, families engine.Families) (*player.Ratings, error) {
	r, err := n.Ratings()
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, fmt.Errorf("no ratings were measured of %s: only shipped networks have some, see ludozero networks", n)
	}
	family, err := families.ByName(r.Game)
	if err != nil {
		return nil, err
	}
	if err := r.Under(family, g.Rules()); err != nil {
		return nil, fmt.Errorf("%s: %w", n, err)
	}
	return r, nil
}
