package shell

import (
	"context"
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/opening"
	"github.com/spf13/cobra"
)

// OpeningFlags say where pairs of games begin.
type OpeningFlags struct {
	env     *Env
	spec    string
	turns   int
	Balance string
	margin  float64
	kept    string // match.Openings.Source of games that are kept
}

// defaultMargin is a value within which a game is still open: who is expected to
// make 0.6 points in a game is 0.2 ahead.
const defaultMargin = 0.2

// OpeningHelp explains the kinds of openings.
func OpeningHelp() string {
	return "Openings:\n  " + strings.Join(opening.Forms(), "\n  ") + "\n" +
		"  Where the rules balance the start, openings that are made here end after that is settled, with hold where hold or\n" +
		"  swap is asked. --balance keeps those openings only whose value PLAYER puts within --margin of 0."
}

// Add adds the flags to c.
func (f *OpeningFlags) Add(c *cobra.Command, env *Env) {
	f.env = env
	standard := opening.Default()
	c.Flags().StringVar(&f.spec, "openings", standard.String(), "where pairs begin: random:turns=N, first:turns=N or file:PATH; see above")
	c.Flags().IntVar(&f.turns, "opening-turns", standard.Turns, "short for --openings random:turns=N")
	c.Flags().StringVar(&f.Balance, "balance", "", "player that refuses openings which are not balanced")
	c.Flags().Float64Var(&f.margin, "margin", defaultMargin, "with --balance: how far from 0 the value of an opening may be, 0 to 1")
}

// word is the description of the openings.
func (f *OpeningFlags) word(c *cobra.Command) string {
	if c.Flags().Changed("opening-turns") {
		return fmt.Sprintf("%s:turns=%d", opening.Random, f.turns)
	}
	return f.spec
}

// randomTurns is the length of random openings for match.Config, which
// checks it; 0 where other openings are asked for.
func (f *OpeningFlags) randomTurns(c *cobra.Command) int {
	if c.Flags().Changed("opening-turns") {
		return f.turns
	}
	if spec, err := opening.Parse(f.spec); err == nil && spec.Kind == opening.Random {
		return spec.Turns
	}
	return 0
}

// begin is a position such as games begin in, nil for openings from a file.
func (f *OpeningFlags) begin(c *cobra.Command, g engine.Game) engine.State {
	spec, err := opening.Parse(f.word(c))
	if err != nil || spec.Kind == opening.File {
		return nil
	}
	return Begin(g, spec.Turns)
}

// request checks the flags. Errors are the caller's fault.
func (f *OpeningFlags) request(c *cobra.Command, g engine.Game) (opening.Request, error) {
	r := opening.Request{Game: g}
	if c.Flags().Changed("openings") && c.Flags().Changed("opening-turns") {
		return r, Usagef("--openings and --opening-turns: want one of them")
	}
	var err error
	if r.Spec, err = opening.Parse(f.word(c)); err != nil {
		return r, Usage(err)
	}
	if err := Within("margin", f.margin, 0, 1); err != nil {
		return r, err
	}
	if f.Balance == "" {
		if c.Flags().Changed("margin") {
			return r, Usagef("--margin: it belongs to --balance")
		}
		return r, nil
	}
	spec, err := f.env.Players.Parse(f.Balance)
	if err == nil && !strings.HasSuffix(f.kept, " by "+spec.Text) { // as older programs named it
		spec, err = f.env.Players.Parse(spec.ByHash())
	}
	if err != nil {
		return r, Usagef("--balance: %w", err)
	}
	// A player that cannot be made, because a file is missing, is no usage error.
	if _, err := spec.New(g); err != nil {
		return r, fmt.Errorf("--balance: %w", err)
	}
	judge, err := spec.Judge(g)
	if err != nil {
		return r, Usagef("--balance: %w", err)
	}
	r.Balance = &opening.Balance{Judge: judge, Margin: f.margin}
	return r, nil
}

// Make makes count openings, with progress on stderr where it takes time.
func (f *OpeningFlags) Make(ctx context.Context, c *cobra.Command, g engine.Game, count int, seed uint64, workers int) (*match.Openings, error) {
	r, err := f.request(c, g)
	if err != nil {
		return nil, err
	}
	r.Count, r.Seed, r.Workers = count, seed, workers
	if r.Balance != nil {
		bar := NewBar(c.ErrOrStderr(), count, "openings")
		defer bar.Clear()
		r.Progress = func(p opening.Progress) {
			bar.Set(p.Found, fmt.Sprintf("%d refused by %s", p.Refused, r.Balance.Judge.Name))
		}
	}
	return opening.Make(ctx, r)
}
