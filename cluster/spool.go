package cluster

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/internal/lock"
)

// Names in the folder of a spool.
const (
	spoolID     = "worker"
	spoolLock   = "lock"
	parcelEnd   = ".parcel"
	refusedEnd  = ".refused"
	weightsFile = "weights-" // and their digest
)

// keptFor is how long a parcel without a receipt is kept: of a run that is not served any
// more none would ever come.
const keptFor = 14 * 24 * time.Hour

// DefaultSpoolBytes is what a worker keeps for a host that is away before it stops
// playing: some hundred thousand games.
const DefaultSpoolBytes = 1 << 30

// Spool is the folder in which a worker keeps what it has played until it has the receipt.
// One process at a time works in it.
type Spool struct {
	dir, id string
	unlock  func() error

	mu      sync.Mutex
	parcels []Waiting // oldest first
	bytes   map[string]int64
	sum     int64
}

var digestName = regexp.MustCompile(`^[0-9a-f]{64}$`)

// OpenSpool opens the spool in folder dir, which it creates. If another process works in
// it the next free of dir-2, dir-3 and so on is taken. What was left unfinished there is
// removed, and so is a parcel that does not fit its name.
func OpenSpool(dir string) (*Spool, error) {
	for n := 1; ; n++ {
		at := dir
		if n > 1 {
			at = fmt.Sprintf("%s-%d", dir, n)
		}
		s, err := openSpool(at)
		if !errors.Is(err, lock.ErrHeld) || n == 256 {
			return s, err
		}
	}
}

func openSpool(dir string) (*Spool, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	unlock, err := lock.Take(filepath.Join(dir, spoolLock), dir)
	if err != nil {
		return nil, fmt.Errorf("spool %s: %w", dir, err)
	}
	s := &Spool{dir: dir, unlock: unlock, bytes: map[string]int64{}}
	if err := s.load(); err != nil {
		return nil, errors.Join(fmt.Errorf("spool %s: %w", dir, err), unlock())
	}
	return s, nil
}

func (s *Spool) load() error {
	if _, err := atomicfile.Clean(s.dir); err != nil {
		return err
	}
	if err := s.loadID(); err != nil {
		return err
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		digest, ok := strings.CutSuffix(e.Name(), parcelEnd)
		if !ok || !digestName.MatchString(digest) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > keptFor {
			// Its run is over, or has played these games otherwise long since.
			if err := os.Remove(s.path(digest)); err != nil {
				return err
			}
			continue
		}
		p, err := s.Read(digest)
		if errors.Is(err, ErrDamaged) {
			err = os.Remove(s.path(digest)) // its games are played again
		} else if err == nil {
			s.enter(p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// loadID reads the name of the worker that this spool belongs to, or chooses one.
func (s *Spool) loadID() error {
	path := filepath.Join(s.dir, spoolID)
	b, err := input.Read(path, input.Small)
	if err == nil && len(b) == 32 {
		s.id = string(b)
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		return err
	}
	s.id = hex.EncodeToString(id[:])
	return atomicfile.WriteBytes(path, []byte(s.id))
}

// Close lets another process work in the folder.
func (s *Spool) Close() error { return s.unlock() }

// Dir is the folder.
func (s *Spool) Dir() string { return s.dir }

// ID is the name of the worker whose spool this is.
func (s *Spool) ID() string { return s.id }

func (s *Spool) path(digest string) string { return filepath.Join(s.dir, digest+parcelEnd) }

func (s *Spool) enter(p *Parcel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.bytes[p.Digest]; ok {
		return
	}
	s.parcels = append(s.parcels, Waiting{Digest: p.Digest, Run: p.Run, Generation: p.Generation, Weights: p.Weights, End: p.end(), Games: len(p.Games)})
	s.bytes[p.Digest] = int64(len(p.Data))
	s.sum += int64(len(p.Data))
}

// Add keeps a parcel until Forget.
func (s *Spool) Add(p *Parcel) error {
	if err := atomicfile.WriteBytes(s.path(p.Digest), p.Data); err != nil {
		return err
	}
	s.enter(p)
	return nil
}

// Read returns a parcel that is kept; ErrDamaged if its file has changed.
func (s *Spool) Read(digest string) (*Parcel, error) {
	data, err := input.Read(s.path(digest), input.Large)
	if err != nil {
		return nil, err
	}
	p := &Parcel{}
	if _, err := p.open(digest, data); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return p, nil
}

// Forget removes a parcel. A refused one stays under another name, for people to see.
func (s *Spool) Forget(digest string, refused bool) error {
	if !digestName.MatchString(digest) {
		return fmt.Errorf("parcel %q: want a checksum", digest)
	}
	s.mu.Lock()
	for i, p := range s.parcels {
		if p.Digest == digest {
			s.parcels = append(s.parcels[:i:i], s.parcels[i+1:]...)
			s.sum -= s.bytes[digest]
			delete(s.bytes, digest)
			break
		}
	}
	s.mu.Unlock()
	var err error
	if refused {
		err = os.Rename(s.path(digest), filepath.Join(s.dir, digest+refusedEnd))
	} else {
		err = os.Remove(s.path(digest))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Waiting lists the parcels of a run, or of all if run is empty, and the bytes of all.
func (s *Spool) Waiting(run string) (list []Waiting, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.parcels {
		if run == "" || p.Run == run {
			list = append(list, p)
		}
	}
	return list, s.sum
}

// weightsPath is where weights, or earlier games, with that digest are kept.
func (s *Spool) weightsPath(digest string) string { return filepath.Join(s.dir, weightsFile+digest) }

// keepWeights removes all weights and earlier games but those.
func (s *Spool) keepWeights(digests ...string) error {
	entries, err := os.ReadDir(s.dir)
	for _, e := range entries {
		if d, ok := strings.CutPrefix(e.Name(), weightsFile); ok && digestName.MatchString(d) && !slices.Contains(digests, d) {
			err = errors.Join(err, os.Remove(filepath.Join(s.dir, e.Name())))
		}
	}
	return err
}
