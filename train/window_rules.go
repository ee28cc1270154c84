package train

import (
	"slices"

	"github.com/ludozero/ludozero/selfplay/record"
)

// Rules counts the positions in the run's own shards, Own, by rules word, in the
// order of the words: those of the window and those that have left it.
func (w *Window) Rules() []record.RulesRows { return slices.Clone(w.rules) }
