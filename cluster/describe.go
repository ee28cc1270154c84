package cluster

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ludozero/ludozero/train/rundir"
)

// longestName is how much of a worker's name is shown, in characters.
const longestName = 40

// describe says who plays.
func (c *coordinator) describe(now time.Duration) *rundir.ClusterEvent {
	e := &rundir.ClusterEvent{Workers: []rundir.WorkerEvent{}, Leases: len(c.leases), Faults: c.faults}
	e.WaitsFor, e.Waits = c.waits(now)
	for i := range c.games {
		if c.games[i].game != nil {
			e.HeldBack++
		}
	}
	same := c.sameNames()
	leases := map[string]int{}
	for _, g := range c.leases {
		leases[g.worker]++
	}
	for id, w := range c.workers {
		e.Workers = append(e.Workers, rundir.WorkerEvent{
			Name: c.nameOf(id, same), Cores: w.last.Cores, Leases: leases[id], Games: w.games,
			PositionsPerSecond: w.last.PositionsPerSecond, SilentSeconds: (now - w.heard).Truncate(time.Second).Seconds(),
		})
	}
	slices.SortFunc(e.Workers, func(a, b rundir.WorkerEvent) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(b.Games, a.Games))
	})
	return e
}

// nameOf is what a worker is called: the name of its machine, shortened, and with the
// beginning of its identity where another that is listed has the same; same is sameNames.
func (c *coordinator) nameOf(worker string, same map[string]int) string {
	w := c.workers[worker]
	if w == nil {
		return "a worker"
	}
	name := []rune(w.last.Name)
	text := string(name[:min(len(name), longestName)])
	if same[w.last.Name] > 1 {
		text += "#" + worker[:min(len(worker), 4)]
	}
	return text
}

// sameNames counts workers by name.
func (c *coordinator) sameNames() map[string]int {
	same := map[string]int{}
	for _, w := range c.workers {
		same[w.last.Name]++
	}
	return same
}

// waits says what the next game in order waits for, once that is worth a word.
func (c *coordinator) waits(now time.Duration) (kind, text string) {
	if !c.open || c.taken >= c.end {
		return "", ""
	}
	if s := c.stream; s != nil {
		switch {
		case c.present(now) == 0:
			return rundir.WaitsForWorker, "a worker"
		case c.present(now) == 1 && len(s.checks) > 0:
			return rundir.WaitsForCheck, fmt.Sprintf("a second worker to check games; without one they count %v after the first worker came", stillThere)
		}
		return "", ""
	}
	s := &c.games[c.taken-c.first]
	var holders []string
	same := c.sameNames()
	for _, id := range s.holders {
		holders = append(holders, c.nameOf(id, same))
	}
	switch {
	case c.present(now) == 0:
		return rundir.WaitsForWorker, "a worker"
	case s.arrived && !s.done() && len(holders) == 0:
		return rundir.WaitsForCheck, fmt.Sprintf("a second worker to check game %d; without one it counts %v after the first worker came", c.taken, stillThere)
	case len(holders) > 0:
		return rundir.WaitsForGame, fmt.Sprintf("game %d of %s", c.taken, strings.Join(holders, " and "))
	}
	return "", ""
}
