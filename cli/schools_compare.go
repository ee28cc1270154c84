package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/school"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/study/schools"
	"github.com/spf13/cobra"
)

// schoolsFlags are what `schools compare` is asked.
type schoolsFlags struct {
	game      shell.GameFlags
	cfg       schools.Config
	depth     int
	networks  []string
	sims      []int
	precision string
	experimentFlags
}

// schoolsJSON is the result in the folder of a comparison.
const schoolsJSON = "schools.json"

func newSchoolsCompare(env *shell.Env) *cobra.Command {
	f := schoolsFlags{cfg: schools.DefaultConfig(), game: shell.GameFlags{Env: env, Name: "konreh"}}
	cfg := &f.cfg
	c := &cobra.Command{
		Use:   "compare [SCHOOL...]",
		Short: "Let schools play: how strong they are, what a doctrine does, whether they play as the book says",
		Long: "Plays three series of games of the schools, all of the book unless some are named by ID, name or path:\n\n" +
			"  a round robin of every two of them and school:none: ratings, and who beats whom;\n" +
			"  each against school:none at each of the --weights of its doctrine: what the doctrine does to its score, and to\n" +
			"  how it plays, with a test of every difference that the book's table names;\n" +
			"  each against --networks at --sims simulations a move.\n\n" +
			"Games begin after --opening-turns drawn at random, each opening played twice with seats exchanged and the same for\n" +
			"all pairs of a round. docs/schools.md explains figures and tests.\n\n" +
			"A plan with games and hours is printed first; --plan prints that alone. With --out the games are kept in a folder:\n" +
			"the same command goes on after any stop, and of a finished comparison it prints the result. The folder has the\n" +
			"result as report.txt, report.html, " + schoolsJSON + " and CSV files.",
		Example: "  ludozero schools compare --plan\n" +
			"  ludozero schools compare ykrul vilikari --depth 1 --rounds 2 --pairs 2 --other-pairs 1 --network-pairs 1 --sims 2",
		RunE: func(c *cobra.Command, args []string) error {
			w, err := f.open(c, args)
			if err != nil {
				return err
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			return w.work(ctx, c)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.game.Rules, "rules", "standard,max_turns=600", "rules in one word, PRESET,OPTION=VALUE,...; see ludozero rules")
	flags.IntVar(&f.depth, "depth", 2, "player turns that schools look ahead")
	flags.Float64SliceVar(&cfg.Weights, "weights", cfg.Weights, "weights of the doctrine against school:none, 1 among them")
	flags.IntVar(&cfg.Rounds, "rounds", cfg.Rounds, "pairs of games of every two schools; 0: no round robin")
	flags.IntVar(&cfg.Pairs, "pairs", cfg.Pairs, "pairs of games of each school against school:none at weight 1")
	flags.IntVar(&cfg.OtherPairs, "other-pairs", cfg.OtherPairs, "the same at each other weight, at most --pairs")
	flags.StringSliceVar(&f.networks, "networks", nil, "networks, each a path or the name of a shipped one (default: the shipped one of Kon'reh)")
	flags.IntSliceVar(&f.sims, "sims", []int{4, 16, 64}, "simulations a move of the networks; several: at each strength")
	flags.StringVar(&f.precision, "precision", precision.Default, "number format of the networks, one of "+strings.Join(precision.Names(), ", "))
	flags.IntVar(&cfg.NetworkPairs, "network-pairs", cfg.NetworkPairs, "pairs of games of each school against each network at each strength; 0: none")
	flags.IntVar(&cfg.OpeningTurns, "opening-turns", cfg.OpeningTurns, "turns drawn at random before the players take over, even")
	flags.IntVar(&cfg.MaxTurns, "max-turns", cfg.MaxTurns, "turns after which a game is a draw; 0: no limit")
	flags.IntVar(&cfg.Workers, "workers", cfg.Workers, "games at the same time, 0: one for each core; changes no result")
	flags.Uint64Var(&cfg.Seed, "seed", cfg.Seed, "seed of openings, players and tests")
	f.add(flags)
	return c
}

// schoolsWork is a comparison that has been checked as far as that can be done before
// any game.
type schoolsWork struct {
	flags *schoolsFlags
	game  engine.Game
	field schools.Field
	// words are the schools as they were named, networks likewise.
	words, networks []string
}

// open reads what is asked and reports all that is wrong with it.
func (f *schoolsFlags) open(c *cobra.Command, words []string) (*schoolsWork, error) {
	w := &schoolsWork{flags: f, words: words}
	var err error
	if w.game, err = f.game.Open(); err != nil {
		return nil, err
	}
	errs := []error{f.cfg.Validate(), f.validate()}
	if len(w.words) == 0 {
		for _, s := range school.Shipped() {
			if s.ID != school.None {
				w.words = append(w.words, s.ID)
			}
		}
	}
	if w.field.Control, err = f.spec(school.None, 1); err != nil {
		return nil, shell.Usage(errors.Join(append(errs, err)...))
	}
	for _, word := range w.words {
		errs = append(errs, w.enter(word))
	}
	if f.cfg.NetworkPairs > 0 {
		errs = append(errs, w.readNetworks())
	} else if c.Flags().Changed("networks") || c.Flags().Changed("sims") || c.Flags().Changed("precision") {
		errs = append(errs, errors.New("--networks, --sims and --precision: they belong to --network-pairs of 1 or more"))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, shell.Usage(err)
	}
	// Players are made once, so that all that is wrong with them is known now.
	for _, s := range w.specs() {
		if _, err := s.New(w.game); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// specs are all players.
func (w *schoolsWork) specs() []*player.Spec {
	list := []*player.Spec{w.field.Control}
	for _, s := range w.field.Schools {
		list = append(list, s.Specs...)
	}
	for _, s := range w.field.Strengths {
		list = append(list, s.Spec)
	}
	return list
}

// spec is a school at a weight.
func (f *schoolsFlags) spec(word string, weight float64) (*player.Spec, error) {
	return f.game.Env.Players.Parse(fmt.Sprintf("school:%s,depth=%d,weight=%s", word, f.depth, strconv.FormatFloat(weight, 'g', -1, 64)))
}

// enter adds the school that word means.
func (w *schoolsWork) enter(word string) error {
	s, err := school.Find(word)
	if err != nil {
		return err
	}
	if s.ID == school.None && s.Shipped() {
		return errors.New("school none: it is what the others are compared with, and takes part anyway")
	}
	x := schools.School{Name: s.Name, Word: word}
	if s.Shipped() {
		x.ID, x.Word = s.ID, s.ID
	}
	for _, other := range w.field.Schools {
		if other.Name == x.Name || x.Name == schools.Control {
			return fmt.Errorf("school %s: another one is called %s, too: want names that differ", word, x.Name)
		}
	}
	for _, weight := range w.flags.cfg.Weights {
		spec, err := w.flags.spec(x.Word, weight)
		if err != nil {
			return err
		}
		x.Specs = append(x.Specs, spec)
	}
	w.field.Schools = append(w.field.Schools, x)
	return nil
}

// readNetworks adds the networks at their strengths.
func (w *schoolsWork) readNetworks() error {
	w.networks = w.flags.networks
	if len(w.networks) == 0 {
		s, err := w.flags.game.Env.Players.Shipped("konreh")
		if err != nil {
			return err
		}
		if s == nil {
			return errors.New("no network is shipped for konreh: want --networks, or --network-pairs 0")
		}
		w.networks = []string{s.Name}
	}
	var errs []error
	for _, network := range w.networks {
		for _, sims := range w.flags.sims {
			spec, err := w.flags.game.Env.Players.Parse(fmt.Sprintf("net:%s,sims=%d,precision=%s", network, sims, w.flags.precision))
			if err != nil {
				errs = append(errs, err)
				continue
			}
			if slices.ContainsFunc(w.field.Strengths, func(s schools.Strength) bool { return s.Spec.Text == spec.Text }) {
				errs = append(errs, fmt.Errorf("player %s: it is there twice", spec.Text))
			}
			w.field.Strengths = append(w.field.Strengths, schools.Strength{Spec: spec, Network: network, Simulations: sims})
		}
	}
	return errors.Join(errs...)
}

// schoolsAsk is all that a comparison depends on, but for the machine and the number
// of workers.
type schoolsAsk struct {
	Format       int           `json:"format"`
	GameVersion  int           `json:"game_version"`
	Rules        string        `json:"rules"`
	Players      []askedPlayer `json:"players"`
	Weights      []float64     `json:"weights"`
	Rounds       int           `json:"rounds"`
	Pairs        int           `json:"pairs"`
	OtherPairs   int           `json:"other_pairs"`
	NetworkPairs int           `json:"network_pairs"`
	OpeningTurns int           `json:"opening_turns"`
	MaxTurns     int           `json:"max_turns"`
	Seed         uint64        `json:"seed"`
	Kernel       string        `json:"kernel,omitempty"`
	CoreTime     time.Duration `json:"core_time_ns,omitempty"`
}

const schoolsFormat = 1

// asked describes the comparison.
func (w *schoolsWork) asked() ([]byte, error) {
	cfg := &w.flags.cfg
	a := &schoolsAsk{
		Format: schoolsFormat, GameVersion: w.game.Info().Version, Rules: w.game.Rules(), Weights: cfg.Weights,
		Rounds: cfg.Rounds, Pairs: cfg.Pairs, OtherPairs: cfg.OtherPairs, NetworkPairs: cfg.NetworkPairs, OpeningTurns: cfg.OpeningTurns, MaxTurns: cfg.MaxTurns, Seed: cfg.Seed,
		CoreTime: w.flags.coreTime,
	}
	if len(w.field.Strengths) > 0 {
		a.Kernel = kernel.Arithmetic()
	}
	for _, s := range w.specs() {
		id, err := s.Identity()
		if err != nil {
			return nil, err
		}
		a.Players = append(a.Players, askedPlayer{Player: s.Text, Identity: id})
	}
	return jsonLines(a), nil
}

// work plays what is missing, and writes and prints the result.
func (w *schoolsWork) work(ctx context.Context, c *cobra.Command) error {
	asked, err := w.asked()
	if err != nil {
		return err
	}
	cfg := &w.flags.cfg
	parts, err := w.parts(ctx, cfg)
	if err != nil {
		return err
	}
	var in *schools.Input
	e := &experiment{
		flags: &w.flags.experimentFlags, folder: &experimentFolder{dir: w.flags.out, result: schoolsJSON}, asked: asked, empty: &schools.Result{},
		plan:   func() error { return w.plan(ctx, c) },
		rounds: max(cfg.Rounds, cfg.Pairs, cfg.NetworkPairs),
		play: func(round, rounds int) error {
			in, err = w.play(ctx, c, parts, cfg.Until(round, rounds), fmt.Sprintf("round %d of %d", round, rounds))
			return err
		},
		finish: func(stop *sheet.Stop) (experimentResult, []experimentFile, error) {
			in.Stopped = stop
			r, err := schools.Build(in)
			if err != nil {
				return nil, nil, err
			}
			return r, []experimentFile{
				{"report.txt", r.WriteText},
				{"report.html", r.WriteHTML},
				{"ratings.csv", r.WriteRatings},
				{"duels.csv", r.WriteDuels},
				{"effects.csv", r.WriteEffects},
				{"fingerprints.csv", r.WriteFingerprints},
				{"declared.csv", r.WriteDeclared},
				{"networks.csv", r.WriteNetworks},
			}, nil
		},
		sizes: fmt.Sprintf("--rounds %d --pairs %d --other-pairs %d --network-pairs %d", cfg.Rounds, cfg.Pairs, cfg.OtherPairs, cfg.NetworkPairs),
	}
	return e.run(ctx, c)
}

// plan says what will be played and how long that takes, by a measured rate.
func (w *schoolsWork) plan(ctx context.Context, c *cobra.Command) error {
	p := w.flags.planner(c)
	cfg := &w.flags.cfg
	games := cfg.Plan(&w.field)
	p.line("plan", "%s against each other and against none at weights %s", shell.Count(len(w.field.Schools), "school"), joined(cfg.Weights))
	total := games.RoundRobin + games.Doctrines + games.Networks
	var folders []string
	if w.flags.out != "" {
		folders = []string{w.flags.folderOf(schools.RoundRobin), w.flags.folderOf(schools.Doctrines), w.flags.folderOf(schools.Networks)}
	}
	before, err := gamesIn(folders)
	if err != nil {
		return err
	}
	text := ""
	if before > 0 {
		text = fmt.Sprintf("; %d of them played before", before)
	}
	p.line("games", "%d of the round robin, %d against none, %d against networks%s", games.RoundRobin, games.Doctrines, games.Networks, text)
	if before >= total {
		p.line("time", "nothing is left to play")
		p.end()
		return nil
	}
	guessed := false
	look := func(s *player.Spec) (pilot, error) {
		x, err := watch(ctx, cfg.MaxTurns, func(number int) (engine.Game, match.Contestant, uint64, error) {
			return w.game, s.Contestant(w.game), seed.Number(cfg.Seed, "schools pilot", uint64(number)), nil
		})
		if err != nil {
			return x, err
		}
		seen := "by " + shell.Count(x.games, "game")
		if x.games == 0 {
			guessed, seen = true, "the game's own guess"
		}
		p.line("", "%s: %v a decision, %.0f decisions a game (%s)", s.Text, x.decision.Round(10*time.Microsecond), x.decisions, seen)
		return x, nil
	}
	control, err := look(w.field.Control)
	if err != nil {
		return err
	}
	whole := float64(control.decision) * control.decisions
	work := float64(games.RoundRobin+games.Doctrines) * whole
	for _, s := range w.field.Strengths {
		x, err := look(s.Spec)
		if err != nil {
			return err
		}
		work += float64(games.Networks) / float64(len(w.field.Strengths)) * (whole + float64(x.decision)*x.decisions) / 2
	}
	work *= 1 - min(1, float64(before)/float64(max(1, total)))
	text = "by what was just measured, other work on this machine included"
	if guessed {
		text += "; lengths of games are guesses in part"
	}
	p.time(time.Duration(work), cfg.Workers, text)
	p.end()
	return nil
}

// parts are the series of these sizes, with their openings.
func (w *schoolsWork) parts(ctx context.Context, cfg *schools.Config) (list []schools.Part, err error) {
	for _, p := range []struct {
		name   string
		rounds int
		begin  func(engine.Game, *schools.Field, *match.Openings) (*schools.Part, error)
	}{
		{schools.RoundRobin, cfg.Rounds, cfg.NewRoundRobin},
		{schools.Doctrines, cfg.Pairs, cfg.NewDoctrines},
		{schools.Networks, cfg.NetworkPairs, cfg.NewNetworks},
	} {
		if p.rounds == 0 {
			continue
		}
		openings, err := match.RandomOpenings(ctx, w.game, p.rounds, cfg.OpeningTurns, cfg.SeedOf(p.name))
		if err != nil {
			return nil, err
		}
		part, err := p.begin(w.game, &w.field, openings)
		if err != nil {
			return nil, err
		}
		list = append(list, *part)
	}
	return list, nil
}

// play plays all games of parts that are missing up to these sizes; said tells where the
// work stands.
func (w *schoolsWork) play(ctx context.Context, c *cobra.Command, parts []schools.Part, cfg schools.Config, said string) (*schools.Input, error) {
	in := &schools.Input{Config: cfg, Field: &w.field, Command: w.command(&cfg), Identity: map[string]string{}}
	until, err := w.parts(ctx, &cfg) // which all begin parts
	if err != nil {
		return nil, err
	}
	for _, s := range w.specs() {
		// What shipped schools are, the program says.
		if id, err := s.Identity(); err != nil {
			return nil, err
		} else if !w.shipped(s) {
			in.Identity[s.Text] = id
		}
	}
	for i := range parts {
		p := &parts[i]
		p.Series.Until = until[i].Series.Games()
		drawn := 0
		work := &shell.Series{
			Env: w.flags.game.Env, Kind: "schools-" + p.Name, Dir: w.flags.folderOf(p.Name), Series: p.Series, Players: p.Players,
			Counted: func(g *match.Game) bool {
				if g.Points == 0.5 {
					drawn++
				}
				return true
			},
			Progress: func() string { return fmt.Sprintf("%s, %d of %d: %s, %d drawn", said, i+1, len(parts), p.Name, drawn) },
			Result: func(games []match.Game) (any, error) {
				return struct {
					Part  string `json:"part"`
					Games int    `json:"games"`
					Drawn int    `json:"drawn"`
				}{p.Name, len(games), drawn}, nil
			},
		}
		played, err := work.Play(ctx, c)
		if err != nil {
			return nil, err
		}
		whole := &schools.Played{Part: &until[i], Games: played[:p.Series.Until]}
		switch p.Name {
		case schools.RoundRobin:
			in.RoundRobin = whole
		case schools.Doctrines:
			in.Doctrines = whole
		case schools.Networks:
			in.Networks = whole
		}
	}
	return in, nil
}

// shipped tells whether s is a school that is part of the program, or the control.
func (w *schoolsWork) shipped(s *player.Spec) bool {
	if s == w.field.Control {
		return true
	}
	return slices.ContainsFunc(w.field.Schools, func(x schools.School) bool { return x.ID != "" && slices.Contains(x.Specs, s) })
}

// command is what repeats the comparison elsewhere, with every value that figures
// depend on.
func (w *schoolsWork) command(cfg *schools.Config) string {
	f := w.flags
	words := []string{"ludozero", "schools", "compare"}
	for _, word := range w.words {
		words = append(words, quoted(word))
	}
	add := func(flag, value string) { words = append(words, "--"+flag, quoted(value)) }
	add("rules", w.game.Rules())
	add("depth", strconv.Itoa(f.depth))
	add("weights", joined(cfg.Weights))
	add("rounds", strconv.Itoa(cfg.Rounds))
	add("pairs", strconv.Itoa(cfg.Pairs))
	add("other-pairs", strconv.Itoa(cfg.OtherPairs))
	if cfg.NetworkPairs > 0 {
		add("networks", strings.Join(w.networks, ","))
		add("sims", joined(f.sims))
		add("precision", f.precision)
	}
	add("network-pairs", strconv.Itoa(cfg.NetworkPairs))
	add("opening-turns", strconv.Itoa(cfg.OpeningTurns))
	add("max-turns", strconv.Itoa(cfg.MaxTurns))
	add("seed", strconv.FormatUint(cfg.Seed, 10))
	return strings.Join(words, " ")
}
