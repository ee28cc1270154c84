package sweep

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/stats/interval"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/study"
	"github.com/ludozero/ludozero/study/yardstick"
)

// Measurer measures the last networks of all runs in a game. Set has the positions of
// its score; it is nil without one.
type Measurer struct {
	Game     engine.Game
	Set      *yardstick.Set
	Players  *open.Players
	Progress archive.Progress
}

// Measure measures what was not measured before.
func (s *Sweep) Measure(ctx context.Context, m *Measurer) ([]Response, error) {
	var responses []Response
	for _, simulations := range s.Plan.Measure.Score {
		r, err := s.score(ctx, m, simulations)
		if err != nil {
			return nil, err
		}
		responses = append(responses, *r)
	}
	if s.Plan.Measure.Tournament.Simulations > 0 {
		r, err := s.tournament(ctx, m)
		if err != nil {
			return nil, err
		}
		responses = append(responses, *r)
	}
	return responses, nil
}

// networks enters the last network of every run under the name of the run.
func (s *Sweep) networks(m *Measurer, simulations int) (list []match.Contestant, specs []*player.Spec, err error) {
	for i := range s.Runs {
		r := &s.Runs[i]
		spec, err := m.Players.Parse(player.NetText(open.ByHash(s.Weights(r)), simulations))
		if err == nil {
			_, err = spec.New(m.Game)
		}
		if err != nil {
			return nil, nil, err
		}
		one := spec.Contestant(m.Game)
		one.Name = r.Name
		list, specs = append(list, one), append(specs, spec)
	}
	return list, specs, nil
}

// score counts the decisions that keep what positions are worth. It keeps each count.
func (s *Sweep) score(ctx context.Context, m *Measurer, simulations int) (*Response, error) {
	players, _, err := s.networks(m, simulations)
	if err != nil {
		return nil, err
	}
	n := len(m.Set.Positions)
	response := &Response{
		Name: "score_" + strconv.Itoa(simulations),
		What: fmt.Sprintf("%s: score with %d simulations in %d positions, set %s", m.Set.Counts, simulations, n, m.Set.ID),
		Unit: "percent", High: 100,
	}
	m.Progress.Start(len(players)*n, "decisions")
	defer m.Progress.Stop()
	for i, p := range players {
		progress := s.Of(&s.Runs[i])
		known, ok := progress.Scores[simulations]
		if !ok || known.Set != m.Set.ID {
			score, err := m.Set.Run(ctx, m.Game, p, s.Plan.Seed, 0, func(done int) { m.Progress.Set(i*n+done, p.Name) })
			if err != nil {
				return nil, err
			}
			known = Score{Kept: score.All.Kept, Positions: score.All.Positions, Set: m.Set.ID}
			progress.Scores[simulations] = known
			if err := s.Save(); err != nil {
				return nil, err
			}
		}
		share := float64(known.Kept) / float64(known.Positions)
		low, high := interval.Wilson(share, float64(known.Positions), interval.Normal95)
		response.Values = append(response.Values, rating.Estimate{Value: 100 * share, Low: 100 * low, High: 100 * high})
	}
	return response, nil
}

// tournament lets all networks meet. Its games are kept in a folder of their own, as
// `ludozero tournament` keeps them; a sweep that has got more runs has another.
func (s *Sweep) tournament(ctx context.Context, m *Measurer) (*Response, error) {
	t := &s.Plan.Measure.Tournament
	cfg := t.Config(s.Plan.Seed)
	players, specs, err := s.networks(m, t.Simulations)
	if err != nil {
		return nil, err
	}
	openings, err := match.RandomOpenings(ctx, m.Game, cfg.Pairs, cfg.OpeningTurns, cfg.Seed)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(s.dir, fmt.Sprintf("tournament-%d", len(players)))
	if known, err := archive.ReadAsked(dir); err == nil && known.Seeds == "" { // of an older program
		for i := range players {
			players[i].Identity = ""
		}
	}
	series, err := match.NewSeries(cfg, m.Game, players, false, openings)
	if err != nil {
		return nil, err
	}
	rank := func(games []match.Game) (*match.Standing, error) {
		return match.Rank(cfg, series, false, games, rating.Options{})
	}
	leader := match.NewLeading(series, cfg.Pairs)
	work := study.Series{Kind: "tournament", Players: specs, Work: archive.Work{
		Dir: dir, Series: series, Counted: leader.Add, Standing: leader.Text,
		Result: func(games []match.Game) (any, error) { return rank(games) },
	}}
	games, err := work.Play(ctx, m.Progress)
	if err != nil {
		return nil, err
	}
	standing, err := rank(games)
	if err != nil {
		return nil, err
	}
	response := &Response{
		Name: "elo",
		What: fmt.Sprintf("tournament of all networks with %d simulations a move, %s of games of each two, %d openings: rating about the mean of all",
			t.Simulations, wording.Count(cfg.Pairs, "pair"), standing.DistinctOpenings),
		Unit: "Elo", Relative: true,
	}
	for _, p := range standing.Ratings.Players {
		response.Values = append(response.Values, p.Elo)
	}
	return response, nil
}
