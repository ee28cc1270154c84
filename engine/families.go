package engine

import (
	"fmt"
	"strings"
)

// Families are the games a program knows, in the order in which they are listed
// to people. It is a value that callers pass down, so that nothing below the
// commands decides which games there are.
type Families []*Family

// ByName returns the family of that name. The error lists the names.
func (fs Families) ByName(name string) (*Family, error) {
	names := make([]string, len(fs))
	for i, f := range fs {
		if f.Name == name {
			return f, nil
		}
		names[i] = f.Name
	}
	return nil, fmt.Errorf("no game %q: want one of %s", name, strings.Join(names, ", "))
}
