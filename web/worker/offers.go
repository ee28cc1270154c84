package worker

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/evaluation"
	"github.com/ludozero/ludozero/evaluation/player"
	"github.com/ludozero/ludozero/web/table"
)

// The most that a page can ask of a player for one decision: some seconds.
const (
	mostSims    = 10_000
	mostMillis  = 10_000
	mostDepth   = 5 // of alphabeta
	mostMinimax = 2
	// timedEdges is the room of a search by time, 16 MiB.
	timedEdges = 1 << 19
)

// What is offered first.
const (
	usualSims     = 200
	usualRollouts = 1000
	usualMillis   = 1000
	usualDepth    = 3
)

// lengthOption ends long games, for training as in play. It does not make other
// rules of them.
const lengthOption = "max_turns"

// networkKind begins the description of a network.
const networkKind = "net:"

// offers are the players of a page: the networks of the site and what needs none.
func (w *Worker) offers() []table.Offer {
	sims := func(usual int) table.Limit {
		return table.Limit{Option: "sims", Doc: "simulations a decision", Min: 1, Max: mostSims, Default: usual}
	}
	time := table.Limit{Option: "time", Unit: "ms", Doc: "milliseconds a decision", Min: 10, Max: mostMillis, Default: usualMillis}
	depth := func(most, usual int) table.Limit {
		return table.Limit{Option: "depth", Doc: "turns looked ahead", Min: 1, Max: most, Default: usual}
	}
	var list []table.Offer
	for i := range w.site.Networks {
		n := &w.site.Networks[i]
		list = append(list, table.Offer{
			Name: networkKind + n.Name, Label: "network " + n.Name, Doc: "this network, with search", Games: []string{n.Card.Game},
			Limits: []table.Limit{sims(usualSims), time},
		})
	}
	kinds := player.Builtin()
	for _, o := range []table.Offer{
		{Name: "alphabeta", Label: "alpha-beta", Games: []string{"konreh"}, Lead: true, Limits: []table.Limit{depth(mostDepth, usualDepth), time}},
		{Name: "mcts", Label: "rollouts", Limits: []table.Limit{sims(usualRollouts), time}},
		{Name: "minimax", Label: "minimax", Lead: true, Limits: []table.Limit{depth(mostMinimax, mostMinimax)}},
		{Name: "exact", Label: "exact", Games: []string{"tictactoe"}},
		{Name: "random", Label: "random"},
	} {
		o.Doc = kinds[o.Name].Doc
		list = append(list, o)
	}
	return list
}

// catalog lists games and players, those games first for which the site is there.
func (w *Worker) catalog() *table.Catalog {
	c := table.NewCatalog(w.offers())
	plain := func(g table.Game) int {
		if slices.ContainsFunc(w.site.Networks, func(n Network) bool { return n.Card.Game == g.Name }) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(c.Games, func(a, b table.Game) int { return plain(a) - plain(b) })
	return c
}

// newSeated makes a player of an offer, whose search by time has a smaller tree
// than elsewhere.
func (w *Worker) newSeated(text string, g engine.Game) (evaluation.Player, error) {
	kind, options, _ := strings.Cut(text, ":")
	if kind == "mcts" || kind == "net" {
		if strings.Contains(","+options, ",time=") {
			text += fmt.Sprintf(",edges=%d", timedEdges)
		}
	}
	return w.newPlayer(text, g)
}

// note says when a network was not trained on the rules it is to play by.
func (w *Worker) note(text string, g engine.Game) string {
	name, ok := strings.CutPrefix(text, networkKind)
	if !ok {
		return ""
	}
	name, _, _ = strings.Cut(name, ",")
	n, err := w.site.network(name, g)
	if err != nil {
		return ""
	}
	family, err := games.ByName(n.Card.Game)
	if err != nil {
		return ""
	}
	for _, r := range n.Card.Rules {
		if same, err := family.Alike(r.Rules, g.Rules(), lengthOption); same && err == nil {
			return ""
		}
	}
	return fmt.Sprintf("The network %s was not trained on these rules; it may play badly.", name)
}
