package cluster

import (
	"context"
	"fmt"
	"time"

	"github.com/ludozero/ludozero/selfplay"
)

// beginStream plays the leases of a concurrent run, by the newest network. Games of another
// network end as they were begun.
func (w *Worker) beginStream(ctx context.Context, r *Reply) error {
	c, ok := w.craft.(*selfPlay)
	if !ok || r.Newest.Run != w.run {
		return fmt.Errorf("network of run %s: want one of run %s", r.Newest.Run, w.run)
	}
	if w.s == nil {
		if len(r.Leases) == 0 {
			return nil
		}
		player, err := c.player(ctx, r.Newest)
		if err != nil {
			return err
		}
		w.startSession(ctx, *r.Newest, c.play(player))
		w.s.meet(*r.Newest, player)
	} else if w.s.task != *r.Newest {
		player, err := c.player(ctx, r.Newest)
		if err != nil {
			return err
		}
		w.s.meet(*r.Newest, player)
	}
	for _, l := range r.Leases {
		if l.Run != w.run || l.First < 0 || l.End <= l.First {
			return fmt.Errorf("lease of games %d to %d of run %s: want some of run %s", l.First, l.End-1, l.Run, w.run)
		}
		if l.Exact && w.s.players[l.Task] == nil {
			player, err := c.player(ctx, &l.Task)
			if err != nil {
				return err
			}
			w.s.know(l.Task, player)
		}
	}
	if len(r.Leases) > 0 {
		w.s.add(r.Leases)
	}
	var kept []string
	for t := range w.s.players {
		kept = append(kept, t.Weights, t.Earlier)
	}
	return w.opt.Spool.keepWeights(kept...)
}

// steer says what may begin: no game if the spool is full, none but another worker's if the
// host has enough; else the worker's part of a generation up to the next answer, and of
// aloneGenerations while the host is away. reply is nil if it has not answered.
func (w *Worker) steer(reply *Reply) {
	if w.s == nil {
		return
	}
	waiting, bytes := w.opt.Spool.Waiting(w.run)
	w.mu.Lock()
	full := bytes >= w.opt.SpoolBytes || w.disk != nil
	w.mu.Unlock()
	s := w.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if reply != nil && reply.Newest != nil {
		s.enough, s.part = reply.Enough, reply.Part
	}
	alone := aloneGenerations * s.part
	for _, p := range waiting {
		alone -= int64(p.Games)
	}
	if time.Since(w.heard) > stillThere {
		s.enough, s.mayBegin = false, alone
	} else if reply != nil {
		s.mayBegin = min(s.part, alone)
	}
	s.full = full
	if s.left() > 0 {
		s.tellMore()
	}
}

// resting tells whether no game may begin though there are leases.
func (s *session) resting() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.players != nil && s.left() == 0
}

// meet has a network play the games that begin from now on, and forgets those that no
// lease needs.
func (s *session) meet(t Task, p *selfplay.Player) {
	s.mu.Lock()
	defer s.mu.Unlock()
	needed := map[Task]*selfplay.Player{t: p}
	for _, h := range s.held {
		if h.Exact {
			needed[h.Task] = s.players[h.Task]
		}
	}
	s.task, s.players = t, needed
	if s.tasks == nil {
		s.tasks = map[int]Task{}
	}
	s.tasks[t.Network] = t
}

// know notes a network that the games of some leases must be played by.
func (s *session) know(t Task, p *selfplay.Player) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.players[t], s.tasks[t.Network] = p, t
}

// byNetwork divides games by the network that has played them.
func (s *session) byNetwork(games []*result) (parts [][]*result, tasks []Task) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.players == nil {
		return [][]*result{games}, []Task{s.task}
	}
	for _, f := range games {
		t := s.tasks[f.game.(*selfplay.Finished).Generation]
		i := 0
		for i < len(tasks) && tasks[i] != t {
			i++
		}
		if i == len(tasks) {
			parts, tasks = append(parts, nil), append(tasks, t)
		}
		parts[i] = append(parts[i], f)
	}
	return parts, tasks
}
