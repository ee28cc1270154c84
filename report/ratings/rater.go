package ratings

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/rundir"
)

// showEvery is how often a match tells how far it is.
const showEvery = 100 * time.Millisecond

// Players makes the two sides of matches.
type Players struct {
	// Network is the player with the weights in the file at path.
	Network func(g engine.Game, path string, simulations int) (match.Contestant, error)
	// Fixed is the opponent that a text describes.
	Fixed func(g engine.Game, text string) (match.Contestant, error)
}

// Rater measures the networks of a run, while it goes on and when it ends, and
// keeps the matches in its folder. It is a run.Rater. Not safe for concurrent use.
type Rater struct {
	dir     string
	run     *plan.Config
	cfg     *Config
	game    engine.Game
	players Players
	// matches are all of the run, without the moves of their games.
	matches []Match
	off     bool // while the run goes on
}

// NewRater reads what is known of the strength of the run in folder dir, which need
// not exist. off keeps it from measuring while the run goes on; matches that cannot be read
// do not matter then, nor if dir is a file, which whoever trains finds.
func NewRater(games engine.Families, dir string, run *plan.Config, cfg *Config, g engine.Game, players Players, off bool) (*Rater, error) {
	matches, err := Read(games, dir)
	if info, dirErr := os.Stat(dir); err != nil && !off && (dirErr != nil || info.IsDir()) {
		return nil, err
	}
	r := &Rater{dir: dir, run: run, cfg: cfg, game: g, players: players, off: off}
	for _, m := range matches {
		r.remember(m)
	}
	return r, nil
}

// remember adds a match without what only its file needs.
func (r *Rater) remember(m Match) {
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
// fixed opponent, and the network that was measured before. Openings depend on the
// generation.
func (r *Rater) plan(generation int) []planned {
	ev := r.cfg
	series := ev.Match
	series.Pairs, series.Seed = ev.During.Pairs, seed.Number(ev.Match.Seed, "rating", uint64(generation))
	var list []planned
	for _, o := range ev.Opponents {
		list = append(list, planned{generation: generation, opponent: o, match: series})
	}
	if before := r.before(generation); before >= 0 {
		list = append(list, planned{generation: generation, other: before, match: series})
	}
	return list
}

// before is the newest generation that was measured before the given one and
// whose network is there, 0 if it is the first to be measured, -1 if there is
// none.
func (r *Rater) before(generation int) int {
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
func (r *Rater) newest(limit int) int {
	return r.newestOf(limit, func(*Match) bool { return true })
}

func (r *Rater) newestOf(limit int, counts func(*Match) bool) int {
	newest := 0
	for i := range r.matches {
		if m := &r.matches[i]; m.Generation < limit && counts(m) {
			newest = max(newest, m.Generation)
		}
	}
	return newest
}

// played finds a planned match among those that were played.
func (r *Rater) played(p *planned) *Match {
	clock, err := match.ParseTimeControl(p.match.Clock)
	if err != nil {
		return nil // whoever plays it says so
	}
	for i := range r.matches {
		m := &r.matches[i]
		pairs := m.Result.Pairs.Pairs()
		// Earlier programs had the untrained network play more.
		enough := pairs == p.match.Pairs || p.generation == 0 && pairs > p.match.Pairs
		if enough && m.Final == p.final && m.Generation == p.generation && m.Opponent == p.opponent && m.Other == p.other &&
			m.Simulations == r.cfg.Simulations && m.Result.Seed == p.match.Seed &&
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
func (r *Rater) Due(generation int, learned time.Duration) bool {
	during := &r.cfg.During
	if r.off || during.Share == 0 || len(r.cfg.Opponents) == 0 {
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
	var last *Match
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
func (r *Rater) progress(generation int, learned time.Duration) float64 {
	done := 0.0
	if r.run.Budget > 0 {
		done = float64(learned) / float64(r.run.Budget)
	}
	if b := r.run.CoreBudget; b > 0 {
		if s, err := rundir.ReadState(r.dir, generation); err == nil && s.CoreTime != nil { // else it was removed
			done = max(done, float64(*s.CoreTime)/float64(b))
		}
	}
	if r.run.Generations > 0 {
		done = max(done, float64(generation)/float64(r.run.Generations))
	}
	return done
}

// Keeps is part of run.Rater: the network that the next one is to play, and of
// those that were measured on the way the one before it, too, which matches may
// still be missing against that were cut short.
func (r *Rater) Keeps(generation int) bool {
	onTheWay := func(m *Match) bool { return !m.Final }
	newest := r.newestOf(math.MaxInt, onTheWay)
	return generation == r.newest(math.MaxInt) || generation == newest || generation == r.newestOf(newest, onTheWay)
}

// Rate is part of run.Rater.
func (r *Rater) Rate(ctx context.Context, job rundir.RatingJob) (*rundir.RatingEvent, error) {
	plan := r.plan(job.Generation)
	e := &rundir.RatingEvent{Generation: job.Generation, GamesWant: 2 * r.cfg.During.Pairs * len(plan), Matches: []rundir.RatedMatch{}}
	var shown time.Time
	before := 0
	for i := range plan {
		p := &plan[i]
		if p.match.Workers == 0 {
			p.match.Workers = job.Workers
		}
		m, err := r.play(ctx, p, job.Learned, func(now match.Event) {
			e.Games = before + now.Wins + now.Draws + now.Losses
			if time.Since(shown) >= showEvery {
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
	curve, err := Newest(r.matches)
	if err != nil {
		return nil, err
	}
	e.Elo = RatedEloOf(curve)
	e.Done = true
	return e, nil
}

func (p *planned) name() string {
	if p.opponent != "" {
		return p.opponent
	}
	return generationName(p.other)
}

// play plays a planned match and keeps it, unless it was played before. One that
// is not played to its end leaves nothing.
func (r *Rater) play(ctx context.Context, p *planned, learned time.Duration, progress func(match.Event)) (*Match, error) {
	if m := r.played(p); m != nil {
		return m, nil
	}
	sims := r.cfg.Simulations
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
	m := Match{
		Final: p.final, Generation: p.generation, Simulations: sims, Learned: learned,
		Opponent: p.opponent, Other: p.other, Took: time.Since(began), Result: result,
	}
	if err := Append(r.dir, &m); err != nil {
		return nil, err
	}
	r.remember(m)
	return &r.matches[len(r.matches)-1], nil
}

// network is the player with the network of a generation. Its seeds follow from its name,
// the place in the run, which moves with the run and has no other network in it ever; that
// of an opponent's are as its description says.
func (r *Rater) network(generation int) (match.Contestant, error) {
	c, err := r.players.Network(r.game, rundir.WeightsPath(r.dir, generation), r.cfg.Simulations)
	c.Name = fmt.Sprintf("net:%s,sims=%d", filepath.ToSlash(rundir.WeightsPath("", generation)), r.cfg.Simulations)
	return c, err
}

// opponent is the second player of a planned match.
func (r *Rater) opponent(p *planned) (match.Contestant, error) {
	if p.opponent == "" {
		return r.network(p.other)
	}
	return r.players.Fixed(r.game, p.opponent)
}
