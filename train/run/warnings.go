package run

import (
	"maps"
	"slices"

	"github.com/ludozero/ludozero/train/rundir"
)

// warnings are what is off, by code.
type warnings map[string]*rundir.WarningEvent

// recall takes in what an earlier process has logged.
func (o warnings) recall(w *rundir.WarningEvent) {
	if w.Over {
		delete(o, w.Code)
	} else {
		o[w.Code] = w
	}
}

// add takes what is off at the checkpoint of a generation and returns what there is
// to tell: what is new, and what has ended, by code.
func (o warnings) add(generation int, found []rundir.WarningEvent) (news []rundir.WarningEvent) {
	now := map[string]bool{}
	for _, w := range found {
		now[w.Code] = true
		if o[w.Code] == nil {
			w.Generation = generation
			o[w.Code] = &w
			news = append(news, w)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(o)) {
		if !now[code] {
			over := *o[code]
			over.Generation, over.Text, over.Over = generation, "", true
			delete(o, code)
			news = append(news, over)
		}
	}
	return news
}
