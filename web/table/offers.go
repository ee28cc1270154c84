package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/guide"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/player"
)

// Upper limits for one decision: some seconds.
const (
	mostSims   = 10_000
	mostMillis = 10_000
	mostNodes  = 10_000_000
	// timedEdges bounds the tree of a search by time to 32 MiB.
	timedEdges = 1 << 19
)

// Limits that a page suggests.
const (
	usualRollouts = 1000
	usualMillis   = 1000
	usualDepth    = 3
	usualMinimax  = 2
)

const (
	networkKind    = "net:"
	evaluationKind = "nnue:"
)

// Network is a network to offer.
type Network struct {
	// Name names it in descriptions of players.
	Name string
	Doc  string
	Game string
	// Trained are its training rulesets, the most frequent first.
	Trained []string
	// Ratings is the table for playing at a rating; nil if it has none.
	Ratings *player.Ratings
	// Shown says that the page was made to show this network, which then plays a first game.
	Shown bool
}

// Evaluation is a learned evaluation for alpha-beta to offer.
type Evaluation struct {
	// Name names it in descriptions of players.
	Name string
	Game string
	// Trained are the rulesets that it learned from, the most frequent first.
	Trained []string
	// First says that it comes before the networks.
	First bool
}

// Bounds are limits for the machine that the players run on.
type Bounds struct {
	// Sims is the number of simulations suggested for a network.
	Sims int
	// Depth and Minimax bound the turns that alpha-beta and minimax look ahead.
	Depth, Minimax int
	// Nodes is the number of positions suggested for alpha-beta with an evaluation.
	Nodes int
}

// Offers lists the players that every page has: the networks, alpha-beta with evaluations, and
// searches without either. Those made for some games are offered where the guides name them.
func Offers(games engine.Families, guides guide.Guides, networks []Network, evaluations []Evaluation, b Bounds) []Offer {
	sims := func(usual int) Limit {
		return Limit{Option: "sims", Doc: "simulations a decision", Min: 1, Max: mostSims, Default: usual}
	}
	time := Limit{Option: "time", Unit: "ms", Doc: "milliseconds a decision", Min: 10, Max: mostMillis, Default: usualMillis}
	depth := func(most, usual, nodes int) Limit {
		doc := "turns looked ahead"
		if nodes > 0 {
			doc += fmt.Sprintf(", in at most %s positions", wording.Grouped(nodes))
		}
		return Limit{Option: "depth", Doc: doc, Min: 1, Max: most, Default: usual, nodes: nodes}
	}
	var list []Offer
	for _, n := range networks {
		o := Offer{
			Name: networkKind + n.Name, Label: "network " + n.Name, Doc: n.Doc, Games: []string{n.Game}, Limits: []Limit{sims(b.Sims), time},
			Shown: n.Shown, learned: "network " + n.Name, trained: n.Trained,
		}
		o.family, _ = games.ByName(n.Game) // nil for an unknown game
		if r := n.Ratings; r != nil {
			least, most := r.Range()
			o.Limits = append(o.Limits, Limit{
				Option: "rating", Doc: "Elo under " + r.Rules, Min: least, Max: most, Default: (least + most) / 2,
			})
			o.Doc += fmt.Sprintf("; its Elo counts from %s at %g", r.Anchor, r.AnchorElo)
		}
		if len(n.Trained) > 0 && !o.knows("") {
			o.Rules = n.Trained[0]
		}
		list = append(list, o)
	}
	var stronger, others []Offer
	for _, e := range evaluations {
		o := Offer{
			Name: evaluationKind + e.Name, Label: "alpha-beta, learned", Doc: "alpha-beta with an evaluation that was learned", Games: []string{e.Game},
			Limits:  []Limit{{Option: "nodes", Doc: "positions a decision", Min: 64, Max: mostNodes, Default: b.Nodes}, time},
			learned: "evaluation " + e.Name, trained: e.Trained,
		}
		o.family, _ = games.ByName(e.Game)
		if e.First {
			stronger = append(stronger, o)
		} else {
			others = append(others, o)
		}
	}
	list = slices.Concat(stronger, list, others)
	kinds := player.Builtin()
	for _, o := range []Offer{
		{Name: "alphabeta", Label: "alpha-beta", Limits: []Limit{depth(b.Depth, usualDepth, mostNodes), time}},
		{Name: "mcts", Label: "rollouts", Limits: []Limit{sims(usualRollouts), time}},
		{Name: "minimax", Label: "minimax", Limits: []Limit{depth(b.Minimax, usualMinimax, 0)}},
		{Name: "exact", Label: "exact", Games: guides.Having("exact")},
		{Name: "random", Label: "random"},
	} {
		if o.Games != nil && len(o.Games) == 0 {
			continue // made for games that are not here
		}
		o.Doc = kinds[o.Name].Doc
		list = append(list, o)
	}
	return list
}

// nodes is how many positions a decision of the player that text describes by this offer may look at
// whatever the limit that it chose; 0 if that limit is enough. o is nil for a person.
func (o *Offer) nodes(text string) int {
	if o == nil {
		return 0
	}
	for i := range o.Limits {
		if l := &o.Limits[i]; strings.HasPrefix(text, o.Name+o.separator()+l.Option+"=") {
			return l.nodes
		}
	}
	return 0
}

// knows tells whether what it plays by was trained on rules, whatever their limit of turns.
func (o *Offer) knows(rules string) bool {
	if o.family == nil {
		return false
	}
	for _, trained := range o.trained {
		if same, err := o.family.Alike(trained, rules, engine.LengthOption, engine.PliesOption); same && err == nil {
			return true
		}
	}
	return false
}

// note is a remark on the player under the rules of g, empty for most. o is nil for a
// person.
func (o *Offer) note(g engine.Game) string {
	if o == nil || o.learned == "" || o.knows(g.Rules()) {
		return ""
	}
	return fmt.Sprintf("The %s was not trained on these rules; it may play badly.", o.learned)
}

// Bounded adds a bound of the tree to the description of a search by time.
func Bounded(text string) string {
	kind, options, _ := strings.Cut(text, ":")
	if (kind == "mcts" || kind == "net") && strings.Contains(","+options, ",time=") && !strings.Contains(options, "edges=") {
		text += fmt.Sprintf(",edges=%d", timedEdges)
	}
	return text
}
