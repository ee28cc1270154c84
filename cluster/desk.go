package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/train/rundir"
)

// PieceBytes is how much of a weight file travels in one message: below the 1 MiB that
// servers take unless told otherwise.
const PieceBytes = 512 << 10

// Desk is the side of a host that workers speak with. Its methods are safe for concurrent
// use.
type Desk interface {
	// OnWake has f called whenever workers should report. It is called before the first
	// game is wanted.
	OnWake(f func())
	// Welcome tells a worker what is played, once that is known.
	Welcome() (*Welcome, error)
	// Known waits until the run's identity and the first task are.
	Known(ctx context.Context) error
	// Run is the identity of the run, once it is known.
	Run() string
	// Report answers a worker.
	Report(r *Report) *Reply
	// Piece returns up to PieceBytes of the file with that digest; none is its end.
	Piece(digest string, offset int64) ([]byte, error)
	// Take takes a parcel that was sent under the name digest, once the task is known.
	// settle is called when the message that brought it may be forgotten. The only error is
	// ctx's.
	Take(ctx context.Context, digest string, data []byte, settle func()) error
}

// result is a finished game of either kind, as the coordinator sees it.
type result struct {
	number int64
	sum    sum    // of everything in it, bit for bit
	game   any    // *selfplay.Finished, or *match.Game
	seed   uint64 // of a game of a concurrent run, where numbers are of leases up to their arrival
	// unsure is set where the rules cannot tell whether this is the game of its number,
	// until the host has played that.
	unsure bool
}

// sum is a checksum for which nobody can make another game.
type sum [sha256.Size]byte

// kind is what hosts of runs and of series do differently. Its methods are called by
// several goroutines at once.
type kind interface {
	// unpack reads a parcel and holds its games to the rules.
	unpack(digest string, data []byte) (*Parcel, []*result, error)
	// play plays a game of the present task here and returns its checksum.
	play(ctx context.Context, p *Parcel, number int64) (sum, error)
	// took is told of games that were the first of their number, under the desk's lock.
	took(p *Parcel, fresh []*result)
}

// desk is what all hosts have in common: the coordinator behind a lock, and the files of
// the present task.
type desk struct {
	kind  kind
	name  string // of the run
	began time.Time

	mu      sync.Mutex
	c       *coordinator
	files   map[string][]byte // of the task, by digest
	known   chan struct{}     // closed once the task is known
	arrived chan struct{}     // a game may be there
	wake    []func()
}

// HostOptions are what all hosts are told.
type HostOptions struct {
	// Audit is the share of leases, in [0, 1], that a second worker plays, too. Games of
	// which two workers send different results are played again here, and who was wrong is
	// cut off.
	Audit float64
	// AnyKernel admits workers of other processors and kernel levels, whose games differ in
	// their last bits. Then nothing can be audited.
	AnyKernel bool
}

// Validate reports an impossible value.
func (o *HostOptions) Validate() error {
	switch {
	case !(o.Audit >= 0 && o.Audit <= 1):
		return fmt.Errorf("audited share %g: want 0 to 1", o.Audit)
	case o.AnyKernel && o.Audit > 0:
		return fmt.Errorf("audited share %g: want 0 where workers compute with any kernel level, since their games differ", o.Audit)
	}
	return nil
}

// newDesk makes the desk of a host that works in folder dir.
func newDesk(k kind, dir string, opt HostOptions) (*desk, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	whole, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	session := randomSeed()
	c := newCoordinator(uint64(binary.BigEndian.Uint32(session[:])) << 32)
	c.audit, c.anyKernel, c.loose = opt.Audit, opt.AnyKernel, opt.AnyKernel
	return &desk{
		kind: k, name: filepath.Base(whole), began: time.Now(), c: c, known: make(chan struct{}), arrived: make(chan struct{}, 1),
	}, nil
}

// OnWake implements Desk.
func (d *desk) OnWake(f func()) { d.wake = append(d.wake, f) }

func (d *desk) wakeAll() {
	for _, f := range d.wake {
		f()
	}
}

// wanted is what is missing of a task.
type wanted struct {
	task             Task
	files            map[string][]byte // by digest
	base, first, end int64
	there            []int64 // of first to end-1, ascending
}

// serve has the wanted games played, and calls deliver for each in order of number. All
// games below written need no further copy of a worker.
func (d *desk) serve(ctx context.Context, w *wanted, deliver func(*result) (written int64, err error)) error {
	d.mu.Lock()
	d.files = w.files
	d.c.begin(w.task, w.base, w.first, w.end, w.there...)
	d.mu.Unlock()
	return d.handOn(ctx, w.end-w.first-int64(len(w.there)), deliver)
}

// handOn tells the workers that games are wanted and calls deliver for each of so many.
func (d *desk) handOn(ctx context.Context, left int64, deliver func(*result) (written int64, err error)) error {
	d.mu.Lock()
	select {
	case <-d.known:
	default:
		close(d.known)
	}
	d.mu.Unlock()
	d.wakeAll()
	defer d.shut()
	for ; left > 0; left-- {
		f, err := d.next(ctx)
		if err != nil {
			return err
		}
		written, err := deliver(f)
		if err != nil {
			return err
		}
		d.mu.Lock()
		d.c.wrote(written)
		d.mu.Unlock()
	}
	return nil
}

// shut wants no more games of the present task.
func (d *desk) shut() {
	d.mu.Lock()
	d.c.close(false)
	d.mu.Unlock()
	d.wakeAll()
}

// next waits for the next game in order.
func (d *desk) next(ctx context.Context) (*result, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d.mu.Lock()
		f := d.c.next()
		d.mu.Unlock()
		if f != nil {
			return f, nil
		}
		select {
		case <-d.arrived:
		case <-ctx.Done():
		}
	}
}

// Over tells the workers that report from now on that the run has all its games.
func (d *desk) Over() {
	d.mu.Lock()
	d.c.close(true)
	d.mu.Unlock()
	d.wakeAll()
}

// AllTold reports whether every worker that was heard of lately knows how the run
// ended and has a receipt for all its parcels.
func (d *desk) AllTold() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.c.allTold(time.Since(d.began))
}

// welcome is what every Welcome says.
func (d *desk) welcome() *Welcome {
	d.mu.Lock()
	defer d.mu.Unlock()
	return &Welcome{Run: d.c.task.Run, Name: d.name, Level: kernel.Variant(), Kernel: Kernel(), Build: Build(), AnyKernel: d.c.anyKernel}
}

// Known implements Desk.
func (d *desk) Known(ctx context.Context) error {
	select {
	case <-d.known:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Run implements Desk.
func (d *desk) Run() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.c.task.Run
}

// Report implements Desk.
func (d *desk) Report(r *Report) *Reply {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer d.look() // games may count now that waited for a second worker
	return d.c.report(time.Since(d.began), r)
}

// look has next look whether a game is there.
func (d *desk) look() {
	select {
	case d.arrived <- struct{}{}:
	default:
	}
}

// errNotNow says that files are wanted that do not belong to the present task.
var errNotNow = errors.New("these weights or games are not of the present generation")

// Piece implements Desk.
func (d *desk) Piece(digest string, offset int64) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	data, ok := d.files[digest]
	if !ok || offset < 0 || offset > int64(len(data)) {
		return nil, errNotNow
	}
	return data[offset:min(int64(len(data)), offset+PieceBytes)], nil
}

// Take implements Desk.
func (d *desk) Take(ctx context.Context, digest string, data []byte, settle func()) error {
	if err := d.Known(ctx); err != nil {
		return err
	}
	d.mu.Lock()
	again := d.c.again(digest, settle) // then it need not be replayed
	d.mu.Unlock()
	if again {
		return nil
	}
	p, games, fault := d.kind.unpack(digest, data)
	if errors.Is(fault, ErrDamaged) {
		d.mu.Lock()
		d.c.damaged(settle)
		d.mu.Unlock()
		d.wakeAll()
		return nil
	}
	p.Digest = digest
	d.mu.Lock()
	fresh, two := d.c.arrive(p, games, fault, settle)
	for two != nil {
		d.mu.Unlock()
		truth, err := d.kind.play(ctx, p, two.number)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		d.mu.Lock()
		if err != nil { // neither can be believed
			fresh, _ = d.c.arrive(p, games, fmt.Errorf("game %d has to be played here, too, and cannot be: %w", two.number, err), settle)
			break
		}
		d.c.decide(two, truth)
		for _, f := range games {
			f.unsure = f.unsure && f.number != two.number
		}
		fresh, two = d.c.arrive(p, games, fault, settle)
	}
	if len(fresh) > 0 {
		d.kind.took(p, fresh)
	}
	d.mu.Unlock()
	d.look()
	return nil
}

// Describe says who plays.
func (d *desk) Describe() *rundir.ClusterEvent {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.c.describe(time.Since(d.began))
}
