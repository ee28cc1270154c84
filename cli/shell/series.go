package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/study"
	"github.com/spf13/cobra"
)

// Series is a series that a command plays.
type Series struct {
	study.Series
	// AsJSON prints the result as JSON, Table says that its text ends with one.
	AsJSON, Table bool
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
		p.bar.Println(p.out, text)
		return
	}
	fmt.Fprintln(p.out, wording.Plain(text))
}

// Text is a result for people.
type Text interface{ WriteText(io.Writer) error }

// Finish plays the series and prints what result says of the whole pairs, which is also
// kept in the folder unless w.Result says something else.
func (w *Series) Finish(ctx context.Context, c *cobra.Command, result func([]match.Game) (Text, error)) error {
	if w.Result == nil {
		w.Result = func(games []match.Game) (any, error) { return result(games) }
	}
	warnClock(c, w.Work.Series.Clock.String(), w.Work.Series.Workers, mostThreads(w.Players))
	games, err := w.Play(ctx, NewProgress(c.ErrOrStderr()))
	if len(games) == 0 {
		return err
	}
	r, rerr := result(games)
	if rerr != nil {
		return errors.Join(err, rerr)
	}
	return w.print(c, r, err)
}

// print prints the result r of the games, and where they are kept. It returns err,
// with which the series ended, with its own.
func (w *Series) print(c *cobra.Command, r Text, err error) error {
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
	_, werr := fmt.Fprintf(out, "kept in    %s and %s\n", wording.PlainName(filepath.Join(w.Dir, archive.GamesFile)), wording.PlainName(filepath.Join(w.Dir, archive.TextFile)))
	return errors.Join(werr, err)
}
