package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/stats/interval"
	ratings "github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/study/sweep"
	"github.com/spf13/cobra"
)

// tournamentDir is the folder with the games of a sweep's tournament of n networks. A
// sweep that has got more runs has another.
func tournamentDir(s *sweep.Sweep, n int) string {
	return filepath.Join(s.Dir(), fmt.Sprintf("tournament-%d", n))
}

// measure measures the last networks of all runs as the plan wants, as far as that
// was not done before, with progress on stderr.
func (w *sweepWork) measure(ctx context.Context, c *cobra.Command, s *sweep.Sweep) ([]sweep.Response, error) {
	var responses []sweep.Response
	for _, simulations := range w.plan.Measure.Score {
		r, err := w.score(ctx, c, s, simulations)
		if err != nil {
			return nil, err
		}
		responses = append(responses, *r)
	}
	if w.plan.Measure.Tournament.Simulations > 0 {
		r, err := w.tournament(ctx, c, s)
		if err != nil {
			return nil, err
		}
		responses = append(responses, *r)
	}
	return responses, nil
}

// networks are those that the runs have come to, under the names of the runs, and their
// weight files.
func (w *sweepWork) networks(s *sweep.Sweep, simulations int) (list []match.Contestant, files []string, err error) {
	for i := range s.Runs {
		r := &s.Runs[i]
		file := s.Weights(r)
		player, err := w.env.Players.Contestant(w.game, r.Name, file, fmt.Sprintf("sims=%d", simulations))
		if err != nil {
			return nil, nil, err
		}
		list, files = append(list, player), append(files, file)
	}
	return list, files, nil
}

// score counts the decisions that keep what positions are worth. It keeps each count.
func (w *sweepWork) score(ctx context.Context, c *cobra.Command, s *sweep.Sweep, simulations int) (*sweep.Response, error) {
	players, _, err := w.networks(s, simulations)
	if err != nil {
		return nil, err
	}
	n := len(w.set.Positions)
	response := &sweep.Response{
		Name: "score_" + strconv.Itoa(simulations),
		What: fmt.Sprintf("%s: score with %d simulations in %d positions, set %s", w.set.Counts, simulations, n, w.set.ID),
		Unit: "percent",
	}
	bar := shell.NewBar(c.ErrOrStderr(), len(players)*n, "decisions")
	defer bar.Clear()
	for i, p := range players {
		progress := s.Of(&s.Runs[i])
		known, ok := progress.Scores[simulations]
		if !ok || known.Set != w.set.ID {
			score, err := w.set.Run(ctx, w.game, p, w.plan.Seed, 0, func(done int) { bar.Set(i*n+done, p.Name) })
			if err != nil {
				return nil, err
			}
			known = sweep.Score{Kept: score.All.Kept, Positions: score.All.Positions, Set: w.set.ID}
			progress.Scores[simulations] = known
			if err := s.Save(); err != nil {
				return nil, err
			}
		}
		share := float64(known.Kept) / float64(known.Positions)
		low, high := interval.Wilson(share, float64(known.Positions), interval.Normal95)
		response.Values = append(response.Values, ratings.Estimate{Value: 100 * share, Low: 100 * low, High: 100 * high})
	}
	return response, nil
}

// tournament lets all networks meet. Its games are kept in a folder of their own, as
// those of `ludozero tournament`.
func (w *sweepWork) tournament(ctx context.Context, c *cobra.Command, s *sweep.Sweep) (*sweep.Response, error) {
	t := &w.plan.Measure.Tournament
	cfg := t.Config(w.plan.Seed)
	players, files, err := w.networks(s, t.Simulations)
	if err != nil {
		return nil, err
	}
	openings, err := match.RandomOpenings(ctx, w.game, cfg.Pairs, cfg.OpeningTurns, cfg.Seed)
	if err != nil {
		return nil, err
	}
	series, err := match.TournamentSeries(cfg, w.game, players, false, openings)
	if err != nil {
		return nil, err
	}
	rank := func(games []match.Game) (*match.Standing, error) {
		return match.Rank(cfg, series, false, games, ratings.Options{})
	}
	leader := shell.NewLeading(series, cfg.Pairs)
	work := shell.Series{
		Env: w.env, Kind: "tournament", Dir: tournamentDir(s, len(players)), Weights: files, Series: series, Counted: leader.Add, Progress: leader.Text,
		Result: func(games []match.Game) (any, error) { return rank(games) },
	}
	games, err := work.Play(ctx, c)
	if err != nil {
		return nil, err
	}
	standing, err := rank(games)
	if err != nil {
		return nil, err
	}
	response := &sweep.Response{
		Name: "elo",
		What: fmt.Sprintf("tournament of all networks with %d simulations a move, %s of games of each two, %d openings: rating about the mean of all",
			t.Simulations, shell.Count(cfg.Pairs, "pair"), standing.DistinctOpenings),
		Unit: "Elo", Relative: true,
	}
	for _, p := range standing.Ratings.Players {
		response.Values = append(response.Values, p.Elo)
	}
	return response, nil
}
