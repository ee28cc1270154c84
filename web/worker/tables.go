package worker

import (
	"context"
	"strconv"
	"time"

	"github.com/ludozero/ludozero/web/table"
)

// The bounds of a table. Whoever asks for more has the browser's own memory and
// patience to lose.
const (
	maxSteps  = 5000
	unwatched = time.Minute
)

// seat is the one table of a page, and what ends it.
type seat struct {
	id    string
	table *table.Table
	stop  context.CancelFunc
}

// watched asks for the view of a table once its version is not After.
type watched struct {
	ID    string `json:"id"`
	After int    `json:"after"`
}

// sent is a request to a table.
type sent struct {
	ID      string        `json:"id"`
	Request table.Request `json:"request"`
}

// config is what tables may use.
func (w *Worker) config() table.Config {
	return table.Config{Games: w.games, Offers: w.offers(), New: w.newSeated, MaxSteps: maxSteps, Unwatched: unwatched}
}

// openTable sets a table up in place of the one before: a page plays one game at a
// time.
func (w *Worker) openTable(setup table.Setup) (*table.Opened, error) {
	if setup.Seed == 0 {
		setup.Seed = table.NewSeed()
	}
	t, err := table.New(setup, w.config())
	if err != nil {
		return nil, err
	}
	if w.seat != nil {
		w.seat.stop()
	}
	ctx, stop := context.WithCancel(context.Background())
	// Not the id of a table that a page had before it was loaded again.
	w.seat = &seat{strconv.FormatUint(table.NewSeed(), 36), t, stop}
	go t.Run(ctx)
	return &table.Opened{ID: w.seat.id, View: t.View()}, nil
}

// table is the table of that name.
func (w *Worker) table(id string) (*table.Table, error) {
	if w.seat == nil || w.seat.id != id {
		return nil, ErrGone
	}
	return w.seat.table, nil
}

// watch is the view once it is another, or the same after a while.
func (w *Worker) watch(q watched) (*table.View, error) {
	t, err := w.table(q.ID)
	if err != nil {
		return nil, err
	}
	return t.Next(context.Background(), q.After), nil
}

// send carries out a request.
func (w *Worker) send(q sent) (*table.View, error) {
	t, err := w.table(q.ID)
	if err != nil {
		return nil, err
	}
	if err := t.Do(q.Request); err != nil {
		return nil, err
	}
	return t.View(), nil
}
