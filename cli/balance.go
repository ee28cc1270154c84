package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/study/balance"
	"github.com/spf13/cobra"
)

// balanceFlags are what `balance` is asked.
type balanceFlags struct {
	game       shell.GameFlags
	cfg        balance.Config
	vary       []string
	baseline   string
	networks   []string
	sims       []int
	precision  string
	players    []string
	tuned      []string
	tunedPairs int
	experimentFlags
}

// The option that is varied if nobody says what, if the game has it.
const balanceOption = "balance"

func newBalance(env *shell.Env) *cobra.Command {
	f := balanceFlags{cfg: balance.DefaultConfig()}
	cfg := &f.cfg
	c := &cobra.Command{
		Use:   "balance",
		Short: "Compare variants of the rules by how even they are for the two players",
		Long: "Lets networks, or other players, play themselves in each variant of the rules and prints how much the first player\n" +
			"scores, with intervals, and whether a variant is fairer than the baseline: by at least --matters of the distance\n" +
			"from one half, a difference fixed before the games. With three networks or more the intervals are about networks,\n" +
			"with fewer about games of these alone, and the report says so. Verdicts are corrected for being several.\n" +
			"docs/balance.md explains method and figures.\n\n" +
			"Games start at the true start. Players draw their first --sampled decisions, once the start is settled, from their\n" +
			"own policy at each of the --temperatures; besides, every first decision is forced in --forced games. Without --vary\n" +
			"the variants are those of the option `balance`, or the one ruleset if the game has no such option.\n\n" +
			"--tuned VARIANT=NETWORK hands in a network that was trained further on one variant: the first of --networks plays\n" +
			"--tuned-pairs pairs of games against it, and the variant gets a verdict only if it is shown to be within 30 Elo.\n" +
			"Without it, and without one for the baseline, the games are reported and no verdict is given.\n\n" +
			"A plan with games, evaluations and hours is printed first; --plan prints that alone. With --out the games are kept\n" +
			"in a folder: the same command goes on, also with more variants and players, and of a finished comparison it prints\n" +
			"the result.\n" +
			"The folder has the result as report.txt, report.html, balance.json and CSV files.\n\n" +
			"Players:\n" + env.Players.Help(),
		Args: cobra.NoArgs,
		Example: "  ludozero balance --game konreh --networks konreh --sims 64 --plan\n" +
			"  ludozero balance --game konreh --networks runs/a,runs/b,runs/c --sims 50,200 --players alphabeta:depth=2 --out reports/balance\n" +
			"  ludozero balance --game konreh --networks konreh --sims 64 --vary reforge_turns=3,4,5,6 --baseline reforge_turns=5 --out reports/reforge",
		RunE: func(c *cobra.Command, _ []string) error {
			w, err := f.open(c)
			if err != nil {
				return err
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			return w.work(ctx, c)
		},
	}
	f.game.Add(c, env)
	flags := c.Flags()
	flags.StringArrayVar(&f.vary, "vary", nil, "OPTION=VALUE,VALUE: a variant for each value; repeated: each combination")
	flags.StringVar(&f.baseline, "baseline", "", "variant that the others are compared with, OPTION=VALUE (default: the first)")
	flags.StringSliceVar(&f.networks, "networks", nil, "networks, each a path or the name of a shipped one (default: the shipped one of the game)")
	flags.IntSliceVar(&f.sims, "sims", []int{64}, "simulations a move of the networks; several: at each strength")
	flags.StringVar(&f.precision, "precision", precision.Default, "number format of the networks, one of "+strings.Join(precision.Names(), ", "))
	flags.StringArrayVar(&f.players, "players", nil, "another player as a cross-check, by its description; may be repeated")
	flags.IntVar(&cfg.Games, "games", cfg.Games, "games from the start of each player in each variant at each temperature, even")
	flags.IntVar(&cfg.Forced, "forced", cfg.Forced, "games after each first decision of each player at each temperature, even; 0: none")
	flags.IntVar(&cfg.Sampled, "sampled", cfg.Sampled, "decisions that each player draws in a game once the start is settled")
	flags.Float64SliceVar(&cfg.Temperatures, "temperatures", cfg.Temperatures, "temperatures of drawing: parts of the policy to the power of 1/T")
	flags.StringArrayVar(&f.tuned, "tuned", nil, "VARIANT=NETWORK: a network that was trained further on that variant; may be repeated")
	flags.IntVar(&f.tunedPairs, "tuned-pairs", 200, "pairs of games against each tuned network")
	flags.Float64Var(&cfg.Matters, "matters", cfg.Matters, "smallest difference of the distance from one half that matters, in points a game")
	flags.IntVar(&cfg.MaxTurns, "max-turns", cfg.MaxTurns, "turns after which a game is a draw; 0: no limit")
	flags.IntVar(&cfg.Workers, "workers", cfg.Workers, "games at the same time, 0: one for each core; changes no result")
	flags.Uint64Var(&cfg.Seed, "seed", cfg.Seed, "seed of players and intervals")
	f.add(flags)
	return c
}

// balanceWork is a comparison that has been checked as far as that can be done
// before any game.
type balanceWork struct {
	flags    *balanceFlags
	family   *engine.Family
	base     engine.Game // the rules before options are varied
	variants []balance.Variant
	baseline int
	players  []balance.Participant
	tuned    []tunedNetwork

	vary     []string // words of --vary, or what is varied without any
	networks []string // likewise
}

// tunedNetwork is a network for one variant.
type tunedNetwork struct {
	variant int
	network string
	spec    *player.Spec
}

// open reads what is asked and reports all that is wrong with it.
func (f *balanceFlags) open(c *cobra.Command) (*balanceWork, error) {
	w := &balanceWork{flags: f}
	var err error
	if w.family, err = f.game.Family(); err != nil {
		return nil, err
	}
	if w.base, err = f.game.Open(); err != nil {
		return nil, err
	}
	vary := f.vary
	if at := slices.IndexFunc(w.family.Options, func(o engine.Option) bool { return o.Name == balanceOption }); len(vary) == 0 && at >= 0 && !strings.Contains(f.game.Rules, balanceOption+"=") {
		vary = []string{balanceOption + "=" + strings.Join(w.family.Options[at].Values, ",")}
	}
	w.vary = vary
	if w.variants, err = balance.Variants(w.family, f.game.Rules, vary); err != nil {
		return nil, shell.Usage(err)
	}
	errs := []error{f.cfg.Validate(), f.validate()}
	if f.baseline != "" {
		w.baseline, err = w.variantOf(f.baseline)
		errs = append(errs, err)
	}
	if f.tunedPairs < 1 {
		errs = append(errs, fmt.Errorf("tuned_pairs=%d: want 1 or more", f.tunedPairs))
	}
	errs = append(errs, w.readPlayers(c), w.readTuned())
	if err := errors.Join(errs...); err != nil {
		return nil, shell.Usage(err)
	}
	all := slices.Clone(w.networks)
	for _, t := range w.tuned {
		all = append(all, t.network)
	}
	if _, err := differentNetworks(all); err != nil {
		return nil, shell.Usage(err)
	}
	// Players are made once, so that all that is wrong with them is known now.
	if _, err := w.shares(); err != nil {
		return nil, err
	}
	for _, t := range w.tuned {
		v := &w.variants[t.variant]
		if _, err := t.spec.New(v.Game); err != nil {
			return nil, err
		}
		trained, err := f.game.Env.Players.TrainedOn(t.network, v.Game)
		if err != nil {
			return nil, err
		}
		if !trained {
			return nil, fmt.Errorf("--tuned %s=%s: the network was not trained on %s: its card has no such rules", v.Name, t.network, v.Game.Rules())
		}
	}
	return w, nil
}

// variantOf finds a variant by its name, or by its values alone.
func (w *balanceWork) variantOf(name string) (int, error) {
	var names []string
	for i, v := range w.variants {
		if v.Name == name || v.Short == name {
			return i, nil
		}
		names = append(names, v.Name)
	}
	return 0, fmt.Errorf("no variant %q: want one of %s", name, strings.Join(names, "; "))
}

// readPlayers makes participants of networks and players.
func (w *balanceWork) readPlayers(c *cobra.Command) error {
	f := w.flags
	networks := f.networks
	if len(networks) == 0 && len(f.players) == 0 {
		s, err := f.game.Env.Players.Shipped(f.game.Name)
		if err != nil {
			return err
		}
		if s == nil {
			return fmt.Errorf("no network is shipped for %s: want --networks, or --players such as %s", f.game.Name, open.PlainOpponent)
		}
		networks = []string{s.Name}
	}
	w.networks = networks
	if len(networks) == 0 && (c.Flags().Changed("sims") || c.Flags().Changed("precision") || len(f.tuned) > 0) {
		return errors.New("--sims, --precision and --tuned: they belong to --networks")
	}
	var errs []error
	add := func(text, network string, simulations int) {
		spec, err := f.game.Env.Players.Parse(text)
		if err != nil {
			errs = append(errs, err)
			return
		}
		if slices.ContainsFunc(w.players, func(p balance.Participant) bool { return p.Spec.Text == spec.Text }) {
			errs = append(errs, fmt.Errorf("player %s: it is there twice", spec.Text))
		}
		w.players = append(w.players, balance.Participant{Spec: spec, Network: network, Simulations: simulations})
	}
	for _, n := range networks {
		for _, sims := range f.sims {
			add(f.netText(n, sims), n, sims)
		}
	}
	for _, p := range f.players {
		add(p, "", 0)
	}
	return errors.Join(errs...)
}

// netText describes the player of a network.
func (f *balanceFlags) netText(network string, simulations int) string {
	return fmt.Sprintf("net:%s,sims=%d,precision=%s", network, simulations, f.precision)
}

// strongest is the first network at its greatest strength, which meets the tuned
// ones.
func (w *balanceWork) strongest() *balance.Participant {
	var best *balance.Participant
	for i := range w.players {
		p := &w.players[i]
		if p.Network != "" && p.Network == w.players[0].Network && (best == nil || p.Simulations > best.Simulations) {
			best = p
		}
	}
	return best
}

// readTuned reads VARIANT=NETWORK words, in which the variant may have signs of
// equality in its name.
func (w *balanceWork) readTuned() error {
	var errs []error
	shared := w.strongest()
	if shared == nil {
		return nil // readPlayers says so
	}
	for _, word := range w.flags.tuned {
		at, network := -1, ""
		for i, v := range w.variants {
			for _, name := range []string{v.Name, v.Short} {
				if rest, ok := strings.CutPrefix(word, name+"="); ok && at < 0 {
					at, network = i, rest
				}
			}
		}
		if at < 0 || network == "" {
			errs = append(errs, fmt.Errorf("--tuned %q: want VARIANT=NETWORK, where a variant is as %s", word, w.variants[0].Name))
			continue
		}
		if slices.ContainsFunc(w.tuned, func(t tunedNetwork) bool { return t.variant == at }) {
			errs = append(errs, fmt.Errorf("--tuned %q: %s has a network already", word, w.variants[at].Name))
			continue
		}
		spec, err := w.flags.game.Env.Players.Parse(w.flags.netText(network, shared.Simulations))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		w.tuned = append(w.tuned, tunedNetwork{at, network, spec})
	}
	return errors.Join(errs...)
}

// work plays what is missing, and writes and prints the result.
func (w *balanceWork) work(ctx context.Context, c *cobra.Command) error {
	asked, err := w.asked()
	if err != nil {
		return err
	}
	shares, err := w.shares()
	if err != nil {
		return err
	}
	cfg := &w.flags.cfg
	checks := make([]balance.Check, len(w.tuned))
	var played balance.Config
	var tunedPairs int // likewise
	e := &experiment{
		flags: &w.flags.experimentFlags, folder: &experimentFolder{dir: w.flags.out, result: balanceJSON, same: declared}, asked: asked, empty: &balance.Result{},
		plan:   func() error { return w.plan(ctx, c, shares) },
		rounds: cfg.Games / 2,
		play: func(round, rounds int) error {
			played, tunedPairs = cfg.Until(round, rounds), match.Share(w.flags.tunedPairs, round, rounds)
			if err := w.playShares(ctx, c, shares, &played, fmt.Sprintf("round %d of %d", round, rounds)); err != nil {
				return err
			}
			for i := range w.tuned {
				if checks[i], err = w.check(ctx, c, &w.tuned[i], tunedPairs); err != nil {
					return err
				}
			}
			return nil
		},
		finish: func(stop *sheet.Stop) (experimentResult, []experimentFile, error) {
			in, err := w.input(ctx, c, shares, played, tunedPairs)
			if err != nil {
				return nil, nil, err
			}
			in.Checks, in.Stopped = checks, stop
			r := balance.Build(in)
			return r, balanceForms(in, r), nil
		},
		sizes: fmt.Sprintf("--games %d --forced %d", cfg.Games, cfg.Forced),
	}
	if len(w.tuned) > 0 {
		e.sizes += fmt.Sprintf(" --tuned-pairs %d", w.flags.tunedPairs)
	}
	return e.run(ctx, c)
}
