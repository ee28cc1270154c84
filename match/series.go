package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/ludozero/ludozero/engine"
	"golang.org/x/sync/errgroup"
)

// Series is a schedule of games between any two of its contestants: a match, a
// tournament or a sequential test. Its fields do not change while it runs.
type Series struct {
	Game        engine.Game
	Contestants []Contestant
	// Openings are where pairs begin; Pair.Opening counts in their List.
	Openings *Openings
	// Schedule is the pairs in the order in which they are played and counted.
	// The random streams of a game follow from its pair's place here, so that a
	// longer schedule that begins the same begins with the same games.
	Schedule []Pair
	// Until, if above 0, ends the series after that many games of the schedule. It
	// changes no game and may be raised later.
	Until int
	// Clock is the time of each player in a game; the zero value is no clock.
	Clock TimeControl
	// MaxTurns, Workers and Seed are as in Config.
	MaxTurns int
	Workers  int
	Seed     uint64
}

// NewSeries returns the series in which contestants meet in cfg.Pairs rounds; of two
// it is a match. In each round every two of them play one pair of games, or, in a
// gauntlet, the first plays one with each of the others. All pairs of a round have the
// same opening, so that no player's opponents had easier ones. A series of more rounds
// begins with the games of the shorter one.
func NewSeries(cfg Config, g engine.Game, contestants []Contestant, gauntlet bool, openings *Openings) (*Series, error) {
	if len(contestants) < 2 {
		return nil, fmt.Errorf("tournament of %d players: want at least 2", len(contestants))
	}
	hosts, meetings := len(contestants), len(contestants)*(len(contestants)-1)/2
	if gauntlet {
		hosts, meetings = 1, len(contestants)-1
	}
	if most := MaxPairs / meetings; cfg.Pairs > most {
		return nil, fmt.Errorf("pairs=%d of each two players that meet: want at most %d where %d pairs of players do", cfg.Pairs, most, meetings)
	}
	if cfg.Pairs < 1 {
		return nil, fmt.Errorf("pairs=%d: want 1 or more", cfg.Pairs)
	}
	clock, err := ParseTimeControl(cfg.Clock)
	if err != nil {
		return nil, err
	}
	s := &Series{
		Game: g, Contestants: contestants, Openings: openings, Schedule: make([]Pair, 0, cfg.Pairs*meetings),
		MaxTurns: cfg.MaxTurns, Clock: clock, Workers: cfg.Workers, Seed: cfg.Seed,
	}
	for round := range cfg.Pairs {
		for a := range hosts {
			for b := a + 1; b < len(contestants); b++ {
				s.Schedule = append(s.Schedule, Pair{A: a, B: b, Opening: round % max(1, len(openings.List))})
			}
		}
	}
	return s, nil
}

// Pair is one opening played twice with the seats swapped: contestant A first
// and then B first.
type Pair struct {
	A, B int // different
	// Opening is an index of the list of Series.Openings.
	Opening int
}

// Hooks are told of the games of a series. All may be nil. They are called from
// the goroutine of Run, one at a time.
type Hooks struct {
	// Finished is told of every game that Run has played as soon as it is over,
	// in whatever order games end: for a journal. Its error ends the series.
	Finished func(*Game) error
	// Counted is told of every game, those played before included, in the order
	// of the schedule, and ends the series if it returns false. Since it does
	// not see a game before all earlier ones have ended, a decision to stop
	// never favours games that end quickly.
	Counted func(*Game) bool
}

// Share is how much of n is done at the end of a round, counted from 1, if rounds are as
// even as whole numbers allow: at least 1 if n is.
func Share(n, round, rounds int) int { return (n*round + rounds - 1) / rounds }

// Games is the number of games of the schedule.
func (s *Series) Games() int { return 2 * len(s.Schedule) }

// pairOf is the pair of game i, counted from 0, and whether A is first in it.
func (s *Series) pairOf(i int) (p Pair, aFirst bool) { return s.Schedule[i/2], i%2 == 0 }

// errEnough ends the workers of a series whose Counted has seen enough.
var errEnough = errors.New("enough games")

// Run plays the games of the schedule but those in done, which have been played
// before, in any order. It returns the games that were counted, in the order of
// the schedule: all of them, those before Until, or those up to the one at which
// Counted said stop.
// If ctx ends or a player fails, games under way are dropped and the games before
// the first unfinished one are returned with the cause. Counting every finished
// one would favour the player who wins quickly.
//
// A game is a function of Game, Seed, MaxTurns, the place of its pair in the
// schedule, its opening, and the two contestants, as long as players are
// functions of their seeds and no flag falls. So neither the number of workers nor
// what was done before changes the games.
func (s *Series) Run(ctx context.Context, done []Game, hooks Hooks) ([]Game, error) {
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("match: %w", err)
	}
	c := &counting{games: make([]Game, s.Games()), known: make([]bool, s.Games()), hooks: hooks}
	if err := c.resume(s, done); err != nil {
		return nil, fmt.Errorf("match: %w", err)
	}
	if ctx.Err() != nil {
		return c.games[:c.next], context.Cause(ctx)
	}
	if !c.advance() || c.next == len(c.games) {
		return c.games[:c.next], nil
	}
	until := s.Games()
	if s.Until > 0 {
		until = min(until, s.Until)
	}
	var open []int
	for i, known := range c.known[:until] {
		if !known {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		return c.games[:c.next], nil
	}
	err := s.count(ctx, c, open)
	return c.games[:c.next], err
}

// count has the open games played, here or elsewhere, and counts them.
func (s *Series) count(ctx context.Context, c *counting, open []int) error {
	finished := func(g *Game) error {
		if c.hooks.Finished != nil {
			if err := c.hooks.Finished(g); err != nil {
				return err
			}
		}
		c.add(*g)
		if !c.advance() {
			return errEnough
		}
		return nil
	}
	var err error
	if away := elsewhere(ctx); away != nil {
		err = away.PlaySeries(ctx, s, open, finished)
	} else {
		i := -1
		err = s.Play(ctx, len(open), func(context.Context) (int, error) {
			if i++; i == len(open) {
				return 0, io.EOF
			}
			return open[i], nil
		}, finished)
	}
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// Play has up to most workers play the games whose numbers, counted from 0, next hands out
// until it returns io.EOF, and calls finished for each as it ends, in whatever order, one
// at a time. An error of next or finished ends it.
func (s *Series) Play(ctx context.Context, most int, next func(context.Context) (int, error), finished func(*Game) error) error {
	workers := s.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, most)
	numbers := make(chan int)
	// One slot a worker: it can report and take the next game while finished runs.
	ended := make(chan Game, workers)

	stoppable, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	group, running := errgroup.WithContext(stoppable)
	group.Go(func() error {
		defer close(numbers)
		for {
			i, err := next(running)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			select {
			case numbers <- i:
			case <-running.Done():
				return context.Cause(running)
			}
		}
	})
	streams := s.numbered((*Contestant).Stream)
	for range workers {
		w := &worker{series: s, streams: streams, players: make([]Player, len(s.Contestants))}
		group.Go(func() error { return w.work(running, numbers, ended) })
	}
	result := make(chan error, 1)
	go func() {
		result <- group.Wait()
		close(ended)
	}()

	var why error // why this loop has ended the games
	for g := range ended {
		if why != nil {
			continue
		}
		if why = finished(&g); why != nil {
			stop(why)
		}
	}
	return cmp.Or(why, <-result)
}

// Labels are the names of the contestants, told apart where they are the same:
// "random", "random (2)".
func (s *Series) Labels() []string {
	return s.numbered(func(c *Contestant) string { return c.Name })
}

// numbered tells contestants of the same word apart. Two players of one kind must not
// draw the same random numbers either.
func (s *Series) numbered(word func(*Contestant) string) []string {
	list := make([]string, len(s.Contestants))
	times := map[string]int{}
	for i := range s.Contestants {
		w := word(&s.Contestants[i])
		list[i] = w
		if times[w]++; times[w] > 1 {
			list[i] += fmt.Sprintf(" (%d)", times[w])
		}
	}
	return list
}

// Validate reports a schedule, openings or limits that cannot be played.
func (s *Series) Validate() error {
	switch {
	case s.Openings == nil || len(s.Openings.List) == 0:
		return errors.New("no openings")
	case len(s.Schedule) == 0:
		return errors.New("no pairs to play")
	case s.MaxTurns < 0 || s.Workers < 0 || s.Until < 0:
		return fmt.Errorf("max_turns=%d, workers=%d, until=%d: want 0 or more", s.MaxTurns, s.Workers, s.Until)
	}
	for _, c := range s.Contestants {
		if c.ByClock && !s.Clock.On() {
			return fmt.Errorf("%s thinks by the clock of the game: want a clock, such as 5+3", c.Name)
		}
	}
	for i, p := range s.Schedule {
		if min(p.A, p.B) < 0 || max(p.A, p.B) >= len(s.Contestants) || p.A == p.B {
			return fmt.Errorf("pair %d: contestants %d and %d: want two of 0 to %d", i+1, p.A, p.B, len(s.Contestants)-1)
		}
		if p.Opening < 0 || p.Opening >= len(s.Openings.List) {
			return fmt.Errorf("pair %d: opening %d: want 0 to %d", i+1, p.Opening, len(s.Openings.List)-1)
		}
		if turn := s.Openings.List[p.Opening].Turn; s.MaxTurns > 0 && turn >= s.MaxTurns {
			return fmt.Errorf("opening %d ends after %d turns: want max_turns=%d to be 0 or more than that", p.Opening+1, turn, s.MaxTurns)
		}
	}
	return nil
}

// counting puts games that end in any order into that of the schedule.
type counting struct {
	games []Game
	known []bool
	next  int // all games before it have been counted
	hooks Hooks
}

// resume takes in games that were played before.
func (c *counting) resume(s *Series, done []Game) error {
	for i := range done {
		g := &done[i]
		if g.Number < 1 || g.Number > len(c.games) {
			return fmt.Errorf("game %d was played before: want 1 to %d", g.Number, len(c.games))
		}
		if _, aFirst := s.pairOf(g.Number - 1); g.Pair != (g.Number+1)/2 || g.AFirst != aFirst {
			return fmt.Errorf("game %d was played before as one of pair %d, A first %t", g.Number, g.Pair, g.AFirst)
		}
		if c.known[g.Number-1] {
			return fmt.Errorf("game %d was played before, twice", g.Number)
		}
		c.add(*g)
	}
	return nil
}

func (c *counting) add(g Game) { c.games[g.Number-1], c.known[g.Number-1] = g, true }

// advance counts the games that are next and reports whether the series continues.
func (c *counting) advance() bool {
	for c.next < len(c.games) && c.known[c.next] {
		g := &c.games[c.next]
		c.next++
		if c.hooks.Counted != nil && !c.hooks.Counted(g) {
			return false
		}
	}
	return true
}
