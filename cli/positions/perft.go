package positions

import (
	"fmt"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/spf13/cobra"
)

// NewPerft is the command perft.
func NewPerft(env *shell.Env) *cobra.Command {
	var f shell.GameFlags
	var line string
	var depth int
	var divide bool
	c := &cobra.Command{
		Use:   "perft",
		Short: "Count the sequences of decisions from a position",
		Long: "Count the sequences of 1, 2, ... decisions from a position, one number a depth on one line.\n" +
			"A game that is over before the depth is reached counts once; a chance outcome is a decision.",
		Args:    cobra.NoArgs,
		Example: "  ludozero perft --game konreh --rules standard,balance=single --depth 6\n  ludozero perft --game connect4 --depth 4 --divide",
		RunE: func(c *cobra.Command, _ []string) error {
			if depth < 1 {
				return shell.Usagef("--depth %d: want at least 1", depth)
			}
			g, err := f.Open()
			if err != nil {
				return err
			}
			s, h, err := shell.Position(g, line)
			if err != nil {
				return err
			}
			out := c.OutOrStdout()
			if divide {
				var scratch []engine.Weighted
				next, mark := g.NewState(), h.Len()
				for _, a := range engine.AppendPossible(nil, &scratch, s, h) {
					next.CopyFrom(s)
					next.Apply(a, h)
					fmt.Fprintf(out, "%s %d\n", s.AppendAction(nil, a), engine.CountPerft(g, next, h, depth-1))
					h.Truncate(mark)
				}
			}
			for d := 1; d <= depth; d++ {
				if d > 1 {
					fmt.Fprint(out, " ")
				}
				fmt.Fprint(out, engine.CountPerft(g, s, h, d))
			}
			fmt.Fprintln(out)
			return nil
		},
	}
	f.Add(c, env)
	c.Flags().StringVar(&line, "position", "", "position line (default: the start)")
	c.Flags().IntVar(&depth, "depth", 5, "number of decisions")
	c.Flags().BoolVar(&divide, "divide", false, "also count below each first move, one line a move")
	return c
}
