package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/player"
	"github.com/spf13/cobra"
)

// seriesWork is a series that a command plays.
type seriesWork struct {
	// kind is the name of the command, dir the folder of --out, "" for none.
	kind, dir string
	// players are the descriptions of the contestants in their order. In their place
	// weights are the files of networks, whose paths may have a comma in them, which
	// no description can.
	players, weights []string
	// settings is what the games depend on and nothing else here says; see
	// archive.Asked.
	settings map[string]string
	series   *match.Series
	// begin, if not nil, is called before the first game, when the folder has been
	// opened.
	begin func() error
	// counted, if not nil, is told of every game in the order of the schedule and
	// ends the series if it returns false.
	counted func(*match.Game) bool
	// quiet says that the command itself tells what the folder holds.
	quiet bool
	// progress, if not nil, is what is said beside the number of games once a
	// game has been counted, in the place of the score of two players.
	progress func() string
	// result is what archive.ResultFile says about whole pairs, at least one.
	result func([]match.Game) (any, error)
	// asJSON prints the result as JSON, table says that its text ends with one.
	asJSON, table bool
}

// play plays the series, with progress on stderr, and returns the whole pairs that
// count. If it is interrupted they come with an error; the folder then holds more
// games than those, and files about those.
func (w *seriesWork) play(ctx context.Context, c *cobra.Command) (games []match.Game, err error) {
	warnClock(c, w.series.Clock.String(), w.series.Workers)
	var done []match.Game
	var folder *archive.Folder
	if w.dir != "" {
		asked, err := w.asked()
		if err != nil {
			return nil, err
		}
		if folder, done, err = archive.Open(w.dir, asked, w.series); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, folder.Close()) }()
	}
	if w.begin != nil {
		if err := w.begin(); err != nil {
			return nil, err
		}
	}
	games, err = w.run(ctx, c, folder, done)
	games = games[:len(games)/2*2]
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	if folder != nil && len(games) > 0 {
		result, rerr := w.result(games)
		if rerr == nil {
			rerr = folder.Finish(games, result)
		}
		if rerr != nil {
			return nil, errors.Join(err, rerr)
		}
	}
	return games, err
}

// run plays what has not been done.
func (w *seriesWork) run(ctx context.Context, c *cobra.Command, folder *archive.Folder, done []match.Game) ([]match.Game, error) {
	total := w.series.Games()
	say := func(format string, args ...any) { fmt.Fprintf(c.ErrOrStderr(), format+"\n", args...) }
	if n := len(done); n > 0 && n < total && !w.quiet {
		// A sequential test that has its verdict is not gone on with.
		say("%s: %s played before", w.dir, count(n, "game"))
	}
	bar := newBar(c.ErrOrStderr(), total, "games")
	var tally match.Tally
	var pairs int
	kept := len(done)
	hooks := match.Hooks{Counted: func(g *match.Game) bool {
		tally.Add(g.Points)
		pairs = g.Number / 2
		goOn := w.counted == nil || w.counted(g)
		bar.set(g.Number, w.standing(tally))
		return goOn
	}}
	hooks.Finished = func(g *match.Game) error {
		if g.Note != "" {
			bar.clear()
			say("game %d: %s", g.Number, g.Note)
		}
		if folder == nil {
			return nil
		}
		err := folder.Append(g)
		if err == nil {
			kept++
		}
		return err
	}
	games, err := w.series.Run(ctx, done, hooks)
	bar.clear()
	if folder != nil && err != nil {
		say("%s keeps %s, of which %s count so far: the same command goes on", w.dir, count(kept, "game"), count(pairs, "whole pair"))
	}
	return games, err
}

// standing is what progress says beside the number of games.
func (w *seriesWork) standing(t match.Tally) string {
	if w.progress != nil {
		return w.progress()
	}
	return fmt.Sprintf("+%d =%d -%d  %s against %s", t.Wins, t.Draws, t.Losses, w.series.Contestants[0].Name, w.series.Contestants[1].Name)
}

// print prints the result r of the games, and where they are kept. It returns err,
// with which the series ended, with its own.
func (w *seriesWork) print(c *cobra.Command, r interface{ WriteText(io.Writer) error }, err error) error {
	if w.asJSON {
		return errors.Join(writeJSON(c, r), err)
	}
	out := c.OutOrStdout()
	if werr := r.WriteText(out); werr != nil || w.dir == "" {
		return errors.Join(werr, err)
	}
	if w.table {
		fmt.Fprintln(out)
	}
	_, werr := fmt.Fprintf(out, "kept in    %s and %s\n", filepath.Join(w.dir, archive.GamesFile), filepath.Join(w.dir, archive.TextFile))
	return errors.Join(werr, err)
}

// asked is what the folder is for.
func (w *seriesWork) asked() (*archive.Asked, error) {
	identities := make([]string, len(w.series.Contestants))
	arithmetic := "" // that matters
	var errs []error
	for i, path := range w.weights {
		var err error
		identities[i], err = weightsHash(path)
		arithmetic = kernel.Arithmetic()
		errs = append(errs, err)
	}
	for i, text := range w.players {
		spec, err := player.Parse(text, playerKinds())
		if err == nil {
			identities[i], err = spec.Identity()
		}
		if strings.HasPrefix(identities[i], weightsIdentity) {
			arithmetic = kernel.Arithmetic()
		}
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return archive.Ask(w.kind, w.series, identities, arithmetic, w.settings), nil
}
