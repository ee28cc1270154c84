package score

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/report/trained"
	"github.com/ludozero/ludozero/study/yardstick"
	"github.com/ludozero/ludozero/train/rundir"
)

// scoreCurve is some networks of a run to be scored over what they took.
type scoreCurve struct {
	folder      string
	simulations int
	// networks are in order of generation, unit says what they are spread over.
	networks []yardstick.Network
	unit     curveUnit
	// wanted is how many were asked for, kept how many networks there are that have
	// learned anything, of trained.
	wanted, kept, trained int
}

// curveUnit is what is known of all networks of a curve alike.
type curveUnit int

const (
	unitCores    curveUnit = iota // core time over all runs
	unitOwnCores                  // core time of this run alone
	unitLearned                   // learning time of this run
)

// newScoreCurve chooses n networks of the run in folder dir. There must be no other
// players.
func newScoreCurve(dir string, n, simulations int, players []string) (*scoreCurve, error) {
	switch {
	case dir == "":
		return nil, shell.Usagef("--points: want a run with --run")
	case n < 1:
		return nil, shell.Usagef("--points %d: want 1 or more", n)
	case simulations < 1:
		return nil, shell.Usagef("--sims %d: want 1 or more", simulations)
	case len(players) > 0:
		return nil, shell.Usagef("--points scores the run's networks alone: want no other players, such as %s", players[0])
	case !trained.IsRun(dir):
		return nil, shell.Usagef("%s: it is no run", dir)
	}
	c := &scoreCurve{folder: dir, simulations: simulations, wanted: n}
	if err := c.read(); err != nil {
		return nil, fmt.Errorf("run %s: %w", dir, err)
	}
	var took []float64
	for i := range c.networks {
		took = append(took, c.unit.of(&c.networks[i]))
	}
	var chosen []yardstick.Network
	for _, i := range spread(took, n) {
		chosen = append(chosen, c.networks[i])
	}
	c.networks = chosen
	return c, nil
}

// read lists the networks that there are but one that has learned nothing.
func (c *scoreCurve) read() error {
	generations, err := rundir.Generations(c.folder)
	if err != nil {
		return err
	}
	known := [unitLearned]bool{true, true}
	for i := len(generations) - 1; i >= 0; i-- {
		s, err := rundir.ReadState(c.folder, generations[i])
		if err != nil {
			return err
		}
		n := yardstick.Network{Generation: s.Generation, LearnedSeconds: s.Elapsed.Seconds()}
		before := rundir.SpentBefore(c.folder, &s)
		if s.CoreTime != nil {
			own := s.CoreTime.Seconds()
			n.OwnCoreSeconds = &own
			if before != nil && before.CoreSeconds != nil {
				all := own + *before.CoreSeconds
				n.CoreSeconds = &all
			}
		}
		if s.Generation == 0 && (before == nil || before.Runs == 0) {
			break
		}
		known[unitCores] = known[unitCores] && n.CoreSeconds != nil
		known[unitOwnCores] = known[unitOwnCores] && n.OwnCoreSeconds != nil
		c.networks = append(c.networks, n)
	}
	if len(c.networks) == 0 {
		return errors.New("no network of it has learned anything yet")
	}
	slices.Reverse(c.networks)
	c.trained, c.kept = c.networks[len(c.networks)-1].Generation, len(c.networks)
	if c.networks[0].Generation == 0 {
		c.trained++
	}
	for c.unit < unitLearned && !known[c.unit] {
		c.unit++
	}
	return nil
}

// of is what a network took, in seconds.
func (u curveUnit) of(n *yardstick.Network) float64 {
	switch u {
	case unitCores:
		return *n.CoreSeconds
	case unitOwnCores:
		return *n.OwnCoreSeconds
	}
	return n.LearnedSeconds
}

// spread chooses n of values in ascending order, or all if there are no more: the
// first, the last and between them those nearest to a geometric progression. What
// a network gains goes by the ratio of what it took and the one before: spread
// evenly over hours, all points but one or two would stand where the curve is flat.
// One alone is the last.
func spread(values []float64, n int) []int {
	least := func(v float64) float64 { return math.Log(max(v, 1e-3)) } // nothing takes less than a millisecond
	last := len(values) - 1
	if n = min(n, len(values)); n == 1 {
		return []int{last}
	}
	from, to := least(values[0]), least(values[last])
	chosen := []int{0}
	for k := 1; k < n; k++ {
		want := from + (to-from)*float64(k)/float64(n-1)
		best := chosen[k-1] + 1
		for i := best; i <= last-(n-1-k); i++ { // leaves enough for the rest
			if math.Abs(least(values[i])-want) < math.Abs(least(values[best])-want) {
				best = i
			}
		}
		if k == n-1 {
			best = last
		}
		chosen = append(chosen, best)
	}
	return chosen
}

// players describes the networks.
func (c *scoreCurve) players() []string {
	var list []string
	for i := range c.networks {
		list = append(list, player.NetText(rundir.CheckpointDir(c.folder, c.networks[i].Generation), c.simulations))
	}
	return list
}

// note says why the points are fewer or spread otherwise than asked for, "" if
// they are not.
func (c *scoreCurve) note() string {
	switch {
	case rundir.IsPack(c.folder):
		return fmt.Sprintf("%s is a pack and has one network: one point", c.folder)
	case c.kept < c.trained:
		return fmt.Sprintf("%s has %d of its %d networks, retention has dropped the others: %d points", c.folder, c.kept, c.trained, len(c.networks))
	case len(c.networks) < c.wanted:
		return fmt.Sprintf("%s has %d networks: %d points", c.folder, c.kept, len(c.networks))
	}
	return ""
}

func (c *scoreCurve) write(w io.Writer, t *yardstick.Table) error {
	head, about := "core-hours", fmt.Sprintf("networks of %s with sims=%d", c.folder, c.simulations)
	switch c.unit {
	case unitOwnCores:
		about += "; core-hours of this run alone, what was before it is not known"
	case unitLearned:
		head, about = "learned", about+"; core-hours are not known, learning time stands in their place"
	}
	var first [][]string
	for i := range c.networks {
		n := &c.networks[i]
		took := model.CoreHours(c.unit.of(n))
		if c.unit == unitLearned {
			took = time.Duration(n.LearnedSeconds * float64(time.Second)).Round(time.Second).String()
		}
		first = append(first, []string{took, strconv.Itoa(n.Generation)})
	}
	return t.WriteMarkdown(w, about, []string{head, "generation"}, first)
}
