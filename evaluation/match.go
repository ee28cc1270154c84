// Package evaluation measures how strong players are by letting them play.
//
// A match is made of pairs: one random opening played twice with the seats
// exchanged, so that neither an opening nor the first move favours anyone. All
// errors are computed from pairs. A game is a function of the match's seed, its
// place in the match and the two players, so that a match has the same result
// whatever number of workers plays it, and the opposite result if the players'
// order is exchanged.
//
// The package knows games through package engine and players through an
// interface; it does not measure time and writes no file. Players may: those
// that are limited by time play other games when a match is repeated.
package evaluation

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"golang.org/x/sync/errgroup"
)

// Player decides in games, one game after another. evaluation/player has some.
type Player interface {
	// NewGame forgets the last game; what follows is a function of seed.
	NewGame(seed uint64)
	// Choose returns a legal action of s, where a player is to decide.
	Choose(ctx context.Context, s engine.State, h *engine.History) (engine.Action, error)
}

// Contestant is a kind of player that takes part in a match.
type Contestant struct {
	// Name describes the player and all that its strength depends on. Its
	// players' seeds follow from it.
	Name string
	// New makes one player; each worker has its own. Called concurrently.
	New func() (Player, error)
}

// Event reports one finished game. Events come in the order of the games.
type Event struct {
	Game *Game
	// Total is the number of games of the whole match; the counts are of the
	// games so far, in A's view.
	Total, Wins, Draws, Losses int
}

// Match plays a and b against each other and reports every finished game to
// progress, which may be nil and is called from this goroutine. If ctx ends,
// games under way are dropped, and the result of the pairs before the first
// unfinished one is returned with the cause; counting every finished pair would
// favour whoever wins quickly. The result is nil if there is no such pair.
func Match(ctx context.Context, cfg Config, g engine.Game, a, b Contestant, progress func(Event)) (*Result, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("match: %w", err)
	}
	list, distinct, err := openings(ctx, g, cfg.Pairs, cfg.OpeningTurns, cfg.Seed)
	if err != nil {
		return nil, fmt.Errorf("match: %w", err)
	}
	m := &match{cfg: cfg, game: g, openings: list, contestants: [2]Contestant{a, b}, labels: [2]string{a.Name, b.Name}, efforts: &efforts{}}
	if a.Name == b.Name {
		// Two players of one kind must not draw the same numbers.
		m.labels[1] += " (2)"
	}
	games, err := m.play(ctx, progress)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	games = games[:len(games)/2*2]
	if len(games) == 0 {
		return nil, err
	}
	r := summarise(cfg, g, a.Name, b.Name, games)
	r.DistinctOpenings = min(distinct, len(games)/2)
	r.AEffort, r.BEffort = m.efforts.of(0), m.efforts.of(1)
	return r, err
}

// match is one match under way. Its fields do not change once it runs.
type match struct {
	cfg         Config
	game        engine.Game
	openings    []Opening
	contestants [2]Contestant // A, B
	efforts     *efforts
	labels      [2]string // name their random streams; different
}

// play runs the workers and returns the games before the first unfinished one.
func (m *match) play(ctx context.Context, progress func(Event)) ([]Game, error) {
	total := 2 * m.cfg.Pairs
	games := make([]Game, total)
	workers := min(m.cfg.workers(), total)
	numbers := make(chan int)
	// One slot a worker: it can report and take the next game while progress
	// runs.
	finished := make(chan int, workers)

	group, running := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(numbers)
		for i := range total {
			select {
			case numbers <- i:
			case <-running.Done():
				return context.Cause(running)
			}
		}
		return nil
	})
	for range workers {
		group.Go(func() error { return m.work(running, numbers, finished, games) })
	}
	result := make(chan error, 1)
	go func() {
		result <- group.Wait()
		close(finished)
	}()

	// Games arrive in any order and are counted in theirs.
	done := make([]bool, total)
	next, event := 0, Event{Total: total}
	for i := range finished {
		for done[i] = true; next < total && done[next]; next++ {
			event.add(&games[next])
			if progress != nil {
				progress(event)
			}
		}
	}
	return games[:next], <-result
}

// add counts the game g.
func (e *Event) add(g *Game) {
	e.Game = g
	switch g.Points {
	case 1:
		e.Wins++
	case 0:
		e.Losses++
	default:
		e.Draws++
	}
}

// work plays the games whose numbers it is sent with players of its own.
func (m *match) work(ctx context.Context, numbers <-chan int, finished chan<- int, games []Game) error {
	var players [2]Player
	for i, c := range m.contestants {
		p, err := c.New()
		if err != nil {
			return fmt.Errorf("match: %s: %w", c.Name, err)
		}
		players[i] = p
	}
	defer m.efforts.add(players)
	t := &table{state: m.game.NewState(), history: m.game.NewHistory()}
	for i := range numbers {
		if err := m.playGame(ctx, t, players, i, &games[i]); err != nil {
			return err
		}
		finished <- i // drained until every worker has ended
	}
	return nil
}

// table is what a worker plays on.
type table struct {
	state   engine.State
	history *engine.History
	actions []engine.Action
	words   []byte
}

// playGame plays game number: pair number/2, A first in even numbers.
func (m *match) playGame(ctx context.Context, t *table, players [2]Player, number int, out *Game) error {
	pair, aFirst := number/2, number%2 == 0
	first := 0 // index of the contestant who is engine.First
	if !aFirst {
		first = 1
	}
	// Streams are named by contestant and seat, so that exchanging A and B in
	// the call plays the same games.
	for seat := range 2 {
		c := first ^ seat
		players[c].NewGame(seed.Number(m.cfg.Seed, "match player "+m.labels[c], uint64(2*pair+seat)))
	}
	chance := rand.New(seed.Stream(m.cfg.Seed, "match chance "+m.labels[first], uint64(pair)))

	s, h := t.state, t.history
	s.Start(h)
	t.words = t.words[:0]
	for _, a := range m.openings[pair] {
		t.apply(a)
	}
	for {
		actor := s.Actor()
		if actor == engine.Nobody || m.cfg.MaxTurns > 0 && s.Turn() >= m.cfg.MaxTurns {
			break
		}
		if actor == engine.Chance {
			t.apply(engine.Draw(s.Chance(nil), chance.Float64()))
			continue
		}
		c := first ^ int(actor)
		a, err := players[c].Choose(ctx, s, h)
		if err != nil {
			if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
				return err
			}
			return fmt.Errorf("match: game %d: %s: %w", number+1, m.contestants[c].Name, err)
		}
		t.actions = s.Legal(t.actions[:0], h)
		if !slices.Contains(t.actions, a) {
			return fmt.Errorf("match: game %d: %s chose action %d, which is not legal in %s", number+1, m.contestants[c].Name, a, s.AppendPosition(nil))
		}
		t.apply(a)
	}
	over := s.Outcome()
	if !over.Over {
		over = engine.Outcome{Over: true, Winner: engine.Nobody, Reason: TurnLimit}
	}
	*out = Game{
		Number:  number + 1,
		Pair:    pair + 1,
		AFirst:  aFirst,
		Points:  points(over, first),
		Reason:  over.Reason,
		Turns:   s.Turn(),
		Opening: len(m.openings[pair]),
		Moves:   string(t.words),
	}
	return nil
}

// apply plays a and notes its word.
func (t *table) apply(a engine.Action) {
	if len(t.words) > 0 {
		t.words = append(t.words, ' ')
	}
	t.words = t.state.AppendAction(t.words, a)
	t.state.Apply(a, t.history)
}

// points is what A makes of an outcome if contestant first is engine.First.
func points(o engine.Outcome, first int) float64 {
	switch o.Winner {
	case engine.Nobody:
		return 0.5
	case engine.Player(first): // contestant 0, A, sits at 0 exactly if first is 0
		return 1
	}
	return 0
}
