package yardstick

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/stats/interval"
	"golang.org/x/sync/errgroup"
)

// Share is how many turns kept what their positions are worth, with a 95 % interval (Wilson) for
// the share in positions like these.
type Share struct {
	Kept      int     `json:"kept"`
	Positions int     `json:"positions"`
	Value     float64 `json:"share"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
}

func (s *Share) add(kept bool) {
	s.Positions++
	if kept {
		s.Kept++
	}
}

// close computes what follows from the counts.
func (s *Share) close() {
	if s.Positions == 0 {
		s.High = 1
		return
	}
	n := float64(s.Positions)
	s.Value = float64(s.Kept) / n
	s.Low, s.High = interval.Wilson(s.Value, n, interval.Normal95)
}

// Score is how one player did.
type Score struct {
	Player string `json:"player"`
	// Network is set if the player is one of the networks that a run came by.
	Network *Network `json:"network,omitempty"`
	All     Share    `json:"all"`
	// Kinds are of positions of one kind each, in the order of the set's.
	Kinds []Kind `json:"kinds"`
	// Stages group positions by the number of moves played or turns left.
	Stages []Stage `json:"stages"`
}

// Network is a network of a run, and what it took to train it.
type Network struct {
	Generation int `json:"generation"`
	// CoreSeconds is what processors spent on it, over the run and all runs behind
	// it, OwnCoreSeconds in the run alone; null if unknown. LearnedSeconds is the
	// learning time of the run.
	CoreSeconds    *float64 `json:"core_seconds"`
	OwnCoreSeconds *float64 `json:"own_core_seconds"`
	LearnedSeconds float64  `json:"learned_seconds"`
}

// Kind is the share among positions of one kind.
type Kind struct {
	Name string `json:"name"`
	Share
}

// Stage is the share among positions whose number, of moves played or of turns
// left, is From to To.
type Stage struct {
	From int `json:"from"`
	To   int `json:"to"`
	Share
}

// Run lets a player of c's kind play a turn in every position. Each is a game of
// its own, whose seed follows from run, the player's name and the position, so
// that the result does not depend on the number of workers, 0 for one a core.
// progress is called after each turn from this goroutine; it may be nil. If
// ctx ends, its cause is returned.
func (s *Set) Run(ctx context.Context, g engine.Game, c match.Contestant, run uint64, workers int, progress func(done int)) (*Score, error) {
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	kept := make([]bool, len(s.Positions))
	var next atomic.Int64
	done := make(chan struct{}, workers)
	group, running := errgroup.WithContext(ctx)
	for range workers {
		group.Go(func() error {
			p, err := c.New()
			if err != nil {
				return err
			}
			defer match.Dismiss(p)
			at, past := g.NewState(), g.NewHistory()
			for {
				i := int(next.Add(1)) - 1
				if i >= len(s.Positions) {
					return nil
				}
				position := &s.Positions[i]
				if err := position.Place(at, past); err != nil {
					return err
				}
				if err := p.NewGame(running, seed.Number(run, "score "+c.Stream(), uint64(i))); err != nil {
					return err
				}
				turn, err := playTurn(running, p, at, past)
				if err != nil {
					return fmt.Errorf("%s, position %s: %w", c.Name, position.name(), err)
				}
				kept[i] = position.Kept(turn)
				done <- struct{}{}
			}
		})
	}
	result := make(chan error, 1)
	go func() {
		result <- group.Wait()
		close(done)
	}()
	count := 0
	for range done {
		if count++; progress != nil {
			progress(count)
		}
	}
	if err := <-result; err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, err
	}
	return s.count(c.Name, kept), nil
}

// playTurn lets p make the decisions of a turn and writes them in words.
func playTurn(ctx context.Context, p match.Player, s engine.State, h *engine.History) (string, error) {
	var words []byte
	for actor, turn := s.Actor(), s.Turn(); s.Actor() == actor && s.Turn() == turn; {
		x, err := p.Think(ctx, s, h, match.Bounds{})
		if err != nil {
			return "", err
		}
		if words != nil {
			words = append(words, ' ')
		}
		words = s.AppendAction(words, x.Choice)
		s.Apply(x.Choice, h)
	}
	return string(words), nil
}

// count sums up which turns kept what the positions are worth.
func (s *Set) count(player string, kept []bool) *Score {
	score := &Score{Player: player}
	for _, name := range s.Kinds {
		score.Kinds = append(score.Kinds, Kind{Name: name})
	}
	least, most := s.Positions[0].Stage, 0
	for i := range s.Positions {
		least, most = min(least, s.Positions[i].Stage), max(most, s.Positions[i].Stage)
	}
	for from := least; from <= most; from += s.PerStage {
		score.Stages = append(score.Stages, Stage{From: from, To: min(from+s.PerStage-1, most)})
	}
	for i := range s.Positions {
		p := &s.Positions[i]
		score.All.add(kept[i])
		score.Kinds[p.Kind].add(kept[i])
		score.Stages[(p.Stage-least)/s.PerStage].add(kept[i])
	}
	score.All.close()
	for i := range score.Kinds {
		score.Kinds[i].close()
	}
	for i := range score.Stages {
		score.Stages[i].close()
	}
	return score
}
