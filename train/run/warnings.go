package run

import (
	"maps"
	"slices"
)

// WarningEvent tells that a figure of the run is off from now on, or is not any
// more.
type WarningEvent struct {
	// Code names what is off: a short word that does not change.
	Code     string `json:"code"`
	Severity string `json:"severity"`
	// Generation is the newest one, FirstGeneration since when it has been off.
	Generation      int `json:"generation"`
	FirstGeneration int `json:"first_generation"`
	// Text says in words what is off and what to try.
	Text string `json:"text,omitempty"`
	// Over is set when it ends; there is no Text then.
	Over bool `json:"over"`
}

// check logs what has come to be off with the newest checkpoint, and what has
// ended.
func (r *runner) check() error {
	if r.opt.Check == nil {
		return nil
	}
	now := map[string]bool{}
	for _, w := range r.opt.Check(r.metrics) {
		now[w.Code] = true
		if r.off[w.Code] == nil {
			w.Generation = r.state.Generation
			r.off[w.Code] = &w
			if err := r.log(Event{Warning: &w}); err != nil {
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
		if err := r.log(Event{Warning: &over}); err != nil {
			return err
		}
	}
	return nil
}

// warnings are what is off, by code.
type warnings map[string]*WarningEvent

// recall takes in what an earlier process has logged.
func (o warnings) recall(w *WarningEvent) {
	if w.Over {
		delete(o, w.Code)
	} else {
		o[w.Code] = w
	}
}

// sorted lists them by code.
func (o warnings) sorted() []*WarningEvent {
	var list []*WarningEvent
	for _, code := range slices.Sorted(maps.Keys(o)) {
		list = append(list, o[code])
	}
	return list
}
