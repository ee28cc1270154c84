package open

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player"
)

const (
	// usualLimit is how a shipped network plays where nobody says how: a fraction of
	// a second a decision on one core.
	usualLimit = "sims=400"
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
	family, err := families.ByName(card.Game)
	if err != nil {
		return false, err
	}
	for _, r := range card.Rules {
		same, err := family.Alike(r.Rules, g.Rules(), engine.LengthOption, engine.PliesOption)
		if err != nil {
			return false, fmt.Errorf("%s: rules %s: %w", n, r.Rules, err)
		}
		if same {
			return true, nil
		}
	}
	return false, nil
}

// Usual describes who plays g where nobody is named: the network that is shipped for
// the game, with limit, or plain if there is none or if it was not trained on
// these rules. In the last case untrained is that network.
func (p *Players) Usual(g engine.Game, limit, plain string) (text string, untrained *Shipped, err error) {
	s, err := p.Shipped(g.Info().Name)
	if s == nil || err != nil {
		return plain, nil, err
	}
	trained, err := s.TrainedOn(g)
	if trained || err != nil {
		return s.Player(limit), nil, err
	}
	return plain, s, nil
}

// Opponent is Usual for a game against a person; note, if not empty, tells them why it
// is not the network.
func (p *Players) Opponent(g engine.Game) (text, note string, err error) {
	text, untrained, err := p.Usual(g, usualLimit, PlainOpponent)
	if untrained != nil {
		note = fmt.Sprintf("The shipped network %s was not trained on these rules: %s plays instead of %s.", untrained.Name, text, untrained.Player(usualLimit))
	}
	return text, note, err
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
