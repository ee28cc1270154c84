package table

import (
	"context"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
)

// DrawMargin is the highest value, in its own view, of a position in which a
// player accepts a draw: level or worse. Players that do not judge positions
// decline.
const DrawMargin = 0.05

// lastOfPerson is the number of the last step that a person made, -1 if none. Where
// people enter what chance decides that is one, too, even if the program drew it before.
func (s *Session) lastOfPerson() int {
	for i := len(s.steps) - 1; i >= 0; i-- {
		if p := s.steps[i].Actor; p <= engine.Second && s.seats[p].Person() || p == engine.Chance && s.byHand {
			return i
		}
	}
	return -1
}

// Undo takes back the last decision of a person, with all that players and
// chance decided after it, or an end that was agreed or resigned. Clocks go back to
// what they said before the decision, so that a game lost on time can be taken up
// there. It returns how many decisions were taken back.
func (s *Session) Undo() (int, error) {
	if s.settled != nil && s.settled.Reason != match.TimeForfeit {
		s.settled = nil
		return 0, nil
	}
	i := s.lastOfPerson()
	if n := len(s.steps); i < 0 && s.settled != nil && len(s.clocks) > n {
		mark := s.clocks[n] // before the decision for which time ran out
		s.rewind(n)
		*s.clock, s.clocks = mark, s.clocks[:n]
		return 0, nil
	}
	if i < 0 {
		return 0, errors.New("nothing to take back: no person has decided anything")
	}
	n := len(s.steps) - i
	s.rewind(i)
	return n, nil
}

// Takeback goes back to the beginning of the turn in which a person last
// decided: past all decisions of that turn by the same person. It returns how
// many decisions were taken back.
func (s *Session) Takeback() (int, error) {
	last := s.lastOfPerson()
	if last < 0 {
		return s.Undo()
	}
	first := last
	for i := last - 1; i >= 0 && s.steps[i].Turn == s.steps[last].Turn; i-- {
		// Chance may come between the decisions of a turn.
		if s.steps[i].Actor == s.steps[last].Actor {
			first = i
		} else if s.steps[i].Actor != engine.Chance {
			break
		}
	}
	n := len(s.steps) - first
	s.rewind(first)
	return n, nil
}

// Resign ends the game: the person who is asked loses. Where an outcome of chance is to be
// entered that is the person whose turn it is, or else the only one at the table.
func (s *Session) Resign() error {
	p := s.Asked()
	if p == engine.Nobody && s.Entering() {
		if p = engine.First; s.state.SideOf(p) != s.state.Side() {
			p = engine.Second
		}
		if !s.seats[p].Person() {
			p = p.Other()
		}
		if !s.seats[p].Person() {
			p = engine.Nobody
		}
	}
	if p == engine.Nobody {
		return ErrNotAsked
	}
	return s.Concede(p)
}

// Concede ends the game: p, First or Second, loses, whoever is to decide.
func (s *Session) Concede(p engine.Player) error {
	if _, over := s.Result(); over {
		return ErrOver
	}
	s.offer = engine.Nobody
	s.pause()
	s.settled = &Result{Winner: p.Other(), Reason: Resigned}
	return nil
}

// Answer is the fate of a draw offer.
type Answer int

// The answers. A person's waits for Session.Answer.
const (
	Waits Answer = iota
	Accepted
	Declined
)

// OfferDraw offers a draw in the name of the person who is to decide, once a
// turn. A player on the other side answers at once, by DrawMargin and its own
// judgement of the position.
func (s *Session) OfferDraw(ctx context.Context) (Answer, error) {
	if err := s.MayOffer(); err != nil {
		return Waits, err
	}
	p := s.Asked()
	opponent := &s.seats[p.Other()]
	if opponent.Person() {
		s.offered[p] = s.state.Turn() + 1
		s.offer = p
		return Waits, nil
	}
	if c, ok := opponent.Player.(interface{ ChoiceOnly() bool }); ok && c.ChoiceOnly() {
		s.offered[p] = s.state.Turn() + 1
		return Declined, nil
	}
	// Nobody's time runs while a player thinks about the offer.
	if err := s.Rest(); err != nil {
		return Waits, err
	}
	b := s.Bounds(p.Other())
	b.Analyze = true
	a, err := opponent.Player.Think(ctx, s.state, s.history, b)
	if err != nil {
		return Waits, fmt.Errorf("%s: %w", opponent.Name, err)
	}
	s.offered[p] = s.state.Turn() + 1
	if !a.Judged || -a.Value > DrawMargin { // the value is p's
		return Declined, nil
	}
	s.agree()
	return Accepted, nil
}

// MayOffer says why no draw can be offered now.
func (s *Session) MayOffer() error {
	p := s.Asked()
	switch {
	case s.Entering():
		return errors.New("a draw is offered by who is to decide: enter the dice first")
	case p == engine.Nobody:
		return ErrNotAsked
	case s.offer != engine.Nobody:
		return errors.New("a draw is offered already: accept or decline")
	case s.offered[p] == s.state.Turn()+1:
		return errors.New("you have offered a draw in this turn")
	}
	return nil
}

// Offered is the person whose draw offer waits for an answer, else Nobody.
func (s *Session) Offered() engine.Player { return s.offer }

// Answer accepts or declines the draw offer that waits.
func (s *Session) Answer(accept bool) error {
	if s.offer == engine.Nobody {
		return errors.New("no draw is offered")
	}
	s.offer = engine.Nobody
	if accept {
		s.agree()
	}
	return nil
}

func (s *Session) agree() {
	s.pause()
	s.settled = &Result{Winner: engine.Nobody, Reason: Agreed}
}
