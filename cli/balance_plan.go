package cli

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/study/balance"
	"github.com/spf13/cobra"
)

// plan says what will be played and how long that takes, by a measured rate.
func (w *balanceWork) plan(ctx context.Context, c *cobra.Command, shares []share) error {
	p := w.flags.planner(c)
	cfg := &w.flags.cfg
	free, forced := 0, 0
	for i := range w.variants {
		n := len(w.players) * len(cfg.Temperatures) * cfg.Games
		free += n
		forced += len(w.players)*cfg.Total(w.variants[i].Game) - n
	}
	checks := 2 * w.flags.tunedPairs * len(w.tuned)
	var names []string
	for _, v := range w.variants {
		names = append(names, v.Short)
	}
	p.line("plan", "%s: %s; baseline %s", shell.Count(len(w.variants), "variant"), strings.Join(names, ", "), w.variants[w.baseline].Name)
	before, err := w.playedBefore(shares)
	if err != nil {
		return err
	}
	text := ""
	if before > 0 {
		text = fmt.Sprintf("; %d of them played before", before)
	}
	p.line("games", "%d from the start, %d after forced first decisions, %d against tuned networks%s", free, forced, checks, text)
	open := 1 - min(1, float64(before)/float64(max(1, free+forced+checks))) // the part of the work that is left

	if open == 0 {
		p.line("time", "nothing is left to play")
		p.end()
		return nil
	}
	games := float64((free + forced) / len(w.players)) // of each player
	work, simulations, guessed := time.Duration(0), 0.0, false
	for i := range w.players {
		one := &w.players[i]
		x, err := watch(ctx, cfg.MaxTurns, func(number int) (engine.Game, match.Contestant, uint64, error) {
			g := w.variants[number%len(w.variants)].Game
			contestant, err := one.Spec.Sampled(g, player.Sampling{Decisions: cfg.Sampled, Temperature: cfg.Temperatures[number%len(cfg.Temperatures)]})
			return g, contestant, seed.Number(cfg.Seed, "balance pilot", uint64(number)), err
		})
		if err != nil {
			return err
		}
		n := games
		if one == w.strongest() {
			n += float64(checks)
		}
		work += time.Duration(n * x.decisions * float64(x.decision))
		simulations += n * x.decisions * float64(one.Simulations)
		seen := "by " + shell.Count(x.games, "game")
		if x.games == 0 {
			guessed, seen = true, "the game's own guess"
		}
		p.line("", "%s: %v a decision, %.0f decisions a game (%s)", one.Spec.Text, x.decision.Round(10*time.Microsecond), x.decisions, seen)
	}
	if simulations > 0 {
		p.line("work", "about %s simulations of networks in all, and at most as many evaluations", rounded(simulations))
	}
	work = time.Duration(open * float64(work))
	text = "by what was just measured, other work on this machine included"
	if guessed {
		text += "; lengths of games are guesses in part"
	}
	p.time(work, cfg.Workers, text)
	half := 1.96 * 0.5 / math.Sqrt(float64(cfg.Games*len(cfg.Temperatures)))
	p.line("precision", "the first player's score of one player in one variant to about ±%.1f points, if nothing is drawn or repeated", 100*half)
	if checks > 0 {
		half := elo(0.5 + min(0.49, 1.96*0.5/math.Sqrt(float64(2*w.flags.tunedPairs))))
		p.line("", "Elo against a tuned network to about ±%.0f, and all of that has to be above %d", half, -balance.EloCondition)
	}
	p.end()
	return nil
}

// playedBefore counts the games that the folder has of what is asked.
func (w *balanceWork) playedBefore(shares []share) (int, error) {
	if w.flags.out == "" {
		return 0, nil
	}
	var folders []string
	for i := range shares {
		folders = append(folders, w.shareFolder(&shares[i]))
	}
	for _, t := range w.tuned {
		folders = append(folders, w.flags.folderOf(tunedFolder+w.variants[t.variant].Name))
	}
	return gamesIn(folders)
}

// elo is the difference in strength that makes a score.
func elo(score float64) float64 { return 400 * math.Log10(score/(1-score)) }
