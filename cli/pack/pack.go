// Package pack holds the command runs pack. It is apart from the other commands about runs,
// which only read, because it checks that training can go on from a pack.
package pack

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/report/ratings"
	"github.com/ludozero/ludozero/train/run"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/spf13/cobra"
)

// megabyte is the unit of sizes of files here.
const megabyte = 1e6

// mostMegabytes bounds limits on the size of a pack: their bytes can be counted.
const mostMegabytes = 1e9

// packedRatings is how many bytes the matches in a pack may take.
const packedRatings = 512 << 10

// New is the command pack, which belongs below runs.
func New(env *shell.Env) *cobra.Command {
	var out string
	var limit float64
	var asJSON bool
	c := &cobra.Command{
		Use:   "pack RUN[@GENERATION]",
		Short: "Put what a run needs to be gone on from elsewhere into a small folder",
		Long: "Writes a folder with one checkpoint of a run, by default the last: configuration, weights, optimizer, the course of\n" +
			"figures and ratings, and no games. It is small enough to be kept in git with the source, and\n" +
			"`train --from FOLDER --fresh-window` goes on from it on any machine. The run is only read and may be at work.\n\n" +
			"Where the run averages weights (train.average_decay), the average is packed, which plays, and the weights in training\n" +
			"are left out: what goes on from the pack trains the average, with the optimizer as it was.\n\n" +
			"A pack that is in the folder already is replaced in one step, if it is an earlier checkpoint of the run or of one\n" +
			"that the run was forked from, over packs or not. Anything else in the way is refused.",
		Args:    cobra.ExactArgs(1),
		Example: "  ludozero runs pack runs/first --out results/konreh\n  ludozero runs pack runs/first@40 --out results/konreh --limit 20",
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return shell.Usagef("--out is required: the folder of the pack, such as results/NAME")
			}
			if err := shell.Within("limit", limit, 0, mostMegabytes); err != nil {
				return err
			}
			p, err := packRun(env.Families, args[0], out, int64(math.Ceil(limit*megabyte)))
			if err != nil {
				return err
			}
			return shell.Print(c, asJSON, p, func(out io.Writer) error { return p.tell(c.Root().DisplayName(), out) })
		},
	}
	c.Flags().StringVar(&out, "out", "", "folder of the pack, made or replaced")
	c.Flags().Float64Var(&limit, "limit", 8, "refuse to write a pack of more MB, a million bytes each (0: no limit)")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// Result is what `runs pack --json` prints.
type Result struct {
	Path     string       `json:"path"`
	Pack     *rundir.Pack `json:"pack"`
	Replaced *rundir.Pack `json:"replaced"` // null: there was none

	averaged bool // the network
}

// packRun packs the run that word names.
func packRun(games engine.Families, word, out string, limit int64) (*Result, error) {
	dir, generation := shell.ParseRun(word)
	generation, err := rundir.Choose(dir, generation)
	if err != nil {
		return nil, shell.Usage(err)
	}
	if err := rundir.CheckConfigFile(dir); err != nil {
		return nil, err
	}
	cfg, err := configs.Load(configs.DefaultRun(games), filepath.Join(dir, rundir.ConfigFile), nil, nil)
	if err != nil {
		return nil, err
	}
	matches, err := ratings.Read(games, dir)
	if err != nil {
		return nil, err
	}
	kept, err := ratings.Short(matches, generation, packedRatings)
	if err != nil {
		return nil, err
	}
	s, err := rundir.ReadState(dir, generation)
	if err != nil {
		return nil, err
	}
	at := cfg.ConfigFrom(generation)
	made, replaced, err := run.MakePack(dir, generation, &at, out, run.PackOptions{Games: games, Limit: limit, Ratings: kept, RatingsName: ratings.File})
	if err != nil {
		return nil, err
	}
	return &Result{out, made, replaced, s.Averaged}, nil
}

// tell says what was written, and how to go on from it.
func (r *Result) tell(program string, out io.Writer) error {
	p := r.Pack
	bySize := slices.SortedFunc(slices.Values(p.Files), func(a, b rundir.PackedFile) int { return cmp.Compare(b.Bytes, a.Bytes) })
	total := int64(0)
	var parts []string
	for _, f := range bySize {
		total += f.Bytes
		if len(parts) < 3 {
			parts = append(parts, fmt.Sprintf("%s %.2f", filepath.Base(f.Name), float64(f.Bytes)/megabyte))
		}
	}
	instead := ""
	if r.Replaced != nil {
		instead = fmt.Sprintf(", in place of %s", wording.PlainName(r.Replaced.String()))
	}
	fmt.Fprintf(out, "%s holds %s of %s, step %d%s: %.2f MB (%s, ...)\n", wording.PlainName(r.Path), wording.PlainName(p.String()), p.Game, p.Step, instead, float64(total)/megabyte, strings.Join(parts, ", "))
	if !slices.ContainsFunc(p.Files, func(f rundir.PackedFile) bool { return strings.HasSuffix(f.Name, "/optimizer.bin") }) {
		fmt.Fprintln(out, "the run has not kept the optimizer of that generation: what goes on from it begins with a warm-up")
	}
	if r.averaged {
		fmt.Fprintln(out, "the weights are an average and those in training are left out: what goes on from it trains the average")
	}
	if s := p.Spent; s != nil {
		fmt.Fprintf(out, "it took %s core-hours and %s of learning, in %s\n", s.CoreHours(), wording.Clock(time.Duration(s.LearnedSeconds*float64(time.Second))), wording.Count(s.Runs, "run"))
	} else {
		fmt.Fprintln(out, "what it took is unknown: an earlier program has a part in it")
	}
	_, err := fmt.Fprintf(out, "go on from it, also elsewhere, with\n  %s train --from %s --fresh-window --run runs/NAME\n", program, wording.Quoted(r.Path))
	return err
}
