package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/fault"
	"github.com/ludozero/ludozero/report"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/spf13/cobra"
)

// Where a run keeps its report.
const (
	reportHTML = "report.html"
	reportText = "report.txt"
)

func newReport(env *shell.Env) *cobra.Command {
	var out string
	var asText, asJSON bool
	c := &cobra.Command{
		Use:   "report RUN",
		Short: "Say what became of a run: strength, games, health",
		Long: "Reads a run and writes report.html, a page with pictures that needs nothing else, and report.txt into its folder: what\n" +
			"was trained, how strong it got against fixed opponents, what its games are like, sample games, and whether the\n" +
			"training is healthy. `train` does this when it ends; here is the report of a run that was interrupted or is at\n" +
			"work, which is not disturbed. Of a long run some recorded games are read, spread evenly, and the report says so.\n" +
			"A part that cannot be read, such as a damaged shard, is named in the report; without configuration, events or\n" +
			"metrics there is none. docs/report.md explains each part.",
		Args:    cobra.ExactArgs(1),
		Example: "  ludozero report runs/first\n  ludozero report runs/first --text\n  ludozero report runs/first --out first.html",
		RunE: func(c *cobra.Command, args []string) error {
			if asText && asJSON || (asText || asJSON) && out != "" {
				return shell.Usagef("--text, --json and --out: want one of them")
			}
			dir := args[0]
			if !isRun(dir) {
				return shell.Usagef("%s: it is no run", dir)
			}
			if !asText && !asJSON && out == "" && rundir.IsPack(dir) {
				return shell.Usagef("%s is a pack, which stays as it is: want --out, --text or --json", dir)
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			r, err := makeReport(ctx, env, dir, c.ErrOrStderr())
			if err != nil {
				return err
			}
			switch {
			case asText:
				return r.WriteText(c.OutOrStdout())
			case asJSON:
				return r.WriteJSON(c.OutOrStdout())
			case out != "":
				return writeReportFile(out, r.WriteHTML)
			}
			if err := writeReport(dir, r); err != nil {
				return err
			}
			return tellReport(c.OutOrStdout(), dir, r)
		},
	}
	c.Flags().StringVar(&out, "out", "", "write the page to this file instead")
	c.Flags().BoolVar(&asText, "text", false, "print the text form, write nothing")
	c.Flags().BoolVar(&asJSON, "json", false, "print all figures as JSON, write nothing")
	return c
}

// makeReport reads the run in folder dir and makes its report. Progress goes to
// errOut.
func makeReport(ctx context.Context, env *shell.Env, dir string, errOut io.Writer) (*report.Report, error) {
	in, err := readReportInput(env, dir)
	if err != nil {
		return nil, fmt.Errorf("report of %s: %w", dir, err)
	}
	in.Games, err = readGames(ctx, env.Families, dir, in, errOut)
	if err == nil {
		in.Samples, err = readSamples(ctx, env.Families, dir, in)
	}
	if err != nil {
		return nil, fmt.Errorf("report of %s: %w", dir, err)
	}
	return report.Build(in), nil
}

// readReportInput reads what a report needs but for the games. What it can do
// without goes into Unreadable if it cannot be read.
func readReportInput(env *shell.Env, dir string) (*report.Input, error) {
	whole, err := filepath.Abs(dir) // "." has no name
	if err != nil {
		return nil, err
	}
	r := &trainedRun{env: env, Name: filepath.Base(whole), Path: dir, State: stateStopped}
	if err := errors.Join(r.readEvents(), r.readConfig()); err != nil {
		return nil, err
	}
	if !r.known {
		return nil, fmt.Errorf("%s is missing: no process has worked on it", filepath.Join(dir, "config.yaml"))
	}
	metrics, err := rundir.ReadMetrics(dir)
	if err != nil {
		return nil, err
	}
	in := &report.Input{Name: r.Name, Rules: r.Rules, Config: &r.cfg.Config, Events: r.events, Metrics: metrics}
	note := func(err error) {
		if err != nil {
			in.Unreadable = append(in.Unreadable, shell.OneLine(err))
		}
	}
	working, err := rundir.Working(dir)
	note(err)
	note(r.readCheckpoint(working))
	in.CoreTime, in.Spent, in.Before = r.CoreTime, r.Spent, r.before
	in.Origin, _, err = rundir.ReadOrigin(dir)
	note(err)
	in.Matches, err = ratings.Read(dir)
	note(err)
	switch {
	case working:
		in.State = stateRunning
	case r.reachedItsEnd():
		in.State = stateFinished
	default:
		in.State = stateStopped
	}
	return in, nil
}

// writeReport puts both forms of a report into the folder of the run.
func writeReport(dir string, r *report.Report) error {
	fault.PointAt("report", dir)
	if err := writeReportFile(filepath.Join(dir, reportHTML), r.WriteHTML); err != nil {
		return err
	}
	fault.PointAt("report", dir)
	return writeReportFile(filepath.Join(dir, reportText), r.WriteText)
}

func writeReportFile(path string, write func(io.Writer) error) error {
	if err := atomicfile.Write(path, write); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// tellReport prints the most important and where the rest is.
func tellReport(out io.Writer, dir string, r *report.Report) error {
	for i := range r.Warnings {
		if w := &r.Warnings[i]; !w.Past {
			fmt.Fprintln(out, w)
		}
	}
	for _, sentence := range r.Headline {
		fmt.Fprintln(out, sentence)
	}
	_, err := fmt.Fprintf(out, "\nthe report is %s, as text %s\n", filepath.Join(dir, reportHTML), filepath.Join(dir, reportText))
	return err
}

// reportTrained writes the report of a run that `train` has brought to its end, and
// unless events are printed as JSON says what is in it.
func reportTrained(ctx context.Context, env *shell.Env, c *cobra.Command, dir string, asJSON bool) error {
	r, err := makeReport(ctx, env, dir, c.ErrOrStderr())
	if err == nil {
		err = writeReport(dir, r)
	}
	if err != nil {
		return fmt.Errorf("%w\nthe run itself is complete; `ludozero report %s` tries again", err, dir)
	}
	if asJSON {
		return nil
	}
	fmt.Fprintln(c.OutOrStdout())
	return tellReport(c.OutOrStdout(), dir, r)
}
