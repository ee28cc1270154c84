package analysis

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/player"
)

// Server answers the queries of a stream.
type Server struct {
	Family *engine.Family
	// Preset and Options are the rules of lines that name none.
	Preset  string
	Options []string
	// Words splits the moves of a query.
	Words func(g engine.Game, moves string) []string
	// Spec returns the player of a description, of who is usually asked about g if it is
	// empty.
	Spec func(text string, g engine.Game) (*player.Spec, error)
	// Finish, if not nil, changes the object of an answer before it is written.
	Finish func(g engine.Game, object map[string]any)
	Seed   uint64
	// Workers is how many searches go on at the same time. In the place of one, Together
	// searches of networks with a number of simulations do, whose positions are then
	// evaluated together: see open.Players.Together.
	Workers, Together int
	// Unordered has queries answered as they are done; each needs an id. Otherwise
	// answers have the order of the lines, and there are no actions and interim answers.
	Unordered bool

	ahead int // 0: MostAhead
}

// MostAhead is how many queries are read before the first of them is answered: then the
// server stops reading until it is.
const MostAhead = 4096

// run is the answering of one stream.
type run struct {
	*Server
	ctx    context.Context
	units  int
	pool   pool
	games  map[string]engine.Game // by rules as lines name them; of the reader
	output chan line
	ended  chan struct{} // closed once nothing more is sent, but by a reader in its way

	mu      sync.Mutex
	changed sync.Cond
	waiting queue
	open    map[string]*job // by id, read and not answered
	pending int             // read and not written
	free    int             // units that no search has
	over    bool            // nothing more is read
	running sync.WaitGroup
}

// Run answers the lines of in on out until it ends, or ctx, and returns how many had an
// error. in may still be read from if ctx has ended.
func (s *Server) Run(ctx context.Context, in io.Reader, out io.Writer) (bad int, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r := &run{
		Server: s, ctx: ctx, units: s.Workers * s.Together, free: s.Workers * s.Together, games: map[string]engine.Game{},
		output: make(chan line), ended: make(chan struct{}), open: map[string]*job{},
	}
	r.changed.L = &r.mu
	r.pool.most = max(leastIdle, r.units)
	defer r.pool.dismiss()
	read := make(chan error, 1)
	go func() { read <- r.read(in) }()
	go r.start()
	// The end of the context wakes whoever waits for queries or for room.
	defer context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.changed.Broadcast()
	})()
	w := writer{out: out, unordered: s.Unordered, held: map[uint64]line{}, next: 1}
	for {
		select {
		case l := <-r.output:
			n, failed := 0, error(nil)
			if ctx.Err() == nil {
				n, failed = w.take(l)
			}
			r.written(n)
			if failed != nil {
				stop(failed)
			}
		case <-r.ended:
			if ctx.Err() != nil { // of writing, or the caller's; the reader may not notice
				return w.bad, context.Cause(ctx)
			}
			return w.bad, <-read
		}
	}
}

// written makes room for as many further queries.
func (r *run) written(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pending -= n
	r.changed.Broadcast()
}

// read takes queries from in until it ends.
func (r *run) read(in io.Reader) error {
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.over = true
		r.changed.Broadcast()
	}()
	b := bufio.NewReaderSize(in, 1<<16)
	for number := uint64(1); ; {
		text, err := b.ReadBytes('\n')
		if text = bytes.TrimSpace(text); len(text) > 0 {
			r.mu.Lock()
			for r.pending >= cmp.Or(r.ahead, MostAhead) && r.ctx.Err() == nil {
				r.changed.Wait()
			}
			r.pending++
			r.mu.Unlock()
			if r.ctx.Err() != nil {
				return nil
			}
			r.take(text, number)
			number++
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("standard input: %w", err)
		}
	}
}

// Object reads a line that is an object of JSON.
func Object(line []byte) (fields map[string]json.RawMessage, err error) {
	switch {
	case bytes.HasPrefix(line, []byte("\uFEFF")):
		return nil, errors.New("the line begins with a byte order mark: want UTF-8 without one")
	case !utf8.Valid(line): // what passes through would spoil the answer
		return nil, errors.New("the line is no UTF-8")
	}
	err = json.Unmarshal(line, &fields)
	switch other := (*json.UnmarshalTypeError)(nil); {
	case errors.As(err, &other):
		return nil, fmt.Errorf("want a JSON object on each line, not: %s", other.Value)
	case err != nil:
		return nil, fmt.Errorf("want a JSON object on each line: %w", err)
	case fields == nil:
		return nil, errors.New("null: want an object")
	}
	return fields, nil
}

// take reads one line: a query waits from then on, an action is carried out.
func (r *run) take(text []byte, number uint64) {
	j := &job{run: r, number: number, object: map[string]any{}}
	fields, err := Object(text)
	if err != nil && r.Unordered { // there is no id to tell it by
		err = fmt.Errorf("line %d: %w", number, err)
	}
	for name, value := range fields {
		j.object[name] = value
	}
	for _, name := range append([]string{"error", "terminated", "interim"}, answerFields...) {
		delete(j.object, name) // a bad line must not seem answered
	}
	if err == nil && r.Unordered {
		if id := fields["id"]; absent(id) {
			err = errors.New("id is missing")
		} else {
			var compact bytes.Buffer
			json.Compact(&compact, id)
			j.id = compact.String()
		}
	}
	if err == nil && !absent(fields["action"]) {
		r.act(j, fields)
		return
	}
	if err == nil {
		err = j.prepare(fields)
	}
	if err != nil {
		r.send(j, err)
		return
	}
	if !r.enqueue(j) {
		r.send(j, fmt.Errorf("id %s: a query with it is not answered yet", j.id))
	}
}

// enqueue has a job wait for its search, unless another one has its id.
func (r *run) enqueue(j *job) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if j.id != "" {
		if r.open[j.id] != nil {
			return false
		}
		r.open[j.id] = j
	}
	heap.Push(&r.waiting, j)
	r.changed.Broadcast()
	return true
}

// act carries out an action.
func (r *run) act(j *job, fields map[string]json.RawMessage) {
	var action string
	if err := json.Unmarshal(fields["action"], &action); err != nil || action != "terminate" && action != "terminate_all" {
		r.send(j, fmt.Errorf("action: %s: want \"terminate\" or \"terminate_all\"", fields["action"]))
		return
	}
	if !r.Unordered {
		r.send(j, errors.New("action: answers come in the order of the lines here: want --unordered"))
		return
	}
	var query bytes.Buffer
	if action == "terminate" {
		if absent(fields["query"]) || json.Compact(&query, fields["query"]) != nil {
			r.send(j, errors.New("query is missing: the id of the query to terminate"))
			return
		}
	}
	r.mu.Lock()
	n := 0
	for id, open := range r.open {
		if action == "terminate_all" || id == query.String() {
			open.cancel(errTerminated)
			n++
		}
	}
	dropped := r.drop()
	r.mu.Unlock()
	j.object["queries"] = n
	r.send(j, nil)
	for _, one := range dropped {
		one.object["terminated"] = true
		r.send(one, nil)
	}
}

// drop takes the queries out of those that wait which somebody has terminated: no search
// need end before they are answered. It is called under r.mu.
func (r *run) drop() (dropped []*job) {
	r.waiting = slices.DeleteFunc(r.waiting, func(j *job) bool {
		if !errors.Is(context.Cause(j.ctx), errTerminated) {
			return false
		}
		delete(r.open, j.id)
		dropped = append(dropped, j)
		return true
	})
	heap.Init(&r.waiting)
	r.changed.Broadcast()
	return dropped
}

// start starts the searches of queries, the most urgent first, as there is room, until all
// that was read is answered or the context ends.
func (r *run) start() {
	r.mu.Lock()
	for {
		for (len(r.waiting) == 0 && !r.over || len(r.waiting) > 0 && r.waiting[0].weight > r.free) && r.ctx.Err() == nil {
			r.changed.Wait()
		}
		if len(r.waiting) == 0 || r.ctx.Err() != nil {
			break
		}
		j := heap.Pop(&r.waiting).(*job)
		r.free -= j.weight
		r.running.Go(j.search)
	}
	r.mu.Unlock()
	r.running.Wait()
	close(r.ended)
}

// send sends the last answer to a line.
func (r *run) send(j *job, err error) {
	if err != nil {
		j.object["error"] = err.Error()
	}
	select {
	case r.output <- line{number: j.number, text: encode(j.object), bad: err != nil}:
	case <-r.ended:
	}
}
