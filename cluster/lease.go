// Package cluster shares the games of a run between machines. A Host, beside the trainer,
// grants leases on ranges of games; a Worker plays them, keeps what it has played on its
// own disk and sends it until it has a receipt. The Host decodes each parcel, replays
// every move by the rules, hands the games to the trainer in order, and gives the receipt
// once they are in the run's files. These files are the only ledger: everything else may
// be lost at any moment and is made again from them.
//
// A game depends on the run's seed, its number, the configuration and the network alone,
// so it does not matter who played it, or how often. A run that several machines played,
// through whatever faults, leaves the files of one machine, byte for byte, if all
// compute with the same arithmetic; Task names what must be equal. Not so a concurrent
// run, where each worker plays by the newest network that it has: there a lease has numbers
// for seeds alone, and games are counted in the order in which they come.
//
// The package knows no network: a Link carries its messages, package broker has one.
// Messages may be lost, delayed, repeated and reordered. That is why they state what is
// and not what has changed: a Report names all that a worker holds, and the Reply to it
// all that it should hold.
package cluster

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/ludozero/ludozero/model/kernel"
)

// Task is what the games of a generation depend on besides their numbers. Two workers
// with equal tasks play the same games bit for bit.
type Task struct {
	// Run is the run's identity, Config the hash of its configuration.
	Run    string `json:"run"`
	Config string `json:"config"`
	// Generation is the games', in a concurrent run Network, Weights the SHA-256 of the network's file in hexadecimal.
	// Of a series, which has no generation, Weights is the SHA-256 of its charter.
	Generation int    `json:"generation"`
	Weights    string `json:"weights"`
	// Network is the generation of the network that plays: Generation, or with lag the one
	// before.
	Network int `json:"network"`
	// Series says that the games are of a match.Series, numbered from 0.
	Series bool `json:"series,omitempty"`
	// Earlier is the SHA-256 of the earlier games that its games may begin in, as JSON;
	// empty: there are none.
	Earlier string `json:"earlier,omitempty"`
	// Kernel is the arithmetic, as Kernel returns it, Build the program's source.
	Kernel string `json:"kernel"`
	Build  string `json:"build"`
}

// Lease is the right to play the games First to End-1 before others do. It bars nobody:
// the first valid result of a game counts, whoever sent it.
type Lease struct {
	Task
	First int64 `json:"first"`
	End   int64 `json:"end"`
	// Fence names this grant. No two grants have the same, so that the progress of a
	// worker that lost a lease does not renew the lease of the one that has it now.
	Fence uint64 `json:"fence"`
	// Exact says, in a concurrent run, that the games are to be played by the task's
	// network and no newer one: another worker's are compared with them.
	Exact bool `json:"exact,omitempty"`
}

// Kernel names what decides the bits of evaluations: the architecture, since some join a
// product and a sum into one rounding, and the arithmetic of the kernels in use.
func Kernel() string { return runtime.GOARCH + " " + kernel.Arithmetic() }

// Build names the source that this program was made from. Where that does not say what the
// program is, since sources were changed after the commit or none is named, it also has the
// beginning of the checksum of the executable.
func Build() string { return build() }

var build = sync.OnceValue(func() string {
	revision, whole := "", false
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision, whole = s.Value, true
			case s.Key == "vcs.modified" && s.Value == "true":
				revision, whole = revision+" changed", false
			}
		}
		if revision == "" {
			revision = info.Main.Version
			whole = revision != "" && revision != "(devel)"
		}
	}
	if whole {
		return revision
	}
	path, err := os.Executable()
	if err == nil {
		var sum string
		if sum, err = sumOfFile(path); err == nil {
			return strings.TrimSpace(revision + " program " + sum[:16])
		}
	}
	return cmp.Or(revision, "unknown")
})

// differs says in what a result's task is not the wanted one, "" if in nothing. The
// generation is left to the caller, as late results are no fault.
func (t *Task) differs(want *Task) string {
	for _, x := range []struct{ what, got, want string }{
		{"run", t.Run, want.Run},
		{"configuration", t.Config, want.Config},
		{"kernel level", t.Kernel, want.Kernel},
		{"build", t.Build, want.Build},
	} {
		if x.got != x.want {
			return fmt.Sprintf("%s %q: want %q", x.what, x.got, x.want)
		}
	}
	if t.Series != want.Series {
		return fmt.Sprintf("games of a series %t: want %t", t.Series, want.Series)
	}
	if t.Generation == want.Generation && t.Network != want.Network {
		return fmt.Sprintf("network %d in generation %d: want %d", t.Network, t.Generation, want.Network)
	}
	if t.Generation == want.Generation && t.Weights != want.Weights {
		return fmt.Sprintf("weights %.16s of generation %d: want %.16s", t.Weights, t.Generation, want.Weights)
	}
	if t.Generation == want.Generation && t.Earlier != want.Earlier {
		return fmt.Sprintf("earlier games %.16s of generation %d: want %.16s", t.Earlier, t.Generation, want.Earlier)
	}
	return ""
}
