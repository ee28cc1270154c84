package luck

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/stats/cluster"
	"github.com/ludozero/ludozero/stats/rating"
	"golang.org/x/sync/errgroup"
)

// Entry is a finished game to judge, among others.
type Entry struct {
	Moves
	Game engine.Game // its rules; equal texts of rules are equal rules
	// Number is the game's number where it was played; the judge's random numbers follow
	// from it. Pair is as in Played.
	Number int64
	Pair   int
	// Players are the first and the second player's names.
	Players [2]string
	// Points is what the first player made: 1, 0.5 or 0.
	Points float64
}

// JudgeAll judges the games by players of new, which is called concurrently and for which
// every worker calls once a ruleset. The answers, in the order of list, do not depend on
// the number of workers. progress, if not nil, is told how many are done, from one goroutine
// at a time.
func JudgeAll(ctx context.Context, list []Entry, run uint64, workers int, create func(engine.Game) (match.Player, error), progress func(done int)) ([]*Game, error) {
	games := make([]*Game, len(list))
	next, done := make(chan int), make(chan struct{})
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(next)
		for i := range list {
			select {
			case next <- i:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		return nil
	})
	for range workers {
		group.Go(func() error {
			judges := map[string]*Judge{}
			defer func() {
				for _, j := range judges {
					match.Dismiss(j.player)
				}
			}()
			for i := range next {
				e := &list[i]
				j := judges[e.Game.Rules()]
				if j == nil {
					p, err := create(e.Game)
					if err != nil {
						return err
					}
					j = NewJudge(e.Game, p)
					judges[e.Game.Rules()] = j
				}
				g, err := j.Game(ctx, seed.Number(run, "luck", uint64(e.Number)), e.Moves)
				if err != nil {
					return fmt.Errorf("game %d: %w", e.Number, err)
				}
				games[i] = g
				select {
				case done <- struct{}{}:
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			}
			return nil
		})
	}
	result := make(chan error, 1)
	go func() {
		result <- group.Wait()
		close(done)
	}()
	n := 0
	for range done {
		if n++; progress != nil {
			progress(n)
		}
	}
	return games, <-result
}

// Report is what dice and decisions came to in several games.
type Report struct {
	Game  string `json:"game"`
	Rules string `json:"rules"` // of all games, "several" if they differ
	// Judge judged the positions, with Seed.
	Judge string `json:"judge"`
	Seed  uint64 `json:"seed"`
	// Share is nil if too few games tell.
	Share *Share `json:"share"`
	// Players are in the order of their names.
	Players []*Player `json:"players"`
}

// Player is what one player's games came to, in that player's view: means of a game.
type Player struct {
	Name  string `json:"name"`
	Games int    `json:"games"`
	// Luck is the net luck, Lost what the player's own decisions lost.
	Luck float64 `json:"luck"`
	Lost float64 `json:"lost"`
	// Score is points per game; LessLuck the same less Share.Slope times the luck, which
	// has the same mean: its interval is narrower. Both by Student's interval over pairs, that
	// of a share for Score, as package cluster has it; nil if too few games tell.
	Score    *rating.Estimate `json:"score"`
	LessLuck *rating.Estimate `json:"less_luck"`
}

// Summarise sums up games, which are the judgements of list in the same order.
func Summarise(judge string, run uint64, list []Entry, games []*Game) *Report {
	r := &Report{Game: list[0].Game.Info().Name, Rules: list[0].Game.Rules(), Judge: judge, Seed: run}
	played := make([]Played, len(list))
	for i, e := range list {
		if e.Game.Rules() != r.Rules {
			r.Rules = "several"
		}
		played[i] = Played{Group: e.Game.Rules() + "\n" + e.Players[0] + "\n" + e.Players[1], Pair: e.Pair, Points: e.Points, Net: games[i].Net()}
	}
	if s, ok := ShareOf(played, run); ok {
		r.Share = &s
	}
	players := map[string]*Player{}
	points, adjusted := map[string]*clustered{}, map[string]*clustered{}
	for i, e := range list {
		for p, name := range e.Players {
			x := players[name]
			if x == nil {
				x = &Player{Name: name}
				players[name], points[name], adjusted[name] = x, &clustered{}, &clustered{}
			}
			made, net := e.Points, games[i].Net()
			if p == 1 {
				made, net = 1-made, -net
			}
			x.Games++
			x.Luck += net
			x.Lost += games[i].Lost[p]
			points[name].add(e.Pair, made)
			if r.Share != nil {
				adjusted[name].add(e.Pair, made-r.Share.Slope*net)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(players)) {
		x := players[name]
		x.Luck /= float64(x.Games)
		x.Lost /= float64(x.Games)
		if r.Share != nil {
			x.Score, x.LessLuck = points[name].share(), adjusted[name].mean()
		}
		r.Players = append(r.Players, x)
	}
	return r
}

// WriteText writes the report for people.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("game       %s, rules %s", r.Game, r.Rules)
	line("judge      %s, seed %d", r.Judge, r.Seed)
	if s := r.Share; s != nil {
		line("games      %d in %d pairs or alone", s.Games, s.Pairs)
		line("luck       ±%.3f points a game (standard deviation), of the results' ±%.3f", s.LuckSpread, s.PointsSpread)
		line("slope      %.2f points for a luck of 1; 0.50 if the judge's values are the results that come, less if they exaggerate", s.Slope)
		line("share      rolls explain %.1f %% (95 %%: %.1f to %.1f) of the variance of results, and more to a better judge", 100*s.Explained.Value, 100*s.Explained.Low, 100*s.Explained.High)
	} else {
		line("share      too few games, or too much alike, to tell what rolls explain")
	}
	percent := func(e *rating.Estimate) string {
		return fmt.Sprintf("%.1f %% (95 %%: %.1f to %.1f)", 100*e.Value, 100*e.Low, 100*e.High)
	}
	for _, p := range r.Players {
		line("player     %s: a game, luck %+.3f, lost by decisions %.3f", p.Name, p.Luck, p.Lost)
		if p.Score != nil && p.LessLuck != nil {
			line("           score %s, less luck %s", percent(p.Score), percent(p.LessLuck))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// clustered are values of games that depend on each other within pairs.
type clustered struct {
	index map[int]int
	pairs []cluster.Part
}

func (c *clustered) add(pair int, v float64) {
	if c.index == nil {
		c.index = map[int]int{}
	}
	k, known := c.index[pair]
	if !known {
		k = len(c.pairs)
		c.index[pair] = k
		c.pairs = append(c.pairs, cluster.Part{})
	}
	c.pairs[k].Add(v)
}

// share is mean for values from 0 to 1: the interval stays there, and has a width if all are
// alike.
func (c *clustered) share() *rating.Estimate {
	if len(c.pairs) < 2 {
		return nil
	}
	v := cluster.Mean(c.pairs, 1, true)
	e := v.Estimate()
	return &e
}

// mean returns the mean of a game, with Student's interval over pairs of equal size; nil of
// fewer than two pairs.
func (c *clustered) mean() *rating.Estimate {
	n := float64(len(c.pairs))
	if n < 2 {
		return nil
	}
	total, games, squares := 0.0, 0.0, 0.0
	for _, p := range c.pairs {
		total, games = total+p.Sum, games+p.Count
	}
	for _, p := range c.pairs {
		squares += (p.Sum - total/n) * (p.Sum - total/n)
	}
	size := games / n
	width := student(n-1) * math.Sqrt(squares/(n-1)/n) / size
	mean := total / n / size
	return &rating.Estimate{Value: mean, Low: mean - width, High: mean + width}
}
