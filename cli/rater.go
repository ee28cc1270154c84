package cli

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/train/run"
	"github.com/ludozero/ludozero/train/rundir"
)

// rater measures the networks of a run, while it goes on and when it ends, and
// keeps the matches in its folder. It is a run.Rater.
type rater struct {
	env  *shell.Env
	dir  string
	cfg  *configs.Run
	game engine.Game
	// matches are all of the run, without the moves of their games.
	matches []ratings.Match
	off     bool // while the run goes on
}

// newRater takes up what is known of a run's strength. The folder need not exist.
func newRater(env *shell.Env, dir string, cfg *configs.Run, off bool) (*rater, error) {
	g, err := env.Open(cfg.Game, cfg.Rules)
	if err != nil {
		return nil, err
	}
	matches, err := ratings.Read(dir)
	if err != nil {
		return nil, err
	}
	r := &rater{env: env, dir: dir, cfg: cfg, game: g, off: off}
	for _, m := range matches {
		r.remember(m)
	}
	return r, nil
}

// remember adds a match without what only its file needs.
func (r *rater) remember(m ratings.Match) {
	short := *m.Result
	short.Games = slices.Clone(short.Games)
	for i := range short.Games {
		short.Games[i].Moves = ""
	}
	m.Result = &short
	r.matches = append(r.matches, m)
}

// planned is a match that is to be played.
type planned struct {
	final      bool
	generation int
	opponent   string // empty: the network of generation other
	other      int
	match      match.Config
}

// plan lists the matches that measure a generation while the run goes on: each
// fixed opponent, and the network that was measured before. Openings are those of
// the generation.
func (r *rater) plan(generation int) []planned {
	ev := &r.cfg.Evaluation
	match := ev.Match
	match.Pairs, match.Seed = ev.During.Pairs, seed.Number(ev.Match.Seed, "rating", uint64(generation))
	var list []planned
	for _, o := range ev.Opponents {
		list = append(list, planned{generation: generation, opponent: o, match: match})
	}
	if before := r.before(generation); before >= 0 {
		list = append(list, planned{generation: generation, other: before, match: match})
	}
	return list
}

// before is the newest generation that was measured before the given one and
// whose network is there, 0 if it is the first to be measured, -1 if there is
// none.
func (r *rater) before(generation int) int {
	for g := r.newest(generation); ; g = r.newest(g) {
		if _, err := os.Stat(rundir.WeightsPath(r.dir, g)); err == nil {
			return g
		}
		if g == 0 {
			return -1
		}
	}
}

// newest is the newest generation below a limit that was measured, 0 if none was.
func (r *rater) newest(limit int) int {
	return r.newestOf(limit, func(*ratings.Match) bool { return true })
}

func (r *rater) newestOf(limit int, counts func(*ratings.Match) bool) int {
	newest := 0
	for i := range r.matches {
		if m := &r.matches[i]; m.Generation < limit && counts(m) {
			newest = max(newest, m.Generation)
		}
	}
	return newest
}

// played finds a planned match among those that were played.
func (r *rater) played(p *planned) *ratings.Match {
	clock, err := match.ParseTimeControl(p.match.Clock)
	if err != nil {
		return nil // whoever plays it says so
	}
	for i := range r.matches {
		m := &r.matches[i]
		if m.Final == p.final && m.Generation == p.generation && m.Opponent == p.opponent && m.Other == p.other &&
			m.Simulations == r.cfg.Evaluation.Simulations && m.Result.Seed == p.match.Seed && m.Result.Pairs.Pairs() == p.match.Pairs &&
			m.Result.OpeningTurns == p.match.OpeningTurns && m.Result.MaxTurns == p.match.MaxTurns && m.Result.Clock == clock.String() && m.Result.Rules == r.game.Rules() {
			return m
		}
	}
	return nil
}

// Due is part of run.Rater. A rating begins as long as those before it have taken
// less than their share of the learning time, and if the run has got on by one
// part of evaluation.during.ratings since the last. One that was cut short is
// finished.
func (r *rater) Due(generation int, learned time.Duration) bool {
	during := &r.cfg.Evaluation.During
	if r.off || during.Share == 0 || len(r.cfg.Evaluation.Opponents) == 0 {
		return false
	}
	plan := r.plan(generation)
	done := 0
	for i := range plan {
		if r.played(&plan[i]) != nil {
			done++
		}
	}
	if done > 0 {
		return done < len(plan)
	}
	var spent time.Duration
	var last *ratings.Match
	for i := range r.matches {
		if m := &r.matches[i]; !m.Final {
			spent += m.Took
			if last == nil || m.Generation > last.Generation {
				last = m
			}
		}
	}
	if last != nil && r.progress(generation, learned)-r.progress(last.Generation, last.Learned) < 1/float64(during.Most()) {
		return false
	}
	return float64(spent) < during.Share*float64(learned)
}

// progress is how much of the run is done, by time, by core time or by generations.
func (r *rater) progress(generation int, learned time.Duration) float64 {
	done := 0.0
	if r.cfg.Budget > 0 {
		done = float64(learned) / float64(r.cfg.Budget)
	}
	if b := r.cfg.CoreBudget; b > 0 {
		if s, err := rundir.ReadState(r.dir, generation); err == nil && s.CoreTime != nil { // else it was removed
			done = max(done, float64(*s.CoreTime)/float64(b))
		}
	}
	if r.cfg.Generations > 0 {
		done = max(done, float64(generation)/float64(r.cfg.Generations))
	}
	return done
}

// Keeps is part of run.Rater: the network that the next one is to play, and of
// those that were measured on the way the one before it, too, which matches may
// still be missing against that were cut short.
func (r *rater) Keeps(generation int) bool {
	onTheWay := func(m *ratings.Match) bool { return !m.Final }
	newest := r.newestOf(math.MaxInt, onTheWay)
	return generation == r.newest(math.MaxInt) || generation == newest || generation == r.newestOf(newest, onTheWay)
}

// Rate is part of run.Rater.
func (r *rater) Rate(ctx context.Context, job run.RatingJob) (*rundir.RatingEvent, error) {
	plan := r.plan(job.Generation)
	e := &rundir.RatingEvent{Generation: job.Generation, GamesWant: 2 * r.cfg.Evaluation.During.Pairs * len(plan), Matches: []rundir.RatedMatch{}}
	var shown time.Time
	before := 0
	for i := range plan {
		p := &plan[i]
		if p.match.Workers == 0 {
			p.match.Workers = job.Workers
		}
		m, err := r.play(ctx, p, job.Learned, func(now match.Event) {
			e.Games = before + now.Wins + now.Draws + now.Losses
			if time.Since(shown) >= shell.RedrawEvery {
				shown = time.Now()
				part := *e
				job.Show(&part)
			}
		})
		if err != nil {
			return nil, fmt.Errorf("against %s: %w", p.name(), err)
		}
		before += m.Result.Tally.Games()
		e.Games = before
		e.Took += m.Took
		e.Matches = append(e.Matches, ratedMatch(m))
	}
	curve, err := ratings.Newest(r.matches)
	if err != nil {
		return nil, err
	}
	e.Elo = ratedElo(curve)
	e.Done = true
	return e, nil
}

func (p *planned) name() string {
	if p.opponent != "" {
		return p.opponent
	}
	return generationName(p.other)
}

func generationName(generation int) string { return fmt.Sprintf("generation %d", generation) }

// play plays a planned match and keeps it, unless it was played before. One that
// is not played to its end leaves nothing.
func (r *rater) play(ctx context.Context, p *planned, learned time.Duration, progress func(match.Event)) (*ratings.Match, error) {
	if m := r.played(p); m != nil {
		return m, nil
	}
	sims := r.cfg.Evaluation.Simulations
	network, err := r.network(p.generation)
	if err != nil {
		return nil, err
	}
	opponent, err := r.opponent(p)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	result, err := match.Play(ctx, p.match, r.game, network, opponent, progress)
	if err != nil {
		return nil, err
	}
	m := ratings.Match{
		Final: p.final, Generation: p.generation, Simulations: sims, Learned: learned,
		Opponent: p.opponent, Other: p.other, Took: time.Since(began), Result: result,
	}
	if err := ratings.Append(r.dir, &m); err != nil {
		return nil, err
	}
	r.remember(m)
	return &r.matches[len(r.matches)-1], nil
}

// network is that of a generation, named by its place in the run.
func (r *rater) network(generation int) (match.Contestant, error) {
	sims := r.cfg.Evaluation.Simulations
	return r.env.Players.Contestant(r.game, ratings.NetworkName(ownPath(generation), sims), rundir.WeightsPath(r.dir, generation), fmt.Sprintf("sims=%d", sims))
}

// opponent is the one of a planned match.
func (r *rater) opponent(p *planned) (match.Contestant, error) {
	if p.opponent == "" {
		return r.network(p.other)
	}
	list, err := r.env.Contestants(r.game, []string{p.opponent})
	if err != nil {
		return match.Contestant{}, err
	}
	return list[0], nil
}

// ownPath is where a run has the weights of a generation, from its own folder.
func ownPath(generation int) string { return filepath.ToSlash(rundir.WeightsPath("", generation)) }

// ratedMatch is a match for events.
func ratedMatch(m *ratings.Match) rundir.RatedMatch {
	r := m.Result
	return rundir.RatedMatch{Opponent: m.OpponentName(), Network: m.Opponent == "", Wins: r.Wins, Draws: r.Draws, Losses: r.Losses, Score: intervalOf(r.Score)}
}

// ratedElo is the rating of the newest network for events, nil if there is none.
func ratedElo(c *ratings.Curve) *rundir.RatedElo {
	if c == nil {
		return nil
	}
	i := intervalOf(c.Networks[len(c.Networks)-1].Elo)
	return &rundir.RatedElo{Anchor: c.Anchor, Value: i.Value, Low: i.Low, High: i.High}
}

// intervalOf is an estimate for events.
func intervalOf(e match.Estimate) rundir.Interval {
	finite := func(x float64) *float64 {
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return nil
		}
		return &x
	}
	return rundir.Interval{Value: finite(e.Value), Low: finite(e.Low), High: finite(e.High)}
}

// trainRater is the rater of a training. With --no-rating there are no matches
// while the run goes on either, and files that cannot be read do not matter.
func trainRater(env *shell.Env, dir string, cfg *configs.Run, noRating bool) (*rater, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, nil // the training says so
	}
	r, err := newRater(env, dir, cfg, noRating)
	if err != nil && noRating {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w: move it away, or train with --no-rating", err)
	}
	return r, nil
}

// orNil is r as run.Options wants it.
func (r *rater) orNil() run.Rater {
	if r == nil {
		return nil
	}
	return r
}
