package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/opening"
	"github.com/spf13/cobra"
)

// openingFlags say where pairs of games begin.
type openingFlags struct {
	spec    string
	turns   int
	balance string
	margin  float64
}

// defaultMargin is a value within which a game is still open: who is expected to
// make 0.6 points in a game is 0.2 ahead.
const defaultMargin = 0.2

// openingHelp explains the kinds of openings.
func openingHelp() string {
	return "Openings:\n  " + strings.Join(opening.Forms(), "\n  ") + "\n" +
		"  Where the rules balance the start, openings that are made here end after that is settled, with hold where hold or\n" +
		"  swap is asked. --balance keeps those openings only whose value PLAYER puts within --margin of 0."
}

func (f *openingFlags) add(c *cobra.Command) {
	standard := opening.Default()
	c.Flags().StringVar(&f.spec, "openings", standard.String(), "where pairs begin: random:turns=N, first:turns=N or file:PATH; see above")
	c.Flags().IntVar(&f.turns, "opening-turns", standard.Turns, "short for --openings random:turns=N")
	c.Flags().StringVar(&f.balance, "balance", "", "player that refuses openings which are not balanced")
	c.Flags().Float64Var(&f.margin, "margin", defaultMargin, "with --balance: how far from 0 the value of an opening may be, 0 to 1")
}

// word is the description of the openings.
func (f *openingFlags) word(c *cobra.Command) string {
	if c.Flags().Changed("opening-turns") {
		return fmt.Sprintf("%s:turns=%d", opening.Random, f.turns)
	}
	return f.spec
}

// randomTurns is the length of random openings for match.Config, which
// checks it; 0 where other openings are asked for.
func (f *openingFlags) randomTurns(c *cobra.Command) int {
	if c.Flags().Changed("opening-turns") {
		return f.turns
	}
	if spec, err := opening.Parse(f.spec); err == nil && spec.Kind == opening.Random {
		return spec.Turns
	}
	return 0
}

// request checks the flags. Errors are the caller's fault.
func (f *openingFlags) request(c *cobra.Command, g engine.Game) (opening.Request, error) {
	r := opening.Request{Game: g}
	if c.Flags().Changed("openings") && c.Flags().Changed("opening-turns") {
		return r, usageError{errors.New("--openings and --opening-turns: want one of them")}
	}
	var err error
	if r.Spec, err = opening.Parse(f.word(c)); err != nil {
		return r, usageError{err}
	}
	if !(f.margin >= 0 && f.margin <= 1) {
		return r, usageError{fmt.Errorf("--margin %g: want 0 to 1", f.margin)}
	}
	if f.balance == "" {
		if c.Flags().Changed("margin") {
			return r, usageError{errors.New("--margin: it belongs to --balance")}
		}
		return r, nil
	}
	spec, err := opener.Parse(f.balance)
	if err != nil {
		return r, usageError{fmt.Errorf("--balance: %w", err)}
	}
	// A player that cannot be made, because a file is missing, is no usage error.
	if _, err := spec.New(g); err != nil {
		return r, fmt.Errorf("--balance: %w", err)
	}
	judge, err := spec.Judge(g)
	if err != nil {
		return r, usageError{fmt.Errorf("--balance: %w", err)}
	}
	r.Balance = &opening.Balance{Judge: judge, Margin: f.margin}
	return r, nil
}

// make makes count openings, with progress on stderr where it takes time.
func (f *openingFlags) make(ctx context.Context, c *cobra.Command, g engine.Game, count int, seed uint64, workers int) (*match.Openings, error) {
	r, err := f.request(c, g)
	if err != nil {
		return nil, err
	}
	r.Count, r.Seed, r.Workers = count, seed, workers
	if r.Balance != nil {
		bar := newBar(c.ErrOrStderr(), count, "openings")
		defer bar.clear()
		r.Progress = func(p opening.Progress) {
			bar.set(p.Found, fmt.Sprintf("%d refused by %s", p.Refused, r.Balance.Judge.Name))
		}
	}
	return opening.Make(ctx, r)
}

func newOpenings() *cobra.Command {
	var g gameFlags
	var f openingFlags
	var n, workers int
	var seed uint64
	c := &cobra.Command{
		Use:   "openings",
		Short: "Write openings as a file that matches can begin from",
		Long: "Makes openings as `match` does and writes them one a line, in the form that --openings file:PATH reads: a book of\n" +
			"balanced openings takes a judge's time once. The first line is a comment that says where they come from.\n\n" +
			openingHelp() + "\n\nPlayers:\n" + opener.Help(),
		Args: cobra.NoArgs,
		Example: "  ludozero openings --game konreh --openings random:turns=8 --balance alphabeta:depth=4 --margin 0.1 --count 500 >balanced.txt\n" +
			"  ludozero openings --game connect4 --openings first:turns=2",
		RunE: func(c *cobra.Command, _ []string) error {
			if n < 1 || workers < 0 {
				return usageError{fmt.Errorf("--count %d, --workers %d: want at least 1 and 0 or more", n, workers)}
			}
			game, err := g.open()
			if err != nil {
				return err
			}
			ctx, stop := interruptible(c.Context())
			defer stop()
			set, err := f.make(ctx, c, game, n, seed, workers)
			if err != nil {
				return err
			}
			out := c.OutOrStdout()
			fmt.Fprintf(out, "# %s %s, seed %d, %v\n", game.Info().Name, game.Rules(), seed, set)
			s, h := game.NewState(), game.NewHistory()
			for i := range set.List {
				text, err := set.List[i].Text(s, h)
				if err != nil {
					return err
				}
				if _, err := fmt.Fprintln(out, text); err != nil {
					return err
				}
			}
			return nil
		},
	}
	g.add(c)
	f.add(c)
	c.Flags().IntVar(&n, "count", 200, "openings wanted; fewer are written where there are no more")
	c.Flags().Uint64Var(&seed, "seed", 1, "seed of random openings and of the judge")
	c.Flags().IntVar(&workers, "workers", 0, "positions judged at the same time, 0: one for each core; changes no result")
	return c
}
