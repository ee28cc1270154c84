package cluster

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/train/plan"
)

// keep puts games into the spool, to be sent: a parcel for each network that played.
func (w *Worker) keep(ctx context.Context, s *session, l Lease, games []*result) error {
	parts, tasks := s.byNetwork(games)
	for i, part := range parts {
		if err := w.keepPart(ctx, s, tasks[i], l, part); err != nil {
			return err
		}
	}
	return nil
}

// keepPart puts games of one task into the spool. A parcel that is too large to travel is
// divided.
func (w *Worker) keepPart(ctx context.Context, s *session, t Task, l Lease, games []*result) error {
	p, err := w.craft.pack(parcelHead{
		Task: t, Fence: l.Fence, Worker: w.opt.Spool.ID(), Evaluations: s.counters.Evaluations.Swap(0), Hits: s.counters.Hits.Swap(0),
	}, games)
	if err != nil {
		return err
	}
	if half := len(games) / 2; len(p.Data) > PieceBytes && half > 0 {
		return errors.Join(w.keepPart(ctx, s, t, l, games[:half:half]), w.keepPart(ctx, s, t, l, games[half:]))
	}
	// A disk that is full has room again at some time. Until then nothing is played.
	for err := w.opt.Spool.Add(p); err != nil; err = w.opt.Spool.Add(p) {
		w.diskFails(err)
		if w.opt.FullEnds || pause(ctx, diskRetry) != nil {
			return err
		}
	}
	w.diskFails(nil)
	w.queue(p.Digest)
	w.nudge()
	return nil
}

// diskFails notes why the spool cannot be written, nil if it can.
func (w *Worker) diskFails(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.disk = err
}

// queue has a parcel sent.
func (w *Worker) queue(digest string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.queued[digest] {
		w.queued[digest] = true
		w.unsent = append(w.unsent, digest)
	}
	select {
	case w.send <- struct{}{}:
	default:
	}
}

// sendAll sends what is queued until ctx ends.
func (w *Worker) sendAll(ctx context.Context) {
	retry := reportEvery
	for {
		w.mu.Lock()
		digest := ""
		if len(w.unsent) > 0 {
			digest = w.unsent[0]
		}
		w.mu.Unlock()
		if digest == "" {
			select {
			case <-w.send:
			case <-ctx.Done():
				return
			}
			continue
		}
		if err := w.sendOne(ctx, digest); err != nil {
			// Not in step with other workers that lost the same host.
			if pause(ctx, retry/2+rand.N(retry)) != nil {
				return
			}
			retry = min(2*retry, longestRetry)
			continue
		}
		retry = reportEvery
		w.mu.Lock()
		w.unsent = w.unsent[1:]
		delete(w.queued, digest)
		w.mu.Unlock()
		w.nudge()
	}
}

// sendOne sends a parcel. One that is not there any more has its receipt; one whose file
// is damaged is given up, and its games are played again.
func (w *Worker) sendOne(ctx context.Context, digest string) error {
	p, err := w.opt.Spool.Read(digest)
	switch {
	case errors.Is(err, ErrDamaged):
		return w.opt.Spool.Forget(digest, true)
	case isMissing(err):
		return nil
	case err != nil:
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendWithin)
	defer cancel()
	return w.opt.Link.Send(ctx, p)
}

// sayFarewell waits a little until all parcels are sent.
func (w *Worker) sayFarewell() {
	for end := time.Now().Add(farewell); time.Now().Before(end); time.Sleep(leastPause) {
		w.mu.Lock()
		n := len(w.unsent)
		w.mu.Unlock()
		if n == 0 {
			return
		}
	}
}

// fetch returns the file with those weights or earlier games, which it asks the host for
// unless it is there.
func (w *Worker) fetch(ctx context.Context, digest string) (string, error) {
	if !digestName.MatchString(digest) {
		return "", fmt.Errorf("%q: want a checksum", digest)
	}
	path := w.opt.Spool.weightsPath(digest)
	if sum, err := sumOfFile(path); err == nil && sum == digest {
		return path, nil
	}
	var data []byte
	for {
		asking, cancel := context.WithTimeout(ctx, answerWithin)
		piece, err := w.opt.Link.Piece(asking, digest, int64(len(data)))
		cancel()
		if err != nil {
			return "", err
		}
		if len(piece) == 0 {
			break
		}
		data = append(data, piece...)
	}
	if sum := plan.SHA256(data); sum != digest {
		return "", fmt.Errorf("what came has the checksum %.16s", sum)
	}
	err := atomicfile.WriteBytes(path, data)
	w.diskFails(err)
	if err != nil && w.opt.FullEnds {
		err = fmt.Errorf("%w: %w", errPlay, err)
	}
	return path, err
}
