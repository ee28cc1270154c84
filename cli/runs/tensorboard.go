package runs

import (
	"fmt"
	"path/filepath"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/report/trained"
	"github.com/spf13/cobra"
)

func newRunsTensorBoard(env *shell.Env) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "tensorboard RUN...",
		Short: "Write the figures of runs as event files, which TensorBoard draws",
		Long: "Writes a folder for each run, called as it is, with all figures of metrics.parquet, one event a generation, and a\n" +
			"folder strength in it with Elo and scores against fixed opponents, each with the ends of its interval. The step of an\n" +
			"event is the optimizer's, its time the checkpoint's. Nothing is lost by writing late or seldom: everything\n" +
			"comes from what the run keeps. Done again, what is new is added to the files, so that an open TensorBoard shows it.\n" +
			"Elo is fitted to all matches together: that file is written anew. A run at work may go on.",
		Args:    cobra.MinimumNArgs(1),
		Example: "  ludozero runs tensorboard runs/first --out tb\n  ludozero runs tensorboard runs/first runs/second --out tb",
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return shell.Usagef("--out is required: the folder that TensorBoard is to look in, such as tb")
			}
			names := map[string]string{}
			for _, dir := range args {
				if !trained.IsRun(dir) {
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
				n, err := trained.WriteTensorBoard(env.Families, dir, out)
				if err != nil {
					return err
				}
				fmt.Fprintf(c.OutOrStdout(), "%s: %s in %s\n", wording.PlainName(dir), wording.Count(n, "generation"), wording.PlainName(out))
			}
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "folder to write to, made if need be (required)")
	return c
}
