package trained

import (
	"fmt"
	"math"
	"path/filepath"
	"sort"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/report/tensorboard"
)

// WriteTensorBoard writes the event files of a run below out. It returns how many
// generations they have.
func WriteTensorBoard(games engine.Families, dir, out string) (int, error) {
	r, err := Read(games, dir)
	if err != nil {
		return 0, err
	}
	if r.Problem != "" {
		return 0, fmt.Errorf("run %s: %s", dir, r.Problem)
	}
	matches, err := ratings.Read(games, dir)
	if err != nil {
		return 0, err
	}
	began := time.Unix(0, 0) // of a pack, which has no events
	wrote := map[int]time.Time{}
	if len(r.events) > 0 {
		began = r.events[0].Time
		wrote[0] = began
	}
	for _, e := range r.events {
		if c := e.Checkpoint; c != nil {
			wrote[c.Generation] = e.Time
		}
	}
	folder, file := filepath.Join(out, r.Name), tensorboard.FileName(began)
	events := tensorboard.FromMetrics(r.rows, began, wrote)
	if err := tensorboard.Update(filepath.Join(folder, file), tensorboard.Marshal(events)); err != nil {
		return 0, err
	}
	strength, err := r.strengthEvents(matches, began, wrote)
	if err != nil {
		return 0, fmt.Errorf("run %s: %w", dir, err)
	}
	if len(strength) == 0 {
		return len(events), nil
	}
	return len(events), tensorboard.Update(filepath.Join(folder, "strength", file), tensorboard.Marshal(strength))
}

// strengthEvents are the ratings of the networks of a run and their scores, in
// order of generation.
func (r *Run) strengthEvents(matches []ratings.Match, began time.Time, wrote map[int]time.Time) ([]tensorboard.Event, error) {
	curve, err := ratings.Elo(matches)
	if err != nil || curve == nil {
		return nil, err
	}
	var events []tensorboard.Event
	for _, n := range curve.Networks {
		at, known := wrote[n.Generation]
		if !known {
			at = began.Add(n.Learned)
		}
		e := tensorboard.Event{Time: at, Step: r.stepAt(n.Generation)}
		e.Scalars = append(e.Scalars, estimateScalars("Elo relative to "+curve.Anchor, "Elo", n.Elo)...)
		longest := map[string]match.Estimate{} // by opponent: matches of a run that went on may differ in length
		games := map[string]int{}
		var opponents []string
		for _, m := range ratings.Evidence(matches) {
			if m.Generation != n.Generation || m.Opponent == "" {
				continue
			}
			if games[m.Opponent] == 0 {
				opponents = append(opponents, m.Opponent)
			}
			if n := len(m.Result.Games); n >= games[m.Opponent] {
				longest[m.Opponent], games[m.Opponent] = m.Result.Score, n
			}
		}
		for _, opponent := range opponents {
			e.Scalars = append(e.Scalars, estimateScalars("score against "+opponent, "score", longest[opponent])...)
		}
		events = append(events, e)
	}
	return events, nil
}

// stepAt is the optimizer's step when a generation was written. A pack has not all rows:
// between those it has the steps are divided evenly.
func (r *Run) stepAt(generation int) int64 {
	at := sort.Search(len(r.rows), func(i int) bool { return int(r.rows[i].Generation) >= generation })
	if len(r.rows) == 0 {
		return 0
	}
	if at == len(r.rows) {
		return r.rows[at-1].Step
	}
	m := &r.rows[at]
	from, before := 0, int64(0)
	switch {
	case at > 0:
		from, before = int(r.rows[at-1].Generation), r.rows[at-1].Step
	case m.Generation == 1: // a fork begins with a trained network
		before = m.Step - m.Steps
	}
	return before + (m.Step-before)*int64(generation-from)/int64(int(m.Generation)-from)
}

// estimateScalars are an estimate and the ends of its interval under one heading.
func estimateScalars(heading, name string, e match.Estimate) []tensorboard.Scalar {
	if math.IsInf(e.Low, -1) && math.IsInf(e.High, 1) { // nothing is known
		return nil
	}
	return []tensorboard.Scalar{{Tag: heading + "/" + name, Value: e.Value}, {Tag: heading + "/low", Value: e.Low}, {Tag: heading + "/high", Value: e.High}}
}
