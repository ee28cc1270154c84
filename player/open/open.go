// Package open makes players of words: of descriptions such as "net:konreh,sims=64"
// it finds the network, reads it and plays with it, or starts the program that a
// description names.
//
// A [Players] is what a program needs of it: it knows the kinds of package player,
// networks (net), evaluations for alpha-beta (nnue) and foreign programs (ugi), reads descriptions, and says who plays
// where nobody is named. [Find] alone says which network a word means.
package open

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/foreign"
	"github.com/ludozero/ludozero/player/nnue"
	"github.com/ludozero/ludozero/train/plan"
)

// netKind is the kind of players that search with a network, programKind of those that
// are other programs.
const (
	netKind     = "net"
	programKind = "ugi"
)

// Players reads descriptions of players. It owns the programs that play as ugi
// players: whoever makes a player dismisses it (match.Dismiss), and Close ends the
// programs that are left. Safe for concurrent use.
type Players struct {
	families engine.Families
	kinds    map[string]player.Kind // besides those of package player
	programs foreign.Programs
	// together is how many searches evaluate positions together, networks by how many
	// copies of a network; 0: each has its own.
	together, networks int
}

// New returns players for games of families, by which rulesets are compared with
// those that a network was trained on. more are further kinds of players, by name.
func New(families engine.Families, more ...map[string]player.Kind) *Players {
	p := &Players{families: families}
	p.kinds = map[string]player.Kind{netKind: p.net(), nnue.KindName: nnue.Kind(Evaluation, carryEvaluation), programKind: foreign.Kind(&p.programs)}
	for _, kinds := range more {
		maps.Copy(p.kinds, kinds)
	}
	return p
}

// net is the kind of players with networks that p opens.
func (p *Players) net() player.Kind {
	k := player.NetKind(p.open)
	k.Identify, k.Carry, k.ByHash, k.Hash = identify, carry, ByHash, func(argument string) string {
		_, hash := cutHash(argument)
		return short(hash)
	}
	return k
}

// Together returns the same players, but that those of one description with a network and
// a number of simulations evaluate the positions of up to searches searches together, in
// networks batches at a time: see [player.Joint]. They decide alike. Foreign programs
// remain those of p, which Close ends.
func (p *Players) Together(searches, networks int) *Players {
	t := &Players{families: p.families, kinds: maps.Clone(p.kinds), together: searches, networks: networks}
	t.kinds[netKind] = t.net()
	return t
}

// Announce tells of every command of a foreign program before it is started first. It is
// called before the first player is made.
func (p *Players) Announce(tell func(command string)) { p.programs.Announce = tell }

// Programs lists the descriptions among texts that start a program.
func (p *Players) Programs(texts []string) []string {
	var list []string
	for _, text := range texts {
		if spec, err := p.Parse(text); err == nil && StartsProgram(spec) {
			list = append(list, text)
		}
	}
	return list
}

// StartsProgram tells whether a player of this description is a foreign program.
func StartsProgram(s *player.Spec) bool { return strings.HasPrefix(s.Text, programKind+":") }

// Close ends all foreign programs that run. Their players must not be asked any more.
func (p *Players) Close() { p.programs.Close() }

// Families are the games that p was made for.
func (p *Players) Families() engine.Families { return p.families }

// Parse reads a description. The name of a shipped network stands for its net player,
// with or without options: "konreh,sims=64" is "net:konreh,sims=64".
func (p *Players) Parse(text string) (*player.Spec, error) {
	word, _, _ := strings.Cut(text, ",")
	name, _ := cutHash(word)
	if zoo.Has(name) {
		text = netKind + ":" + text
	} else if near := problems.Nearest(name, zoo.Names()); near != "" && !strings.Contains(text, ":") {
		return nil, fmt.Errorf("player %q: no kind and no shipped network %q%s", text, name, near)
	}
	return player.Parse(text, p.kinds)
}

// ByHash names the networks of players by their hashes, see player.Spec.ByHash. A
// description that Parse refuses stays as it is.
func (p *Players) ByHash(texts ...string) []string {
	list := slices.Clone(texts)
	for i, text := range texts {
		if spec, err := p.Parse(text); err == nil {
			list[i] = spec.ByHash()
		}
	}
	return list
}

// Help lists the kinds of players with their options, two lines each.
func (p *Players) Help() string {
	kinds := player.Builtin()
	maps.Copy(kinds, p.kinds)
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		k := kinds[name]
		fmt.Fprintf(&b, "  %s\n      %s\n", k.Form(name), k.Doc)
	}
	return b.String()
}

// Identity identifies the weights that word names by a digest of their file; see
// player.Spec.Identity.
func Identity(word string) (string, error) {
	n, err := Find(word)
	if err != nil {
		return "", err
	}
	digest, err := n.digest()
	return "weights " + digest, err
}

// identify is what a net player depends on: the weights, and the table of ratings if
// its settings follow from one.
func identify(v player.Values) (string, error) {
	id, err := Identity(v.Argument)
	n, _ := Find(v.Argument)
	if err != nil || v.Values["rating"] == "" || n.Shipped == "" {
		return id, err
	}
	data, err := zoo.Ratings(n.Shipped)
	if err == nil && data != nil {
		id += ", ratings " + zoo.Digest(data)
	}
	return id, err
}

// carry is player.Kind.Carry of networks: every program of this build has the shipped ones.
func carry(word string) (string, []byte, error) {
	n, err := Find(word)
	switch {
	case err != nil:
		return "", nil, err
	case n.Shipped != "":
		return ShippedPrefix + n.Shipped, nil, nil
	}
	file, err := n.File()
	return "", file, err
}

// Contestant enters a player that another machine describes in a match of g, with the file
// that p.File was at path.
func (p *Players) Contestant(g engine.Game, of *match.Portable, path string) (match.Contestant, error) {
	text := strings.Replace(of.Text, match.FilePlace, path, 1)
	spec, err := p.Parse(text)
	switch {
	case err != nil:
		return match.Contestant{}, err
	case StartsProgram(spec):
		return match.Contestant{}, fmt.Errorf("player %s: it is a program, which is not started for another machine", spec.Text)
	}
	if len(of.Without) > 0 {
		if spec, err = spec.Without(of.Without...); err != nil {
			return match.Contestant{}, err
		}
	}
	if of.Temperature == 0 {
		return spec.Contestant(g), nil
	}
	return spec.Sampled(g, player.Sampling{Decisions: of.Decisions, Temperature: of.Temperature, Slips: of.Slips})
}

// open is the player.Opener of the weights that word names.
func (p *Players) open(word string, prec precision.Precision, batch int, g engine.Game) (*player.Opened, error) {
	n, err := Find(word)
	if err != nil {
		return nil, err
	}
	w, card, err := n.Load()
	if err != nil {
		return nil, err
	}
	if prec == precision.Fastest {
		prec = fastest(card, kernel.Level())
	}
	info := g.Info()
	if err := card.Fits(plan.Identity(info), plan.Shape(info)); err != nil {
		return nil, err // the player says which network
	}
	join := p.together > 1 && batch == 1
	if join {
		batch = p.together
	}
	net, err := infer.New(card.Network, w, infer.Options{MaxBatch: batch, Precision: prec, Calibration: card.Calibration})
	if err != nil {
		return nil, err
	}
	fork := func() (mcts.Network, error) { return net.Fork(), nil }
	if join {
		networks := make([]mcts.Network, p.networks)
		for i := range networks {
			networks[i] = net.Fork()
		}
		joint := player.NewJoint(info, batch, networks...)
		fork = func() (mcts.Network, error) { return joint.Member(), nil }
	}
	return &player.Opened{
		New: fork, Together: join,
		CPuct: card.CPuct, CPuctFactor: card.CPuctFactor, Search: card.Search,
		Ratings: func(g engine.Game) (*player.Ratings, error) { return n.ratingsUnder(g, p.families) },
	}, nil
}

// fastest is the precision that a network is computed in fastest by kernels of a level,
// of those that a player may choose itself. It goes by the level alone: no measurement
// decides, so that a program does the same whenever it is started on a machine.
func fastest(card *model.Card, level string) precision.Precision {
	if card.Calibration != nil && plan.FastestPlay(level) == precision.Int8 {
		return precision.Int8
	}
	return precision.F32
}
