package elements

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

var _ engine.Refuser = (*State)(nil)

// WhyNot implements [engine.Refuser].
func (s *State) WhyNot(from, to int, _ *engine.History) error {
	from, to = s.square(from), s.square(to)
	for _, a := range s.Legal(nil, nil) {
		if f, t := s.ends(a); f == from && (t == to || from == to) || from == to && t == to {
			return nil
		}
	}
	return errors.New(s.whyNoMove(from, to))
}

// square returns the square on which a cell of the layout lies.
func (s *State) square(cell int) int { return size*(cell/s.game.cols) + cell%s.game.cols }

// ways says how each kind moves, and what else it does instead.
var ways = [kinds]string{
	"goes up to 2 squares straight, or swaps places with an enemy outside goal and neutral zone", "goes a knight's leap",
	"goes up to 2 squares straight", "goes up to 2 squares diagonally", "goes a knight's leap, or swaps places with an own piece",
	"goes to an adjacent square", "goes up to 2 squares diagonally", "goes up to 2 squares straight",
	"goes to an adjacent square, or 2 straight", "goes next to another own piece", "goes up to 2 squares diagonally",
	"goes to an adjacent square", "goes to an adjacent square, or removes an enemy up to 2 squares away", "goes 1 square straight",
	"goes a knight's leap", "goes a knight's leap", "goes up to 3 squares straight, over pieces too", "does not move",
	"goes to any square of the 5×5 around it", "goes to an adjacent square",
}

// tasks says what a phase asks for.
var tasks = [phases]string{
	phaseAct: "an own piece to act with", phaseLeaf: "a move of Leaf", phaseMoon: "a move of Moon", phasePush: "a push by Power",
	phaseWind: "a move of the piece that Wind carries", phaseFire: "a step of Fire to an adjacent square",
	phasePlace: "a piece to place or to draft", phaseDraft: "another piece to draft", phaseCopy: "a square for the copy of Mirror",
}

// whyNoMove says why the acting side may not go from one square to another.
func (s *State) whyNoMove(from, to int) string {
	p, v := s.at[from], s.view(s.side)
	name := squareName(from)
	switch {
	case s.Outcome().Over:
		return "the game is over"
	case s.phase >= phasePlace:
		return "the decision is " + tasks[s.phase]
	case p == 0:
		return "no piece stands on " + name
	case p.side() != s.side:
		return fmt.Sprintf("the piece on %s is the opponent's", name)
	}
	kind := kindNames[p.kind()]
	t := s.territory()
	switch {
	case v.frozen.Has(from):
		return fmt.Sprintf("%s on %s is frozen by Ice", kind, name)
	case s.phase == phaseWind && s.game.bring && p.kind() == wind:
		return "Wind brings another piece"
	case s.phase == phaseWind && !s.guests(&v).Has(from):
		return "Wind carries an own piece that is next to it"
	case s.phase != phaseWind && s.phase != phaseAct && s.actor() != from:
		return "the decision is " + tasks[s.phase] + ", or stop"
	case s.phase == phaseAct && s.lead && p.kind() == leadership:
		return "Leadership has given its action to another piece"
	case s.phase == phaseAct && t >= 0 && !s.lead && !s.game.zone[t].Has(from):
		return fmt.Sprintf("only pieces in territory %s act in its turn", slotName(s.game.cycle[s.slot]))
	case from == to:
		return fmt.Sprintf("%s on %s can do nothing now", kind, name)
	case v.own.Has(to) && to != s.game.goal:
		return "an own piece stands on " + squareName(to)
	case v.enemy.Has(to) && !v.land.Has(to):
		return fmt.Sprintf("Shield protects the piece on %s", squareName(to))
	case v.box.Has(from) && !v.box.Has(to) && p.kind() != lotus:
		return "White Lotus keeps pieces within three squares of it"
	case s.phase == phaseFire:
		return "Fire steps to an adjacent square"
	case s.phase == phaseWind && s.game.bring:
		return "Wind brings a piece to an empty square next to itself"
	}
	return kind + " " + s.way(p.kind())
}

// way says how a kind moves.
func (s *State) way(kind int) string {
	way := ways[kind]
	switch kind {
	case balance, freedom, power, leadership, moon, lotus, water, wood:
		if s.game.exact {
			way = strings.Replace(way, "up to", "exactly", 1)
		}
	}
	switch kind {
	case balance, freedom, power, leadership, moon, lotus, rock, wood:
		way += ", and nothing may be in between"
	}
	return way
}

// actor is the square of the piece that the phase belongs to.
func (s *State) actor() int { return int(s.where[actors[s.phase]]) }

const wantWords = "want FROM-TO, swap:, leaf:, remove: or copy: with a square, pull: or push: with a direction, place:KIND-SQUARE, draft:KIND, stop, wind or lead"

// whyNot says why a word is no legal action.
func (s *State) whyNot(word string) string {
	if s.Outcome().Over {
		return "the game is over"
	}
	verb, what, named := strings.Cut(word, ":")
	if !named {
		from, to, ok := strings.Cut(word, "-")
		f, err := readSquare(from)
		if g, err2 := readSquare(to); ok && err == nil && err2 == nil {
			return s.whyNoMove(f, g)
		}
		switch word {
		case "stop":
			return "the decision is " + tasks[s.phase] + ", and one must be made"
		case "wind", "lead":
			return "the decision is " + tasks[s.phase] + ", and this piece cannot act so now"
		}
		return wantWords
	}
	supply := s.phase == phasePlace || s.phase == phaseDraft
	name, at, _ := strings.Cut(what, "-")
	kind := -1
	for k := range kinds {
		if kindWord(k) == name {
			kind = k
		}
	}
	switch verb {
	case "draft", "place":
		switch {
		case kind < 0:
			return fmt.Sprintf("%.20q: no such piece", name)
		case !supply || verb == "place" && s.phase != phasePlace:
			return "the decision is " + tasks[s.phase]
		case verb == "draft" && s.draft>>kind&1 == 0:
			return kindNames[kind] + " is not in the draft area"
		case verb == "draft" && s.room(s.side) <= 0:
			return fmt.Sprintf("the reserve holds %d pieces already", s.game.reserveMax)
		case verb == "draft":
			return "nothing is drafted in a territory's turn"
		case s.reserve[s.side]>>kind&1 == 0:
			return kindNames[kind] + " is not in the reserve"
		case s.territory() >= 0:
			return "in a territory's turn pieces are placed on empty squares of that territory"
		case kind == freedom:
			return "Freedom is placed on an empty square outside goal and neutral zone"
		}
		if _, err := readSquare(at); err != nil {
			return err.Error()
		}
		return "pieces are placed on empty squares of the place area, or next to an own Portal"
	case "swap", "leaf", "remove", "copy", "pull", "push":
		return "the decision is " + tasks[s.phase] + ", and this is not possible now"
	}
	return wantWords
}
