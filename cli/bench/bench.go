// Package bench is the command that measures this machine.
package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ludozero/ludozero/bench"
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/spf13/cobra"
)

// benchFlags has the flags of the command bench.
type benchFlags struct {
	shell.GameFlags
	config  string
	set     []string
	network string
	threads int
	time    time.Duration
	only    string
	hours   float64
	search  bool
	out     string
	json    bool
}

// New is the command bench.
func New(env *shell.Env) *cobra.Command {
	var f benchFlags
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure this machine, and what a night of learning would give on it",
		Long: "Measures what the processor can do, then the rules, the search, evaluations of a network, training, self-play and\n" +
			"shards, each as a share of what limits it, and ends with a plan for a night: networks and simulations with the\n" +
			"positions, games and steps to expect, and one of them by a rule of thumb, with the settings for it.\n\n" +
			"The rules and the handwritten search of a game are also compared with those of " + env.Families[0].Name + ".\n\n" +
			"What belongs together is measured in turn, in five slices each: a figure is their median, with the lowest and the\n" +
			"highest beside it. Other work on the machine makes all of them smaller and the range wider.\n\n" +
			"Sections: " + strings.Join(bench.Sections(), ", ") + ".\n" +
			"Ctrl-C ends it with what there is.",
		Args: cobra.NoArgs,
		Example: "  ludozero bench\n  ludozero bench --game connect4 --network 6x64 --only inference,training\n" +
			"  ludozero bench --search --network 4x32 --set self_play.precision=int8\n" +
			"  ludozero bench --config configs/konreh/quick.yaml --hours 8 --json >machine.json",
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	f.Add(c, env)
	c.Flags().StringVar(&f.config, "config", "", "configuration file, or the name of one in the program, whose game, network, search and batch are measured (default: the defaults of all keys)")
	c.Flags().StringArrayVar(&f.set, "set", nil, "override a key of the configuration, KEY=VALUE; may be repeated")
	c.Flags().StringVar(&f.network, "network", "", "network to measure, BLOCKSxCHANNELS (default: as configured)")
	c.Flags().IntVar(&f.threads, "threads", 0, "threads of the measurements with all cores, 0: one for each core")
	c.Flags().DurationVar(&f.time, "time", 2*time.Second, "for one measurement")
	c.Flags().StringVar(&f.only, "only", "", "sections to measure, separated by commas (default: all)")
	c.Flags().BoolVar(&f.search, "search", false, "only measure which threads and leaves suit one search here, as --only "+bench.Threads)
	c.Flags().Float64Var(&f.hours, "hours", 10, "length of the night, in hours of learning")
	c.Flags().StringVar(&f.out, "out", "", "also write the result to a JSON file")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return c
}

func (f *benchFlags) run(c *cobra.Command) error {
	if err := shell.Within("hours", f.hours, 0, 10_000); err != nil {
		return err
	}
	if f.out != "" {
		if err := shell.WantFile("out", f.out); err != nil {
			return err
		}
	}
	cfg, err := f.load(c)
	if err != nil {
		return shell.Usage(err)
	}
	rules, err := cfg.NewRules(f.Env.Families)
	if err != nil {
		return shell.Usage(err)
	}
	measured := cfg.Config // with what auto stands for here
	auto := measured.ResolveAuto(nil, kernel.Level())
	o := bench.Options{Config: measured, Rules: rules, Threads: f.threads, Time: f.time, Night: time.Duration(f.hours * float64(time.Hour))}
	if reference := f.Env.Families[0]; reference.Name != measured.Game {
		if o.Reference, err = reference.Parse(""); err != nil {
			return fmt.Errorf("game %s, measured beside: %w", reference.Name, err)
		}
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if f.search {
		o.Only = []string{bench.Threads}
	}
	if f.only != "" {
		o.Only = strings.Split(f.only, ",")
	}
	if err := o.Validate(); err != nil {
		return shell.Usage(err)
	}
	out, errOut := c.OutOrStdout(), c.ErrOrStderr()
	expect := int(o.Expect().Round(time.Second) / time.Second)
	if text := shell.AutoText(auto); text != "" {
		fmt.Fprintln(errOut, text)
	}
	fmt.Fprintf(errOut, "this takes about %s\n", wording.Count(expect, "second"))
	progress := shell.NewBar(errOut, max(expect, 1), "s")
	o.Progress = func(spent time.Duration, what string) {
		progress.Set(min(int(spent/time.Second), progress.Total), what)
	}
	if !f.json {
		o.Begin = func(r *bench.Report) { progress.Clear(); printBenchHead(out, r) }
		o.Done = func(s *bench.Section) { progress.Clear(); printBenchSection(out, s) }
	}
	ctx, stop := shell.Interruptible(c.Context())
	defer stop()
	report, err := bench.Run(ctx, o)
	progress.Clear()
	if report == nil || err != nil && ctx.Err() == nil {
		return err
	}
	return errors.Join(err, f.finish(c, &cfg, report))
}

// finish prints and writes what there is at the end.
func (f *benchFlags) finish(c *cobra.Command, cfg *configs.Run, r *bench.Report) error {
	if f.out != "" {
		if err := atomicfile.Write(f.out, func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetIndent("", "  ")
			return e.Encode(r)
		}); err != nil {
			return err
		}
	}
	if f.json {
		return shell.WriteJSON(c, r)
	}
	out := c.OutOrStdout()
	if r.Night != nil {
		how, err := f.nightCommand(c.Root().DisplayName(), cfg, r.Night)
		if err != nil {
			return err
		}
		printBenchNight(out, r.Night)
		fmt.Fprint(out, how)
	}
	printBenchConditions(out, r)
	return nil
}

// load resolves the configuration. Without a file, and without a word about it, it
// need not say how long it learns.
func (f *benchFlags) load(c *cobra.Command) (configs.Run, error) {
	defaults, set := configs.DefaultRun(f.Env.Families), append([]string(nil), f.set...)
	defaults.Budget = 10 * time.Hour // any: it ends nothing here
	switch {
	case f.config == "":
		if f.Name != defaults.Game || f.Rules != "" {
			g, err := f.Open()
			if err != nil {
				return defaults, err
			}
			defaults.Game, defaults.Rules = f.Name, g.Rules()
		}
	case c.Flags().Changed("game") || c.Flags().Changed("rules"):
		return defaults, errors.New("--game, --rules: the configuration says it; --set game=NAME and --set rules=WORD change it")
	}
	if f.network != "" {
		blocks, channels, err := parseNetwork(f.network)
		if err != nil {
			return defaults, err
		}
		set = append(set, fmt.Sprintf("model.blocks=%d", blocks), fmt.Sprintf("model.channels=%d", channels))
	}
	return configs.Load(defaults, f.config, set, os.Environ())
}

// parseNetwork reads 6x64. What the numbers may be is the configuration's to say.
func parseNetwork(text string) (blocks, channels int, err error) {
	b, c, ok := strings.Cut(text, "x")
	if ok {
		blocks, err = strconv.Atoi(b)
		if err == nil {
			channels, err = strconv.Atoi(c)
		}
	}
	if !ok || err != nil {
		return 0, 0, fmt.Errorf("--network %q: want BLOCKSxCHANNELS, such as 6x64", text)
	}
	return blocks, channels, nil
}

// nightCommand is how to begin the night: with --set where there is a file, else
// with a file to write.
func (f *benchFlags) nightCommand(program string, cfg *configs.Run, n *bench.Night) (string, error) {
	var words []string
	for _, s := range n.Settings {
		words = append(words, s.Key+"="+s.Value)
	}
	night, err := configs.Load(*cfg, "", words, nil)
	if err != nil {
		return "", fmt.Errorf("BUG: the plan is no configuration: %w", err)
	}
	var b strings.Builder
	if f.config == "" {
		fmt.Fprintf(&b, "%s train --config night.yaml --run runs/night, with night.yaml:\n\n", program)
		for _, d := range configs.Diff(configs.DefaultRun(f.Env.Families), night) {
			fmt.Fprintf(&b, "%s: %s\n", d.Key, d.New)
		}
		return b.String(), nil
	}
	fmt.Fprintf(&b, "%s train --config %s --run runs/night", program, wording.Quoted(f.config))
	for _, own := range f.set {
		key, _, _ := strings.Cut(own, "=")
		if !slices.ContainsFunc(n.Settings, func(s bench.Setting) bool { return s.Key == key }) {
			fmt.Fprintf(&b, " --set %s", wording.Quoted(own))
		}
	}
	for _, w := range words {
		fmt.Fprintf(&b, " \\\n  --set %s", wording.Quoted(w))
	}
	b.WriteString("\n")
	return b.String(), nil
}
