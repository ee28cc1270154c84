package rules

import (
	"fmt"
	"text/tabwriter"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/mcts/signature"
	"github.com/spf13/cobra"
)

// NewSignature is the command signature.
func NewSignature(env *shell.Env) *cobra.Command {
	var verbose, asJSON bool
	c := &cobra.Command{
		Use:   "signature",
		Short: "Print the number that stands for how the search behaves",
		Long: "Searches fixed positions of some games with PUCT and Gumbel and a judge that needs no network, and prints one\n" +
			"number, a hash of all visits and moves. A change of the program that is not meant to change the search leaves it\n" +
			"as it is, with kernels in assembly and without. On processors other than amd64 rounding may make it another.",
		Args:    cobra.NoArgs,
		Example: "  ludozero signature\n  ludozero signature --verbose",
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := signature.Compute(env.SignatureGames())
			if err != nil {
				return err
			}
			if asJSON {
				return shell.WriteJSON(c, s)
			}
			if verbose {
				w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
				for _, p := range s.Parts {
					fmt.Fprintf(w, "%v\t%s\t%s\t%d searches\t%d simulations\n", p.Sum, p.Game, p.Method, p.Searches, p.Simulations)
				}
				if err := w.Flush(); err != nil {
					return err
				}
			}
			_, err = fmt.Fprintln(c.OutOrStdout(), s.Sum)
			return err
		},
	}
	c.Flags().BoolVar(&verbose, "verbose", false, "also print the number of each game and method")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}
