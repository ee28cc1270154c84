package runs

import (
	"fmt"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/report/trained"
	"github.com/spf13/cobra"
)

func newRunsHealth(env *shell.Env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "health RUN",
		Short: "Say whether a run learns as it should",
		Long: "Reads the figures of a run's generations and says in words what is off now and what was before, with what was to be\n" +
			"expected and what to try: values that outcomes do not bear out, games that repeat each other, a window that holds too\n" +
			"little, networks that do not change, gradients that are cut down. Below it the figures of the last generations.\n" +
			"docs/health.md explains them all. Nothing is written; a run at work may go on.",
		Args:    cobra.ExactArgs(1),
		Example: "  ludozero runs health runs/first\n  ludozero runs health runs/first --json",
		RunE: func(c *cobra.Command, args []string) error {
			if !trained.IsRun(args[0]) {
				return shell.Usagef("%s: it is no run", args[0])
			}
			r, err := trained.Read(env.Families, args[0])
			if err != nil {
				return err
			}
			if r.Problem != "" {
				return fmt.Errorf("run %s: %s", args[0], r.Problem)
			}
			h := trained.HealthOf(r)
			return shell.Print(c, asJSON, h, h.WriteText)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, which has every generation")
	return c
}
