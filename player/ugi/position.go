package ugi

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// movesWord ends a position line: no field of one is this word.
const movesWord = "moves"

// setPosition is the command position. Nothing has changed if it fails.
func (s *server) setPosition(words []string) error {
	line, moves := words, []string(nil)
	if i := slices.Index(words, movesWord); i >= 0 {
		line, moves = words[:i], words[i+1:]
	}
	state, history := s.game.NewState(), s.game.NewHistory()
	switch {
	case len(line) == 1 && line[0] == "startpos":
		state.Start(history)
	case len(line) > 1 && line[0] == "fen":
		if err := state.ParsePosition(strings.Join(line[1:], " ")); err != nil {
			return err
		}
		state.Begin(history)
	default:
		return errors.New("want startpos or fen POSITION, then perhaps moves MOVES")
	}
	if err := engine.PlayWords(state, history, moves); err != nil {
		return err
	}
	s.state, s.history = state, history
	return nil
}

func (s *server) query(words []string) error {
	if len(words) == 0 {
		return errors.New("want one of " + queryNames)
	}
	st, o := s.state, s.state.Outcome()
	answer := ""
	switch words[0] {
	case "p1turn":
		answer = fmt.Sprint(st.Actor() == engine.First)
	case "gameover":
		answer = fmt.Sprint(o.Over)
	case "result":
		answer = result(o)
	case "reason":
		if answer = o.Reason; !o.Over {
			answer = "none"
		}
	case "actor":
		answer = st.Actor().String()
	case "side":
		answer = s.game.Info().Sides[st.Side()]
	case "turn":
		answer = fmt.Sprint(st.Turn())
	case "fen":
		answer = string(st.AppendPosition(nil))
	case "rules":
		answer = s.game.Rules()
	case "legal":
		answer = s.legal()
	case "chance":
		answer = s.chance()
	case "islegal":
		if len(words) != 2 {
			return errors.New("islegal: want one move")
		}
		_, err := st.ParseAction(words[1], s.history)
		answer = fmt.Sprint(err == nil)
	default:
		return fmt.Errorf("no query %q: want one of %s", words[0], queryNames)
	}
	s.say("%s", strings.TrimSpace("response "+answer))
	return nil
}

const queryNames = "p1turn, gameover, result, reason, actor, side, turn, fen, rules, legal, chance, islegal MOVE"

// legal are the words that may come next, with spaces between.
func (s *server) legal() string {
	var scratch []engine.Weighted
	var words []string
	for _, a := range engine.AppendPossible(nil, &scratch, s.state, s.history) {
		words = append(words, string(s.state.AppendAction(nil, a)))
	}
	return strings.Join(words, " ")
}

// chance are the words of the outcomes of a chance decision, each with its probability
// behind it; nothing elsewhere.
func (s *server) chance() string {
	var words []string
	for _, o := range s.state.Chance(nil) {
		words = append(words, string(s.state.AppendAction(nil, o.Code)), strconv.FormatFloat(o.Prob, 'g', 6, 64))
	}
	return strings.Join(words, " ")
}

// roll is the command roll: it draws an outcome of the chance decision and changes no
// position.
func (s *server) roll() (word string, err error) {
	if s.state.Actor() != engine.Chance {
		return NoMove, errors.New("chance does not decide here")
	}
	return string(s.state.AppendAction(nil, engine.Draw(s.state.Chance(nil), s.dice.Float64()))), nil
}

// result names an outcome.
func result(o engine.Outcome) string {
	switch {
	case !o.Over:
		return "none"
	case o.Winner == engine.First:
		return "p1win"
	case o.Winner == engine.Second:
		return "p2win"
	}
	return "draw"
}
