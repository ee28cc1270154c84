package table

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
)

// Saved is a game as a file has it: one line of JSON, which tables at the terminal and on
// the page write and read, and commands on lines of JSON read.
type Saved struct {
	Game    string   `json:"game"`
	Preset  string   `json:"preset"`
	Options []string `json:"options"`
	// Pos is the position line that the game begins with; empty is the start.
	Pos   string    `json:"pos"`
	Moves string    `json:"moves"`
	Seats [2]string `json:"seats"`
	// Seed seeds players and chance, so that they decide as they would have; nil: not said.
	Seed *uint64 `json:"seed,omitempty"`
	// Dice is DiceByHand if people enter what chance decides.
	Dice  string `json:"dice,omitempty"`
	Ended *Ended `json:"ended,omitempty"`
}

// Ended is a result that moves do not lead to.
type Ended struct {
	Winner string `json:"winner"` // first, second or nobody
	Reason string `json:"reason"`
}

// DiceByHand is a value of Saved.Dice.
const DiceByHand = "hand"

// Words are all decisions so far, with blanks between.
func (s *Session) Words() string {
	words := make([]string, len(s.steps))
	for i, step := range s.steps {
		words[i] = step.Word
	}
	return strings.Join(words, " ")
}

// Save returns the game as a file has it.
func (s *Session) Save() Saved {
	dice := ""
	if s.byHand {
		dice = DiceByHand
	}
	seed, rules := s.seed, strings.Split(s.game.Rules(), ",")
	return Saved{
		Game: s.game.Info().Name, Preset: rules[0], Options: rules[1:], Pos: s.line, Moves: s.Words(),
		Seats: [2]string{s.seats[0].Name, s.seats[1].Name}, Seed: &seed, Dice: dice, Ended: s.Ended(),
	}
}

const wanted = "want a game as one line of JSON with game, preset, options, pos, moves and seats"

// ParseSaved reads a file of Save. What else it says is for others.
func ParseSaved(data []byte) (*Saved, error) {
	g := &Saved{Seats: [2]string{You, You}}
	if err := json.Unmarshal(data, g); err != nil {
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
			return nil, errors.New("it is not JSON: " + wanted)
		}
		return nil, fmt.Errorf("%s: %w", wanted, err)
	}
	if g.Game == "" {
		return nil, errors.New(wanted)
	}
	return g, nil
}

// Rules is the ruleset in one word.
func (g *Saved) Rules() string { return strings.Join(append([]string{g.Preset}, g.Options...), ",") }

// Restore plays the moves of a saved game from its position, which lies on the table, and
// sets the rest.
func (s *Session) Restore(saved *Saved) error {
	for i, word := range strings.Fields(saved.Moves) {
		if err := s.Enter(word); err != nil {
			return fmt.Errorf("move %d, %q: %w", i+1, word, err)
		}
	}
	s.EnterChance(saved.Dice == DiceByHand)
	if saved.Ended == nil {
		return nil
	}
	return s.End(*saved.Ended)
}

// Enter plays a word for the player to decide, chance included.
func (s *Session) Enter(word string) error {
	if _, over := s.Result(); over || s.state.Actor() == engine.Nobody {
		return ErrOver
	}
	a, err := s.state.ParseAction(word, s.history)
	if err == nil {
		_, err = s.Play(a)
	}
	return err
}

// winners maps the words of Ended.Winner.
func winners() map[string]engine.Player {
	return map[string]engine.Player{"first": engine.First, "second": engine.Second, "nobody": engine.Nobody}
}

// Ended is how the game ended if that was not by the rules, or nil.
func (s *Session) Ended() *Ended {
	if s.settled == nil {
		return nil
	}
	for word, p := range winners() {
		if p == s.settled.Winner {
			return &Ended{word, s.settled.Reason}
		}
	}
	panic("BUG: a winner who is none")
}

// End ends a game whose moves have been entered as its file says.
func (s *Session) End(e Ended) error {
	winner, known := winners()[e.Winner]
	switch _, over := s.Result(); {
	case over:
		return errors.New("ended: the game is over by its moves")
	case !known:
		return fmt.Errorf("ended: winner %.20q: want first, second or nobody", e.Winner)
	case (e.Reason == Agreed) != (winner == engine.Nobody):
		return fmt.Errorf("ended: %.20s by %.20q: want a draw by %s alone", e.Winner, e.Reason, Agreed)
	case e.Reason != Agreed && e.Reason != Resigned && e.Reason != match.TimeForfeit && !match.IsForfeit(e.Reason):
		return fmt.Errorf("ended: reason %.20q: want %s, %s or a forfeit", e.Reason, Resigned, Agreed)
	}
	s.offer = engine.Nobody
	s.settled = &Result{Winner: winner, Reason: e.Reason}
	return nil
}
