package table

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player/table"
)

// The operations of a Request.
const (
	// OpAct makes the decision Word.
	OpAct = "act"
	// OpTakeback returns to the beginning of the turn in which a person last
	// decided, or takes back a resignation or an agreed draw.
	OpTakeback = "takeback"
	// OpResign resigns for the person who plays against a player, or of two people
	// for the one to decide.
	OpResign = "resign"
	// OpDraw offers a draw, OpAccept and OpDecline answer an offer.
	OpDraw    = "draw"
	OpAccept  = "accept"
	OpDecline = "decline"
	// OpDice lets people enter what chance decides from now on, if Word is DiceByHand, or
	// the program draw it, if it is empty. OpAct then enters an outcome.
	OpDice = "dice"
	// OpHint asks for one hint. OpHints turns an analysis of every position in which a
	// person decides "on" or "off", as Word says; it searches longer, and View.Hint shows
	// what it has found so far.
	OpHint  = "hint"
	OpHints = "hints"
	// OpReview asks for a Review, which follows the game from then on.
	OpReview = "review"
	// OpWhy asks why Cells, from and to or the same twice, are not a decision of the
	// person to decide. View.Why has the answer.
	OpWhy = "why"
)

// Request is a request of the people at the table.
type Request struct {
	Op   string `json:"op"`
	Word string `json:"word,omitempty"`
	// Cells are indices of cells in Picture.Layout.
	Cells []int `json:"cells,omitempty"`
	// Steps is how many decisions the page has seen. A request is refused if there
	// are more by now, so that a second click does not play a second move. Nil is not
	// compared.
	Steps *int `json:"steps,omitempty"`
}

// Do carries out a request. Its error is for people, and means that nothing has
// changed.
func (t *Table) Do(r Request) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.visit()
	if r.Steps != nil && *r.Steps != len(t.session.Steps()) {
		return ErrStale
	}
	switch r.Op {
	case OpAct:
		return t.act(r.Word)
	case OpTakeback:
		return t.takeback()
	case OpResign:
		return t.resign()
	case OpDraw:
		return t.offer()
	case OpAccept, OpDecline:
		return t.reply(r.Op == OpAccept)
	case OpHint:
		if !t.personAsked() {
			return errors.New("no person is to decide")
		}
		t.ask = true
	case OpReview:
		t.review = &review{found: map[int]finding{}}
	case OpWhy:
		return t.whyNot(r.Cells)
	case OpDice:
		return t.dice(r.Word)
	case OpHints:
		if r.Word != "on" && r.Word != "off" {
			return fmt.Errorf("hints %q: want on or off", r.Word)
		}
		t.always = r.Word == "on"
	default:
		return fmt.Errorf("no operation %q", r.Op)
	}
	t.touch()
	return nil
}

// visit notes that somebody is watching, and ends the game if time has run out.
// t.mu is held.
func (t *Table) visit() {
	if time.Since(t.seen) > t.cfg.Unwatched {
		t.rouse()
	}
	t.seen = time.Now()
	t.flag()
}

// personAsked reports whether a person is to decide. t.mu is held.
func (t *Table) personAsked() bool {
	p := t.session.Asked()
	return p != engine.Nobody && t.person(p)
}

func (t *Table) act(word string) error {
	if _, over := t.session.Result(); over {
		return table.ErrOver
	}
	if t.study.over() {
		return errors.New("the lesson is over: take a move back or begin it again")
	}
	if !t.person(t.session.State().Actor()) && !t.session.Entering() { // also where an offer waits, which then lapses
		return errors.New("it is not your turn")
	}
	if len(t.session.Steps()) >= t.cfg.MaxSteps {
		return fmt.Errorf("a game here has at most %d decisions", t.cfg.MaxSteps)
	}
	err := t.session.Enter(word)
	if _, over := t.session.Result(); err == nil || over {
		t.answer = ""
		t.moved()
	}
	return err
}

// takeback takes back turns up to the last one with a decision of a person.
func (t *Table) takeback() error {
	s := t.session
	if t.settled() {
		if _, err := s.Undo(); err != nil {
			return err
		}
		t.answer = "" // to an offer that is taken back with the draw
		t.moved()
		return nil
	}
	last := -1
	for i, step := range s.Steps() {
		if t.decides(step.Actor) {
			last = i
		}
	}
	if last < 0 {
		return errors.New("nothing to take back: no person has decided anything")
	}
	for len(s.Steps()) > last {
		if _, err := s.Takeback(); err != nil {
			return err
		}
	}
	t.answer = ""
	t.moved()
	return nil
}

// decides reports whether people make the decisions of p, Chance included. t.mu is held.
func (t *Table) decides(p engine.Player) bool {
	return t.person(p) || p == engine.Chance && t.session.ChanceEntered()
}

// dice switches who rolls.
func (t *Table) dice(by string) error {
	setup := t.setup
	setup.Dice = by
	if err := setup.checkDice(t.game); err != nil {
		return err
	}
	if by != "" && t.study != nil {
		return errors.New("the dice of a lesson are the program's")
	}
	t.setup = setup
	t.session.EnterChance(by != "")
	t.touch()
	return nil
}

// settled reports whether the game ended by resignation or agreement, which can be
// taken back alone. t.mu is held.
func (t *Table) settled() bool {
	r, over := t.session.Result()
	return over && !t.session.State().Outcome().Over && r.Reason != match.TimeForfeit
}

func (t *Table) resign() error {
	var who engine.Player
	switch {
	case t.person(engine.First) && t.person(engine.Second):
		if err := t.session.Resign(); err != nil {
			return err
		}
		t.moved()
		return nil
	case t.person(engine.First):
		who = engine.First
	case t.person(engine.Second):
		who = engine.Second
	default:
		return errors.New("no person sits here")
	}
	if err := t.session.Concede(who); err != nil {
		return err
	}
	t.moved()
	return nil
}

func (t *Table) offer() error {
	if !t.personAsked() {
		return errors.New("only the player to decide can offer a draw")
	}
	if t.study != nil {
		return errors.New("a lesson ends with its goal, not with a draw by agreement")
	}
	// Run asks for the answer, of a person too.
	if _, err := t.session.OfferDraw(context.Background()); err != nil {
		return err
	}
	if !t.personAsked() {
		_ = t.session.Rest() // no clock runs while a player considers it
	}
	t.answer = ""
	t.moved()
	return nil
}

func (t *Table) reply(accept bool) error {
	if t.session.Offered() == engine.Nobody || !t.personAsked() {
		return errors.New("no draw is offered to you")
	}
	if err := t.session.Answer(accept); err != nil {
		return err
	}
	if t.answer = "declined"; accept {
		t.answer = "accepted"
	}
	t.moved()
	return nil
}
