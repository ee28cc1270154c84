package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/internal/coretime"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// experimentFlags are those that all experiments have.
type experimentFlags struct {
	onlyPlan bool
	out      string
	coreTime time.Duration
	asJSON   bool
}

func (f *experimentFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.onlyPlan, "plan", false, "print the plan and play nothing")
	flags.StringVar(&f.out, "out", "", "folder that keeps games and report and from which the same command goes on")
	flags.DurationVar(&f.coreTime, "core-time", 0, fmt.Sprintf("with --out: report after the last of %d rounds that fits in so much time of one core, 90m; 0: play all", experimentRounds))
	flags.BoolVar(&f.asJSON, "json", false, "print JSON")
}

func (f *experimentFlags) validate() error {
	if f.coreTime == 0 {
		return nil
	}
	_, known := coretime.Process()
	switch {
	case f.coreTime < 0:
		return fmt.Errorf("--core-time %v: want more than 0, or 0 for no limit", f.coreTime)
	case f.out == "":
		return errors.New("--core-time: want --out, too, which keeps what was played")
	case !known:
		return errors.New("--core-time: this system does not say what processors spend on a process")
	}
	return nil
}

// folderOf is the folder of a part, "" without --out.
func (f *experimentFlags) folderOf(parts ...string) string {
	if f.out == "" {
		return ""
	}
	for i := range parts {
		parts[i] = strings.ReplaceAll(parts[i], string(filepath.Separator), "_")
	}
	return filepath.Join(append([]string{f.out}, parts...)...)
}

// planWriter writes the lines of a plan.
type planWriter struct {
	out   io.Writer
	limit time.Duration
}

func (f *experimentFlags) planner(c *cobra.Command) *planWriter {
	p := &planWriter{c.OutOrStdout(), f.coreTime}
	if f.asJSON { // which is the result alone
		p.out = c.ErrOrStderr()
	}
	return p
}

func (p *planWriter) line(head, format string, args ...any) {
	fmt.Fprintf(p.out, "%-10s %s\n", head, fmt.Sprintf(format, args...))
}

// time says how long work takes that is so much for one core, and how that is known.
func (p *planWriter) time(work time.Duration, workers int, by string) {
	cores := runtime.GOMAXPROCS(0)
	if workers == 0 {
		workers = cores
	}
	p.line("time", "about %s with %d at the same time, %s", hours(work/time.Duration(min(workers, cores))), workers, by)
	if p.limit > 0 {
		p.line("limit", "%v of core time: the last of %d rounds that fits in it is the last", p.limit, experimentRounds)
	}
}

func (p *planWriter) end() { fmt.Fprintln(p.out) }

// differentNetworks returns the hashes of the networks' weights, and refuses networks of
// the same: they would be taken for independent ones that agree.
func differentNetworks(networks []string) (hashes []string, err error) {
	known := map[string]string{} // words by hash
	var errs []error
	for _, network := range networks {
		hash, err := open.Identity(network)
		if err != nil {
			return nil, err
		}
		if other, ok := known[hash]; ok {
			errs = append(errs, fmt.Errorf("networks %s and %s are the same (%s): want different ones", other, network, hash))
		}
		known[hash] = network
		hashes = append(hashes, hash)
	}
	return hashes, errors.Join(errs...)
}

// experimentResult is what an experiment comes to.
type experimentResult interface{ WriteText(io.Writer) error }

// experiment is one that has been checked as far as that can be done before any game.
type experiment struct {
	flags  *experimentFlags
	folder *experimentFolder
	// asked is all that the result depends on.
	asked []byte
	// empty is a result to read a finished one into.
	empty experimentResult
	plan  func() error
	// rounds is how many different sizes there are up to what was asked for: at most so
	// many rounds are played. play does what is missing up to the end of a round, counted
	// from 1; finish makes the result of the rounds that were played.
	rounds int
	play   func(round, rounds int) error
	finish func(stop *sheet.Stop) (experimentResult, []experimentFile, error)
	// sizes are what was asked for.
	sizes string
}

// run plays what is missing, and writes and prints the result.
func (e *experiment) run(ctx context.Context, c *cobra.Command) error {
	known, err := e.folder.open(e.asked, e.flags.onlyPlan)
	if err != nil {
		return err
	}
	if known != nil && !e.flags.onlyPlan {
		if err := e.folder.read(known, e.empty); err != nil {
			return err
		}
		return e.print(c, e.empty)
	}
	if err := e.plan(); err != nil || e.flags.onlyPlan {
		return err
	}
	stop, err := e.playRounds()
	var result experimentResult
	var forms []experimentFile
	if err == nil {
		result, forms, err = e.finish(stop)
	}
	if err != nil {
		if ctx.Err() != nil && e.flags.out != "" {
			return fmt.Errorf("%w\nwhat was done is kept in %s; the same command goes on", err, e.flags.out)
		}
		return err
	}
	if err := e.folder.finish(result, forms); err != nil {
		return err
	}
	return e.print(c, result)
}

func (e *experiment) print(c *cobra.Command, r experimentResult) error {
	if e.flags.asJSON {
		return shell.WriteJSON(c, r)
	}
	if err := r.WriteText(c.OutOrStdout()); err != nil || e.flags.out == "" {
		return err
	}
	_, err := fmt.Fprintf(c.OutOrStdout(), "\nkept in %s\n", e.flags.out)
	return err
}

// experimentRounds is how many parts an experiment that is kept is played in, each with
// its share of everything: what has been played at any moment is about as much of each,
// and after each round there could be a result.
const experimentRounds = 10

// experimentSpent is the file that says how far rounds have come.
const experimentSpent = "rounds.json"

// roundsPlayed is what is in it.
type roundsPlayed struct {
	Round    int           `json:"round"`
	CoreTime time.Duration `json:"core_time_ns"`
}

// playRounds plays the rounds, all or as many as fit in the limit: one is begun only if
// rounds that take as long as those before end within it. That goes by time alone. The
// first is always played. What a process spent that was killed counts up to its last
// whole round.
func (e *experiment) playRounds() (*sheet.Stop, error) {
	if e.flags.out == "" {
		return nil, e.play(1, 1)
	}
	path := filepath.Join(e.flags.out, experimentSpent)
	var p roundsPlayed
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	rounds, before := min(experimentRounds, e.rounds), p.CoreTime
	began, _ := coretime.Process()
	for round := max(1, min(p.Round, rounds)); ; round++ {
		err := e.play(round, rounds)
		now, _ := coretime.Process()
		p.CoreTime = before + now - began
		if err == nil {
			p.Round = round
		}
		err = errors.Join(err, e.folder.write(experimentSpent, func(w io.Writer) error {
			_, err := w.Write(jsonLines(&p))
			return err
		}))
		if err != nil || round == rounds {
			return nil, err
		}
		if limit := e.flags.coreTime; limit > 0 && p.CoreTime+p.CoreTime/time.Duration(round) > limit {
			return &sheet.Stop{Round: round, Rounds: rounds, Limit: limit, Asked: e.sizes}, nil
		}
	}
}
