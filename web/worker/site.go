package worker

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/player"
)

// SiteFile is the file that describes the contents of a site.
const SiteFile = "site.json"

// Site is the contents of a site, in JSON in SiteFile.
type Site struct {
	Networks    []Network    `json:"networks"`
	Evaluations []Evaluation `json:"evaluations,omitempty"`
}

// Evaluation is an evaluation for alpha-beta of a site.
type Evaluation struct {
	// Name names it in descriptions of players, File is its path in the site.
	Name string `json:"name"`
	File string `json:"file"`
	Game string `json:"game"`
	// Trained are the rulesets that it learned from, the most frequent first.
	Trained []string `json:"trained"`
	// First says that it is offered before the networks.
	First bool `json:"first,omitempty"`
}

// Network is a network of a site.
type Network struct {
	// Name names it in descriptions of players.
	Name string `json:"name"`
	// Model is its ONNX model, Int8 the one for precision=int8, if the site has it, Weights
	// its weight file for use where ONNX Runtime does not run. All are paths in the site.
	Model   string `json:"model"`
	Int8    string `json:"int8,omitempty"`
	Weights string `json:"weights"`
	// Card is the card of the weight file.
	Card model.Card `json:"card"`
	// Ratings is the table for playing at a rating, if it has one.
	Ratings *player.Ratings `json:"ratings,omitempty"`
}

// ParseSite reads SiteFile.
func ParseSite(text []byte) (*Site, error) {
	s := new(Site)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("%s: %w", SiteFile, err)
	}
	return s, nil
}

// network returns the network of a name, if it can play g.
func (s *Site) network(name string, g engine.Game) (*Network, error) {
	for i := range s.Networks {
		if n := &s.Networks[i]; n.Name == name {
			return n, n.fits(g.Info())
		}
	}
	return nil, fmt.Errorf("no network %q in this site", name)
}

// fits reports why the network cannot play the game of info. Site and program are
// written together: a difference comes from files in a browser's cache.
func (n *Network) fits(info *engine.Info) error {
	c := &n.Card
	if c.Game != info.Name {
		return fmt.Errorf("network plays %s, not %s", c.Game, info.Name)
	}
	if c.GameVersion != info.Version || c.EncoderVersion != info.EncoderVersion || c.Actions != info.NumActions {
		return errors.New("network and program are of different versions: reload the page without the cache; if that does not help, the site was written by a ludozero older than its source tree")
	}
	return nil
}

// in is the network with the model of a precision.
func (n *Network) in(p precision.Precision) (*Network, error) {
	switch {
	case p == precision.F32:
		return n, nil
	case p == precision.Int8 && n.Int8 != "":
		eight := *n
		eight.Model = n.Int8
		return &eight, nil
	case p == precision.Int8:
		return nil, fmt.Errorf("precision %s: this site has the network in %s alone", p, precision.F32)
	}
	return nil, fmt.Errorf("precision %s: WebAssembly has no instructions for it: want %s or %s", p, precision.F32, precision.Int8)
}

// ratings returns the table for playing at a rating under the rules of g.
func (n *Network) ratings(games engine.Families, g engine.Game) (*player.Ratings, error) {
	if n.Ratings == nil {
		return nil, errors.New("no ratings were measured of this network")
	}
	family, err := games.ByName(n.Card.Game)
	if err == nil {
		err = n.Ratings.Under(family, g.Rules())
	}
	return n.Ratings, err
}
