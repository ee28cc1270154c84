package archive

import (
	"context"
	"errors"
	"fmt"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
)

// Progress shows how far long work is. One goroutine calls its methods, and ends
// what it has started before it starts anything else.
type Progress interface {
	// Start begins to count up to total units, such as "games"; Set says that done
	// of them are done, with a word on how things stand; Stop ends it.
	Start(total int, unit string)
	Set(done int, text string)
	Stop()
	// Line writes a line of its own.
	Line(text string)
}

// Work is a series to play, and the folder that keeps its games.
type Work struct {
	Series *match.Series
	// Dir is the folder, "" to keep nothing; Asked says what it is for.
	Dir   string
	Asked *Asked
	// Begin, if not nil, is called before the first game, once the folder is open.
	Begin func() error
	// Counted, if not nil, is told of every game in the order of the schedule and
	// ends the series by returning false.
	Counted func(*match.Game) bool
	// Standing, if not nil, replaces the score of two players beside the number of
	// games that count.
	Standing func() string
	// Result is what ResultFile says about whole pairs, at least one.
	Result func([]match.Game) (any, error)
	// Quiet leaves out what the folder holds before the first game.
	Quiet bool
}

// Play plays what is missing and returns the whole pairs that count. If it is
// interrupted they come with an error; the folder then holds more games than those,
// and files about those.
func (w *Work) Play(ctx context.Context, p Progress) (games []match.Game, err error) {
	var done []match.Game
	var folder *Folder
	if w.Dir != "" {
		if folder, done, err = Open(w.Dir, w.Asked, w.Series); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, folder.Close()) }()
	}
	if w.Begin != nil {
		if err := w.Begin(); err != nil {
			return nil, err
		}
	}
	games, err = w.run(ctx, p, folder, done)
	games = games[:len(games)/2*2]
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	if folder != nil && len(games) > 0 {
		result, rerr := w.Result(games)
		if rerr == nil {
			rerr = folder.Finish(games, result)
		}
		if rerr != nil {
			return nil, errors.Join(err, rerr)
		}
	}
	return games, err
}

func (w *Work) run(ctx context.Context, p Progress, folder *Folder, done []match.Game) ([]match.Game, error) {
	total := w.Series.Games()
	// A sequential test that has its verdict plays no more games.
	if n := len(done); n > 0 && n < total && !w.Quiet {
		p.Line(fmt.Sprintf("%s: %s played before", w.Dir, wording.Count(n, "game")))
	}
	p.Start(total, "games")
	var tally match.Tally
	var pairs int
	kept := len(done)
	hooks := match.Hooks{Counted: func(g *match.Game) bool {
		tally.Add(g.Points)
		pairs = g.Number / 2
		more := w.Counted == nil || w.Counted(g)
		if w.Standing != nil {
			p.Set(g.Number, w.Standing())
		} else {
			p.Set(g.Number, fmt.Sprintf("+%d =%d -%d  %s against %s", tally.Wins, tally.Draws, tally.Losses, w.Series.Contestants[0].Name, w.Series.Contestants[1].Name))
		}
		return more
	}}
	hooks.Finished = func(g *match.Game) error {
		if g.Note != "" {
			p.Line(fmt.Sprintf("game %d: %s", g.Number, g.Note))
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
	games, err := w.Series.Run(ctx, done, hooks)
	p.Stop()
	if folder != nil && err != nil {
		p.Line(fmt.Sprintf("%s keeps %s, so far %s of them: the same command goes on", w.Dir, wording.Count(kept, "game"), wording.Count(pairs, "whole pair")))
	}
	return games, err
}
