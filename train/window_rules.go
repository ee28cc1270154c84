package train

import "github.com/ludozero/ludozero/selfplay/record"

// Rules counts the positions in the run's shards, Seen, by rules word, in the
// order of the words: those of the window and those that have left it.
func (w *Window) Rules() []record.RulesRows {
	var sums []record.RulesRows
	for i := range w.shards {
		sums = record.AddRulesRows(sums, w.shards[i].rules)
	}
	return sums
}
