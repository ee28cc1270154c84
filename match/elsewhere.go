package match

import "context"

// Elsewhere plays games of series on other machines, and on this one if it chooses to.
type Elsewhere interface {
	// PlaySeries plays the open games of s, numbers from 0 in ascending order, and calls
	// finished for each, in that order, one at a time. They must be the games that
	// Series.Play would have played. An error of finished or of ctx ends it.
	PlaySeries(ctx context.Context, s *Series, open []int, finished func(*Game) error) error
}

type elsewhereKey struct{}

// WithElsewhere has every series that is run with the context played by e. Commands set
// it, once; a study need not know that there are other machines.
func WithElsewhere(ctx context.Context, e Elsewhere) context.Context {
	return context.WithValue(ctx, elsewhereKey{}, e)
}

func elsewhere(ctx context.Context) Elsewhere {
	e, _ := ctx.Value(elsewhereKey{}).(Elsewhere)
	return e
}

// FilePlace stands in Portable.Text for the path of the file.
const FilePlace = "{file}"

// Portable is what another machine makes the players of a contestant from.
type Portable struct {
	// Text describes the player, as package player/open reads it.
	Text string `json:"text"`
	// File is what the file at FilePlace in Text holds; nil if no file is needed.
	File []byte `json:"-"`
	// Decisions of a game are drawn at Temperature, with Slips; Temperature 0: none are.
	Decisions   int     `json:"decisions,omitempty"`
	Temperature float64 `json:"temperature,omitempty"`
	Slips       float64 `json:"slips,omitempty"`
	// Without are kinds of actions that the player never takes.
	Without []string `json:"without,omitempty"`
	// ByTime says that time limits the player: what it plays depends on the machine.
	ByTime bool `json:"by_time,omitempty"`
	// Threads is how many threads a search has, at least 1.
	Threads int `json:"threads"`
}
