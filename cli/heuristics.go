package cli

import (
	"fmt"
	"text/tabwriter"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/player/school"
	"github.com/ludozero/ludozero/study/heuristics"
	"github.com/spf13/cobra"
)

func newHeuristics(env *shell.Env) *cobra.Command {
	c := &cobra.Command{
		Use:   "heuristics",
		Short: "Ask whether the rules of thumb of Kon'reh's rulebook hold, one by one",
		Long: "Each rule of thumb is a small school file: a player with that rule and nothing else. test plays it against the same\n" +
			"player without the rule, asks searches what obeying and breaking it costs, and counts how often games obey it.\n" +
			"docs/heuristics.md explains method and figures.",
		Example: "  ludozero heuristics list\n" +
			"  ludozero heuristics show cross-exit",
		Args: shell.NoSuchCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newHeuristicsList(env), newHeuristicsShow(env), newHeuristicsTest(env), newHeuristicsDrills(env))
	return c
}

func newHeuristicsList(*shell.Env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "list",
		Short:   "List the rules of thumb, what the book calls them and where it has them",
		Args:    cobra.NoArgs,
		Example: "  ludozero heuristics list",
		RunE: func(c *cobra.Command, _ []string) error {
			list := heuristics.Rules()
			if asJSON {
				return shell.WriteJSON(c, list)
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, r := range list {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.ID, r.Tag, r.Says, r.Source)
			}
			return w.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, with what each rule claims")
	return c
}

func newHeuristicsShow(*shell.Env) *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Print the school file of a rule of thumb",
		Long: "Prints the file of the player school:only-ID: a start for a rule of your own, which plays as school:PATH.yaml.\n" +
			"`ludozero schools words` has the words that it may use.",
		Args:    cobra.ExactArgs(1),
		Example: "  ludozero heuristics show cross-exit",
		RunE: func(c *cobra.Command, args []string) error {
			known := ""
			for _, r := range heuristics.Rules() {
				if r.ID != args[0] {
					known += " " + r.ID
					continue
				}
				s, err := school.Find(r.School())
				if err != nil {
					return err
				}
				_, err = fmt.Fprint(c.OutOrStdout(), s.Text)
				return err
			}
			return shell.Usagef("no rule of thumb %q: want one of%s", args[0], known)
		},
	}
}
