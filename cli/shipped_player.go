package cli

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/zoo"
)

// Who plays and who is asked where nobody says who. A decision of a shipped
// network takes a fraction of a second on one core with these simulations.
const (
	shippedSims = 400
	// plainOpponent needs no network, and plays any game somehow.
	plainOpponent = "mcts:sims=1000"
)

// shippedPlayer is the player that a game has without a word being said.
type shippedPlayer struct {
	name string
	card *model.Card
}

// shippedFor is that of a game, nil if no network of its name is shipped.
func shippedFor(game string) (*shippedPlayer, error) {
	if !zoo.Has(game) {
		return nil, nil
	}
	_, card, err := zoo.Load(game)
	return &shippedPlayer{game, card}, err
}

// word names it, also where a run of that name is in the way.
func (s *shippedPlayer) word() string {
	if _, err := findNetwork(s.name); err != nil {
		return shippedPrefix + s.name
	}
	return s.name
}

// description is its player's.
func (s *shippedPlayer) description() string {
	return fmt.Sprintf("net:%s,sims=%d", s.word(), shippedSims)
}

// networkTrainedOn is trainedOn of any network.
func networkTrainedOn(word string, g engine.Game) (bool, error) {
	n, err := findNetwork(word)
	if err != nil {
		return false, err
	}
	_, card, err := n.load()
	if err != nil {
		return false, err
	}
	return (&shippedPlayer{word, card}).trainedOn(g)
}

// trainedOn tells whether the network was trained on the rules of g, apart from
// the turns after which games end.
func (s *shippedPlayer) trainedOn(g engine.Game) (bool, error) {
	family, err := games.ByName(s.card.Game)
	if err != nil {
		return false, err
	}
	for _, r := range s.card.Rules {
		same, err := family.Alike(r.Rules, g.Rules(), engine.LengthOption)
		if err != nil {
			return false, fmt.Errorf("shipped network %s: rules %s: %w", s.name, r.Rules, err)
		}
		if same {
			return true, nil
		}
	}
	return false, nil
}

// opponentFor is who plays g if nobody says who, and a sentence about it if that
// is not whom one would expect.
func opponentFor(g engine.Game) (description, note string, err error) {
	s, err := shippedFor(g.Info().Name)
	if s == nil || err != nil {
		return plainOpponent, "", err
	}
	trained, err := s.trainedOn(g)
	if trained || err != nil {
		return s.description(), "", err
	}
	return plainOpponent, fmt.Sprintf("The shipped network %s was not trained on these rules: %s plays instead of %s.", s.name, plainOpponent, s.description()), nil
}

// expertFor is who is asked about positions of g if nobody says who. Unlike an
// opponent it is not replaced by another.
func expertFor(g engine.Game) (*shippedPlayer, error) {
	s, err := shippedFor(g.Info().Name)
	if err == nil && s == nil {
		err = usageError{fmt.Errorf("no network is shipped for %s: want --player, such as %s", g.Info().Name, plainOpponent)}
	}
	if err != nil {
		return nil, err
	}
	return s, s.mustKnow(g)
}

// mustKnow refuses rules that the network was not trained on.
func (s *shippedPlayer) mustKnow(g engine.Game) error {
	trained, err := s.trainedOn(g)
	if err == nil && !trained {
		err = usageError{fmt.Errorf("the shipped network %s was not trained on %s: want --player %s, or --player %s all the same", s.name, g.Rules(), plainOpponent, s.description())}
	}
	return err
}
