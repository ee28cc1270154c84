package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/study/heuristics"
	"github.com/spf13/cobra"
)

// heuristicsFlags are what `heuristics test` is asked.
type heuristicsFlags struct {
	env      *shell.Env
	rules    string
	networks []string
	cfg      heuristics.Config
	runs     []string
	records  int
	workers  int
	experimentFlags
}

func newHeuristicsTest(env *shell.Env) *cobra.Command {
	f := heuristicsFlags{env: env, cfg: heuristics.Config{
		Pairs: 200, Depth: 2, Games: 100, Sims: 64, Sampled: 16, PerGame: 2, Most: 150, ChooseSims: 64, JudgeSims: 256, MaxTurns: 600, Seed: 1,
	}}
	cfg := &f.cfg
	c := &cobra.Command{
		Use:   "test",
		Short: "Test the rules of thumb and print which of them the data support",
		Long: "Three ways, of which the first two make findings. On and off: games of a player with one rule against the same player\n" +
			"without. Regret: in positions of games that the networks play, one network chooses the best move that a rule speaks of\n" +
			"and the best that it does not, another one judges what follows from each. Observed: how often games obey a rule, and\n" +
			"how those fare who do; nothing follows from that alone. The tests are declared in the program and corrected for their\n" +
			"number. The first of --networks is tested, the others have to agree.\n\n" +
			"A plan is printed first; --plan prints that alone. With --out all is kept in a folder: the same command goes on, and\n" +
			"prints the result of a finished one. The folder has it as report.txt, report.html, heuristics.json and CSV files.",
		Args: cobra.NoArgs,
		Example: "  ludozero heuristics test --networks konreh,runs/mine --out reports/heuristics\n" +
			"  ludozero heuristics test --networks konreh,runs/mine,runs/other --run runs/mine --plan",
		RunE: func(c *cobra.Command, _ []string) error {
			w, err := f.open()
			if err != nil {
				return err
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			return w.work(ctx, c)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.rules, "rules", "", "rules of Kon'reh in one word, PRESET,OPTION=VALUE,...; see ludozero rules")
	flags.StringSliceVar(&f.networks, "networks", nil, "two networks or more, each a path or the name of a shipped one")
	flags.IntVar(&cfg.Pairs, "pairs", cfg.Pairs, "pairs of games of each rule against the player without it")
	flags.IntVar(&cfg.Depth, "depth", cfg.Depth, "player turns that these look ahead")
	flags.IntVar(&cfg.Games, "games", cfg.Games, "games of the networks that choices are drawn from, even")
	flags.IntVar(&cfg.Sims, "sims", cfg.Sims, "simulations a move in those games")
	flags.IntVar(&cfg.Sampled, "sampled", cfg.Sampled, "decisions that each player of those games draws from its policy")
	flags.IntVar(&cfg.PerGame, "per-game", cfg.PerGame, "choices of one kind and situation from a game")
	flags.IntVar(&cfg.Most, "most", cfg.Most, "choices of one kind and situation in all")
	flags.IntVar(&cfg.ChooseSims, "choose-sims", cfg.ChooseSims, "simulations of the search that chooses moves")
	flags.IntVar(&cfg.JudgeSims, "judge-sims", cfg.JudgeSims, "simulations of the search that judges what follows from a move")
	flags.StringArrayVar(&f.runs, "run", nil, "observe recorded games of this run or these shards, the newest first, instead of the networks' games; may be repeated")
	flags.IntVar(&f.records, "records", 2000, "at most so many recorded games")
	flags.IntVar(&cfg.MaxTurns, "max-turns", cfg.MaxTurns, "turns after which a game is a draw; 0: no limit")
	flags.IntVar(&f.workers, "workers", 0, "games and searches at the same time, 0: one for each core; changes no result")
	flags.Uint64Var(&cfg.Seed, "seed", cfg.Seed, "seed of players, choices and intervals")
	f.add(flags)
	return c
}

// heuristicsWork is a test that has been checked as far as that can be done before any
// game.
type heuristicsWork struct {
	flags  *heuristicsFlags
	game   *konreh.Game
	shards []shardFile
	// players, choosers and judges are those of each network.
	players, choosers, judges []*player.Spec
	hashes                    []string
	// matches are the players of each rule, and without any last.
	matches []*player.Spec

	done heuristicsDone
}

// maxHeuristics keeps numbers on the command line in the memory of one machine.
const maxHeuristics = 1_000_000

func (f *heuristicsFlags) validate() error {
	errs := []error{f.experimentFlags.validate()}
	for _, x := range []struct {
		name        string
		value, from int
	}{
		{"pairs", f.cfg.Pairs, 1}, {"games", f.cfg.Games, 2}, {"sims", f.cfg.Sims, 1}, {"sampled", f.cfg.Sampled, 0}, {"per-game", f.cfg.PerGame, 1},
		{"most", f.cfg.Most, 1}, {"choose-sims", f.cfg.ChooseSims, 1}, {"judge-sims", f.cfg.JudgeSims, 1}, {"max-turns", f.cfg.MaxTurns, 0},
		{"records", f.records, 1}, {"workers", f.workers, 0},
	} {
		if x.value < x.from || x.value > maxHeuristics {
			errs = append(errs, fmt.Errorf("--%s %d: want %d to %d", x.name, x.value, x.from, maxHeuristics))
		}
	}
	if f.cfg.Games%2 != 0 {
		errs = append(errs, fmt.Errorf("--games %d: want an even number", f.cfg.Games))
	}
	if len(f.networks) < 2 {
		errs = append(errs, errors.New("--networks: want two or more, since no network judges the moves that it has chosen"))
	}
	return errors.Join(errs...)
}

func (f *heuristicsFlags) open() (*heuristicsWork, error) {
	w := &heuristicsWork{flags: f}
	if err := f.validate(); err != nil {
		return nil, shell.Usage(err)
	}
	g, err := (&shell.GameFlags{Env: f.env, Name: konreh.Family.Name, Rules: f.rules}).Open()
	if err != nil {
		return nil, err
	}
	w.game = g.(*konreh.Game)
	for _, n := range f.networks {
		for _, x := range []struct {
			list *[]*player.Spec
			sims int
		}{{&w.players, f.cfg.Sims}, {&w.choosers, f.cfg.ChooseSims}, {&w.judges, f.cfg.JudgeSims}} {
			spec, err := f.env.Players.Parse(fmt.Sprintf("net:%s,sims=%d", n, x.sims))
			if err == nil {
				_, err = spec.New(g) // so that all that is wrong with it is known now
			}
			if err != nil {
				return nil, shell.Usage(err)
			}
			*x.list = append(*x.list, spec)
		}
	}
	if w.hashes, err = differentNetworks(f.networks); err != nil {
		return nil, shell.Usage(err)
	}
	ids := []string{"none"}
	for _, r := range heuristics.Rules() {
		ids = append(ids, r.School())
	}
	for _, id := range ids {
		spec, err := player.Parse(fmt.Sprintf("school:%s,depth=%d", id, f.cfg.Depth), nil)
		if err != nil {
			return nil, shell.Usage(err)
		}
		w.matches = append(w.matches, spec)
	}
	w.matches = append(w.matches[1:], w.matches[0])
	if len(f.runs) > 0 {
		if w.shards, err = findShards(f.runs); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// heuristicsAsk is all that a test depends on, but for the machine and the number of
// workers. Recorded games are named, not described: a run that has gone on since has
// newer ones.
type heuristicsAsk struct {
	Format      int               `json:"format"`
	GameVersion int               `json:"game_version"`
	Rules       string            `json:"rules"`
	Networks    []askedPlayer     `json:"networks"`
	Schools     []askedPlayer     `json:"schools"`
	Config      heuristics.Config `json:"config"`
	Runs        []string          `json:"runs,omitempty"`
	Records     int               `json:"records,omitempty"`
	Kernel      string            `json:"kernel"`
	CoreTime    time.Duration     `json:"core_time_ns,omitempty"`
}

const (
	heuristicsFormat = 2
	heuristicsJSON   = "heuristics.json"
)

func (w *heuristicsWork) asked() ([]byte, error) {
	a := heuristicsAsk{
		Format: heuristicsFormat, GameVersion: w.game.Info().Version, Rules: w.game.Rules(), Config: w.flags.cfg, Runs: w.flags.runs, Kernel: kernel.Arithmetic(), CoreTime: w.flags.coreTime,
	}
	if len(w.flags.runs) > 0 {
		a.Records = w.flags.records
	}
	for i, n := range w.flags.networks {
		a.Networks = append(a.Networks, askedPlayer{Player: n, Identity: w.hashes[i]})
	}
	for _, p := range w.matches {
		id, err := p.Identity()
		if err != nil {
			return nil, err
		}
		a.Schools = append(a.Schools, askedPlayer{Player: p.Text, Identity: id})
	}
	return jsonLines(&a), nil
}

// sameHeuristics refuses to go on with anything else but another limit of time.
func sameHeuristics(before, asked []byte) error {
	var was, is heuristicsAsk
	if err := errors.Join(json.Unmarshal(before, &was), json.Unmarshal(asked, &is)); err != nil {
		return fmt.Errorf("%s: %w", experimentAsked, err)
	}
	was.CoreTime = is.CoreTime
	if !bytes.Equal(jsonLines(&was), asked) {
		return fmt.Errorf("%s says that it was begun for something else (networks, settings or kernel differ): want the same again, or a folder of its own", experimentAsked)
	}
	return nil
}

// work does what is missing, and writes and prints the result.
func (w *heuristicsWork) work(ctx context.Context, c *cobra.Command) error {
	asked, err := w.asked()
	if err != nil {
		return err
	}
	cfg := &w.flags.cfg
	e := &experiment{
		flags: &w.flags.experimentFlags, folder: &experimentFolder{dir: w.flags.out, result: heuristicsJSON, same: sameHeuristics}, asked: asked, empty: &heuristics.Result{},
		plan:   func() error { return w.plan(ctx, c) },
		rounds: 1, // as some choices of a round are none of the next
		play:   func(round, rounds int) error { return w.play(ctx, c, cfg.Until(round, rounds)) },
		finish: func(stop *sheet.Stop) (experimentResult, []experimentFile, error) { return w.finish(ctx, c, stop) },
		sizes:  fmt.Sprintf("--pairs %d --games %d --most %d", cfg.Pairs, cfg.Games, cfg.Most),
	}
	if w.flags.coreTime > 0 {
		e.rounds = cfg.Pairs
	}
	return e.run(ctx, c)
}

// command is what repeats the test, with every value that figures depend on.
func (w *heuristicsWork) command(cfg *heuristics.Config) string {
	f := w.flags
	words := []string{"ludozero", "heuristics", "test"}
	add := func(flag, value string) { words = append(words, "--"+flag, quoted(value)) }
	if f.rules != "" {
		add("rules", f.rules)
	}
	add("networks", strings.Join(f.networks, ","))
	for _, x := range []struct {
		flag  string
		value int
	}{
		{"pairs", cfg.Pairs}, {"depth", cfg.Depth}, {"games", cfg.Games}, {"sims", cfg.Sims}, {"sampled", cfg.Sampled}, {"per-game", cfg.PerGame},
		{"most", cfg.Most}, {"choose-sims", cfg.ChooseSims}, {"judge-sims", cfg.JudgeSims}, {"max-turns", cfg.MaxTurns},
	} {
		add(x.flag, strconv.Itoa(x.value))
	}
	for _, run := range f.runs {
		add("run", run)
	}
	if len(f.runs) > 0 {
		add("records", strconv.Itoa(f.records))
	}
	add("seed", strconv.FormatUint(cfg.Seed, 10))
	return strings.Join(words, " ")
}
