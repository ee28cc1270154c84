package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/model/zoo"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/train/play"
	"github.com/ludozero/ludozero/train/run"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/spf13/cobra"
)

// options are what train, selfplay and fit are asked for.
type options struct {
	config, dir string
	set         []string // KEY=VALUE each
	from        string   // RUN or RUN@GENERATION that a fork goes on from; "" for no fork
	freshWindow bool     // of a fork
	network     string   // to begin a new run with; "" for an untrained one
	games       int      // of a generation of a new run; 0: as configured
	json        bool
	noRating    bool // no matches, neither on the way nor at the end
}

// setting is what options come to.
type setting struct {
	options
	cfg     configs.Run  // nothing in it is auto any more
	auto    string       // what settings that were auto have become, for people; "": there were none
	first   *run.First   // nil unless the run begins with a network that is trained
	fork    *run.Fork    // nil unless it is one
	teacher play.Teacher // nil: the network plays all games alone
}

// add adds the flags that all commands that train have.
func (o *options) add(env *shell.Env, c *cobra.Command) {
	c.Flags().StringVar(&o.config, "config", "", "configuration file, or the name of one in the program such as "+env.Families[0].Name+"/quick (default: the run's own if it exists)")
	c.Flags().StringVar(&o.dir, "run", "", "folder of the run, created or resumed")
	c.Flags().StringArrayVar(&o.set, "set", nil, "override a key of the configuration, KEY=VALUE; may be repeated")
}

// addNetwork adds the flag that names the first network of a run.
func (o *options) addNetwork(c *cobra.Command) {
	c.Flags().StringVar(&o.network, "network", "", "network that a new run begins with: a weight file, a checkpoint, a run for its newest, or the name of a shipped one")
}

// resolve checks options and completes them. It reads files, starts no program and writes
// nothing.
func (o options) resolve(env *shell.Env) (*setting, error) {
	switch {
	case o.games < 0:
		return nil, shell.Usagef("--games %d: want at least 1", o.games)
	case o.network != "" && o.from != "":
		return nil, shell.Usagef("--network: a run that goes on --from another begins with its network")
	case o.freshWindow && o.from == "":
		return nil, shell.Usagef("--fresh-window: want --from with it")
	}
	s := &setting{options: o}
	set := slices.Clone(o.set)
	if o.games > 0 {
		set = append(set, fmt.Sprintf("games_per_generation=%d", o.games))
	}
	size, game, err := s.begin()
	if err != nil {
		return nil, err
	}
	if game != "" {
		size = append(size, "game="+game)
	}
	for _, own := range size {
		key, value, _ := strings.Cut(own, "=")
		for _, given := range o.set {
			if strings.HasPrefix(given, key+"=") {
				return nil, shell.Usagef("--set %s: --network %s says it, %s", given, o.network, value)
			}
		}
	}
	if game != "" {
		if err := s.sameGame(env, set, game); err != nil {
			return nil, err
		}
		set = append(set, size...)
	}
	if o.from != "" {
		err = s.continueFrom(env, set)
	} else {
		s.cfg, err = Config(env, o.config, o.dir, set)
	}
	if err != nil {
		return nil, shell.Usage(err)
	}
	s.auto = shell.AutoText(s.cfg.ResolveAuto(nil, kernel.Level()))
	if s.teacher, err = env.Teacher(&s.cfg); err != nil {
		return nil, shell.Usage(err)
	}
	return s, nil
}

// begin reads the network that a new run begins with, if options name one, and returns
// what the configuration is to say of its size, and its game.
func (s *setting) begin() (size []string, game string, err error) {
	if s.network == "" {
		return nil, "", nil
	}
	n, err := open.Find(s.network)
	if err != nil {
		return nil, "", err
	}
	w, card, err := n.Load()
	if err != nil {
		return nil, "", err
	}
	text, err := json.Marshal(card.Network.Config)
	if err != nil {
		return nil, "", err
	}
	keys := map[string]any{"reply": false} // which the card leaves out
	if err := json.Unmarshal(text, &keys); err != nil {
		return nil, "", err
	}
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		size = append(size, fmt.Sprintf("model.%s=%v", k, keys[k]))
	}
	s.first = &run.First{Name: n.String(), Weights: w, Calibration: card.Calibration}
	return size, card.Game, nil
}

// sameGame refuses a configuration that is for another game than the network. One that
// names no game is for the network's; an existing run says itself what it is for.
func (s *setting) sameGame(env *shell.Env, set []string, game string) error {
	if _, err := os.Stat(filepath.Join(s.dir, rundir.ConfigFile)); err == nil {
		return nil
	}
	base := configs.DefaultRun(env.Families)
	base.Game = game
	cfg, err := configs.Load(base, s.config, set, os.Environ())
	if err == nil && cfg.Game != game {
		return shell.Usagef("--network %s plays %s, not %s, the game of the configuration", s.network, game, cfg.Game)
	}
	return nil // what else is wrong is told with what the network says
}

// continueFrom resolves the configuration of a fork.
func (s *setting) continueFrom(env *shell.Env, set []string) (err error) {
	if s.dir == "" {
		return errors.New("--run is required: the folder of the new run, such as runs/second")
	}
	if zoo.Has(strings.TrimPrefix(s.from, open.ShippedPrefix)) && !shell.IsDir(s.from) {
		return fmt.Errorf("--from %s: a shipped network comes without optimizer and games: want --network %s", s.from, s.from)
	}
	dir, generation := shell.ParseRun(s.from)
	s.fork = &run.Fork{Dir: dir, FreshWindow: s.freshWindow}
	s.cfg, s.fork.Generation, err = source(env, s.config, set).Fork(s.dir, dir, generation, s.freshWindow)
	return needsConfig(err)
}

// needsConfig says which flag helps where there is no configuration.
func needsConfig(err error) error {
	if errors.Is(err, configs.ErrNoFile) {
		return fmt.Errorf("--config is required: %w", err)
	}
	return err
}

// Config resolves the configuration of the run in folder dir; see configs.Source.Run.
func Config(env *shell.Env, path, dir string, set []string) (configs.Run, error) {
	cfg, err := source(env, path, set).Run(dir)
	err = needsConfig(err)
	if dir == "" {
		err = errors.Join(errors.New("--run is required: the folder of the run, such as runs/first"), err)
	}
	return cfg, err
}

// source is where the command line, the environment and the file at path have settings.
func source(env *shell.Env, path string, set []string) *configs.Source {
	return &configs.Source{
		Games: env.Families, Path: path, Environ: os.Environ(), Overrides: set, Level: kernel.Level(),
		Check: func(cfg *configs.Run) error { return checkPlayers(env, cfg) },
	}
}

// checkPlayers finds out now what players would fail later. Programs are started by
// checkPrograms alone.
func checkPlayers(env *shell.Env, cfg *configs.Run) error {
	_, err := env.Teacher(cfg)
	g, gameErr := env.Families.Open(cfg.Game, cfg.Rules)
	if gameErr != nil {
		return err // what is wrong with the rules is said of them
	}
	ev := &cfg.Evaluation
	network := func(simulations int) error {
		_, err := env.Players.Parse(player.NetText("weights", simulations))
		return err
	}
	opponent := func(text string) error {
		spec, err := env.Players.Parse(text)
		if err == nil && !open.StartsProgram(spec) {
			_, err = env.Contestants(g, shell.Begin(g, ev.Match.OpeningTurns), text)
		}
		if err != nil {
			return err
		}
		return shell.WantClock([]match.Contestant{{Name: text, ByClock: spec.ByClock}}, ev.Match.Clock, "evaluation.match.clock")
	}
	return errors.Join(err, ev.Check(g, network, opponent))
}
