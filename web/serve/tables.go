package serve

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"time"

	"github.com/ludozero/ludozero/internal/strictjson"
	"github.com/ludozero/ludozero/web/table"
)

// seat is a table with what ends it.
type seat struct {
	table *table.Table
	stop  context.CancelFunc
}

// play serves tables.
func (s *Server) play() {
	catalog := s.cfg.Tables.Catalog()
	s.Handle("GET /api/catalog", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w, catalog) }))
	s.Handle("GET /api/rules", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, err := s.cfg.Tables.RulesPage(r.URL.Query().Get("game"))
		if err != nil {
			fail(w, http.StatusNotFound, err.Error())
			return
		}
		answer(w, page)
	}))
	s.Handle("POST /api/tables", http.HandlerFunc(s.open))
	s.Handle("GET /api/tables/{id}", http.HandlerFunc(s.watch))
	s.Handle("POST /api/tables/{id}", http.HandlerFunc(s.send))
}

func (s *Server) open(w http.ResponseWriter, r *http.Request) {
	var setup table.Setup
	if !read(w, r, &setup) {
		return
	}
	if !s.openings.Allow() {
		fail(w, http.StatusTooManyRequests, "too many new games: try again in a moment")
		return
	}
	if setup.Seed == 0 {
		setup.Seed = table.NewSeed()
	}
	// Reserve first: the number of tables bounds the memory.
	id := rand.Text()
	if !s.reserve(id) {
		fail(w, http.StatusServiceUnavailable, fmt.Sprintf("%d games are under way: want fewer, or wait until one that is left is cleared away", s.cfg.MaxTables))
		return
	}
	t, err := table.New(setup, s.cfg.Tables)
	if err != nil {
		s.clear(id)
		fail(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	ctx, stop := context.WithCancel(s.ctx)
	s.mu.Lock()
	s.tables[id] = &seat{table: t, stop: stop}
	s.mu.Unlock()
	s.running.Go(func() { t.Run(ctx) })
	answer(w, table.Opened{ID: id, View: t.View()})
}

// reserve keeps a place for a table. If all are taken, a table that nobody has
// watched for a while makes room.
func (s *Server) reserve(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.tables) >= s.cfg.MaxTables {
		oldest, since := "", unwatched
		for other, t := range s.tables {
			if t == nil {
				continue
			}
			if idle := time.Since(t.table.Seen()); idle > since {
				oldest, since = other, idle
			}
		}
		if oldest == "" {
			return false
		}
		s.tables[oldest].stop()
		delete(s.tables, oldest)
	}
	s.tables[id] = nil
	return true
}

// unwatched is after how long a table may be replaced: pages ask at least every
// table.PollTime.
const unwatched = 3 * table.PollTime

// clear removes a table.
func (s *Server) clear(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tables[id]; t != nil {
		t.stop()
	}
	delete(s.tables, id)
}

// find returns the table of a request. If there is none it answers with the error.
func (s *Server) find(w http.ResponseWriter, r *http.Request) *table.Table {
	s.mu.Lock()
	t := s.tables[r.PathValue("id")]
	s.mu.Unlock()
	if t == nil {
		fail(w, http.StatusNotFound, "there is no such game any more")
		return nil
	}
	return t.table
}

// watch answers with a view: at once, or, if the request names the version that the
// page has, as [table.Table.Next] does. With at it answers with an earlier position.
func (s *Server) watch(w http.ResponseWriter, r *http.Request) {
	t := s.find(w, r)
	if t == nil {
		return
	}
	if at := r.URL.Query().Get("at"); at != "" {
		n, err := strconv.Atoi(at)
		if err != nil {
			fail(w, http.StatusBadRequest, "at: want a number of decisions")
			return
		}
		past, err := t.At(n)
		if err != nil {
			fail(w, http.StatusUnprocessableEntity, err.Error())
			return
		}
		answer(w, past)
		return
	}
	after := r.URL.Query().Get("after")
	if after == "" {
		answer(w, t.View())
		return
	}
	version, err := strconv.Atoi(after)
	if err != nil {
		fail(w, http.StatusBadRequest, "after: want the version of a view")
		return
	}
	answer(w, t.Next(r.Context(), version))
}

// send carries out a request of a page.
func (s *Server) send(w http.ResponseWriter, r *http.Request) {
	t := s.find(w, r)
	if t == nil {
		return
	}
	var request table.Request
	if !read(w, r, &request) {
		return
	}
	if err := t.Do(request); err != nil {
		fail(w, http.StatusConflict, err.Error())
		return
	}
	answer(w, t.View())
}

// sweep removes tables that nobody watches, until ctx ends.
func (s *Server) sweep(ctx context.Context) {
	every := time.NewTicker(max(s.cfg.Idle/10, time.Second))
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
		s.mu.Lock()
		for id, t := range s.tables {
			if t != nil && time.Since(t.table.Seen()) > s.cfg.Idle {
				t.stop()
				delete(s.tables, id)
			}
		}
		s.mu.Unlock()
	}
}

// read decodes the one JSON object of a request strictly. It answers with the error
// if there is one.
func read(w http.ResponseWriter, r *http.Request, into any) bool {
	// Forms on other sites can send any other type without a preflight request.
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		fail(w, http.StatusUnsupportedMediaType, "want Content-Type: application/json")
		return false
	}
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = strictjson.Decode(body, into)
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		fail(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the request is longer than %d bytes", bodyBytes))
	case err != nil:
		fail(w, http.StatusBadRequest, "request: "+err.Error())
	}
	return err == nil
}

func answer(w http.ResponseWriter, v any) { write(w, http.StatusOK, v) }

// fail answers with an error for people.
func fail(w http.ResponseWriter, status int, text string) {
	write(w, status, map[string]string{"error": text})
}

func write(w http.ResponseWriter, status int, v any) {
	var data bytes.Buffer
	e := json.NewEncoder(&data)
	e.SetEscapeHTML(false) // pictures would be a fifth longer
	if err := e.Encode(v); err != nil {
		panic("BUG: answer: " + err.Error())
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(data.Bytes())
}
