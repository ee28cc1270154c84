package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player"
	webtable "github.com/ludozero/ludozero/web/table"
)

// webBounds let alphabeta take a second or so in Kon'reh.
var webBounds = webtable.Bounds{Sims: shippedSims, Depth: 6, Minimax: 3}

// webOffers are the players that a page offers: the shipped networks, searches that
// need none, and those that the caller names.
func webOffers(named []string) ([]webtable.Offer, error) {
	var networks []webtable.Network
	for _, name := range zoo.Names() {
		_, card, err := zoo.Load(name)
		if err != nil {
			return nil, err
		}
		ratings, err := networkSource{shipped: name}.table()
		if err != nil {
			return nil, err
		}
		networks = append(networks, webtable.Network{
			Name: name, Doc: "the shipped network of that name, with search", Game: card.Game, Trained: card.TrainedRules(), Ratings: ratings,
		})
	}
	list := append(webtable.Offers(networks, webBounds), webtable.Offer{
		Name: webSolver, Label: "solver", Games: []string{"connect4"}, Doc: fmt.Sprintf("the shipped network until %d stones lie on the board; then it plays without error", webSolved),
	})
	for _, text := range named {
		spec, err := player.Parse(text, playerKinds())
		if err != nil {
			return nil, usageError{err}
		}
		playable, problem := webGames(spec)
		if len(playable) == 0 {
			return nil, fmt.Errorf("player %s plays none of the games: %w", spec.Text, problem)
		}
		list = append(list, webtable.Offer{Name: text, Label: text, Doc: "named with --player", Games: playable})
	}
	return list, nil
}

// webGames are the games that a player plays by their default rules, and why it does
// not play the others.
func webGames(spec *player.Spec) (names []string, problem error) {
	for _, f := range games.All() {
		g, err := f.Parse("")
		if err == nil {
			var p match.Player
			if p, err = spec.New(g); err == nil {
				match.Dismiss(p)
			}
		}
		if err != nil {
			problem = errors.Join(problem, err)
			continue
		}
		names = append(names, f.Name)
	}
	return names, problem
}

// newWebPlayer makes a player of an offer. A shipped network is meant also where a
// run has its name; searches by time have a smaller tree than elsewhere, and the
// solver has its opening played for it.
func newWebPlayer(text string, g engine.Game) (match.Player, error) {
	if text == webSolver {
		return newWebSolver(g)
	}
	kind, rest, _ := strings.Cut(text, ":")
	name, _, _ := strings.Cut(rest, ",")
	switch {
	case kind != "net":
		text = webtable.Bounded(text)
	case zoo.Has(name):
		text = webtable.Bounded("net:" + shippedPrefix + rest)
	}
	spec, err := player.Parse(text, playerKinds())
	if err != nil {
		return nil, err
	}
	return spec.New(g)
}
