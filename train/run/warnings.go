package run

import (
	"maps"
	"slices"

	"github.com/ludozero/ludozero/train/rundir"
)

// check logs what has come to be off with the newest checkpoint, and what has
// ended.
func (r *runner) check() error {
	if r.opt.Check == nil {
		return nil
	}
	now := map[string]bool{}
	for _, w := range r.opt.Check(r.metrics.Rows()) {
		now[w.Code] = true
		if r.off[w.Code] == nil {
			w.Generation = r.state.Generation
			r.off[w.Code] = &w
			if err := r.log(rundir.Event{Warning: &w}); err != nil {
				return err
			}
		}
	}
	for _, w := range r.off.sorted() {
		if now[w.Code] {
			continue
		}
		delete(r.off, w.Code)
		over := *w
		over.Generation, over.Text, over.Over = r.state.Generation, "", true
		if err := r.log(rundir.Event{Warning: &over}); err != nil {
			return err
		}
	}
	return nil
}

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

// sorted lists them by code.
func (o warnings) sorted() []*rundir.WarningEvent {
	var list []*rundir.WarningEvent
	for _, code := range slices.Sorted(maps.Keys(o)) {
		list = append(list, o[code])
	}
	return list
}
