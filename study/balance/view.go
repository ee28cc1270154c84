package balance

import (
	"context"
	"fmt"
	"math"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// View is what a player thinks of the first decisions of a game.
type View struct {
	// Moves are in the order of FirstMoves.
	Moves []MoveValue
	// Swap is nil if the rules have no exchange of sides.
	Swap *Swap
}

// maxViewed is how many positions may have to be judged for a view, where the
// exchange comes after several decisions.
const maxViewed = 2000

// Look asks a player of this description what it thinks of the first decisions of g.
// Where the rules let a player exchange sides (engine.Settler with a Neutral action),
// positions are judged as they are when that player holds, by a search that begins
// there; the player who chooses takes the better side, and decisions between the
// first one and the exchange are answered by who makes them with what is best by
// these values. tell, if not nil, is told of each position judged.
func Look(ctx context.Context, g engine.Game, spec *player.Spec, run uint64, tell func(done int)) (*View, error) {
	moves := FirstMoves(g)
	if len(moves) == 0 {
		return &View{}, nil
	}
	one, err := spec.New(g)
	if err != nil {
		return nil, err
	}
	if spec.ChoiceOnly {
		match.Dismiss(one)
		return nil, fmt.Errorf("player %s: says nothing of the value of a position", spec.Text)
	}
	l := &looker{game: g, analyst: one, seed: run, exchange: hasExchange(g), tell: tell}
	v := &View{}
	for _, m := range moves {
		s, h := g.NewState(), g.NewHistory()
		s.Start(h)
		s.Apply(m.action, h)
		w, err := l.worth(ctx, s, h)
		if err != nil {
			return nil, fmt.Errorf("player %s: after %s: %w", spec.Text, m.Word, err)
		}
		v.Moves = append(v.Moves, MoveValue{Player: spec.Text, Held: (1 + w.held) / 2, Settled: (1 + w.settled) / 2, Exchanged: w.exchanged})
	}
	if !l.exchange {
		return v, nil
	}
	v.Swap = &Swap{Player: spec.Text, Moves: len(moves), Score: math.Inf(-1)}
	for i, m := range v.Moves {
		if m.Exchanged {
			v.Swap.Exchanges++
		}
		if m.Settled > v.Swap.Score {
			v.Swap.Word, v.Swap.Score, v.Swap.Exchanged = moves[i].Word, m.Settled, m.Exchanged
		}
	}
	return v, nil
}

// hasExchange tells whether the rules ask for an exchange of sides: it comes on the
// way to a settled start, whatever is played.
func hasExchange(g engine.Game) bool {
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	var outcomes []engine.Weighted
	for !engine.Settled(s) && s.Actor() != engine.Nobody {
		if _, ok := engine.Neutral(s); ok {
			return true
		}
		s.Apply(engine.AppendPossible(nil, &outcomes, s, h)[0], h)
	}
	return false
}

// worth is the value of a position to the first player, in [-1, 1].
type worth struct {
	held, settled float64
	exchanged     bool
}

// looker judges positions.
type looker struct {
	game     engine.Game
	analyst  match.Player
	seed     uint64
	exchange bool // still to come, at the start
	judged   int
	tell     func(int)
}

// worth returns the value of s. If an exchange is to come, that is the value of the
// position in which it is decided.
func (l *looker) worth(ctx context.Context, s engine.State, h *engine.History) (worth, error) {
	actor := s.Actor()
	switch actor {
	case engine.Nobody:
		v := float64(s.Outcome().Value(engine.First))
		return worth{held: v, settled: v}, nil
	case engine.Chance:
		return worth{}, fmt.Errorf("chance decides before the start is settled, which is not looked through: %s", s.AppendPosition(nil))
	}
	if hold, ok := engine.Neutral(s); ok {
		next, past := l.copyOf(s, h)
		next.Apply(hold, past)
		v, err := l.judge(ctx, next, past)
		w := worth{held: v, settled: math.Abs(v), exchanged: v < 0}
		if actor == engine.Second {
			w.settled, w.exchanged = -math.Abs(v), v > 0
		}
		return w, err
	}
	if !l.exchange || engine.Settled(s) {
		v, err := l.judge(ctx, s, h)
		return worth{held: v, settled: v}, err
	}
	var best worth
	for i, a := range s.Legal(nil, h) {
		next, past := l.copyOf(s, h)
		next.Apply(a, past)
		w, err := l.worth(ctx, next, past)
		if err != nil {
			return w, err
		}
		if better := w.settled > best.settled; i == 0 || better == (actor == engine.First) && w.settled != best.settled {
			best = w
		}
	}
	return best, nil
}

func (l *looker) copyOf(s engine.State, h *engine.History) (engine.State, *engine.History) {
	next, past := l.game.NewState(), l.game.NewHistory()
	next.CopyFrom(s)
	past.CopyFrom(h)
	return next, past
}

// judge asks for the value of s to the first player.
func (l *looker) judge(ctx context.Context, s engine.State, h *engine.History) (float64, error) {
	switch s.Actor() {
	case engine.Nobody:
		return float64(s.Outcome().Value(engine.First)), nil
	case engine.Chance:
		return 0, fmt.Errorf("chance decides here, which no player judges: %s", s.AppendPosition(nil))
	}
	if l.judged++; l.judged > maxViewed {
		return 0, fmt.Errorf("more than %d positions before the start is settled", maxViewed)
	}
	if l.tell != nil {
		l.tell(l.judged)
	}
	a, err := match.Analyze(ctx, l.analyst, seed.Number(l.seed, "balance view", uint64(l.judged)), s, h)
	if err != nil {
		return 0, err
	}
	if !a.Judged {
		return 0, fmt.Errorf("it does not say what the position is worth")
	}
	if s.Actor() == engine.Second {
		return -a.Value, nil
	}
	return a.Value, nil
}
