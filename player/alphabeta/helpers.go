package alphabeta

import (
	"sync"
	"sync/atomic"

	"github.com/ludozero/ludozero/engine"
)

// Help has helpers search beside e from now on, each in a goroutine of its own, which ends
// before the search of e does, instead of those that helped before. They are engines of the
// same game with equal judges, which nobody else uses. What they find reaches e by its table
// alone, from which it learns sooner what it would have searched: so searches are no longer
// the same each time. Without arguments e is alone again.
func (e *Engine) Help(helpers ...*Engine) {
	e.helpers = helpers
	for _, h := range helpers {
		h.table = e.table
	}
}

// Helpers is the number of engines that help e.
func (e *Engine) Helpers() int { return len(e.helpers) }

// Looked is the number of positions that the search under way, or else the latest, has looked
// at: those of helpers by the NodesPerStop.
func (e *Engine) Looked() int64 { return e.nodes + e.beside.Load() }

// helped starts the helpers on a search whose table is ready; end stops them and waits for
// them. Every other one begins a turn deeper than e, so that not all of them search the same at
// the same time.
func (e *Engine) helped(state engine.State, h *engine.History, list []engine.Action, depth int) (end func()) {
	e.beside.Store(0)
	if len(e.helpers) == 0 {
		return func() {}
	}
	var over atomic.Bool
	var all sync.WaitGroup
	for i, helper := range e.helpers {
		all.Go(func() {
			helper.deepening(state, h, list, min(depth, 1+(i+1)%2), depth, func() bool {
				e.beside.Add(NodesPerStop)
				return over.Load()
			})
		})
	}
	return func() {
		over.Store(true)
		all.Wait()
	}
}
