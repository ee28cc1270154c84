package yardstick

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/evaluation"
	"github.com/ludozero/ludozero/internal/interval"
	"github.com/ludozero/ludozero/internal/seed"
	"golang.org/x/sync/errgroup"
)

// Share is how many decisions kept the value, with a 95 % interval (Wilson) for
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
	All    Share  `json:"all"`
	// Won and Drawn are of positions with that worth. A lost position leaves no
	// choice.
	Won   Share `json:"won"`
	Drawn Share `json:"drawn"`
	// Stages are of positions with so many moves played.
	Stages []Stage `json:"stages"`
}

// Stage is the share among positions with From to To moves played.
type Stage struct {
	From int `json:"from"`
	To   int `json:"to"`
	Share
}

// stageMoves is how many numbers of moves make a stage.
const stageMoves = 4

// Run lets a player of c's kind decide in every position. Each decision is a game
// of its own, whose seed follows from run, the player's name and the position, so
// that the result does not depend on the number of workers, 0 for one a core.
// progress is called after each decision from this goroutine; it may be nil. If
// ctx ends, its cause is returned.
func (s *Set) Run(ctx context.Context, g engine.Game, c evaluation.Contestant, run uint64, workers int, progress func(done int)) (*Score, error) {
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
			at, past := g.NewState(), g.NewHistory()
			for {
				i := int(next.Add(1)) - 1
				if i >= len(s.Positions) {
					return nil
				}
				position := &s.Positions[i]
				if err := position.place(at, past); err != nil {
					return err
				}
				p.NewGame(seed.Number(run, "score "+c.Name, uint64(i)))
				a, err := p.Choose(running, at, past)
				if err != nil {
					return fmt.Errorf("%s, position %s: %w", c.Name, position.Moves, err)
				}
				kept[i] = position.Keeps(a)
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

// count sums up which decisions kept the value.
func (s *Set) count(player string, kept []bool) *Score {
	score := &Score{Player: player}
	least, most := len(s.Positions[0].Moves), 0
	for i := range s.Positions {
		least, most = min(least, len(s.Positions[i].Moves)), max(most, len(s.Positions[i].Moves))
	}
	for from := least; from <= most; from += stageMoves {
		score.Stages = append(score.Stages, Stage{From: from, To: min(from+stageMoves-1, most)})
	}
	for i := range s.Positions {
		p := &s.Positions[i]
		score.All.add(kept[i])
		score.Stages[(len(p.Moves)-least)/stageMoves].add(kept[i])
		if p.Worth() == 'w' {
			score.Won.add(kept[i])
		} else {
			score.Drawn.add(kept[i])
		}
	}
	score.All.close()
	score.Won.close()
	score.Drawn.close()
	for i := range score.Stages {
		score.Stages[i].close()
	}
	return score
}
