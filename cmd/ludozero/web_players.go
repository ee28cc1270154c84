package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/evaluation"
	"github.com/ludozero/ludozero/evaluation/player"
	"github.com/ludozero/ludozero/model/zoo"
	webtable "github.com/ludozero/ludozero/web/table"
)

// netOffer begins the description of a shipped network as an opponent.
const netOffer = "net:"

// The most that a page can ask of a player, for one decision: some seconds of one
// core, and 16 MiB for a search by time.
const (
	webSims    = 10_000
	webMillis  = 10_000
	webEdges   = 1 << 19
	webDepth   = 6 // of alphabeta: a second or so in Kon'reh
	webMinimax = 3
)

// webOffers are the players that a page offers: the shipped networks, searches that
// need none, and those that the caller names.
func webOffers(named []string) ([]webtable.Offer, error) {
	sims := webtable.Limit{Option: "sims", Doc: "simulations a decision", Min: 1, Max: webSims, Default: shippedSims}
	time := webtable.Limit{Option: "time", Unit: "ms", Doc: "milliseconds a decision", Min: 10, Max: webMillis, Default: 1000}
	depth := func(most, usual int) webtable.Limit {
		return webtable.Limit{Option: "depth", Doc: "turns looked ahead", Min: 1, Max: most, Default: usual}
	}
	var list []webtable.Offer
	for _, name := range zoo.Names() {
		_, card, err := zoo.Load(name)
		if err != nil {
			return nil, err
		}
		list = append(list, webtable.Offer{Name: netOffer + name, Label: "network " + name, Doc: "the shipped network of that name, with search", Games: []string{card.Game}, Limits: []webtable.Limit{sims, time}})
	}
	rollouts := sims
	rollouts.Default = 1000
	kinds := player.Builtin()
	for _, o := range []webtable.Offer{
		{Name: "alphabeta", Label: "alpha-beta", Games: []string{"konreh"}, Lead: true, Limits: []webtable.Limit{depth(webDepth, 3), time}},
		{Name: "mcts", Label: "rollouts", Limits: []webtable.Limit{rollouts, time}},
		{Name: "minimax", Label: "minimax", Lead: true, Limits: []webtable.Limit{depth(webMinimax, 2)}},
		{Name: webSolver, Label: "solver", Games: []string{"connect4"}, Doc: fmt.Sprintf("the shipped network until %d stones lie on the board; then it plays without error", webSolved)},
		{Name: "exact", Label: "exact", Games: []string{"tictactoe"}},
		{Name: "random", Label: "random"},
	} {
		o.Doc = cmp.Or(o.Doc, kinds[o.Name].Doc)
		list = append(list, o)
	}
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
			var p evaluation.Player
			if p, err = spec.New(g); err == nil {
				evaluation.Dismiss(p)
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
func newWebPlayer(text string, g engine.Game) (evaluation.Player, error) {
	if text == webSolver {
		return newWebSolver(g)
	}
	kind, rest, _ := strings.Cut(text, ":")
	name, limit, _ := strings.Cut(rest, ",")
	searches := kind == "mcts" || kind == "net" && zoo.Has(name)
	if kind == "net" && zoo.Has(name) {
		text = netOffer + shippedPrefix + rest
	}
	if kind == "mcts" {
		limit = rest
	}
	if searches && strings.HasPrefix(limit, "time=") && !strings.Contains(limit, "edges=") {
		text += fmt.Sprintf(",edges=%d", webEdges)
	}
	spec, err := player.Parse(text, playerKinds())
	if err != nil {
		return nil, err
	}
	return spec.New(g)
}

// webNote says when a shipped network is out of its depth.
func webNote(text string, g engine.Game) string {
	rest, ok := strings.CutPrefix(text, netOffer)
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, ",")
	if name != g.Info().Name {
		return ""
	}
	s, err := shippedFor(name)
	if s == nil || err != nil {
		return ""
	}
	if trained, err := s.trainedOn(g); trained || err != nil {
		return ""
	}
	return fmt.Sprintf("The network %s was not trained on these rules; it may play badly.", name)
}
