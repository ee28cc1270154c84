package train

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/spf13/cobra"
)

// rater measures the networks of the run.
func (s *setting) rater(env *shell.Env) (*ratings.Rater, error) {
	g, err := env.Families.Open(s.cfg.Game, s.cfg.Rules)
	if err != nil {
		return nil, err
	}
	fixed := func(g engine.Game, text string) (match.Contestant, error) {
		list, err := env.Contestants(g, nil, text)
		if err != nil {
			return match.Contestant{}, err
		}
		return list[0], nil
	}
	players := ratings.Players{Fixed: fixed, Network: func(g engine.Game, path string, simulations int) (match.Contestant, error) {
		return fixed(g, player.NetText(path, simulations))
	}}
	r, err := ratings.NewRater(env.Families, s.dir, &s.cfg.Config, &s.cfg.Evaluation, g, players, s.noRating)
	if err != nil {
		return nil, fmt.Errorf("%w: move it away, or train with --no-rating", err)
	}
	return r, nil
}

// rate plays the matches that end a run and prints what they show.
func (s *setting) rate(ctx context.Context, c *cobra.Command, r *ratings.Rater) error {
	cfg, dir := &s.cfg, s.dir
	ev, out, newest := &cfg.Evaluation, c.OutOrStdout(), 0
	err := r.Finish(ctx, ratings.Final{
		Begin: func(last, games int, about time.Duration) {
			newest = last
			if s.json {
				return
			}
			clock := ""
			if ev.Match.Clock != "" {
				clock = ", clock " + ev.Match.Clock
			}
			if games > 0 {
				text := wording.Count(games, "game") + " to play"
				if rundir.BeganUntrained(dir) {
					text += "; the untrained network plays a quarter of the pairs"
				}
				if about > 0 {
					text += "; about " + wording.Clock(about) + ", by the pace of earlier matches"
				}
				fmt.Fprintf(out, "\n%s\n", text)
			}
			fmt.Fprintf(out, "\nstrength at %d simulations a move; %s of games, openings of %s%s, seed %d\nscore (95 %% interval), games won, drawn, lost\n",
				ev.Simulations, wording.Count(ev.Match.Pairs, "pair"), wording.Count(ev.Match.OpeningTurns, "random turn"), clock, ev.Match.Seed)
		},
		Progress: func(generation int, opponent string, games int) (func(match.Event), func()) {
			bar := shell.NewBar(c.ErrOrStderr(), games, "games")
			return func(e match.Event) {
				bar.Set(e.Games(), fmt.Sprintf("+%d =%d -%d  generation %d against %s", e.Wins, e.Draws, e.Losses, generation, opponent))
			}, bar.Clear
		},
		Done: func(m *ratings.Match) error {
			if !s.json {
				return printMatch(out, dir, m)
			}
			short := *m.Result
			short.Games = nil
			return shell.WriteLine(out, &short)
		},
	})
	if err != nil || s.json {
		return err
	}
	curve, err := r.Newest()
	if err != nil || newest == 0 { // there are no opponents
		return err
	}
	name := fmt.Sprintf("generation %d", curve.Networks[0].Generation)
	fmt.Fprintf(out, "%s: Elo %s (95 %%)\n", name, ratings.RatedEloOf(curve))
	for _, m := range curve.Misfits {
		fmt.Fprintf(out, "%s: no one scale fits: it made %.1f %% against %s, the Elo of all matches says %.1f %%\n", name, 100*m.Score.Value, wording.PlainName(m.Opponent), 100*m.Expected)
	}
	if err := printTimes(out, r, dir); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "\nall games are in %s; play the network with\n  %s match --game %s --rules %s %s OPPONENT\n",
		wording.PlainName(filepath.Join(dir, ratings.File)), c.Root().DisplayName(), cfg.Game, wording.Quoted(curve.Rules), wording.Quoted(player.NetText(rundir.WeightsPath(dir, newest), ev.Simulations)))
	return err
}

// printTimes says what learning and measuring took. The budget may have ended within a
// generation, so that the last checkpoint does not tell.
func printTimes(out io.Writer, r *ratings.Rater, dir string) error {
	events, err := rundir.ReadEvents(dir)
	if err != nil {
		return err
	}
	var learned time.Duration
	for _, e := range events {
		learned = max(learned, e.Elapsed)
	}
	during, final := r.Took()
	_, err = fmt.Fprintf(out, "time: %s learned, %s measured on the way, %s at the end; %s in all\n",
		wording.Clock(learned), wording.Clock(during), wording.Clock(final), wording.Clock(learned+during+final))
	return err
}

// measuringText announces how much measuring comes on top of the learning time; empty
// for none.
func measuringText(r *ratings.Rater, cfg *configs.Run, untrained bool) string {
	ev := &cfg.Evaluation
	if len(ev.Opponents) == 0 {
		return ""
	}
	text := fmt.Sprintf("measuring comes on top: at the end %s", wording.Count(r.FinalGames(untrained), "game"))
	if ev.During.Share > 0 {
		text += fmt.Sprintf(" or more, about %.3g %% of the learning time on the way", 100*ev.During.Share)
	}
	return text
}

// printMatch writes the line of a match.
func printMatch(out io.Writer, dir string, m *ratings.Match) error {
	name := fmt.Sprintf("generation %d", m.Generation)
	if m.Generation == 0 {
		name = rundir.FirstName(dir)
	}
	score := m.Result.Score
	_, err := fmt.Fprintf(out, "%-15s against %-18s %5.1f %% (%.1f to %.1f)  +%d =%d -%d\n", wording.PlainName(name), wording.PlainName(m.OpponentName()),
		100*score.Value, 100*score.Low, 100*score.High, m.Result.Wins, m.Result.Draws, m.Result.Losses)
	if err == nil && m.Result.BEffort != nil {
		_, err = fmt.Fprintf(out, "%-15s limited by time, so that a repetition plays other games: %v\n", "", m.Result.BEffort)
	}
	return err
}
