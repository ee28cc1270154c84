package opening

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// The words of a line that begins from a position.
const (
	positionWord = "pos"
	movesWord    = "moves"
)

// maxLineBytes is longer than any opening.
const maxLineBytes = 1 << 20

// parseFile reads openings, one a line:
//
//	d1f1 e8c8 h5f5            moves from the start
//	pos POSITION              a position line
//	pos POSITION moves d1f1   moves from a position
//
// in the words of the game, chance included; where those are single characters, as
// the columns of Connect Four, the spaces may be left out. What follows a # at the
// beginning of a line or after a space is a comment; lines that are empty without
// it are left out, and so is a line that leads to the position of an earlier one,
// which doubles counts. A line after which no player is to decide, or in which a word
// is no move, is an error that names it by name and number; all such lines are
// reported, up to ten.
func parseFile(r io.Reader, name string, t *table) (list []Opening, doubles int, err error) {
	const maxErrors = 10
	var errs []error
	scan := bufio.NewScanner(r)
	scan.Buffer(nil, maxLineBytes)
	number := 1
	for ; scan.Scan(); number++ {
		words := strings.Fields(withoutComment(scan.Text()))
		if len(words) == 0 {
			continue
		}
		o, err := t.parse(words)
		if err != nil {
			if len(errs) == maxErrors {
				errs = append(errs, fmt.Errorf("%s: more lines are wrong", name))
				break
			}
			errs = append(errs, fmt.Errorf("%s:%d: %w", name, number, err))
			continue
		}
		if !t.isNew(t.state) {
			doubles++
			continue
		}
		list = append(list, o)
	}
	switch err := scan.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		errs = append(errs, fmt.Errorf("%s:%d: want lines of less than %d bytes", name, number, maxLineBytes))
	case err != nil:
		errs = append(errs, fmt.Errorf("%s: %w", name, err))
	}
	if len(errs) > 0 {
		return nil, 0, errors.Join(errs...)
	}
	if len(list) == 0 {
		return nil, 0, fmt.Errorf("%s: no openings", name)
	}
	return list, doubles, nil
}

// withoutComment cuts a comment off a line.
func withoutComment(line string) string {
	for i := range line {
		if line[i] == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') {
			return line[:i]
		}
	}
	return line
}

func (t *table) parse(words []string) (Opening, error) {
	var o Opening
	if words[0] == positionWord {
		end := 1
		for end < len(words) && words[end] != movesWord {
			end++
		}
		o.Position = strings.Join(words[1:end], " ")
		if o.Position == "" {
			return o, errors.New("pos without a position")
		}
		words = words[min(end+1, len(words)):]
	}
	if err := o.Begin(t.state, t.history); err != nil {
		return o, err
	}
	if o.Position != "" {
		o.Position = string(t.state.AppendPosition(nil)) // the same for equal ones
	}
	for i := 0; i < len(words); i++ {
		word := words[i]
		if over := t.state.Outcome(); over.Over {
			return o, fmt.Errorf("word %d, %q: the game is over: %s", i+1, word, over.Reason)
		}
		a, err := t.state.ParseAction(word, t.history)
		if err != nil && t.separates(word) {
			words = slices.Concat(words[:i], strings.Split(word, ""), words[i+1:])
			i--
			continue
		}
		if err != nil {
			return o, fmt.Errorf("word %d, %q: %w", i+1, word, err)
		}
		t.state.Apply(a, t.history)
		o.Actions = append(o.Actions, a)
	}
	o.Turn = t.state.Turn()
	switch t.state.Actor() {
	case engine.Nobody:
		return o, fmt.Errorf("the game is over: %s", t.state.Outcome().Reason)
	case engine.Chance:
		return o, errors.New("chance is to decide next: add its outcome")
	}
	return o, nil
}

// separates tells whether a word is several of one character each.
func (t *table) separates(word string) bool {
	if len(word) < 2 {
		return false
	}
	_, err := t.state.ParseAction(word[:1], t.history)
	return err == nil
}
