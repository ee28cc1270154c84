// Package games is the one list of all games by name.
package games

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/connect4"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/engine/tictactoe"
)

// All returns the families in the order in which they are listed to people.
func All() []*engine.Family {
	return []*engine.Family{
		&konreh.Family,
		&connect4.Family,
		&tictactoe.Family,
	}
}

// ByName returns the family of that name.
func ByName(name string) (*engine.Family, error) {
	var names []string
	for _, f := range All() {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return nil, fmt.Errorf("no game %q: want one of %s", name, strings.Join(names, ", "))
}
