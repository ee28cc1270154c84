package match

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/stats/sprt"
	"github.com/spf13/cobra"
)

// maxJudged is how many openings a judge has to find balanced for a test that may be
// over long before it needs them; after those they are used again.
const maxJudged = 1000

// NewSPRT is the command sprt.
func NewSPRT(env *shell.Env) *cobra.Command {
	f := shell.SeriesFlags{Cfg: match.DefaultConfig()}
	f.Cfg.Pairs = 10_000
	var onlyForecast bool
	var supposed match.Supposed
	test := sprt.Test{Elo0: 0, Elo1: 30, Alpha: 0.05, Beta: 0.05}
	c := &cobra.Command{
		Use:   "sprt A B",
		Short: "Test whether A is stronger than B, with as few games as it takes",
		Long: "Plays pairs of games with seats exchanged until a sequential test decides between H0, A is --elo0 stronger than B,\n" +
			"and H1, A is --elo1 stronger. H1 is accepted with probability --alpha if H0 holds, H0 with --beta if H1 holds. It\n" +
			"looks at the scores of whole pairs, in the order of the games. What it will take is said beforehand, for the share\n" +
			"of draws and the correlation of the two games of a pair that --draws and --correlation suppose. By default nothing\n" +
			"is drawn and the games are independent: draws, and openings that favour a seat, make tests shorter than that.\n" +
			"The exit code is 0 with either verdict, and with none after --max-pairs.\n\n" +
			env.SeriesHelp(fmt.Sprintf("\n  A test keeps %d of those at most; more pairs use them again.", maxJudged)),
		Args: cobra.ExactArgs(2),
		Example: "  ludozero sprt --game connect4 mcts:sims=200 mcts:sims=100 --elo0 0 --elo1 50\n" +
			"  ludozero sprt net:runs/new,sims=64 net:runs/old,sims=64 --elo0 -10 --elo1 0 --draws 0.3 --out matches/test\n" +
			"  ludozero sprt --game connect4 random random --elo1 5 --draws 0.2 --forecast",
		RunE: func(c *cobra.Command, args []string) error {
			g, sides, err := f.Open(c, args, test.Validate())
			if err != nil {
				return err
			}
			cfg := f.Cfg
			forecast, err := supposed.Forecast(test)
			if err != nil {
				return shell.Usage(err)
			}
			if onlyForecast {
				if f.AsJSON {
					return shell.WriteJSON(c, &match.Tested{Test: test, Supposed: supposed, Forecast: forecast, State: test.State(match.PairCounts{}, 0)})
				}
				return writeForecast(c.OutOrStdout(), test, supposed, forecast, cfg.Pairs)
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			different := cfg.Pairs
			if f.Openings.Balance != "" {
				different = min(different, maxJudged)
			}
			w, err := f.Series(ctx, c, g, sides, false, different)
			if err != nil {
				return err
			}
			w.Settings = testSettings(test)
			w.Begin = func() error {
				if f.AsJSON { // the result has it as well
					return writeForecast(c.ErrOrStderr(), test, supposed, forecast, cfg.Pairs)
				}
				return writeForecast(c.OutOrStdout(), test, supposed, forecast, cfg.Pairs)
			}
			progress := match.NewSequential(test, w.Work.Series)
			w.Counted = progress.Add
			w.Standing = func() string {
				s := progress.State()
				return fmt.Sprintf("LLR %.2f (%.2f, %.2f)  %s against %s", s.LLR, s.Lower, s.Upper, sides[0].Name, sides[1].Name)
			}
			return w.Finish(ctx, c, func(games []match.Game) (shell.Text, error) {
				r := &match.Tested{Test: test, Supposed: supposed, Forecast: forecast, Match: match.Summarise(cfg, w.Work.Series, games)}
				r.State = progress.State()
				if r.State.Verdict != sprt.Continue {
					r.Match.PlannedPairs = r.Match.Pairs.Pairs() // no more were needed
				}
				r.Match.Games = nil
				return r, nil
			})
		},
	}
	f.Add(c, env, "max-pairs", "pairs of games after which the test ends without a verdict")
	c.Flags().Float64Var(&test.Elo0, "elo0", test.Elo0, "difference of H0 in Elo")
	c.Flags().Float64Var(&test.Elo1, "elo1", test.Elo1, "difference of H1 in Elo, above that of H0")
	c.Flags().Float64Var(&test.Alpha, "alpha", test.Alpha, "probability of accepting H1 if H0 holds, less than 0.5")
	c.Flags().Float64Var(&test.Beta, "beta", test.Beta, "probability of accepting H0 if H1 holds, less than 0.5")
	c.Flags().Float64Var(&supposed.Draws, "draws", 0, "share of drawn games that the forecast supposes")
	c.Flags().Float64Var(&supposed.Correlation, "correlation", 0, "correlation of A's scores in the games of a pair that the forecast supposes; below 0 where openings favour a seat")
	c.Flags().BoolVar(&onlyForecast, "forecast", false, "say what the test would take and play nothing")
	return c
}

// writeForecast says what a test will take, and if that may be more than it is
// given.
func writeForecast(out io.Writer, t sprt.Test, supposed match.Supposed, forecast [3]sprt.Length, maxPairs int) error {
	err := match.WriteForecast(out, t, supposed, forecast)
	longest := slices.MaxFunc(forecast[:], func(a, b sprt.Length) int { return cmp.Compare(a.Quantile95, b.Quantile95) })
	if longest.Quantile95 > float64(maxPairs) {
		fmt.Fprintf(out, "           --max-pairs %d may be too few for a verdict\n", maxPairs)
	}
	return err
}

// testSettings are the bounds of a test, by name: when a test stops depends on
// them.
func testSettings(t sprt.Test) map[string]string {
	text := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	return map[string]string{"elo0": text(t.Elo0), "elo1": text(t.Elo1), "alpha": text(t.Alpha), "beta": text(t.Beta)}
}
