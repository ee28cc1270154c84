package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/evaluation/archive"
	"github.com/ludozero/ludozero/evaluation/balance"
	"github.com/ludozero/ludozero/evaluation/player"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/spf13/cobra"
)

// pilotTime is how long a player is watched for a plan.
const pilotTime = time.Second

// pilot is what was seen of a player that played itself for a moment.
type pilot struct {
	decision  time.Duration // each takes
	decisions float64       // of a game
}

// watch has a player play itself from the start of g for pilotTime, or for one
// game, and estimates from that how long games take.
func (w *balanceWork) watch(ctx context.Context, g engine.Game, p *balance.Participant) (pilot, error) {
	contestant, err := p.Spec.Sampled(g, player.Sampling{Decisions: w.flags.cfg.Sampled, Temperature: w.flags.cfg.Temperatures[0]})
	if err != nil {
		return pilot{}, err
	}
	one, err := contestant.New()
	if err != nil {
		return pilot{}, err
	}
	one.NewGame(seed.Number(w.flags.cfg.Seed, "balance pilot", 0))
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	turns := float64(engine.TurnsLeft(s)) // of a game
	began, n := time.Now(), 0
	for time.Since(began) < pilotTime && s.Actor() != engine.Nobody {
		if s.Actor() == engine.Chance {
			s.Apply(s.Chance(nil)[0].Code, h)
			continue
		}
		a, err := one.Choose(ctx, s, h)
		if err != nil {
			return pilot{}, err
		}
		s.Apply(a, h)
		n++
	}
	x := pilot{decision: time.Since(began) / time.Duration(max(1, n)), decisions: float64(n)}
	if s.Actor() != engine.Nobody {
		x.decisions = turns * max(1, float64(n)/float64(max(1, s.Turn())))
	}
	if most := w.flags.cfg.MaxTurns; most > 0 && s.Actor() != engine.Nobody {
		x.decisions = min(x.decisions, float64(most)*max(1, float64(n)/float64(max(1, s.Turn()))))
	}
	return x, nil
}

// plan says what will be played and how long that takes, by a measured rate.
func (w *balanceWork) plan(ctx context.Context, c *cobra.Command) error {
	out := c.OutOrStdout()
	if w.flags.asJSON { // which is the result alone
		out = c.ErrOrStderr()
	}
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
	line := func(head, format string, args ...any) {
		fmt.Fprintf(out, "%-10s %s\n", head, fmt.Sprintf(format, args...))
	}
	line("plan", "%s: %s; baseline %s", count(len(w.variants), "variant"), strings.Join(names, ", "), w.variants[w.baseline].Name)
	before, err := w.done()
	if err != nil {
		return err
	}
	text := ""
	if before > 0 {
		text = fmt.Sprintf("; %d of them played before", before)
	}
	line("games", "%d from the start, %d after forced first decisions, %d against tuned networks%s", free, forced, checks, text)
	open := 1 - min(1, float64(before)/float64(max(1, free+forced+checks))) // the part of the work that is left

	games := float64(cfg.Total(w.variants[w.baseline].Game) * len(w.variants)) // of each player, about
	work, simulations := time.Duration(0), 0.0
	for i := range w.players {
		p := &w.players[i]
		x, err := w.watch(ctx, w.variants[w.baseline].Game, p)
		if err != nil {
			return err
		}
		n := games
		if p == w.strongest() {
			n += float64(checks)
		}
		work += time.Duration(n * x.decisions * float64(x.decision))
		simulations += n * x.decisions * float64(p.Simulations)
		line("", "%s: %v a decision, about %.0f decisions a game", p.Spec.Text, x.decision.Round(10*time.Microsecond), x.decisions)
	}
	if simulations > 0 {
		line("work", "about %s simulations of networks in all, and at most as many evaluations", rounded(simulations))
	}
	work = time.Duration(open * float64(work))
	workers := cfg.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	line("time", "about %s with %s at the same time, by the rate just measured; lengths of games are a guess",
		hours(work/time.Duration(min(workers, runtime.GOMAXPROCS(0)))), count(workers, "game"))
	half := 1.96 * 0.5 / math.Sqrt(float64(cfg.Games*len(cfg.Temperatures)))
	line("precision", "the first player's score of one player in one variant to about ±%.1f points, if nothing is drawn or repeated", 100*half)
	_, err = io.WriteString(out, "\n")
	return err
}

// done counts the games that the folder has of what is asked.
func (w *balanceWork) done() (int, error) {
	if w.flags.out == "" {
		return 0, nil
	}
	n := 0
	var names []string
	for _, v := range w.variants {
		names = append(names, w.folderOf(v.Name))
	}
	for _, t := range w.tuned {
		names = append(names, w.folderOf(tunedFolder+w.variants[t.variant].Name))
	}
	for _, dir := range names {
		data, err := os.ReadFile(filepath.Join(dir, archive.JournalFile))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
		n += bytes.Count(data, []byte("\n"))
	}
	return n, nil
}

// rounded writes a large number.
func rounded(x float64) string {
	switch {
	case x >= 1e9:
		return fmt.Sprintf("%.1f billion", x/1e9)
	case x >= 1e6:
		return fmt.Sprintf("%.1f million", x/1e6)
	}
	return fmt.Sprintf("%.0f", x)
}

// hours writes how long something takes.
func hours(d time.Duration) string {
	switch {
	case d >= time.Hour:
		return fmt.Sprintf("%.1f hours", d.Hours())
	case d >= time.Minute:
		return fmt.Sprintf("%.0f minutes", d.Minutes())
	}
	return fmt.Sprintf("%.0f seconds", d.Seconds())
}
