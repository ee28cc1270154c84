package data

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/play"
	"github.com/ludozero/ludozero/train/rundir"
	"github.com/spf13/cobra"
)

func newDataReproduce(env *shell.Env) *cobra.Command {
	p := Reproduction{games: env.Families}
	c := &cobra.Command{
		Use:   "reproduce RUN",
		Short: "Search recorded games again and compare every number",
		Long: "Plays games of a run again, from its seed, configuration and networks, and compares every column of every row to\n" +
			"the bit: visits, targets, values, moves. Without --game or --all it draws some of them. The kernels must be those\n" +
			"that the games were played with, since others round differently; LUDOZERO_KERNEL chooses. Games whose network the\n" +
			"run did not keep are counted and left out. The exit code is 1 if anything differs.",
		Args:    cobra.ExactArgs(1),
		Example: "  ludozero data reproduce runs/first\n  ludozero data reproduce runs/first --game 7",
		RunE: func(c *cobra.Command, args []string) error {
			if p.game < 0 && c.Flags().Changed("game") {
				return shell.Usagef("--game %d: want none below 0", p.game)
			}
			if p.sample < 1 {
				return shell.Usagef("--games %d: want at least 1", p.sample)
			}
			if err := kernel.Check(); err != nil { // else the games seem to want another variant
				return err
			}
			if err := rundir.CheckConfigFile(args[0]); err != nil {
				return shell.Usage(err)
			}
			cfg, err := configs.Load(configs.DefaultRun(env.Families), filepath.Join(args[0], rundir.ConfigFile), nil, nil)
			if err != nil {
				return shell.Usage(err)
			}
			if p.teacher, err = env.Teacher(&cfg); err != nil {
				return shell.Usage(err)
			}
			ctx, stop := shell.Interruptible(c.Context())
			defer stop()
			return p.do(ctx, c, args[0], cfg.Config)
		},
	}
	c.Flags().Int64Var(&p.game, "game", -1, "number of the one game")
	c.Flags().BoolVar(&p.all, "all", false, "all games")
	c.Flags().IntVar(&p.sample, "games", 20, "how many games to draw")
	c.Flags().Uint64Var(&p.seed, "seed", 1, "seed of that draw")
	c.Flags().BoolVar(&p.json, "json", false, "print JSON")
	c.MarkFlagsMutuallyExclusive("game", "all", "games")
	c.MarkFlagsMutuallyExclusive("game", "all", "seed")
	return c
}

// Reproduction is what to play again, and what came of it.
type Reproduction struct {
	games   engine.Families
	teacher play.Teacher

	game   int64
	all    bool
	sample int
	seed   uint64
	json   bool

	// Games and Rows were compared; the networks of Gone games were not kept.
	Games  int                 `json:"games"`
	Rows   int                 `json:"rows"`
	Gone   int                 `json:"gone"`
	Differ []play.Reproduction `json:"differ"`
}

// choose picks the numbers of games to play again.
func (p *Reproduction) choose(ctx context.Context, dir string, cfg plan.Config) ([]int64, error) {
	if p.game >= 0 {
		return []int64{p.game}, nil
	}
	numbers, err := play.RecordedGames(ctx, dir, cfg, p.games)
	if err != nil || p.all || p.sample >= len(numbers) {
		return numbers, err
	}
	rng := rand.New(seed.Stream(p.seed, "reproduce", 0))
	rng.Shuffle(len(numbers), func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
	numbers = numbers[:p.sample]
	slices.Sort(numbers)
	return numbers, nil
}

func (p *Reproduction) do(ctx context.Context, c *cobra.Command, dir string, cfg plan.Config) error {
	numbers, err := p.choose(ctx, dir, cfg)
	if err != nil {
		return err
	}
	p.Differ = []play.Reproduction{}
	b := shell.NewBar(c.ErrOrStderr(), len(numbers), "games")
	err = play.Reproduce(ctx, dir, cfg, p.games, p.teacher, numbers, func(r play.Reproduction) {
		p.add(r)
		if !p.json {
			for _, d := range r.Differ {
				b.Println(c.OutOrStdout(), fmt.Sprintf("game %d: %v", r.Game, d))
			}
		}
		b.Set(p.Games+p.Gone, wording.Count(len(p.Differ), "game")+" differ")
	})
	b.Clear()
	if err != nil {
		return err
	}
	if p.json {
		err = shell.WriteJSON(c, p)
	} else {
		_, err = fmt.Fprintln(c.OutOrStdout(), p)
	}
	switch {
	case err != nil:
	case len(p.Differ) > 0:
		err = fmt.Errorf("%d of %s differ", len(p.Differ), wording.Count(p.Games, "game"))
	case p.Games == 0:
		err = errors.New("nothing was compared")
	}
	return err
}

func (p *Reproduction) add(r play.Reproduction) {
	if r.Gone {
		p.Gone++
		return
	}
	p.Games++
	p.Rows += r.Rows
	if len(r.Differ) > 0 {
		p.Differ = append(p.Differ, r)
	}
}

func (p *Reproduction) String() string {
	text := fmt.Sprintf("%s, %s: ", wording.Count(p.Games, "game"), wording.Count(p.Rows, "row"))
	if n := len(p.Differ); n > 0 {
		text += wording.Count(n, "game") + " not the same"
	} else {
		text += "the same when played again"
	}
	if p.Gone > 0 {
		text += fmt.Sprintf("; %s left out, whose networks were not kept", wording.Count(p.Gone, "game"))
	}
	return text
}
