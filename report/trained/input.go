package trained

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/report"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/train/rundir"
)

// Where a run keeps its report.
const (
	ReportHTML = "report.html"
	ReportText = "report.txt"
)

// Report reads the run in folder dir and makes its report. Progress goes to
// errOut.
func Report(ctx context.Context, games engine.Families, dir string, each eachShard) (*report.Report, error) {
	in, err := ReportInput(games, dir)
	if err != nil {
		return nil, fmt.Errorf("report of %s: %w", dir, err)
	}
	in.Games, err = readGames(ctx, games, dir, in, each)
	if err == nil {
		in.Samples, err = readSamples(ctx, games, dir, in)
	}
	if err != nil {
		return nil, fmt.Errorf("report of %s: %w", dir, err)
	}
	return report.Build(in), nil
}

// ReportInput reads what a report needs but for the games. What it can do
// without goes into Unreadable if it cannot be read.
func ReportInput(games engine.Families, dir string) (*report.Input, error) {
	whole, err := filepath.Abs(dir) // "." has no name
	if err != nil {
		return nil, err
	}
	r := &Run{games: games, Name: filepath.Base(whole), Path: dir, State: StateStopped}
	if err := errors.Join(r.readEvents(), r.readConfig()); err != nil {
		return nil, err
	}
	if !r.known {
		if err := rundir.CheckConfigFile(dir); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%s is missing: no process has worked on it", filepath.Join(dir, "config.yaml"))
	}
	metrics, err := rundir.ReadMetrics(dir)
	if err != nil {
		if _, damaged := rundir.LastState(dir); damaged != nil { // as readCheckpoint notes
			metrics, _, err = rundir.ReadMetricsFile(dir)
		}
	}
	if err != nil {
		return nil, err
	}
	in := &report.Input{Name: r.Name, Rules: r.Rules, Config: &r.Config.Config, Events: r.events, Metrics: metrics}
	note := func(err error) {
		if err != nil {
			in.Unreadable = append(in.Unreadable, wording.OneLine(err))
		}
	}
	working, err := rundir.Working(dir)
	note(err)
	note(r.readCheckpoint(working))
	in.CoreTime, in.Spent, in.Before = r.CoreTime, r.Spent, r.before
	in.Origin, _, err = rundir.ReadOrigin(dir)
	note(err)
	in.Matches, err = ratings.Read(games, dir)
	note(err)
	switch {
	case working:
		in.State = StateRunning
	case rundir.IsPack(dir):
		in.State = StatePacked
	case r.reachedItsEnd():
		in.State = StateFinished
	default:
		in.State = StateStopped
	}
	return in, nil
}
