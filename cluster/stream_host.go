package cluster

import (
	"context"
	"maps"

	"github.com/ludozero/ludozero/selfplay"
	"github.com/ludozero/ludozero/train/play"
)

// hostStream is the play.Stream of a host.
type hostStream struct {
	h   *Host
	run *play.Streamed
}

// Stream implements play.Elsewhere.
func (h *Host) Stream(s *play.Streamed) (play.Stream, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.c.beginStream(int64(h.cfg.GamesPerGeneration), s.Next, s.End, s.Known)
	h.files, h.networks, h.counters = map[string][]byte{}, map[int]playedBy{}, s.Counters
	return &hostStream{h, s}, nil
}

// Publish implements play.Stream.
func (s *hostStream) Publish(n *play.Network) error {
	t := Task{Run: s.run.Run, Config: s.run.ConfigHash, Generation: n.Generation, Network: n.Generation, Kernel: Kernel(), Build: Build()}
	by, files, err := t.readFiles(n.Weights, n.Earlier)
	if err != nil {
		return err
	}
	h := s.h
	defer h.wakeAll()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.c.publish(t)
	maps.Copy(h.files, files)
	h.networks[n.Generation] = by
	maps.DeleteFunc(h.networks, func(g int, _ playedBy) bool { _, counts := h.c.stream.networks[g]; return !counts })
	maps.DeleteFunc(h.files, func(digest string, _ []byte) bool {
		for _, t := range h.c.stream.networks {
			if digest == t.Weights || digest == t.Earlier {
				return false
			}
		}
		return true
	})
	return nil
}

// Allow implements play.Stream.
func (s *hostStream) Allow(limit int64) {
	s.h.mu.Lock()
	defer s.h.mu.Unlock()
	s.h.c.stream.limit = limit
}

// Play implements play.Stream.
func (s *hostStream) Play(ctx context.Context, deliver play.Deliver) error {
	return s.h.handOn(ctx, s.run.End-s.run.Next, func(f *result) (int64, error) {
		game := f.game.(*selfplay.Finished)
		game.Number = f.number
		for i := range game.Rows {
			game.Rows[i].GameNumber = f.number
		}
		return s.h.deliver(f, deliver)
	})
}
