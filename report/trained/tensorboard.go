package trained

import (
	"fmt"
	"math"
	"path/filepath"
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
	steps := map[int]int64{}
	for i := range r.rows {
		m := &r.rows[i]
		steps[int(m.Generation)] = m.Step
		if i == 0 && m.Generation == 1 { // a fork begins with a trained network
			steps[0] = m.Step - m.Steps
		}
	}
	var events []tensorboard.Event
	for _, n := range curve.Networks {
		at, known := wrote[n.Generation]
		if !known {
			at = began.Add(n.Learned)
		}
		e := tensorboard.Event{Time: at, Step: steps[n.Generation]}
		e.Scalars = append(e.Scalars, estimateScalars("Elo relative to "+curve.Anchor, "Elo", n.Elo)...)
		for _, m := range ratings.Evidence(matches) {
			if m.Generation == n.Generation && m.Opponent != "" {
				e.Scalars = append(e.Scalars, estimateScalars("score against "+m.Opponent, "score", m.Result.Score)...)
			}
		}
		events = append(events, e)
	}
	return events, nil
}

// estimateScalars are an estimate and the ends of its interval under one heading.
func estimateScalars(heading, name string, e match.Estimate) []tensorboard.Scalar {
	if math.IsInf(e.Low, -1) && math.IsInf(e.High, 1) { // nothing is known
		return nil
	}
	return []tensorboard.Scalar{{Tag: heading + "/" + name, Value: e.Value}, {Tag: heading + "/low", Value: e.Low}, {Tag: heading + "/high", Value: e.High}}
}
