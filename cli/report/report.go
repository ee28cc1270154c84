// Package report is the command that writes the report on a run.
package report

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/fault"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/report"
	"github.com/ludozero/ludozero/report/trained"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/spf13/cobra"
)

// New is the command report.
func New(env *shell.Env) *cobra.Command {
	var out string
	var asText, asJSON bool
	c := &cobra.Command{
		Use:   "report RUN",
		Short: "Report on a run: strength, games, health",
		Long: "Reads a run and writes report.html, a page with pictures that needs nothing else, and report.txt into its folder: what\n" +
			"was trained, how strong it got against fixed opponents, what its games are like, sample games, and whether the\n" +
			"training is healthy. `train` does this when it ends; here is the report of a run that was interrupted or is at\n" +
			"work, which goes on. Of a long run some recorded games are read, spread evenly, and the report says so.\n" +
			"A part that cannot be read, such as a damaged shard, is named in the report; without configuration, events or\n" +
			"metrics there is none. docs/report.md explains each part.",
		Args:    cobra.ExactArgs(1),
		Example: "  ludozero report runs/first\n  ludozero report runs/first --text\n  ludozero report runs/first --out first.html",
		RunE: func(c *cobra.Command, args []string) error {
			if asText && asJSON || (asText || asJSON) && out != "" {
				return shell.Usagef("--text, --json and --out: want one of them")
			}
			dir := args[0]
			if !trained.IsRun(dir) {
				return shell.Usagef("%s: it is no run", dir)
			}
			if !asText && !asJSON && out == "" && rundir.IsPack(dir) {
				return shell.Usagef("%s is a pack, which stays as it is: want --out, --text or --json", dir)
			}
			if out != "" {
				if err := shell.WantFile("out", out); err != nil {
					return err
				}
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			r, err := trained.Report(ctx, env.Families, dir, shell.Shards(c.ErrOrStderr()))
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

// writeReport puts both forms of a report into the folder of the run.
func writeReport(dir string, r *report.Report) error {
	fault.PointAt("report", dir)
	if err := writeReportFile(filepath.Join(dir, trained.ReportHTML), r.WriteHTML); err != nil {
		return err
	}
	fault.PointAt("report", dir)
	return writeReportFile(filepath.Join(dir, trained.ReportText), r.WriteText)
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
			fmt.Fprintln(out, wording.Plain(w.String()))
		}
	}
	for _, sentence := range r.Headline {
		fmt.Fprintln(out, wording.Plain(sentence))
	}
	_, err := fmt.Fprintf(out, "\nthe report is %s, as text %s\n", wording.PlainName(filepath.Join(dir, trained.ReportHTML)), wording.PlainName(filepath.Join(dir, trained.ReportText)))
	return err
}

// WriteTrained writes the report of a run that `train` has brought to its end, and
// unless events are printed as JSON says what is in it.
func WriteTrained(ctx context.Context, env *shell.Env, c *cobra.Command, dir string, asJSON bool) error {
	r, err := trained.Report(ctx, env.Families, dir, shell.Shards(c.ErrOrStderr()))
	if err == nil {
		err = writeReport(dir, r)
	}
	if err != nil {
		return fmt.Errorf("%w\nthe run itself is complete; `ludozero report %s` tries again", err, wording.Quoted(dir))
	}
	if asJSON {
		return nil
	}
	fmt.Fprintln(c.OutOrStdout())
	return tellReport(c.OutOrStdout(), dir, r)
}
