package table

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/player"
)

// The most that a page can ask of a player for one decision: some seconds.
const (
	mostSims   = 10_000
	mostMillis = 10_000
	// timedEdges is the room of a search by time, 16 MiB.
	timedEdges = 1 << 19
)

// What is offered first.
const (
	usualRollouts = 1000
	usualMillis   = 1000
	usualDepth    = 3
	usualMinimax  = 2
)

// networkKind begins the description of a network.
const networkKind = "net:"

// Network is a network to be offered.
type Network struct {
	// Name is the word for it in descriptions of players.
	Name string
	Doc  string
	Game string
	// Trained are the rulesets that it was trained on, the most frequent first.
	Trained []string
	// Ratings is the table by which it plays at a rating; nil: it cannot.
	Ratings *player.Ratings
}

// Bounds are what players may use where a page's tables are.
type Bounds struct {
	// Sims is how many simulations of a network are offered first.
	Sims int
	// Depth and Minimax are the most turns that these look ahead.
	Depth, Minimax int
}

// Offers are the players that every page has: networks, and those that need none.
func Offers(games engine.Families, networks []Network, b Bounds) []Offer {
	sims := func(usual int) Limit {
		return Limit{Option: "sims", Doc: "simulations a decision", Min: 1, Max: mostSims, Default: usual}
	}
	time := Limit{Option: "time", Unit: "ms", Doc: "milliseconds a decision", Min: 10, Max: mostMillis, Default: usualMillis}
	depth := func(most, usual int) Limit {
		return Limit{Option: "depth", Doc: "turns looked ahead", Min: 1, Max: most, Default: usual}
	}
	var list []Offer
	for _, n := range networks {
		o := Offer{
			Name: networkKind + n.Name, Label: "network " + n.Name, Doc: n.Doc, Games: []string{n.Game}, Limits: []Limit{sims(b.Sims), time},
			network: &n,
		}
		o.family, _ = games.ByName(n.Game) // nil: no rules are known to it
		if r := n.Ratings; r != nil {
			least, most := r.Range()
			o.Limits = append(o.Limits, Limit{
				Option: "rating", Doc: "Elo under " + r.Rules, Min: least, Max: most, Default: (least + most) / 2,
			})
			o.Doc += fmt.Sprintf("; in its Elo %s has %g", r.Anchor, r.AnchorElo)
		}
		if len(n.Trained) > 0 && !o.knows("") {
			o.Rules = n.Trained[0]
		}
		list = append(list, o)
	}
	kinds := player.Builtin()
	for _, o := range []Offer{
		{Name: "alphabeta", Label: "alpha-beta", Games: []string{"konreh"}, Limits: []Limit{depth(b.Depth, usualDepth), time}},
		{Name: "mcts", Label: "rollouts", Limits: []Limit{sims(usualRollouts), time}},
		{Name: "minimax", Label: "minimax", Limits: []Limit{depth(b.Minimax, usualMinimax)}},
		{Name: "exact", Label: "exact", Games: []string{"tictactoe"}},
		{Name: "random", Label: "random"},
	} {
		o.Doc = kinds[o.Name].Doc
		list = append(list, o)
	}
	return list
}

// knows tells whether the network was trained on rules, however long their games.
func (o *Offer) knows(rules string) bool {
	if o.family == nil {
		return false
	}
	for _, trained := range o.network.Trained {
		if same, err := o.family.Alike(trained, rules, engine.LengthOption); same && err == nil {
			return true
		}
	}
	return false
}

// note is what people should know of such a player, nil for a person, under the rules of g; empty:
// nothing.
func (o *Offer) note(g engine.Game) string {
	if o == nil || o.network == nil || o.knows(g.Rules()) {
		return ""
	}
	return fmt.Sprintf("The network %s was not trained on these rules; it may play badly.", o.network.Name)
}

// Bounded is the description of a player whose search by time, if it is one, has a
// smaller tree than elsewhere.
func Bounded(text string) string {
	kind, options, _ := strings.Cut(text, ":")
	if (kind == "mcts" || kind == "net") && strings.Contains(","+options, ",time=") && !strings.Contains(options, "edges=") {
		text += fmt.Sprintf(",edges=%d", timedEdges)
	}
	return text
}
