package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/spf13/cobra"
)

// rate plays the last network of a run, and its first, untrained one, against
// the fixed opponents of the configuration, as far as that was not done before.
func rate(ctx context.Context, c *cobra.Command, r *rater, asJSON bool) error {
	ev, dir := &r.cfg.Evaluation, r.dir
	if len(ev.Opponents) == 0 {
		return nil
	}
	unlock, err := rundir.Lock(ctx, dir)
	if err != nil {
		return err
	}
	defer unlock()
	generations, err := rundir.Generations(dir)
	if err != nil {
		return err
	}
	last := generations[len(generations)-1]
	if last == 0 {
		return errors.New("the budget was too short to train one generation: nothing to rate")
	}
	if generations[0] != 0 {
		return fmt.Errorf("%s is gone: the rating plays the untrained network, too", rundir.CheckpointDir(dir, 0))
	}
	out := c.OutOrStdout()
	if !asJSON {
		clock := ""
		if ev.Match.Clock != "" {
			clock = ", clock " + ev.Match.Clock
		}
		fmt.Fprintf(out, "\nstrength at %d simulations a move; %s of games, openings of %s%s, seed %d\nscore (95 %% interval), games won, drawn, lost\n",
			ev.Simulations, shell.Count(ev.Match.Pairs, "pair"), shell.Count(ev.Match.OpeningTurns, "random turn"), clock, ev.Match.Seed)
	}
	for _, p := range r.finalPlan(last) {
		m, err := r.playShown(ctx, c, &p)
		if err != nil {
			return err
		}
		if asJSON {
			short := *m.Result
			short.Games = nil
			err = shell.WriteLine(out, &short)
		} else {
			err = r.printMatch(out, m)
		}
		if err != nil {
			return err
		}
	}
	if asJSON {
		return nil
	}
	curve, err := ratings.Newest(r.matches)
	if err != nil {
		return err
	}
	name := generationName(curve.Networks[0].Generation)
	fmt.Fprintf(out, "%s: Elo %s (95 %%)\n", name, eloFrom(ratedElo(curve)))
	for _, m := range curve.Misfits {
		fmt.Fprintf(out, "%s: no one scale fits: it made %.1f %% against %s, the Elo of all matches says %.1f %%\n", name, 100*m.Score.Value, m.Opponent, 100*m.Expected)
	}
	_, err = fmt.Fprintf(out, "\nall games are in %s; play the network with\n  ludozero match --game %s --rules %s net:%s,sims=%d OPPONENT\n",
		filepath.Join(dir, ratings.File), r.cfg.Game, r.game.Rules(), rundir.WeightsPath(dir, last), ev.Simulations)
	return err
}

// finalPlan lists the matches that end a run whose newest network is of
// generation last: all configured pairs of it and of the first network against
// each opponent, and, where networks were measured while the run went on, the
// match that ties the last to those.
func (r *rater) finalPlan(last int) []planned {
	var list []planned
	for _, opponent := range r.cfg.Evaluation.Opponents {
		for _, generation := range []int{last, 0} {
			list = append(list, planned{final: true, generation: generation, opponent: opponent, match: r.cfg.Evaluation.Match})
		}
	}
	if before := r.before(last); before > 0 && r.cfg.Evaluation.During.Share > 0 {
		for _, p := range r.plan(last) {
			if p.opponent == "" {
				p.final = r.played(&p) == nil // else it was played on the way
				list = append(list, p)
			}
		}
	}
	return list
}

// playShown plays a match with progress on stderr.
func (r *rater) playShown(ctx context.Context, c *cobra.Command, p *planned) (*ratings.Match, error) {
	s, err := rundir.ReadState(r.dir, p.generation)
	if err != nil {
		return nil, err
	}
	bar := shell.NewBar(c.ErrOrStderr(), 2*p.match.Pairs, "games")
	defer bar.Clear()
	return r.play(ctx, p, s.Elapsed, func(e match.Event) {
		bar.Set(e.Games(), fmt.Sprintf("+%d =%d -%d  %s against %s", e.Wins, e.Draws, e.Losses, generationName(p.generation), p.name()))
	})
}

// printMatch writes the line of a match.
func (r *rater) printMatch(out io.Writer, m *ratings.Match) error {
	name := generationName(m.Generation)
	if m.Generation == 0 {
		name = firstName(r.dir)
	}
	score := m.Result.Score
	_, err := fmt.Fprintf(out, "%-15s against %-18s %5.1f %% (%.1f to %.1f)  +%d =%d -%d\n", name, m.OpponentName(),
		100*score.Value, 100*score.Low, 100*score.High, m.Result.Wins, m.Result.Draws, m.Result.Losses)
	if err == nil && m.Result.BEffort != nil {
		_, err = fmt.Fprintf(out, "%-15s limited by time, so that a repetition plays other games: %v\n", "", m.Result.BEffort)
	}
	return err
}

// eloFrom words a rating: "+35 (-2 to +73) from generation 0".
func eloFrom(e *rundir.RatedElo) string {
	switch {
	case e.Value != nil && e.Low != nil && e.High != nil:
		return fmt.Sprintf("%+.0f (%+.0f to %+.0f) from %s", *e.Value, *e.Low, *e.High, e.Anchor)
	case e.Low != nil:
		return fmt.Sprintf("above %+.0f from %s", *e.Low, e.Anchor)
	case e.High != nil:
		return fmt.Sprintf("below %+.0f from %s", *e.High, e.Anchor)
	}
	return "unknown"
}

// firstName is what the network of generation 0 is called.
func firstName(dir string) string {
	if s, err := rundir.ReadState(dir, 0); err == nil && (s.First != "" || s.Origin != "") {
		return "first"
	}
	return "untrained"
}
