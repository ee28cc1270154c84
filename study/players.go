package study

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/open"
)

// Participant is a player at one strength.
type Participant struct {
	Spec *player.Spec
	// Network is the word for the network that plays, "" if none does; others may have
	// the same with other Simulations.
	Network     string
	Simulations int
}

// Specs are the descriptions of participants.
func Specs(list []Participant) []*player.Spec {
	specs := make([]*player.Spec, len(list))
	for i := range list {
		specs[i] = list[i].Spec
	}
	return specs
}

// NetText describes the player of a network, in the default precision if that is "".
func NetText(network string, simulations int, precision string) string {
	text := player.NetText(network, simulations)
	if precision != "" {
		text += ",precision=" + precision
	}
	return text
}

// NetworksOf returns networks by hash, or where none are named the one that is shipped for
// a game; instead says what else to ask for.
func (o *Options) NetworksOf(players *open.Players, networks []string, game, instead string) ([]string, error) {
	if len(networks) > 0 {
		return o.ByHash(networks...), nil
	}
	shipped, err := players.Shipped(game)
	if err != nil {
		return nil, err
	}
	if shipped == nil {
		return nil, fmt.Errorf("no network is shipped for %s: want --networks, or %s", game, instead)
	}
	return o.ByHash(shipped.Name), nil
}

// byName tells whether the study was begun by a program that did not name networks by
// hash: its games go on with seeds that follow from their names.
func (o *Options) byName() bool {
	if o.Out == "" {
		return false
	}
	var was struct{ Players, Networks []Player }
	data, err := input.Read(filepath.Join(o.Out, AskedFile), input.Large)
	if err != nil || json.Unmarshal(data, &was) != nil {
		return false // whoever opens the folder says so
	}
	return slices.ContainsFunc(slices.Concat(was.Players, was.Networks), func(p Player) bool {
		hash, ok := strings.CutPrefix(p.Identity, "weights ")
		return ok && !strings.Contains(p.Player, "@"+hash[:min(8, len(hash))])
	})
}

// ByHash names networks by their hashes, see open.ByHash.
func (o *Options) ByHash(networks ...string) []string {
	list := slices.Clone(networks)
	if !o.byName() {
		for i, word := range list {
			list[i] = open.ByHash(word)
		}
	}
	return list
}

// Networks returns each network at each number of simulations a move. It joins what
// is wrong with any of them.
func Networks(players *open.Players, networks []string, sims []int, precision string) (list []Participant, err error) {
	var errs []error
	for _, n := range networks {
		for _, k := range sims {
			p := Participant{Network: n, Simulations: k}
			list, err = enter(players, list, p, NetText(n, k, precision))
			errs = append(errs, err)
		}
	}
	return list, errors.Join(errs...)
}

// AddPlayers adds players by their descriptions, with networks by hash.
func (o *Options) AddPlayers(players *open.Players, list []Participant, texts []string) ([]Participant, error) {
	if !o.byName() {
		texts = players.ByHash(texts...)
	}
	var errs []error
	for _, text := range texts {
		var err error
		list, err = enter(players, list, Participant{}, text)
		errs = append(errs, err)
	}
	return list, errors.Join(errs...)
}

func enter(players *open.Players, list []Participant, p Participant, text string) ([]Participant, error) {
	var err error
	if p.Spec, err = players.Parse(text); err != nil {
		return list, err
	}
	if slices.ContainsFunc(list, func(o Participant) bool { return o.Spec.Text == p.Spec.Text }) {
		err = fmt.Errorf("player %s: it is there twice", p.Spec.Text)
	}
	return append(list, p), err
}

// Different returns the hashes of the networks' weights, and refuses networks that
// have the same: they would pass for independent ones that agree.
func Different(networks []string) (hashes []string, err error) {
	known := map[string]string{} // words by hash
	var errs []error
	for _, network := range networks {
		hash, err := open.Identity(network)
		if err != nil {
			return nil, err
		}
		if other, ok := known[hash]; ok {
			errs = append(errs, fmt.Errorf("networks %s and %s are the same (%s): want different ones", other, network, hash))
		}
		known[hash] = network
		hashes = append(hashes, hash)
	}
	return hashes, errors.Join(errs...)
}
