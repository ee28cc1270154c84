package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/player/open"
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

// play plays the series, with progress on stderr; see archive.Work.
func (w *seriesWork) play(ctx context.Context, c *cobra.Command) ([]match.Game, error) {
	warnClock(c, w.series.Clock.String(), w.series.Workers)
	work := archive.Work{
		Series: w.series, Dir: w.dir, Begin: w.begin, Counted: w.counted, Standing: w.progress, Result: w.result, Quiet: w.quiet,
	}
	if w.dir != "" {
		var err error
		if work.Asked, err = w.asked(); err != nil {
			return nil, err
		}
	}
	return work.Play(ctx, &progress{out: c.ErrOrStderr()})
}

// progress shows how far work is, by a bar.
type progress struct {
	out io.Writer
	bar *bar
}

// Start implements archive.Progress.
func (p *progress) Start(total int, unit string) { p.bar = newBar(p.out, total, unit) }

// Set implements archive.Progress.
func (p *progress) Set(done int, text string) { p.bar.set(done, text) }

// Stop implements archive.Progress.
func (p *progress) Stop() { p.bar.clear() }

// Line implements archive.Progress.
func (p *progress) Line(text string) {
	if p.bar != nil {
		p.bar.clear()
	}
	fmt.Fprintln(p.out, text)
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
		identities[i], err = open.Identity(path)
		arithmetic = kernel.Arithmetic()
		errs = append(errs, err)
	}
	for i, text := range w.players {
		spec, err := opener.Parse(text)
		if err == nil {
			identities[i], err = spec.Identity()
		}
		if err == nil && spec.ByNetwork {
			arithmetic = kernel.Arithmetic()
		}
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return archive.Ask(w.kind, w.series, identities, arithmetic, w.settings), nil
}
