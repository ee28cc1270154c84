package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/study/balance"
	"github.com/spf13/cobra"
)

// input makes the input of a result of games of these sizes.
func (w *balanceWork) input(ctx context.Context, c *cobra.Command, shares []share, cfg balance.Config, tunedPairs int) (*balance.Input, error) {
	info := w.base.Info()
	in := &balance.Input{
		Game: info.Name, GameVersion: info.Version, Rules: w.base.Rules(),
		Config: cfg, Players: w.players, Baseline: w.baseline,
		Command: w.command(&cfg, tunedPairs), Weights: map[string]string{},
	}
	if len(w.networks) > 0 {
		in.Precision = w.flags.precision + " on " + kernel.Arithmetic()
	}
	var err error
	for i := range w.players {
		if p := &w.players[i]; p.Network != "" {
			if in.Weights[p.Network], err = p.Spec.Identity(); err != nil {
				return nil, err
			}
		}
	}
	if in.DoubleMoves, err = balance.DoubleMoves(w.family, w.variants); err != nil {
		return nil, err
	}
	for i := range w.variants {
		v, err := w.readVariant(i, shares)
		if err != nil {
			return nil, err
		}
		in.Variants = append(in.Variants, *v)
	}
	return in, w.look(ctx, c, in)
}

// tunedFolder begins the names of the folders of checks.
const tunedFolder = "tuned-"

// share is what one player plays of one variant, and the games that have been played.
// Each is a series with a folder of its own, so that more players and more variants
// leave the games as they are.
type share struct {
	variant, player int
	series          *match.Series
	cells           []balance.Cell
	games           []match.Game
}

// shares are those of all variants and players, in an order in which neighbours are of
// one variant.
func (w *balanceWork) shares() ([]share, error) {
	var list []share
	for i := range w.variants {
		for k := range w.players {
			series, cells, err := w.flags.cfg.Series(&w.variants[i], w.players, k)
			if err != nil {
				return nil, err
			}
			list = append(list, share{variant: i, player: k, series: series, cells: cells})
		}
	}
	return list, nil
}

// shareFolder is where the games of s are kept, "" if nowhere.
func (w *balanceWork) shareFolder(s *share) string {
	return w.flags.folderOf(w.variants[s.variant].Name, w.players[s.player].Spec.Text)
}

// playShares plays all games up to these sizes; said tells where the work stands.
func (w *balanceWork) playShares(ctx context.Context, c *cobra.Command, list []share, cfg *balance.Config, said string) error {
	for i := range list {
		s := &list[i]
		s.series.Until = cfg.Total(w.variants[s.variant].Game)
		if err := w.playShare(ctx, c, s, fmt.Sprintf("%s, %d of %d", said, i+1, len(list))); err != nil {
			return err
		}
	}
	return nil
}

// playShare plays the games of s up to s.series.Until; said tells where the work
// stands.
func (w *balanceWork) playShare(ctx context.Context, c *cobra.Command, s *share, said string) error {
	v, p := &w.variants[s.variant], &w.players[s.player]
	work := &shell.Series{Env: w.flags.game.Env, Kind: "balance", Dir: w.shareFolder(s), Series: s.series, Quiet: true}
	for range w.flags.cfg.Temperatures {
		work.Players = append(work.Players, p.Spec.Text, p.Spec.Text)
	}
	if p.Network != "" {
		// What the player's description leaves out, if it is the default, which
		// another program may have otherwise.
		work.Settings = map[string]string{"precision": w.flags.precision}
	}
	var first match.Tally
	work.Counted = func(g *match.Game) bool {
		if g.AFirst {
			first.Add(g.Points)
		} else {
			first.Add(1 - g.Points)
		}
		return true
	}
	work.Progress = func() string {
		return fmt.Sprintf("%s: %s by %s, first player +%d =%d -%d", said, v.Name, p.Spec.Text, first.Wins, first.Draws, first.Losses)
	}
	work.Result = func(games []match.Game) (any, error) {
		return struct {
			Variant string      `json:"variant"`
			Player  string      `json:"player"`
			Games   int         `json:"games"`
			First   match.Tally `json:"first"`
		}{v.Name, p.Spec.Text, len(games), first}, nil
	}
	games, err := work.Play(ctx, c)
	if err != nil {
		return err
	}
	s.games = games[:s.series.Until]
	return nil
}

// readVariant makes of the games of variant i what a result is made of.
func (w *balanceWork) readVariant(i int, list []share) (*balance.VariantInput, error) {
	v := &w.variants[i]
	in := &balance.VariantInput{Variant: *v, Views: map[int]balance.View{}}
	for n := range list {
		s := &list[n]
		if s.variant != i {
			continue
		}
		r := balance.NewReader(v.Game, s.cells)
		in.KindNames, in.PieceNames = r.KindNames, r.PieceNames
		for k := range s.games {
			one, err := r.Read(&s.games[k])
			if err != nil {
				return nil, fmt.Errorf("%s by %s: %w", v.Name, w.players[s.player].Spec.Text, err)
			}
			in.Played = append(in.Played, one)
		}
	}
	var err error
	in.NotTrained, err = w.notTrained(v.Game)
	return in, err
}

// notTrained lists the networks that did not learn from the rules of g.
func (w *balanceWork) notTrained(g engine.Game) ([]string, error) {
	var list []string
	for i := range w.players {
		name := w.players[i].Network
		if name == "" || slices.Contains(list, name) {
			continue
		}
		trained, err := w.flags.game.Env.Players.TrainedOn(name, g)
		if err != nil {
			return nil, err
		}
		if !trained {
			list = append(list, name)
		}
	}
	return list, nil
}

// check plays the first network against one that was trained on a variant, from the
// start, both drawing their first decisions at the lowest temperature.
func (w *balanceWork) check(ctx context.Context, c *cobra.Command, t *tunedNetwork, pairs int) (balance.Check, error) {
	v, shared := &w.variants[t.variant], w.strongest()
	cfg := &w.flags.cfg
	sampling := player.Sampling{Decisions: cfg.Sampled, Temperature: slices.Min(cfg.Temperatures)}
	a, err := shared.Spec.Sampled(v.Game, sampling)
	if err != nil {
		return balance.Check{}, err
	}
	b, err := t.spec.Sampled(v.Game, sampling)
	if err != nil {
		return balance.Check{}, err
	}
	config := match.Config{
		Pairs: w.flags.tunedPairs, MaxTurns: cfg.MaxTurns, Workers: cfg.Workers,
		Seed: seed.Number(cfg.Seed, "balance check "+v.Game.Rules(), 0),
	}
	if err := config.Validate(); err != nil {
		return balance.Check{}, err
	}
	series := match.MatchSeries(config, v.Game, a, b, &match.Openings{Source: "the start", List: []match.Opening{{}}})
	series.Until, config.Pairs = 2*pairs, pairs // of all that was asked for
	summary := func(games []match.Game) *match.Result {
		r := match.Summarise(config, series, games)
		r.Games = nil // they have files of their own
		return r
	}
	work := &shell.Series{
		Env: w.flags.game.Env, Kind: "balance-check", Dir: w.flags.folderOf(tunedFolder + v.Name), Players: []string{shared.Spec.Text, t.spec.Text}, Series: series,
		Result: func(games []match.Game) (any, error) { return summary(games), nil },
		// As with the games of variants: its default may change with the program.
		Settings: map[string]string{"precision": w.flags.precision},
	}
	games, err := work.Play(ctx, c)
	if err != nil {
		return balance.Check{}, err
	}
	return balance.NewCheck(v.Name, shared.Spec.Text, t.spec.Text, summary(games[:series.Until])), nil
}

// look asks the networks at their greatest strength about the first decisions.
func (w *balanceWork) look(ctx context.Context, c *cobra.Command, in *balance.Input) error {
	asked := balance.Asked(w.players)
	bar := shell.NewBar(c.ErrOrStderr(), len(asked)*len(in.Variants), "views of first decisions")
	defer bar.Clear()
	done := 0
	for i := range in.Variants {
		v := &in.Variants[i]
		for _, member := range asked {
			spec := w.players[member].Spec
			view, err := balance.Look(ctx, v.Game, spec, w.flags.cfg.Seed, func(judged int) {
				bar.Set(done, fmt.Sprintf("%s, %s by %s", shell.Count(judged, "position"), v.Name, spec.Text))
			})
			if err != nil {
				return fmt.Errorf("%s: %w", v.Name, err)
			}
			v.Views[member] = *view
			done++
		}
	}
	return nil
}

// command is what repeats the comparison elsewhere, with every value that figures
// depend on.
func (w *balanceWork) command(cfg *balance.Config, tunedPairs int) string {
	f := w.flags
	words := []string{"ludozero", "balance", "--game", f.game.Name}
	add := func(flag string, values ...string) {
		for _, v := range values {
			words = append(words, "--"+flag, quoted(v))
		}
	}
	if f.game.Rules != "" {
		add("rules", f.game.Rules)
	}
	add("vary", w.vary...)
	if len(w.variants) > 1 {
		add("baseline", w.variants[w.baseline].Name)
	}
	if len(w.networks) > 0 {
		add("networks", strings.Join(w.networks, ","))
		add("sims", joined(f.sims))
		add("precision", f.precision)
	}
	add("players", f.players...)
	if len(w.tuned) > 0 {
		add("tuned", f.tuned...)
		add("tuned-pairs", strconv.Itoa(tunedPairs))
	}
	add("games", strconv.Itoa(cfg.Games))
	add("forced", strconv.Itoa(cfg.Forced))
	add("sampled", strconv.Itoa(cfg.Sampled))
	add("temperatures", joined(cfg.Temperatures))
	add("matters", strconv.FormatFloat(cfg.Matters, 'g', -1, 64))
	add("max-turns", strconv.Itoa(cfg.MaxTurns))
	add("seed", strconv.FormatUint(cfg.Seed, 10))
	return strings.Join(words, " ")
}

// joined writes numbers with commas between.
func joined[T int | float64](list []T) string {
	words := make([]string, len(list))
	for i, x := range list {
		words[i] = fmt.Sprint(x)
	}
	return strings.Join(words, ",")
}

// quoted is a word as a shell reads it.
func quoted(word string) string {
	plain := func(r rune) bool {
		return strings.ContainsRune("-_=,.:/+@%", r) || unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
