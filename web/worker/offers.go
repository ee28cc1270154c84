package worker

import (
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/web/table"
)

// bounds are lower than elsewhere, since a browser computes more slowly.
var bounds = table.Bounds{Sims: 200, Depth: 5, Minimax: 2, Nodes: 20_000}

// offers lists the players of the page: the networks and evaluations of the site, and searches
// without one.
func (w *Worker) offers() []table.Offer {
	var networks []table.Network
	for i := range w.site.Networks {
		n := &w.site.Networks[i]
		networks = append(networks, table.Network{Name: n.Name, Doc: "this network, with search", Game: n.Card.Game, Trained: n.Card.TrainedRules(), Ratings: n.Ratings, Shown: true})
	}
	var evaluations []table.Evaluation
	for _, e := range w.site.Evaluations {
		evaluations = append(evaluations, table.Evaluation{Name: e.Name, Game: e.Game, Trained: e.Trained, First: e.First})
	}
	return table.Offers(w.games, w.guides, networks, evaluations, bounds)
}

// catalog lists games and players, the games that the site has networks for first.
func (w *Worker) catalog() *table.Catalog {
	c := w.config().Catalog()
	plain := func(g table.Game) int {
		if slices.ContainsFunc(w.site.Networks, func(n Network) bool { return n.Card.Game == g.Name }) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(c.Games, func(a, b table.Game) int { return plain(a) - plain(b) })
	return c
}

func (w *Worker) newSeated(text string, g engine.Game) (match.Player, error) {
	return w.newPlayer(table.Bounded(text), g)
}
