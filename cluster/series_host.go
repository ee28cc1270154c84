package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
)

// ErrTimed says that what players play depends on the machine, since time limits them.
var ErrTimed = errors.New("limited by time, so that its games depend on the machine that plays them: want limits by simulations, nodes or depth, or --equal-machines where all are equally fast")

// SeriesHost hands the games of series out to workers, one series after the other. It is
// the match.Elsewhere of a command. Its methods are safe for concurrent use, but that one
// series is played at a time.
type SeriesHost struct {
	*desk
	id    string
	equal bool
	audit float64

	mu       sync.Mutex // of what follows, which is of the present series
	series   *match.Series
	digest   string
	verifier *archive.Verifier
}

// NewSeriesHost makes the host of series that are kept in folder dir. id is the identity
// of the folder, and the same whenever work on it is resumed. With equalMachines players
// may be limited by time: the first result of a game counts, whatever a second would be.
func NewSeriesHost(dir, id string, equalMachines bool, opt HostOptions) (*SeriesHost, error) {
	h := &SeriesHost{id: id, equal: equalMachines, audit: opt.Audit}
	var err error
	if h.desk, err = newDesk(h, dir, opt); err != nil {
		return nil, err
	}
	h.c.unit = 2 // pairs
	return h, nil
}

// PlaySeries implements match.Elsewhere.
func (h *SeriesHost) PlaySeries(ctx context.Context, s *match.Series, open []int, finished func(*match.Game) error) error {
	digest, files, timed, err := newCharter(s)
	if err != nil {
		return err
	}
	if timed && !h.equal {
		return fmt.Errorf("series of %s: %w", s.Game.Info().Name, ErrTimed)
	}
	h.mu.Lock()
	h.series, h.digest, h.verifier = s, digest, archive.NewVerifier(s)
	h.mu.Unlock()
	h.desk.mu.Lock()
	h.c.loose, h.c.audit = timed || h.c.anyKernel, h.audit
	if timed {
		h.c.audit = 0
	}
	h.desk.mu.Unlock()
	w := &wanted{
		task: Task{Run: h.id, Weights: digest, Series: true, Kernel: Kernel(), Build: Build()}, files: files,
		first: int64(open[0]), end: int64(open[len(open)-1]) + 1,
	}
	for i := 1; i < len(open); i++ {
		for n := open[i-1] + 1; n < open[i]; n++ {
			w.there = append(w.there, int64(n))
		}
	}
	err = h.serve(ctx, w, func(f *result) (int64, error) { return f.number + 1, finished(f.game.(*match.Game)) })
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// Welcome implements Desk.
func (h *SeriesHost) Welcome() (*Welcome, error) {
	w := h.welcome()
	w.Series = true
	return w, nil
}

// unpack implements kind. Games of another series are not looked at: it is over.
func (h *SeriesHost) unpack(digest string, data []byte) (*Parcel, []*result, error) {
	p, games, err := unpackSeries(digest, data)
	if err != nil {
		return p, nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if p.Weights != h.digest {
		return p, nil, nil
	}
	for _, f := range games {
		if err := h.verifier.Check(f.game.(*match.Game)); err != nil {
			return p, nil, err
		}
	}
	return p, games, nil
}

// play implements kind.
func (h *SeriesHost) play(ctx context.Context, _ *Parcel, number int64) (is sum, err error) {
	h.mu.Lock()
	s := *h.series
	h.mu.Unlock()
	begun := false
	err = s.Play(ctx, 1, func(context.Context) (int, error) {
		if begun {
			return 0, io.EOF
		}
		begun = true
		return int(number), nil
	}, func(g *match.Game) error {
		line, err := gameLine(g)
		is = sumOfLine(line)
		return err
	})
	return is, err
}

// took implements kind: a series counts its games itself.
func (*SeriesHost) took(*Parcel, []*result) {}
