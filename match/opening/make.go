package opening

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/seed"
	"golang.org/x/sync/errgroup"
)

// Request is all that a set of openings depends on, and how to make it.
type Request struct {
	Game engine.Game
	Spec Spec
	// Count is how many openings are wanted, at least 1. There are fewer if no
	// more are found.
	Count int
	// Seed determines what is drawn, and the judge's searches.
	Seed uint64
	// Balance, if not nil, keeps balanced openings only.
	Balance *Balance
	// Workers is how many positions are judged at the same time; 0 is one for
	// each core. It changes no result.
	Workers int
	// Progress, if not nil, is told from this goroutine of every opening that has
	// been judged.
	Progress func(Progress)
}

// Balance is the condition that an opening is about as good for one player as for
// the other.
type Balance struct {
	Judge Judge
	// Margin is how far from 0 the value may be, in [0, 1].
	Margin float64
}

// Judge is a kind of player that gives positions a value.
type Judge struct {
	// Name describes it with all that its judgement depends on.
	Name string
	// New makes one; each worker has its own. Called concurrently.
	New func() (Valuer, error)
}

// Valuer gives positions a value.
type Valuer interface {
	// Value is the value of s for the player who is to decide there, in [-1, 1], +1 a
	// win. It is a function of s, h and seed.
	Value(ctx context.Context, s engine.State, h *engine.History, seed uint64) (float64, error)
}

// Progress is how far a set is.
type Progress struct {
	// Found of the Wanted openings have been found; Refused were not balanced.
	Found, Wanted, Refused int
}

// maxRefused is how many openings in a row may be refused: then less than one in
// two hundred passes, with 99 % confidence, and the margin asks for too much.
const maxRefused = 1000

// Make makes a set of openings. It fails if there is none, if a file is faulty,
// and if too few openings are balanced. If ctx ends, its cause is returned.
func Make(ctx context.Context, r Request) (*Set, error) {
	if r.Count < 1 {
		return nil, fmt.Errorf("%d openings wanted: want at least 1", r.Count)
	}
	if b := r.Balance; b != nil && !(b.Margin >= 0 && b.Margin <= 1) {
		return nil, fmt.Errorf("balance margin %g: want 0 to 1", b.Margin)
	}
	set := &Set{Source: r.Spec.String(), Spec: r.Spec}
	t := newTable(r.Game, r.Spec.Symmetric)
	var from source
	switch r.Spec.Kind {
	case Random:
		from = &randomSource{table: t, spec: r.Spec, seed: r.Seed}
	case First:
		all, err := allFirst(ctx, t, r.Spec)
		if err != nil {
			return nil, err
		}
		from = &listSource{all}
	case File:
		f, err := input.Open(r.Spec.Path)
		if err != nil {
			return nil, fmt.Errorf("openings: %w", err)
		}
		defer f.Close()
		all, doubles, err := parseFile(f, r.Spec.Path, t)
		if err != nil {
			return nil, fmt.Errorf("openings: %w", err)
		}
		set.Doubles, from = doubles, &listSource{all}
	default:
		return nil, fmt.Errorf("openings of kind %q: want %s, %s or %s", r.Spec.Kind, Random, First, File)
	}
	var err error
	if r.Balance == nil {
		err = set.take(ctx, from, r.Count)
	} else {
		set.Source += fmt.Sprintf(", within %g by %s", r.Balance.Margin, r.Balance.Judge.Name)
		err = set.judge(ctx, from, &r)
	}
	if err != nil {
		return nil, err
	}
	if len(set.List) == 0 {
		if set.Refused > 0 {
			return nil, fmt.Errorf("openings %s: all %d were refused: allow a larger margin", set.Source, set.Refused)
		}
		return nil, fmt.Errorf("openings %s: none leaves a game to play in %s %s", set.Source, r.Game.Info().Name, r.Game.Rules())
	}
	return set, set.countUnsettled(r.Game)
}

// take takes up to count openings.
func (s *Set) take(ctx context.Context, from source, count int) error {
	for len(s.List) < count {
		o, ok, err := from.next(ctx)
		if err != nil || !ok {
			return err
		}
		s.List = append(s.List, o)
	}
	return nil
}

// judge takes up to r.Count openings that are balanced. Several are judged at a
// time but kept in order, and what was judged in excess is forgotten, so that the
// list does not depend on how many.
func (s *Set) judge(ctx context.Context, from source, r *Request) error {
	workers := r.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, r.Count) // more would judge what nobody wants
	judges := make([]*judging, workers)
	for i := range judges {
		v, err := r.Balance.Judge.New()
		if err != nil {
			return fmt.Errorf("balance: %s: %w", r.Balance.Judge.Name, err)
		}
		judges[i] = &judging{v, r.Game.NewState(), r.Game.NewHistory()}
	}
	batch := make([]Opening, 0, workers)
	values := make([]float64, workers)
	inRow := 0
	for number := uint64(0); len(s.List) < r.Count; number += uint64(len(batch)) {
		batch = batch[:0]
		for len(batch) < workers {
			o, ok, err := from.next(ctx)
			if err != nil {
				return err
			}
			if !ok {
				break
			}
			batch = append(batch, o)
		}
		if len(batch) == 0 {
			return nil
		}
		group, running := errgroup.WithContext(ctx)
		for i := range batch {
			group.Go(func() (err error) {
				values[i], err = judges[i].value(running, &batch[i], seed.Number(r.Seed, "opening balance", number+uint64(i)))
				return err
			})
		}
		if err := group.Wait(); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return fmt.Errorf("balance: %s: %w", r.Balance.Judge.Name, err)
		}
		for i, o := range batch {
			if len(s.List) == r.Count {
				break
			}
			if math.Abs(values[i]) <= r.Balance.Margin {
				s.List = append(s.List, o)
				inRow = 0
			} else {
				s.Refused++
				inRow++
			}
			if r.Progress != nil {
				r.Progress(Progress{Found: len(s.List), Wanted: r.Count, Refused: s.Refused})
			}
			if inRow == maxRefused && r.Spec.Kind == Random {
				return fmt.Errorf("openings %s: %d in a row were refused, and only %d of %d found: allow a larger margin or ask for other openings",
					s.Source, inRow, len(s.List), r.Count)
			}
		}
	}
	return nil
}

// judging is a worker's judge and its board.
type judging struct {
	Valuer
	state   engine.State
	history *engine.History
}

// value returns the value of the position after o.
func (j *judging) value(ctx context.Context, o *Opening, seed uint64) (float64, error) {
	if err := o.play(j.state, j.history); err != nil {
		return 0, err
	}
	v, err := j.Value(ctx, j.state, j.history, seed)
	if err == nil && !(v >= -1 && v <= 1) {
		err = errors.New("a value outside [-1, 1]")
	}
	return v, err
}

// countUnsettled counts the openings that leave the start balance to the players.
func (s *Set) countUnsettled(g engine.Game) error {
	end, h := g.NewState(), g.NewHistory()
	for i := range s.List {
		if err := s.List[i].play(end, h); err != nil {
			return err
		}
		if !engine.Settled(end) {
			s.Unsettled++
		}
	}
	return nil
}
