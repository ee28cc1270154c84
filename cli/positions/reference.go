package positions

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// codedGame is a game by the codes of its rules page, as it is read.
type codedGame struct {
	Options map[string]json.RawMessage `json:"options"`
	Actions []int                      `json:"actions"`
}

// codedAnswer is what replay says of it.
type codedAnswer struct {
	Plies int `json:"plies"`
	// Legal is the SHA-256 of all lists of legal codes, in hexadecimal.
	Legal string `json:"legal_sha256"`
	// Result is the winner (0, 1 or "draw") and the reason, nil while the game goes on.
	Result []any `json:"result"`
}

// codedError is said of a game that could not be played to its end.
type codedError struct {
	Plies int    `json:"plies"`
	Error string `json:"error"`
}

// replayCodes answers a line with the game by its rules page's codes.
func replayCodes(_ context.Context, a *arena, line []byte) (any, error) {
	plies := 0
	answer, err := func() (*codedAnswer, error) {
		var g codedGame
		if err := json.Unmarshal(line, &g); err != nil {
			return nil, err
		}
		if g.Actions == nil {
			return nil, errors.New("actions: want a list of codes")
		}
		options, err := pageOptions(g.Options)
		if err != nil {
			return nil, err
		}
		t, err := a.table(&request{options: options})
		if err != nil {
			return nil, err
		}
		coded, ok := t.game.(engine.Coded)
		if !ok {
			return nil, fmt.Errorf("%s has no codes of a rules page", a.family.Name)
		}
		return t.playCodes(coded, g.Actions, &plies)
	}()
	if err != nil {
		return codedError{plies, err.Error()}, err
	}
	return answer, nil
}

// pageOptions turns the options of a rules page, whose values are JSON, into words. A
// list has colons between its elements.
func pageOptions(values map[string]json.RawMessage) ([]string, error) {
	var words []string
	for name, raw := range values {
		list := []json.RawMessage{raw}
		if raw[0] == '[' {
			_ = json.Unmarshal(raw, &list) // it was read as JSON before
		}
		var parts []string
		for _, item := range list {
			var text string
			switch item[0] {
			case '"':
				_ = json.Unmarshal(item, &text)
			case '[', '{', 'n':
				return nil, fmt.Errorf("option %s: %s: want text, a number, true, false or a list of them", name, raw)
			default:
				text = string(item) // numbers and booleans are written as they are read
			}
			parts = append(parts, text)
		}
		words = append(words, name+"="+strings.Join(parts, ":"))
	}
	slices.Sort(words)
	return words, nil
}

// playCodes plays codes from the start; plies counts those that were legal.
func (t *jsonTable) playCodes(g engine.Coded, codes []int, plies *int) (*codedAnswer, error) {
	t.state.Start(t.history)
	hash := sha256.New()
	var legal []int
	var line bytes.Buffer
	for _, code := range codes {
		t.actions = engine.AppendPossible(t.actions[:0], &t.scratch, t.state, t.history)
		legal = legal[:0]
		for _, x := range t.actions {
			legal = append(legal, g.Code(t.state, x))
		}
		at := slices.Index(legal, code)
		if at < 0 {
			if len(legal) == 0 {
				return nil, fmt.Errorf("action %d is not legal: the game is over", code)
			}
			return nil, fmt.Errorf("action %d is not legal: %d others are, such as %d", code, len(legal), legal[0])
		}
		chosen := t.actions[at]
		slices.Sort(legal)
		line.Reset()
		for i, c := range legal {
			if i > 0 {
				line.WriteByte(' ')
			}
			line.Write(strconv.AppendInt(line.AvailableBuffer(), int64(c), 10))
		}
		line.WriteByte('\n')
		hash.Write(line.Bytes())
		t.state.Apply(chosen, t.history)
		*plies++
	}
	answer := &codedAnswer{Plies: *plies, Legal: fmt.Sprintf("%x", hash.Sum(nil))}
	if o := t.state.Outcome(); o.Over {
		winner := any(int(o.Winner))
		if o.Winner == engine.Nobody {
			winner = "draw"
		}
		answer.Result = []any{winner, g.Ending(o.Reason)}
	}
	return answer, nil
}
