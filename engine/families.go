package engine

import (
	"fmt"
	"strings"
)

// Families are the games a program knows, in the order in which they are listed
// to people. It is a value that callers pass down, so that nothing below the
// commands decides which games there are.
type Families []*Family

// UnknownGame is the error for a game that a program does not have.
type UnknownGame struct {
	Name string
	// Known are the games that it has.
	Known []string
}

func (e *UnknownGame) Error() string {
	return fmt.Sprintf("no game %q: want one of %s", e.Name, strings.Join(e.Known, ", "))
}

// ByName returns the family of that name, or an [UnknownGame].
func (fs Families) ByName(name string) (*Family, error) {
	names := make([]string, len(fs))
	for i, f := range fs {
		if f.Name == name {
			return f, nil
		}
		names[i] = f.Name
	}
	return nil, &UnknownGame{name, names}
}

// Open returns the game of that name under the rules of a word, "" for its default.
func (fs Families) Open(name, rules string) (Game, error) {
	f, err := fs.ByName(name)
	if err != nil {
		return nil, err
	}
	return f.Parse(rules)
}
