package cli

import (
	"fmt"
	"math"
	"path/filepath"
	"time"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/report/tensorboard"
	"github.com/spf13/cobra"
)

func newRunsTensorBoard(env *shell.Env) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "tensorboard RUN...",
		Short: "Write the figures of runs as event files, which TensorBoard draws",
		Long: "Writes a folder for each run, called as it is, with all figures of metrics.parquet, one event a generation, and a\n" +
			"folder strength in it with Elo and scores against fixed opponents, each with the ends of its interval. The step of an\n" +
			"event is that of the optimizer, its time that of the checkpoint. Nothing is lost by writing late or seldom: everything\n" +
			"comes from what the run keeps. Done again, what is new is added to the files, so that an open TensorBoard shows it.\n" +
			"Elo is fitted to all matches together: that file is written anew. A run at work is not disturbed.",
		Args:    cobra.MinimumNArgs(1),
		Example: "  ludozero runs tensorboard runs/first --out tb\n  ludozero runs tensorboard runs/first runs/second --out tb",
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return shell.Usagef("--out is required: the folder that TensorBoard is to look in, such as tb")
			}
			names := map[string]string{}
			for _, dir := range args {
				if !isRun(dir) {
					return shell.Usagef("%s: it is no run", dir)
				}
				whole, err := filepath.Abs(dir)
				if err != nil {
					return err
				}
				name := filepath.Base(whole)
				if other, taken := names[name]; taken {
					return shell.Usagef("%s and %s have the same name: write them to two folders", other, dir)
				}
				names[name] = dir
			}
			for _, dir := range args {
				n, err := writeTensorBoard(env, dir, out)
				if err != nil {
					return err
				}
				fmt.Fprintf(c.OutOrStdout(), "%s: %s in %s\n", shell.PlainName(dir), shell.Count(n, "generation"), shell.PlainName(out))
			}
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "folder to write to, made if need be (required)")
	return c
}

// writeTensorBoard writes the event files of a run below out. It returns how many
// generations they have.
func writeTensorBoard(env *shell.Env, dir, out string) (int, error) {
	r, err := readNamedRun(env, dir)
	if err != nil {
		return 0, err
	}
	if r.Problem != "" {
		return 0, fmt.Errorf("run %s: %s", dir, r.Problem)
	}
	matches, err := ratings.Read(dir)
	if err != nil {
		return 0, err
	}
	var began time.Time
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
func (r *trainedRun) strengthEvents(matches []ratings.Match, began time.Time, wrote map[int]time.Time) ([]tensorboard.Event, error) {
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
