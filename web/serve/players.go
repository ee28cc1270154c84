package serve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/guide"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/nnue"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/web/table"
)

const (
	// solverName is the solver as pages offer it, for the games it is made for. From solverStones
	// stones on the board it takes a second or so, on an empty one it would take many
	// minutes: until then solverOpening of the game plays.
	solverName    = "solver"
	solverStones  = 12
	solverOpening = "net:%s,sims=400"
	// solverTable leaves it the memory that other searches have here; it changes no
	// move.
	solverTable = "solver:table=16"
)

// Players makes the players that the pages of a server offer.
type Players struct {
	open   *open.Players
	Offers []table.Offer
}

// NewPlayers offers the shipped networks and evaluations, searches that need neither, and the players
// that named describes as open.Players reads them.
func NewPlayers(o *open.Players, guides guide.Guides, named []string) (*Players, error) {
	var networks []table.Network
	for _, name := range zoo.Names() {
		_, card, err := zoo.Load(name)
		if err != nil {
			return nil, err
		}
		ratings, err := open.Network{Shipped: name}.Ratings()
		if err != nil {
			return nil, err
		}
		networks = append(networks, table.Network{
			Name: name, Doc: "the shipped network of that name, with search", Game: card.Game, Trained: card.TrainedRules(), Ratings: ratings,
		})
	}
	evaluations, err := shippedEvaluations()
	if err != nil {
		return nil, err
	}
	// alphabeta takes a second or so in Kon'reh at this depth.
	list := table.Offers(o.Families(), guides, networks, evaluations, table.Bounds{Sims: 400, Depth: 6, Minimax: 3, Nodes: 50_000})
	if solved := guides.Having(solverName); len(solved) > 0 {
		list = append(list, table.Offer{
			Name: solverName, Label: "solver", Games: solved,
			Doc: fmt.Sprintf("the shipped network until %d stones lie on the board; then it plays without error", solverStones),
		})
	}
	p := &Players{open: o}
	for _, text := range named {
		spec, err := o.Parse(text)
		if err != nil {
			return nil, err
		}
		games, problem := p.gamesOf(spec)
		if len(games) == 0 {
			return nil, fmt.Errorf("player %s plays none of the games: %w", spec.Text, problem)
		}
		list = append(list, table.Offer{Name: text, Label: text, Doc: "named with --player", Games: games})
	}
	p.Offers = list
	return p, nil
}

// shippedEvaluations are those to offer.
func shippedEvaluations() (list []table.Evaluation, err error) {
	for _, name := range zoo.Evaluations() {
		e, err := open.Evaluation(open.ShippedPrefix + name)
		if err != nil {
			return nil, err
		}
		first, err := open.EvaluationFirst(name)
		if err != nil {
			return nil, err
		}
		list = append(list, table.Evaluation{Name: name, Game: name, Trained: e.TrainedRules(), First: first})
	}
	return list, nil
}

// gamesOf returns the games that a player plays by their default rules, and why it does
// not play the others, each reason once.
func (p *Players) gamesOf(spec *player.Spec) (names []string, problem error) {
	var reasons []error
	for _, f := range p.open.Families() {
		g, err := f.Parse("")
		if err == nil {
			var one match.Player
			one, err = spec.New(g)
			match.Dismiss(one)
		}
		if err != nil {
			if !slices.ContainsFunc(reasons, func(r error) bool { return r.Error() == err.Error() }) {
				reasons = append(reasons, err)
			}
			continue
		}
		names = append(names, f.Name)
	}
	return names, errors.Join(reasons...)
}

// New makes a player of an offer: table.Config.New. The name of a shipped network or
// evaluation means that one also where a run or file has its name; searches by time have a smaller tree than
// elsewhere.
func (p *Players) New(text string, g engine.Game) (match.Player, error) {
	if text == solverName {
		return p.newSolver(g)
	}
	kind, rest, _ := strings.Cut(text, ":")
	name, _, _ := strings.Cut(rest, ",")
	switch {
	case kind == nnue.KindName && zoo.HasEvaluation(name):
		text = kind + ":" + open.ShippedPrefix + rest
	case kind != "net":
		text = table.Bounded(text)
	case zoo.Has(name):
		text = table.Bounded("net:" + open.ShippedPrefix + rest)
	}
	return p.make(text, g)
}

func (p *Players) make(text string, g engine.Game) (match.Player, error) {
	spec, err := p.open.Parse(text)
	if err != nil {
		return nil, err
	}
	return spec.New(g)
}

// afterOpening is a player for whom another one plays until a turn.
type afterOpening struct {
	opening, rest match.Player
	from          int
}

// newSolver returns the solver after an opening by the shipped network.
func (p *Players) newSolver(g engine.Game) (match.Player, error) {
	opening, err := p.New(fmt.Sprintf(solverOpening, g.Info().Name), g)
	if err != nil {
		return nil, err
	}
	rest, err := p.make(solverTable, g)
	if err != nil {
		return nil, err
	}
	return &afterOpening{opening, rest, solverStones}, nil
}

// NewGame implements match.Player.
func (p *afterOpening) NewGame(ctx context.Context, seed uint64) error {
	if err := p.opening.NewGame(ctx, seed); err != nil {
		return err
	}
	return p.rest.NewGame(ctx, seed)
}

// Think implements match.Player.
func (p *afterOpening) Think(ctx context.Context, s engine.State, h *engine.History, b match.Bounds) (*match.Analysis, error) {
	if s.Turn() < p.from {
		return p.opening.Think(ctx, s, h, b)
	}
	return p.rest.Think(ctx, s, h, b)
}
