package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/ludozero/ludozero/configs"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/games"
	"github.com/ludozero/ludozero/evaluation"
	"github.com/ludozero/ludozero/train/run"
	"github.com/spf13/cobra"
)

// rate plays the last network of a run, and its first, untrained one, against
// the fixed opponents of the configuration.
func rate(ctx context.Context, c *cobra.Command, cfg configs.Run, dir string, asJSON bool) error {
	ev := cfg.Evaluation
	if len(ev.Opponents) == 0 {
		return nil
	}
	g, err := openGame(&cfg)
	if err != nil {
		return err
	}
	generations, err := run.Generations(dir)
	if err != nil {
		return err
	}
	last := generations[len(generations)-1]
	if last == 0 {
		return errors.New("the budget was too short to train one generation: nothing to rate")
	}
	if generations[0] != 0 {
		return fmt.Errorf("%s is gone: the rating plays the untrained network, too", run.CheckpointDir(dir, 0))
	}
	match := ev.Match
	out := c.OutOrStdout()
	if !asJSON {
		fmt.Fprintf(out, "\nstrength at %d simulations a move; %s of games, openings of %s, seed %d\nscore (95 %% interval), games won, drawn, lost\n",
			ev.Simulations, count(match.Pairs, "pair"), count(match.OpeningTurns, "random turn"), match.Seed)
	}
	var results []*evaluation.Result
	for _, opponent := range ev.Opponents {
		for _, generation := range []int{last, 0} {
			own := fmt.Sprintf("net:%s,sims=%d", run.WeightsPath(dir, generation), ev.Simulations)
			sides, err := contestants(g, []string{own, opponent})
			if err != nil {
				return err
			}
			r, err := runMatch(ctx, c, match, g, sides[0], sides[1])
			if err != nil {
				return err
			}
			if asJSON {
				short := *r
				short.Games = nil
				if err := writeLine(out, &short); err != nil {
					return err
				}
			} else {
				name := fmt.Sprintf("generation %d", generation)
				if generation == 0 {
					name = firstName(dir)
				}
				fmt.Fprintf(out, "%-15s against %-18s %5.1f %% (%.1f to %.1f)  +%d =%d -%d\n", name, opponent,
					100*r.Score.Value, 100*r.Score.Low, 100*r.Score.High, r.Wins, r.Draws, r.Losses)
				if r.BEffort != nil {
					fmt.Fprintf(out, "%-15s limited by time, so that a repetition plays other games: %v\n", "", r.BEffort)
				}
			}
			results = append(results, r)
		}
	}
	path := filepath.Join(dir, ratingFile)
	err = writeRatingFile(path, results)
	if err == nil && !asJSON {
		fmt.Fprintf(out, "\nall games are in %s; play the network with\n  ludozero match --game %s --rules %s net:%s,sims=%d OPPONENT\n",
			path, cfg.Game, g.Rules(), run.WeightsPath(dir, last), ev.Simulations)
	}
	return err
}

// openGame builds the game of a run file.
func openGame(cfg *configs.Run) (engine.Game, error) {
	f, err := games.ByName(cfg.Game)
	if err != nil {
		return nil, err
	}
	return f.Parse(cfg.Rules)
}

// writeLine writes v as one line of JSON.
func writeLine(w io.Writer, v any) error { return json.NewEncoder(w).Encode(v) }

// firstName is what the network of generation 0 is called.
func firstName(dir string) string {
	if s, err := run.ReadState(dir, 0); err == nil && (s.First != "" || s.Origin != "") {
		return "first"
	}
	return "untrained"
}
