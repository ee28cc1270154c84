// Package serve is the server of the pages: tables to play at, the files of package
// client, and what others add with Handle. It decides who may ask, from where, how
// often and for how much, not what pages show.
package serve

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/ludozero/ludozero/web/client"
	"github.com/ludozero/ludozero/web/table"
	"golang.org/x/time/rate"
)

// Config says what is served and to whom.
type Config struct {
	// Tables configures the tables.
	Tables table.Config
	// Token, if not empty, must come with every request, see [Server.ServeHTTP].
	Token string
	// Hosts are names of the server besides localhost. Addresses need no entry.
	Hosts []string
	// MaxTables bounds the games under way; a game that nobody watches is removed
	// after Idle.
	MaxTables int
	Idle      time.Duration
}

// Limits of requests.
const (
	bodyBytes   = 64 << 10 // a request; a game of a thousand moves is 8 kB
	headerBytes = 16 << 10
	inFlight    = 128 // requests at the same time, watched tables included
	// requestRate and tableRate are per second, for all clients together. Opening a
	// table may load a network, some milliseconds of work.
	requestRate, requestBurst = 200, 400
	tableRate, tableBurst     = 2, 16
)

// Server serves. Its handlers are set up before Run.
type Server struct {
	cfg      Config
	mux      *http.ServeMux
	nav      []client.Link
	guard    http.Handler
	requests *rate.Limiter
	openings *rate.Limiter
	flying   chan struct{}

	ctx     context.Context // of Run: tables play in it
	running sync.WaitGroup  // tables

	mu     sync.Mutex
	tables map[string]*seat
}

// New returns a server with the play page.
func New(cfg Config) *Server {
	s := &Server{
		cfg: cfg, mux: http.NewServeMux(), tables: map[string]*seat{},
		requests: rate.NewLimiter(requestRate, requestBurst), openings: rate.NewLimiter(tableRate, tableBurst),
		flying: make(chan struct{}, inFlight), ctx: context.Background(),
	}
	s.guard = s.guarded(compressed(s.mux))
	s.files()
	s.play()
	return s
}

// Handle adds a handler behind the same guard as all others. Patterns are as in
// http.ServeMux; "GET /{file}" and "/api/tables" are taken.
func (s *Server) Handle(pattern string, h http.Handler) { s.mux.Handle(pattern, h) }

// Link adds a page to the navigation.
func (s *Server) Link(l client.Link) { s.nav = append(s.nav, l) }

// Render writes a page of package client, with the navigation.
func (s *Server) Render(w http.ResponseWriter, p client.Page) {
	p.Nav = s.nav
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	if err := client.Render(w, p); err != nil {
		log.Printf("page %s: %v", p.Body, err)
	}
}

// ServeHTTP answers a request. With a token it wants it in the cookie that a visit
// of /?token=TOKEN sets, or in an Authorization header: Bearer TOKEN.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.guard.ServeHTTP(w, r) }

// Run serves until ctx ends, then ends what is under way. l is closed.
func (s *Server) Run(ctx context.Context, l net.Listener) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s.ctx = ctx
	h := &http.Server{
		Handler: s, BaseContext: func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, WriteTimeout: table.PollTime + 30*time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: headerBytes,
	}
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(l) }()
	swept := make(chan struct{})
	go func() { s.sweep(ctx); close(swept) }()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
		// Requests that wait for a table answer at once, since they share ctx.
		patient, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		err = h.Shutdown(patient)
		cancel()
		<-ended
	}
	stop()
	<-swept
	s.running.Wait()
	if err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("server: %w", err)
	}
	return nil
}
