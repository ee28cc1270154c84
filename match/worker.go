package match

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
)

// worker plays games of a series, one at a time, with players of its own.
type worker struct {
	series  *Series
	streams []string // names of the contestants' random streams
	players []Player // by contestant, nil until needed
	efforts []Effort // by contestant, of the present game
	table   table
}

// table is the game that a worker is playing.
type table struct {
	state    engine.State
	history  *engine.History
	actions  []engine.Action
	outcomes []engine.Weighted
	words    []byte
}

// work plays the games whose numbers, from 0, it is sent.
func (w *worker) work(ctx context.Context, numbers <-chan int, finished chan<- Game) error {
	w.efforts = make([]Effort, len(w.players))
	w.table.state, w.table.history = w.series.Game.NewState(), w.series.Game.NewHistory()
	defer func() {
		for _, p := range w.players {
			Dismiss(p)
		}
	}()
	for i := range numbers {
		g, err := w.play(ctx, i)
		if err != nil {
			return err
		}
		finished <- g // drained until every worker has ended
	}
	return nil
}

// seat returns this worker's player of contestant i and makes it when first asked.
func (w *worker) seat(i int) (Player, error) {
	if w.players[i] == nil {
		p, err := w.series.Contestants[i].New()
		if err != nil {
			return nil, fmt.Errorf("match: %s: %w", w.series.Contestants[i].Name, err)
		}
		w.players[i] = p
	}
	return w.players[i], nil
}

// play plays game number, counted from 0.
func (w *worker) play(ctx context.Context, number int) (Game, error) {
	r := w.series
	place := number / 2
	pair, aFirst := r.pairOf(number)
	seats := [2]int{pair.A, pair.B} // contestants by engine.Player
	if !aFirst {
		seats = [2]int{pair.B, pair.A}
	}
	// Streams are named by contestant and seat, so that swapping A and B in a match
	// plays the same games.
	var players [2]Player
	for seat, c := range seats {
		p, err := w.seat(c)
		if err != nil {
			return Game{}, err
		}
		if err := p.NewGame(ctx, seed.Number(r.Seed, "match player "+w.streams[c], uint64(2*place+seat))); err != nil {
			if ctx.Err() != nil {
				return Game{}, context.Cause(ctx)
			}
			return Game{}, fmt.Errorf("match: game %d: %s: %w", number+1, r.Contestants[c].Name, err)
		}
		players[seat] = p
		w.efforts[c].nextGame()
	}

	t := &w.table
	opening := &r.Openings.List[pair.Opening]
	if err := t.begin(opening); err != nil {
		return Game{}, fmt.Errorf("match: game %d: %w", number+1, err)
	}
	var clock *Clock
	if r.Clock.On() {
		clock = NewClock(r.Clock)
	}
	defer func() {
		for _, p := range players {
			if r, ok := p.(Rester); ok {
				r.Rest()
			}
		}
	}()
	over, note, err := w.finish(ctx, number, opening.Position, players, seats, clock)
	if err != nil {
		return Game{}, err
	}
	g := Game{
		Number:  number + 1,
		Pair:    place + 1,
		AFirst:  aFirst,
		Points:  Points(over, aFirst),
		Reason:  over.Reason,
		Turns:   t.state.Turn(),
		Opening: len(opening.Actions),
		Start:   opening.Position,
		Moves:   string(t.words),
		Clock:   clock.note(aFirst),
		Note:    note,
	}
	g.AEffort, g.BEffort = w.efforts[pair.A].ofGame(), w.efforts[pair.B].ofGame()
	return g, nil
}

func (t *table) begin(o *Opening) error {
	t.words = t.words[:0]
	if err := o.Begin(t.state, t.history); err != nil {
		return fmt.Errorf("opening from %w", err)
	}
	for i, a := range o.Actions {
		if !t.possible(a) {
			return fmt.Errorf("decision %d of its opening, action %d, is not legal in %s", i+1, a, t.state.AppendPosition(nil))
		}
		t.apply(a)
	}
	return nil
}

// possible tells whether a may happen here, as a player's decision or as chance.
func (t *table) possible(a engine.Action) bool {
	t.actions = engine.AppendPossible(t.actions[:0], &t.outcomes, t.state, t.history)
	return slices.Contains(t.actions, a)
}

// finish has the players play from the position on the table to the end of the
// game, or until a flag falls or a player forfeits it, which note says more of;
// clock is nil if there is none. start is the line that the game began from.
func (w *worker) finish(ctx context.Context, number int, start string, players [2]Player, seats [2]int, clock *Clock) (over engine.Outcome, note string, err error) {
	t := &w.table
	s, h, chance := t.state, t.history, newDice(w.series.Seed, number/2)
	bounds := Bounds{Record: func() (string, string) { return start, string(t.words) }}
	for {
		actor := s.Actor()
		if actor == engine.Nobody {
			return s.Outcome(), "", nil
		}
		if w.series.MaxTurns > 0 && s.Turn() >= w.series.MaxTurns {
			return engine.Outcome{Over: true, Winner: engine.Nobody, Reason: TurnLimit}, "", nil
		}
		if actor == engine.Chance {
			t.outcomes = s.Chance(t.outcomes[:0])
			t.apply(chance.roll(s, t.outcomes))
			continue
		}
		name := w.series.Contestants[seats[actor]].Name
		x, err := clock.Think(ctx, players[actor], s, h, bounds)
		w.efforts[seats[actor]].add(x)
		if errors.Is(err, ErrFlagFell) {
			return engine.Outcome{Over: true, Winner: actor.Other(), Reason: TimeForfeit}, "", nil
		}
		if err != nil {
			if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
				return engine.Outcome{}, "", err
			}
			if f := (*Forfeit)(nil); errors.As(err, &f) {
				return engine.Outcome{Over: true, Winner: actor.Other(), Reason: f.Reason}, name + ": " + f.Error(), nil
			}
			return engine.Outcome{}, "", fmt.Errorf("match: game %d: %s: %w", number+1, name, err)
		}
		if !t.possible(x.Choice) {
			return engine.Outcome{}, "", fmt.Errorf("match: game %d: %s chose action %d, which is not legal in %s", number+1, name, x.Choice, s.AppendPosition(nil))
		}
		t.apply(x.Choice)
	}
}

// apply plays a and notes its word.
func (t *table) apply(a engine.Action) {
	if len(t.words) > 0 {
		t.words = append(t.words, ' ')
	}
	t.words = t.state.AppendAction(t.words, a)
	t.state.Apply(a, t.history)
}

// Points is A's score in a game with this outcome.
func Points(o engine.Outcome, aFirst bool) float64 {
	switch o.Winner {
	case engine.First:
		if aFirst {
			return 1
		}
		return 0
	case engine.Second:
		if aFirst {
			return 0
		}
		return 1
	}
	return 0.5
}
