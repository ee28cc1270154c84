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
//
// A word may end in @ and the first digits of a hash, as ByHash writes it: then only a
// network with weights of that hash is meant, in a run the newest one, and files are read.
func Find(word string) (Network, error) {
	name, hash := cutHash(word)
	n, err := find(name, hash)
	if hash == "" || err != nil {
		return n, err
	}
	is, err := n.digest()
	if err == nil && !strings.HasPrefix(is, hash) {
		err = fmt.Errorf("%s: %s has weights with the hash %s now, not %s: want the network that this was written for, or %s for the one there is", word, n, short(is), hash, name)
	}
	return n, err
}

// ByHash is a word for the network that word means now and for no other: with the hash
// of its weights. One that cannot be read stays as it is: whoever opens it says why.
func ByHash(word string) string {
	n, err := Find(word)
	if err != nil {
		return word
	}
	digest, err := n.digest()
	if err != nil {
		return word
	}
	name, _ := cutHash(word)
	return name + "@" + short(digest)
}

// shortHash is how many digits of a hash words have.
const shortHash = 8

func short(hash string) string { return hash[:min(shortHash, len(hash))] }

// cutHash divides a word from the hash at its end, "" if it has none. A file or folder
// of that whole name has none.
func cutHash(word string) (name, hash string) {
	at := strings.LastIndexByte(word, '@')
	if at < 0 {
		return word, ""
	}
	name, hash = word[:at], word[at+1:]
	if len(hash) < shortHash || len(hash) > zoo.DigestDigits || strings.Trim(hash, "0123456789abcdef") != "" {
		return word, ""
	}
	if _, err := os.Lstat(word); err == nil {
		return word, ""
	}
	return name, hash
}

// find is Find of a word and its hash, which it does not check.
func find(word, hash string) (Network, error) {
	if name, ok := strings.CutPrefix(word, ShippedPrefix); ok {
		_, err := zoo.File(name)
		return Network{Shipped: name}, err
	}
	path, err := weightsAt(word, hash)
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
// folder, or that of the newest checkpoint of a run, of those with weights of the hash if
// there are any.
func weightsAt(path, hash string) (string, error) {
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
	for i := len(generations) - 1; hash != "" && i >= 0; i-- {
		file := rundir.WeightsPath(path, generations[i])
		if is, err := (Network{Path: file}).digest(); err == nil && strings.HasPrefix(is, hash) {
			return file, nil
		}
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

// digest identifies the weight file.
func (n Network) digest() (string, error) {
	data, err := n.File()
	if err != nil {
		return "", err
	}
	return zoo.Digest(data), nil
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
