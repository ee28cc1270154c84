package open

import (
	"fmt"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/nnue"
)

const (
	// usualLimit is how a shipped network plays where nobody says how: a fraction of
	// a second a decision on one core.
	usualLimit = "sims=400"
	// usualTime is what usualLimit and nnue.Usual take at most.
	usualTime = 100 * time.Millisecond
	// PlainOpponent plays any game and needs no network.
	PlainOpponent = "mcts:sims=1000"
	// PlainExpert judges positions of any game without a network, in a fraction of a second.
	PlainExpert = "alphabeta:nodes=300000"
)

// Shipped is the network that is shipped for a game.
type Shipped struct {
	Name     string
	Card     *model.Card
	families engine.Families
}

// Shipped returns the network that is shipped for a game, nil if there is none.
func (p *Players) Shipped(game string) (*Shipped, error) {
	if !zoo.Has(game) {
		return nil, nil
	}
	_, card, err := zoo.Load(game)
	return &Shipped{game, card, p.families}, err
}

// Word names the network, also where a run of its name is in the working folder.
func (s *Shipped) Word() string {
	if _, err := Find(s.Name); err != nil {
		return ShippedPrefix + s.Name
	}
	return s.Name
}

// Player describes its player with a limit, such as "sims=64".
func (s *Shipped) Player(limit string) string { return netKind + ":" + s.Word() + "," + limit }

// TrainedOn tells whether the network was trained on the rules of g, apart from the
// number of turns after which games end.
func (s *Shipped) TrainedOn(g engine.Game) (bool, error) {
	return trainedOn(Network{Shipped: s.Name}, s.Card, s.families, g)
}

// TrainedOn is Shipped.TrainedOn for the network that word names.
func (p *Players) TrainedOn(word string, g engine.Game) (bool, error) {
	n, err := Find(word)
	if err != nil {
		return false, err
	}
	_, card, err := n.Load()
	if err != nil {
		return false, err
	}
	return trainedOn(n, card, p.families, g)
}

func trainedOn(n Network, card *model.Card, families engine.Families, g engine.Game) (bool, error) {
	trained, err := alike(card.TrainedRules(), card.Game, families, g)
	if err != nil {
		return false, fmt.Errorf("%s: %w", n, err)
	}
	return trained, nil
}

// alike tells whether the rules of g are among rules of a game, apart from the number of turns
// after which games end.
func alike(rules []string, game string, families engine.Families, g engine.Game) (bool, error) {
	family, err := families.ByName(game)
	if err != nil {
		return false, err
	}
	for _, r := range rules {
		same, err := family.Alike(r, g.Rules(), engine.LengthOption, engine.PliesOption)
		if err != nil {
			return false, fmt.Errorf("rules %s: %w", r, err)
		}
		if same {
			return true, nil
		}
	}
	return false, nil
}

// Limits say how whoever plays where nobody is named does so.
type Limits struct {
	Network    string // option of a network's player, such as "sims=400"
	Evaluation string // option of a player with an evaluation, such as "nodes=50000"
	Plain      string // the player of a game that has neither
	// Decision is about how long one takes; 0: not known, then a network plays before an evaluation.
	Decision time.Duration
}

// Usual is who plays where nobody is named.
type Usual struct {
	Text string // the description
	// Untrained is the shipped network that does not play since it was not trained on these
	// rules, else nil.
	Untrained *Shipped
	// Unlearned says that an evaluation is shipped, no network, and that it did not learn from
	// games by these rules.
	Unlearned bool
	// Match is why an evaluation plays and not the network, else nil.
	Match *zoo.Match
}

// Candidates are who may play a game where nobody is named.
type Candidates struct {
	game    string
	network *Shipped // nil if none is shipped
	// trained and learned tell whether the network and the evaluation that are shipped for the
	// game learned these rules.
	trained, learned bool
	matches          *zoo.Matches // of the two; nil if there are none
}

// Candidates returns who may play g where nobody is named. It reads what is shipped, which
// takes some milliseconds.
func (p *Players) Candidates(g engine.Game) (*Candidates, error) {
	c := &Candidates{game: g.Info().Name}
	var err error
	if c.network, err = p.Shipped(c.game); err != nil {
		return nil, err
	}
	if c.network != nil {
		if c.trained, err = c.network.TrainedOn(g); err != nil {
			return nil, err
		}
	}
	if c.learned, err = p.learned(g); err != nil {
		return nil, err
	}
	if c.learned && c.trained {
		if c.matches, err = zoo.EvaluationMatches(c.game); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Usual says who plays: the network or alpha-beta with the evaluation, if they learned these
// rules, of both the one that scored more with about as much time; limits.Plain if neither did.
func (c *Candidates) Usual(limits Limits) Usual {
	evaluation := shippedEvaluation(c.game) + "," + limits.Evaluation
	match := better(c.matches, limits.Decision)
	switch {
	case c.trained && match != nil:
		return Usual{Text: evaluation, Match: match}
	case c.trained:
		return Usual{Text: c.network.Player(limits.Network)}
	case c.network == nil && c.learned:
		return Usual{Text: evaluation}
	}
	return Usual{Text: limits.Plain, Untrained: c.network, Unlearned: c.network == nil && zoo.HasEvaluation(c.game)}
}

// Both describes the network and the evaluation without limits; nil unless both learned these
// rules.
func (c *Candidates) Both() []string {
	if !c.trained || !c.learned {
		return nil
	}
	return []string{netKind + ":" + c.network.Word(), shippedEvaluation(c.game)}
}

// learned tells whether an evaluation is shipped for g that learned from games by its rules.
func (p *Players) learned(g engine.Game) (bool, error) {
	game := g.Info().Name
	if !zoo.HasEvaluation(game) {
		return false, nil
	}
	e, err := Evaluation(ShippedPrefix + game)
	if err != nil {
		return false, err
	}
	learned, err := alike(e.TrainedRules(), game, p.families, g)
	if err != nil {
		return false, fmt.Errorf("shipped evaluation %s: %w", game, err)
	}
	return learned, nil
}

// EvaluationFirst tells whether pages offer the evaluation that is shipped for a game before
// the network: if there is no network, or if it won with the time that pages suggest.
func EvaluationFirst(game string) (bool, error) {
	if !zoo.Has(game) || !zoo.HasEvaluation(game) {
		return zoo.HasEvaluation(game), nil
	}
	m, err := zoo.EvaluationMatches(game)
	return better(m, usualTime) != nil, err
}

// better is the match nearest to the time of a decision if the evaluation won it, else nil.
func better(matches *zoo.Matches, decision time.Duration) *zoo.Match {
	if m := matches.At(decision); decision > 0 && m != nil && m.Score > 0.5 {
		return m
	}
	return nil
}

// Why says why somebody else than the shipped network plays, "" if it does or there is none.
func (u *Usual) Why() string {
	switch {
	case u.Untrained != nil:
		return "the shipped network " + u.Untrained.Name + " was not trained on these rules: " + u.Text + " plays"
	case u.Unlearned:
		return "the shipped evaluation did not learn from games by these rules: " + u.Text + " plays"
	case u.Match != nil:
		return fmt.Sprintf("%s plays: with %d ms a decision it scored %s against the shipped network", u.Text, u.Match.Milliseconds, u.Match.ScoreText())
	}
	return ""
}

// Opponent is who usually plays g against a person; note, if not empty, tells them why it
// is not the network.
func (p *Players) Opponent(g engine.Game) (text, note string, err error) {
	c, err := p.Candidates(g)
	if err != nil {
		return "", "", err
	}
	u := c.Usual(Limits{Network: usualLimit, Evaluation: nnue.Usual, Plain: PlainOpponent, Decision: usualTime})
	switch {
	case u.Match != nil:
		note = u.Why() + "."
	case u.Unlearned:
		note = "T" + u.Why()[1:] + "."
	case u.Untrained != nil:
		note = fmt.Sprintf("The shipped network %s was not trained on these rules: %s plays instead of %s.", u.Untrained.Name, u.Text, u.Untrained.Player(usualLimit))
	}
	return u.Text, note, nil
}

// Expert is the network that is asked about positions of g where nobody is named; nil if
// none is shipped for the game: PlainExpert then is. By rules that it was not trained on
// no other player replaces it: the error says whom to name.
func (p *Players) Expert(g engine.Game) (*Expert, error) {
	s, err := p.Shipped(g.Info().Name)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return nil, nil
	}
	spec, err := p.Parse(s.Player(usualLimit))
	if err != nil {
		return nil, err
	}
	e := &Expert{spec, s}
	return e, e.Knows(g)
}

// Expert is asked about positions by rules that it was trained on.
type Expert struct {
	*player.Spec
	shipped *Shipped
}

// Knows refuses rules that the network was not trained on.
func (e *Expert) Knows(g engine.Game) error {
	trained, err := e.shipped.TrainedOn(g)
	if err == nil && !trained {
		err = fmt.Errorf("the shipped network %s was not trained on %s: want --player %s, or --player %s all the same", e.shipped.Name, g.Rules(), PlainOpponent, e.Text)
	}
	return err
}
