package enginetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// CodedGame is a game in the codes of a rules page, as its data files have it. Other
// fields are ignored.
type CodedGame struct {
	// Options differ from the page's defaults: text, numbers, booleans, or
	// lists of them, which rules words have with colons between the elements.
	// Boards may be drawn with blanks, or be lists of lists.
	Options map[string]json.RawMessage `json:"options"`
	Actions []int                      `json:"actions"`
}

// Replayed is the result of replaying a CodedGame.
type Replayed struct {
	Plies int `json:"plies"`
	// Legal is the SHA-256, in hexadecimal, over a line a decision before it is played:
	// the codes of all legal actions, ascending, with blanks between.
	Legal string `json:"legal_sha256"`
	// Result is the winner (0, 1 or "draw") and the page's words for the reason, nil while
	// the game goes on.
	Result []any `json:"result"`
}

// Replay plays a game from the start and returns how far it came. g must be the ruleset
// of its options.
func (c *CodedGame) Replay(g engine.Coded) (*Replayed, error) {
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	r := &Replayed{}
	hash := sha256.New()
	var scratch []engine.Weighted
	var actions []engine.Action
	var legal []int
	var line bytes.Buffer
	for _, code := range c.Actions {
		actions, legal = engine.AppendPossible(actions[:0], &scratch, s, h), legal[:0]
		for _, a := range actions {
			legal = append(legal, g.Code(s, a))
		}
		at := slices.Index(legal, code)
		switch {
		case len(legal) == 0:
			return r, fmt.Errorf("action %d is not legal: the game is over", code)
		case at < 0:
			return r, fmt.Errorf("action %d is not legal: %d others are, such as %d", code, len(legal), legal[0])
		}
		slices.Sort(legal)
		line.Reset()
		for i, x := range legal {
			if i > 0 {
				line.WriteByte(' ')
			}
			line.Write(strconv.AppendInt(line.AvailableBuffer(), int64(x), 10))
		}
		line.WriteByte('\n')
		hash.Write(line.Bytes())
		s.Apply(actions[at], h)
		r.Plies++
	}
	r.Legal = fmt.Sprintf("%x", hash.Sum(nil))
	if o := s.Outcome(); o.Over {
		winner := any(int(o.Winner))
		if o.Winner == engine.Nobody {
			winner = "draw"
		}
		r.Result = []any{winner, g.Ending(o.Reason)}
	}
	return r, nil
}

// Game is the ruleset of the options.
func (c *CodedGame) Game(f *engine.Family) (engine.Coded, error) {
	words, err := c.words()
	if err != nil {
		return nil, err
	}
	g, err := f.New("", words)
	if err != nil {
		return nil, err
	}
	coded, ok := g.(engine.Coded)
	if !ok {
		return nil, fmt.Errorf("%s has no codes of a rules page", f.Name)
	}
	return coded, nil
}

// words are the options as rules words have them.
func (c *CodedGame) words() ([]string, error) {
	var words []string
	for name, raw := range c.Options {
		text, ok := optionText(raw, ":")
		if !ok {
			return nil, fmt.Errorf("option %s: %s: want text, a number, true, false or a list of them", name, raw)
		}
		words = append(words, name+"="+text)
	}
	slices.Sort(words)
	return words, nil
}

// optionText is a value as rules words have it, with sep between the elements of a list.
// Boards and sequences may be written as a rules page prints them: rows as lines or as
// lists of letters, with blanks between letters.
func optionText(raw json.RawMessage, sep string) (text string, ok bool) {
	switch raw[0] {
	case '[':
		var list []json.RawMessage
		_ = json.Unmarshal(raw, &list) // it was read as JSON before
		var parts []string
		for _, item := range list {
			part, ok := optionText(item, "")
			if !ok {
				return "", false
			}
			parts = append(parts, part)
		}
		return strings.Join(parts, sep), true
	case '"':
		_ = json.Unmarshal(raw, &text)
		words := strings.Fields(text)
		if rows := strings.Split(strings.TrimSpace(text), "\n"); sep != "" && len(rows) > 1 {
			words = rows
			for i, row := range rows {
				words[i] = strings.Join(strings.Fields(row), "")
			}
		}
		return strings.Join(words, sep), true
	case '{', 'n':
		return "", false
	}
	return string(raw), true // numbers and booleans are written as they are read
}

// ParseCodedGame reads a line of a data file.
func ParseCodedGame(line []byte) (*CodedGame, error) {
	c := new(CodedGame)
	err := json.Unmarshal(line, c)
	if wrong := new(json.UnmarshalTypeError); errors.As(err, &wrong) {
		switch field, _, _ := strings.Cut(wrong.Field, "."); field {
		case "actions":
			return nil, fmt.Errorf("actions: %s: want a list of codes", wrong.Value)
		case "options":
			return nil, fmt.Errorf("options: %s: want an object of names and values", wrong.Value)
		}
		return nil, fmt.Errorf("%s: want an object with options and actions", wrong.Value)
	}
	if err != nil {
		return nil, fmt.Errorf("want a JSON object on each line: %w", err)
	}
	if c.Actions == nil {
		return nil, errors.New("actions: want a list of codes")
	}
	return c, nil
}

// Reference replays the games of a data file of the game's rules page, made by another
// implementation, and reports each that goes otherwise here: an illegal action, another
// list of legal ones, another result. It returns the number of games.
func Reference(f *engine.Family, games io.Reader) (int, error) {
	text, err := io.ReadAll(games)
	if err != nil {
		return 0, err
	}
	var errs []error
	n := 0
	for line := range bytes.Lines(text) {
		n++
		if err := replayLine(f, line); err != nil {
			errs = append(errs, fmt.Errorf("game %d: %w", n, err))
		}
	}
	return n, errors.Join(errs[:min(len(errs), maxFaults)]...)
}

func replayLine(f *engine.Family, line []byte) error {
	var want Replayed
	c, err := ParseCodedGame(line)
	if err == nil {
		err = json.Unmarshal(line, &want)
	}
	if err != nil {
		return err
	}
	g, err := c.Game(f)
	if err != nil {
		return err
	}
	got, err := c.Replay(g)
	if err != nil {
		return fmt.Errorf("%s, ply %d: %w", g.Rules(), got.Plies, err)
	}
	if len(want.Result) == 2 {
		if n, ok := want.Result[0].(float64); ok {
			want.Result[0] = int(n) // as JSON has numbers
		}
	}
	if got.Legal != want.Legal {
		return fmt.Errorf("%s: other actions are legal at some decision: %.16s, want %.16s", g.Rules(), got.Legal, want.Legal)
	}
	if !reflect.DeepEqual(got.Result, want.Result) {
		return fmt.Errorf("%s: result %v, want %v", g.Rules(), got.Result, want.Result)
	}
	return nil
}
