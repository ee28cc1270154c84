package worker

import (
	"context"
	"strconv"
	"time"

	"github.com/ludozero/ludozero/web/table"
)

// The bounds of a table.
const (
	maxSteps  = 5000
	unwatched = time.Minute
)

// seat is the one table of a page, with the function that ends it.
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

// earlier asks for the position after some decisions at a table.
type earlier struct {
	ID    string `json:"id"`
	Steps int    `json:"steps"`
}

// sent is a request to a table.
type sent struct {
	ID      string        `json:"id"`
	Request table.Request `json:"request"`
}

func (w *Worker) config() *table.Config {
	return &table.Config{Games: w.games, Guides: w.guides, Offers: w.offers(), New: w.newSeated, MaxSteps: maxSteps, Unwatched: unwatched}
}

// openTable sets up a table in place of the one before: a page plays one game at a
// time.
func (w *Worker) openTable(setup table.Setup) (*table.Opened, error) {
	if setup.Seed == 0 {
		setup.Seed = table.NewSeed()
	}
	t, err := table.New(setup, *w.config())
	if err != nil {
		return nil, err
	}
	if w.seat != nil {
		w.seat.stop()
	}
	ctx, stop := context.WithCancel(context.Background())
	// Random, so that it is not the id of a table before the page was reloaded.
	w.seat = &seat{strconv.FormatUint(table.NewSeed(), 36), t, stop}
	go t.Run(ctx)
	return &table.Opened{ID: w.seat.id, View: t.View()}, nil
}

func (w *Worker) table(id string) (*table.Table, error) {
	if w.seat == nil || w.seat.id != id {
		return nil, ErrGone
	}
	return w.seat.table, nil
}

// watch answers with the next view, as [table.Table.Next].
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

// at answers with an earlier position.
func (w *Worker) at(q earlier) (*table.Past, error) {
	t, err := w.table(q.ID)
	if err != nil {
		return nil, err
	}
	return t.At(q.Steps)
}
