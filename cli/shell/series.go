package shell

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

// Series is a series that a command plays.
type Series struct {
	Env *Env
	// Kind is the name of the command, Dir the folder of --out, "" for none.
	Kind, Dir string
	// Players are the descriptions of the contestants in their order. In their place
	// Weights are the files of networks, whose paths may have a comma in them, which
	// no description can.
	Players, Weights []string
	// Settings is what the games depend on and nothing else here says; see
	// archive.Asked.
	Settings map[string]string
	Series   *match.Series
	// Begin, if not nil, is called before the first game, when the folder has been
	// opened.
	Begin func() error
	// Counted, if not nil, is told of every game in the order of the schedule and
	// ends the series if it returns false.
	Counted func(*match.Game) bool
	// Quiet says that the command itself tells what the folder holds.
	Quiet bool
	// Progress, if not nil, is what is said beside the number of games once a
	// game has been counted, in the place of the score of two players.
	Progress func() string
	// Result is what archive.ResultFile says about whole pairs, at least one.
	Result func([]match.Game) (any, error)
	// AsJSON prints the result as JSON, Table says that its text ends with one.
	AsJSON, Table bool
}

// Play plays the series, with progress on stderr; see archive.Work.
func (w *Series) Play(ctx context.Context, c *cobra.Command) ([]match.Game, error) {
	warnClock(c, w.Series.Clock.String(), w.Series.Workers)
	work := archive.Work{
		Series: w.Series, Dir: w.Dir, Begin: w.Begin, Counted: w.Counted, Standing: w.Progress, Result: w.Result, Quiet: w.Quiet,
	}
	if w.Dir != "" {
		var err error
		if work.Asked, err = w.asked(); err != nil {
			return nil, err
		}
	}
	return work.Play(ctx, NewProgress(c.ErrOrStderr()))
}

// progress shows by a bar how far work is.
type progress struct {
	out io.Writer
	bar *Bar
}

// NewProgress shows by a bar on out how far work is.
func NewProgress(out io.Writer) archive.Progress { return &progress{out: out} }

// Start implements archive.Progress.
func (p *progress) Start(total int, unit string) { p.bar = NewBar(p.out, total, unit) }

// Set implements archive.Progress.
func (p *progress) Set(done int, text string) { p.bar.Set(done, text) }

// Stop implements archive.Progress.
func (p *progress) Stop() { p.bar.Clear() }

// Line implements archive.Progress.
func (p *progress) Line(text string) {
	if p.bar != nil {
		p.bar.Clear()
	}
	fmt.Fprintln(p.out, text)
}

// Print prints the result r of the games, and where they are kept. It returns err,
// with which the series ended, with its own.
func (w *Series) Print(c *cobra.Command, r interface{ WriteText(io.Writer) error }, err error) error {
	if w.AsJSON {
		return errors.Join(WriteJSON(c, r), err)
	}
	out := c.OutOrStdout()
	if werr := r.WriteText(out); werr != nil || w.Dir == "" {
		return errors.Join(werr, err)
	}
	if w.Table {
		fmt.Fprintln(out)
	}
	_, werr := fmt.Fprintf(out, "kept in    %s and %s\n", filepath.Join(w.Dir, archive.GamesFile), filepath.Join(w.Dir, archive.TextFile))
	return errors.Join(werr, err)
}

// asked is what the folder is for.
func (w *Series) asked() (*archive.Asked, error) {
	identities := make([]string, len(w.Series.Contestants))
	arithmetic := "" // that matters
	var errs []error
	for i, path := range w.Weights {
		var err error
		identities[i], err = open.Identity(path)
		arithmetic = kernel.Arithmetic()
		errs = append(errs, err)
	}
	for i, text := range w.Players {
		spec, err := w.Env.Players.Parse(text)
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
	return archive.Ask(w.Kind, w.Series, identities, arithmetic, w.Settings), nil
}
