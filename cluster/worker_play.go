package cluster

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"
)

// begin plays leases, all of one task. Those of another task than before end its play:
// the host has all its games.
func (w *Worker) begin(ctx context.Context, leases []Lease) error {
	t := leases[0].Task
	for _, l := range leases {
		if l.Task != t || l.Run != w.run || l.First < 0 || l.End <= l.First {
			return fmt.Errorf("lease of games %d to %d of run %s: want some of run %s, all of one task", l.First, l.End-1, l.Run, w.run)
		}
	}
	if w.s == nil || w.s.task != t {
		play, err := w.craft.prepare(ctx, &t)
		if err != nil {
			return err
		}
		w.endSession()
		w.startSession(ctx, t, play)
	}
	w.s.add(leases)
	return nil
}

func (w *Worker) startSession(ctx context.Context, t Task, play playTask) {
	s := newSession(t, w.nudge)
	ctx, w.stop = context.WithCancel(ctx)
	done := make(chan error, 1)
	w.s, w.playing = s, done
	go func() {
		group, ctx := errgroup.WithContext(ctx)
		packing, enough := context.WithCancel(ctx)
		group.Go(func() error { return w.packAged(packing, s) })
		group.Go(func() error {
			defer enough()
			return play(ctx, s, func(f *result, positions int) error { return w.finished(ctx, s, f, positions) })
		})
		done <- group.Wait()
	}()
}

// packAged packs games that have waited for long enough, until ctx ends.
func (w *Worker) packAged(ctx context.Context, s *session) error {
	for pause(ctx, packEvery) == nil {
		for games, l := s.aged(); games != nil; games, l = s.aged() {
			if err := w.keep(ctx, s, l, games); err != nil {
				return err
			}
		}
	}
	return nil
}

// endSession ends the play of a task and drops its games in flight.
func (w *Worker) endSession() {
	if w.s == nil {
		return
	}
	w.s.end()
	w.stop()
	if w.playing != nil {
		<-w.playing
	}
	w.s, w.playing = nil, nil
}

// leave ends the play and packs what was finished.
func (w *Worker) leave() error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // on a full disk these games are lost, and played again
	s := w.s
	if s == nil {
		return nil
	}
	w.endSession()
	for {
		games, l := s.unpacked()
		if games == nil {
			return nil
		}
		if err := w.keep(ctx, s, l, games); err != nil {
			return err
		}
	}
}

// finished takes a game that has ended.
func (w *Worker) finished(ctx context.Context, s *session, f *result, positions int) error {
	if w.ended != nil {
		w.ended()
	}
	w.mu.Lock()
	w.games++
	w.positions += int64(positions)
	w.rate.add(positions)
	w.mu.Unlock()
	if games, l := s.finish(f); games != nil {
		return w.keep(ctx, s, l, games)
	}
	return nil
}
