package runs

import (
	"context"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/report/trained"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/spf13/cobra"
)

func newRunsCompare(env *shell.Env) *cobra.Command {
	var by string
	var pairs int
	var asJSON bool
	c := &cobra.Command{
		Use:   "compare A B",
		Short: "Say what two runs have not in common, and which learned better",
		Long: "Prints the settings in which two runs differ, how both went over learning time or generations, and their scores\n" +
			"against the same opponents, with a warning where those were measured under different conditions. The line of a\n" +
			"generation has the games that it was trained on last, and that training: rates are of one process, losses are means.\n\n" +
			"With --match the last networks of both play each other, in pairs of games with seats exchanged, under the evaluation\n" +
			"settings of A: simulations, opening turns, turns at most, seed. The rules must be the same.",
		Args:    cobra.ExactArgs(2),
		Example: "  ludozero runs compare runs/first runs/second\n  ludozero runs compare runs/first runs/second --by generation --match 100",
		RunE: func(c *cobra.Command, args []string) error {
			if !trained.IsAxis(by) {
				return shell.Usagef("--by %q: want time or generation", by)
			}
			if pairs < 0 {
				return shell.Usagef("--match %d: want a number of pairs, or 0 for no match", pairs)
			}
			both, err := trained.Compare(env.Families, args[0], args[1])
			if errors.Is(err, trained.ErrNoRun) {
				err = shell.Usage(err)
			}
			if err != nil {
				return err
			}
			var play func(context.Context, *cobra.Command) (*match.Result, error)
			if pairs > 0 {
				if play, err = duel(env, &both.A.Run, &both.B.Run, pairs); err != nil {
					return err
				}
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			out := c.OutOrStdout()
			if !asJSON { // a match takes long, the rest is there now
				if err := both.Write(out, by); err != nil {
					return err
				}
			}
			if play != nil {
				both.Match, err = play(ctx, c)
			}
			var lost error
			switch {
			case asJSON:
				if both.Match != nil {
					both.Match.Games = nil
				}
				lost = shell.WriteJSON(c, both)
			case both.Match != nil:
				fmt.Fprintln(out)
				lost = both.Match.WriteText(out)
			}
			return errors.Join(err, lost)
		},
	}
	c.Flags().StringVar(&by, "by", "time", "put side by side what has the same learning time, or the same generation")
	c.Flags().IntVar(&pairs, "match", 0, "pairs of games that the last networks play (0: none)")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, which has every generation")
	c.MarkFlagsMutuallyExclusive("by", "json")
	return c
}

// duel reads the last networks of two runs, which must have the same rules, and returns
// their match: what was played until ctx ended, nil if that is no pair.
func duel(env *shell.Env, a, b *trained.Run, pairs int) (play func(context.Context, *cobra.Command) (*match.Result, error), err error) {
	if a.Game != b.Game || a.Rules != b.Rules {
		return nil, fmt.Errorf("no match: A plays %s, rules %s; B plays %s, rules %s: want the same", a.Game, a.Rules, b.Game, b.Rules)
	}
	g, err := env.Families.Open(a.Config.Game, a.Config.Rules)
	if err != nil {
		return nil, err
	}
	ev := &a.Config.Evaluation
	cfg := ev.Match
	cfg.Pairs = pairs
	var texts []string
	for _, r := range []*trained.Run{a, b} {
		texts = append(texts, player.NetText(rundir.WeightsPath(r.Path, r.Generation), ev.Simulations))
	}
	sides, err := env.Contestants(g, nil, env.Players.ByHash(texts...)...)
	return func(ctx context.Context, c *cobra.Command) (*match.Result, error) {
		r, err := shell.RunMatch(ctx, c, cfg, g, sides[0], sides[1])
		if r != nil && err != nil {
			err = fmt.Errorf("the match was not finished: %w", err)
		}
		return r, err
	}, err
}
