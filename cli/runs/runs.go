// Package runs holds the commands about runs: their list, compare, health, forget and
// tensorboard.
package runs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/report/trained"
	"github.com/spf13/cobra"
)

// New is the command runs with those below it.
func New(env *shell.Env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "runs [DIR]",
		Short: "List runs and how far they are, compare two, see whether one is healthy, or pack one",
		Long: "Lists the runs in a folder (default: runs) and the folders below it, one line each: how far the last checkpoint is,\n" +
			"the time spent learning, the core-hours of that (of all runs behind it, in a fork), the losses of policy, value, turns left and, in networks with a head for it, the opponent's\n" +
			"reply, the Elo of the newest network that was measured, and its scores against fixed opponents. A run is running while a process works on it, finished when\n" +
			"a budget or its generations are reached, stopped if it was left before, packed if it is a pack, damaged if its configuration, events, metrics,\n" +
			"ratings or the newest network cannot be read or do not belong together, unknown if its game is not in this program. Games\n" +
			"are not opened: `ludozero data check` does that. Nothing is written; a run at work may go on.",
		Args:    cobra.MaximumNArgs(1),
		Example: "  ludozero runs\n  ludozero runs runs/konreh-quick --json",
		RunE: func(c *cobra.Command, args []string) error {
			dir := "runs"
			if len(args) > 0 {
				dir = args[0]
			}
			info, err := os.Stat(dir)
			switch {
			case err == nil && !info.IsDir():
				err = fmt.Errorf("%s: want a folder", dir)
			case errors.Is(err, fs.ErrNotExist) && len(args) == 0:
				err = errors.New("no runs here: there is no folder runs; name the folder of your runs")
			}
			if err != nil {
				return shell.Usage(err)
			}
			list, err := trained.Find(env.Families, dir)
			if err != nil {
				return err
			}
			return shell.Print(c, asJSON, list, func(out io.Writer) error { return trained.WriteList(out, dir, list) })
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.AddCommand(newRunsCompare(env), newRunsHealth(env), newRunsForget(env), newRunsTensorBoard(env))
	return c
}
