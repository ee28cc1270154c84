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

// pilotTime is how long a player is watched for a plan, and pilotLimit how long its
// first game is waited for; pilotGames are enough.
const (
	pilotTime  = 2 * time.Second
	pilotLimit = 15 * time.Second
	pilotGames = 20
)

// pilot is what was seen of a player that played itself for a moment.
type pilot struct {
	games     int           // that it has played to their ends
	decisions float64       // of a game; the game's own guess if it has played none
	decision  time.Duration // takes it so long
}

// watch has a player play itself for pilotTime, or for one game if that takes longer, each
// game in the next variant. A game that is not over when the time is up tells the time of
// a decision alone.
func (w *balanceWork) watch(ctx context.Context, p *balance.Participant) (pilot, error) {
	var x pilot
	began := time.Now()
	decided, whole := 0, 0
	for ; x.games < pilotGames; x.games++ {
		stop := pilotTime
		if x.games == 0 {
			stop = pilotLimit
		}
		n, turns, err := w.watchGame(ctx, p, x.games, began.Add(stop))
		if err != nil {
			return x, err
		}
		decided += n
		if time.Since(began) >= stop {
			if x.games == 0 {
				x.decisions = float64(turns) // one decision a turn
			}
			break
		}
		whole += n
	}
	x.decision = time.Since(began) / time.Duration(max(1, decided))
	if x.games > 0 {
		x.decisions = float64(whole) / float64(x.games)
	}
	return x, nil
}

// watchGame has p play a game with itself until it is over or time is up, and returns
// the number of its decisions and how many turns the game's own guess has for it.
func (w *balanceWork) watchGame(ctx context.Context, p *balance.Participant, number int, until time.Time) (decisions, turns int, err error) {
	cfg, g := &w.flags.cfg, w.variants[number%len(w.variants)].Game
	contestant, err := p.Spec.Sampled(g, player.Sampling{Decisions: cfg.Sampled, Temperature: cfg.Temperatures[number%len(cfg.Temperatures)]})
	if err != nil {
		return 0, 0, err
	}
	one, err := contestant.New()
	if err != nil {
		return 0, 0, err
	}
	one.NewGame(seed.Number(cfg.Seed, "balance pilot", uint64(number)))
	s, h := g.NewState(), g.NewHistory()
	s.Start(h)
	if turns = engine.TurnsLeft(s); cfg.MaxTurns > 0 {
		turns = min(turns, cfg.MaxTurns)
	}
	limited, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	for s.Actor() != engine.Nobody && limited.Err() == nil && (cfg.MaxTurns == 0 || s.Turn() < cfg.MaxTurns) {
		if s.Actor() == engine.Chance {
			s.Apply(s.Chance(nil)[0].Code, h)
			continue
		}
		a, err := one.Choose(limited, s, h)
		if limited.Err() != nil {
			break
		}
		if err != nil {
			return 0, 0, err
		}
		s.Apply(a, h)
		decisions++
	}
	return decisions, turns, context.Cause(ctx)
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

	if open == 0 {
		line("time", "nothing is left to play")
		_, err = io.WriteString(out, "\n")
		return err
	}
	games := float64((free + forced) / len(w.players)) // of each player
	work, simulations, guessed := time.Duration(0), 0.0, false
	for i := range w.players {
		p := &w.players[i]
		x, err := w.watch(ctx, p)
		if err != nil {
			return err
		}
		n := games
		if p == w.strongest() {
			n += float64(checks)
		}
		work += time.Duration(n * x.decisions * float64(x.decision))
		simulations += n * x.decisions * float64(p.Simulations)
		seen := "by " + count(x.games, "game")
		if x.games == 0 {
			guessed, seen = true, "the game's own guess"
		}
		line("", "%s: %v a decision, %.0f decisions a game (%s)", p.Spec.Text, x.decision.Round(10*time.Microsecond), x.decisions, seen)
	}
	if simulations > 0 {
		line("work", "about %s simulations of networks in all, and at most as many evaluations", rounded(simulations))
	}
	work = time.Duration(open * float64(work))
	workers := cfg.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	text = "by what was just measured, other work on this machine included"
	if guessed {
		text += "; lengths of games are guesses in part"
	}
	line("time", "about %s with %s at the same time, %s", hours(work/time.Duration(min(workers, runtime.GOMAXPROCS(0)))), count(workers, "game"), text)
	half := 1.96 * 0.5 / math.Sqrt(float64(cfg.Games*len(cfg.Temperatures)))
	line("precision", "the first player's score of one player in one variant to about ±%.1f points, if nothing is drawn or repeated", 100*half)
	if checks > 0 {
		half := elo(0.5 + min(0.49, 1.96*0.5/math.Sqrt(float64(2*w.flags.tunedPairs))))
		line("", "Elo against a tuned network to about ±%.0f, and all of that has to be above %d", half, -balance.EloCondition)
	}
	_, err = io.WriteString(out, "\n")
	return err
}

// done counts the games that the folder has of what is asked.
func (w *balanceWork) done() (int, error) {
	if w.flags.out == "" {
		return 0, nil
	}
	n := 0
	list, err := w.shares()
	if err != nil {
		return 0, err
	}
	var names []string
	for i := range list {
		names = append(names, w.shareFolder(&list[i]))
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

// elo is the difference in strength that makes a score.
func elo(score float64) float64 { return 400 * math.Log10(score/(1-score)) }

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
