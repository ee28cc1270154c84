package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/ludozero/ludozero/train/plan"
)

// Link carries messages between a worker and the host. Its methods end with an error
// when ctx does; any may fail at any time and be tried again. They are safe for
// concurrent use.
type Link interface {
	// Welcome asks what is played.
	Welcome(ctx context.Context) (*Welcome, error)
	// Report says what the worker does and returns what it should do.
	Report(ctx context.Context, r *Report) (*Reply, error)
	// Piece returns some bytes from offset on of the weights with that digest.
	Piece(ctx context.Context, digest string, offset int64) ([]byte, error)
	// Send hands a parcel over to be delivered to the host. Without an error it is kept
	// where it survives a crash of either side; that is no receipt.
	Send(ctx context.Context, p *Parcel) error
	// Wake has a value now and then when a Report is due.
	Wake() <-chan struct{}
}

// Welcome tells a worker what is played and what it needs for that.
type Welcome struct {
	// Run is the run's identity, Name the name of its folder, for people.
	Run  string `json:"run"`
	Name string `json:"name"`
	// Config is plan.Config as JSON; its hash is ConfigHash. Both are missing where Series
	// says that games of series are played.
	Config     json.RawMessage `json:"config,omitempty"`
	ConfigHash string          `json:"config_hash,omitempty"`
	Series     bool            `json:"series,omitempty"`
	// Level is what LUDOZERO_KERNEL names the float32 kernels of Kernel.
	Level  string `json:"level"`
	Kernel string `json:"kernel"`
	Build  string `json:"build"`
	// AnyKernel admits workers of another Kernel.
	AnyKernel bool `json:"any_kernel,omitempty"`
}

// config decodes what was encoded as Config and holds it to its hash.
func (w *Welcome) config() (*plan.Config, error) {
	c, err := decodeConfig(w.Config)
	if err == nil && c.Hash() != w.ConfigHash {
		err = errConfigHash(c.Hash(), w.ConfigHash)
	}
	return c, err
}

// Report is what a worker tells about itself. It is the whole state: a lost one is made
// up for by the next.
type Report struct {
	// Worker is chosen by the worker and the same as long as it keeps its spool; Name is
	// its machine, for people, Cores what it plays on; 0 counts as one.
	Worker string `json:"worker"`
	Name   string `json:"name"`
	Cores  int    `json:"cores"`
	// Run, Kernel and Build must be the host's.
	Run    string `json:"run"`
	Kernel string `json:"kernel"`
	Build  string `json:"build"`
	// Wants is the number of further games that it could play now.
	Wants int `json:"wants"`
	// Holds are its leases up to the moment when a Reply drops them.
	Holds []Hold `json:"holds,omitempty"`
	// Waiting are the parcels for which it has no receipt.
	Waiting []Waiting `json:"waiting,omitempty"`
	// PositionsPerSecond is its recent speed.
	PositionsPerSecond float64 `json:"positions_per_second"`

	trusted bool // it is of the host's process
}

// MostCores is how many cores a worker may have.
const MostCores = 1 << 16

// wrong names a number that no worker has and by which nobody's share could be computed, ""
// if there is none.
func (r *Report) wrong() string {
	const fastest = 1e9 // sums of any number of workers stay finite, with MostCores as well
	switch {
	case r.Cores < 0 || r.Cores > MostCores:
		return fmt.Sprintf("it reports %d cores; want 0 to %d", r.Cores, MostCores)
	case !(r.PositionsPerSecond >= 0 && r.PositionsPerSecond <= fastest):
		return fmt.Sprintf("it reports %g positions a second; want 0 to %g", r.PositionsPerSecond, fastest)
	case r.Wants < 0 || r.Wants > math.MaxInt32:
		return fmt.Sprintf("it reports that it wants %d games; want 0 to %d", r.Wants, math.MaxInt32)
	}
	for i := range r.Holds {
		if h := &r.Holds[i]; h.First < 0 || h.First >= h.End || h.Done < 0 || int64(h.Done) > h.End-h.First {
			return fmt.Sprintf("it reports %d games done of a lease on games %d up to %d", h.Done, h.First, h.End)
		}
	}
	return ""
}

// Hold is a lease that a worker has, with how many of its games it has finished.
type Hold struct {
	Lease
	Done int `json:"done"`
}

// Waiting is a parcel on a worker's disk. End is above the last of its games. Unsent says that
// it is still to be sent, so that nobody need ask for it.
type Waiting struct {
	Digest     string `json:"digest"`
	Run        string `json:"run"`
	Generation int    `json:"generation"`
	Weights    string `json:"weights"`
	End        int64  `json:"end"`
	Games      int    `json:"games"`
	Unsent     bool   `json:"unsent,omitempty"`
}

// Reply says what a worker should do.
type Reply struct {
	// Refused says why it may not take part, "" if it may.
	Refused string `json:"refused,omitempty"`
	// CutOff says that it never may again, since it computes wrongly.
	CutOff bool `json:"cut_off,omitempty"`
	// Over is set when the run has all its games.
	Over bool `json:"over,omitempty"`
	// Leases are to be played besides what the worker holds, Drop are fences of leases
	// that it no longer needs to play.
	Leases []Lease  `json:"leases,omitempty"`
	Drop   []uint64 `json:"drop,omitempty"`
	// Newest is of a concurrent run: the network that plays from now on. Enough says that no
	// game should begin, Part how many games of a generation are the worker's.
	Newest *Task `json:"newest,omitempty"`
	Enough bool  `json:"enough,omitempty"`
	Part   int64 `json:"part,omitempty"`
	// Receipts are for parcels that the worker may forget, Again are digests of those
	// that have not arrived and must be sent again.
	Receipts []Receipt `json:"receipts,omitempty"`
	Again    []string  `json:"again,omitempty"`
}

// Receipt is for a parcel that was written, or refused for a reason.
type Receipt struct {
	Digest  string `json:"digest"`
	Refused string `json:"refused,omitempty"`
}
