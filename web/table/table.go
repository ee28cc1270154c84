// Package table is a game at one table as a page plays it: requests and views
// that are plain JSON data, so that whoever draws a view and sends a word needs no
// rules. It knows no network, no files and no page; a server gives it a goroutine
// and a browser runs it as WebAssembly in a worker.
//
// A [Table] is made of a [Setup]. [Table.Do] carries out a [Request] of the people
// who sit there and [Table.View] says how things stand. Neither waits for players:
// these think in [Table.Run], one decision at a time, and what changes can be waited
// for with [Table.Changed].
package table

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player/table"
)

// Config is what tables may use.
type Config struct {
	// Games are those that can be played.
	Games engine.Families
	// Offers are the players that may sit down. Anything else is refused.
	Offers []Offer
	// New makes a player of a description that fits the offers.
	New func(text string, g engine.Game) (match.Player, error)
	// Slots bounds how many players think at the same time: a thought holds a place
	// in it. Nil: no bound.
	Slots chan struct{}
	// MaxSteps is how many decisions a game may have; then it can only be left.
	MaxSteps int
	// Unwatched is how long two players go on with a game between them after
	// somebody has last looked at it.
	Unwatched time.Duration
}

// Errors that a caller tells apart.
var (
	// ErrStale is returned for a request made of an older view of the table.
	ErrStale = errors.New("the table has changed meanwhile")
	errOver  = errors.New("the game is over")
)

// Table is a game under way. It is safe for concurrent use.
type Table struct {
	cfg   Config
	setup Setup
	game  engine.Game
	notes []string
	hints string // who gives hints

	players [2]match.Player // nil for people; used by Run alone
	hinter  match.Player    // made when first asked; used by Run alone
	wake    chan struct{}   // Run has to look again

	mu      sync.Mutex
	session *table.Session
	version int
	changed chan struct{} // closed when version changes
	epoch   int           // changes with the position or an offer: what is thought about is over then
	stop    context.CancelFunc
	thinker string            // who thinks now
	values  map[int]Judgement // by decisions before
	hint    *Hint             // of the present position
	ask     bool              // a hint is asked for
	always  bool              // hints are given whenever a person is to decide
	answer  string            // to the last draw offer, until the next decision
	problem string            // why nothing goes on
	seen    time.Time
}

// New sets a table up. Every problem with the setup is an error for people.
func New(setup Setup, cfg Config) (*Table, error) {
	seats, offered, hints, err := setup.seats(cfg.Offers)
	if err != nil {
		return nil, err
	}
	session, err := setup.session(cfg.Games, seats, cfg.MaxSteps)
	if err != nil {
		return nil, err
	}
	t := &Table{
		cfg: cfg, setup: setup, game: session.Game(), hints: hints, session: session,
		wake: make(chan struct{}, 1), changed: make(chan struct{}), values: map[int]Judgement{}, seen: time.Now(),
	}
	for i, seat := range seats {
		if seat.Name == table.You {
			continue
		}
		if t.players[i], err = cfg.New(seat.Name, t.game); err != nil {
			t.dismiss()
			return nil, err
		}
		if err := t.players[i].NewGame(context.Background(), seed.Number(setup.Seed, "play player", uint64(i))); err != nil {
			t.dismiss()
			return nil, fmt.Errorf("%s: %w", seat.Name, err)
		}
		if note := offered[i].note(t.game); note != "" {
			t.notes = append(t.notes, note)
		}
	}
	return t, nil
}

// person reports whether a person decides for First or Second.
func (t *Table) person(p engine.Player) bool { return p <= engine.Second && t.players[p] == nil }

// Changed is closed once there is a version after the one given.
func (t *Table) Changed(version int) <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if version != t.version {
		done := make(chan struct{})
		close(done)
		return done
	}
	return t.changed
}

// PollTime is how long [Table.Next] waits at most.
const PollTime = 20 * time.Second

// Next returns the view once its version is not after, or the same view after a
// while or when ctx ends.
func (t *Table) Next(ctx context.Context, after int) *View {
	ctx, stop := context.WithTimeout(ctx, PollTime)
	defer stop()
	select {
	case <-t.Changed(after):
	case <-ctx.Done():
	}
	return t.View()
}

// Seen is when somebody last looked or asked for something.
func (t *Table) Seen() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.seen
}

// touch tells everybody that there is something new. t.mu is held.
func (t *Table) touch() {
	t.version++
	close(t.changed)
	t.changed = make(chan struct{})
	t.rouse()
}

// rouse has Run look again.
func (t *Table) rouse() {
	select {
	case t.wake <- struct{}{}:
	default: // it will
	}
}

// moved ends what is thought about the position so far. t.mu is held.
func (t *Table) moved() {
	t.epoch++
	if t.stop != nil {
		t.stop()
	}
	t.hint, t.ask, t.problem = nil, false, ""
	steps := len(t.session.Steps())
	for n := range t.values {
		if n > steps {
			delete(t.values, n)
		}
	}
	t.touch()
}

// thought is what a player is asked.
type thought struct {
	kind    thoughtKind
	who     engine.Player // whose player is asked; of a hint, who is to decide
	name    string
	epoch   int
	steps   int
	state   engine.State
	history *engine.History
}

type thoughtKind int

const (
	move   thoughtKind = iota // decide
	accept                    // answer a draw offer
	advise                    // give a hint
)

// dismiss ends what the players hold.
func (t *Table) dismiss() {
	for _, p := range []match.Player{t.players[0], t.players[1], t.hinter} {
		if p != nil {
			match.Dismiss(p)
		}
	}
}

// Run lets players and chance decide until ctx ends, and dismisses the players.
func (t *Table) Run(ctx context.Context) {
	defer t.dismiss()
	for ctx.Err() == nil {
		j, runsOut := t.next()
		if j != nil {
			t.think(ctx, j)
			continue
		}
		select {
		case <-ctx.Done():
		case <-t.wake:
		case <-runsOut:
		}
	}
}

// flag ends the game if the time of who is to decide has run out. t.mu is held.
func (t *Table) flag() {
	if t.session.Flag() {
		t.moved()
	}
}

// next is what there is to think about, and when the clock of a person who is to
// decide runs out.
func (t *Table) next() (*thought, <-chan time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.session
	t.flag()
	// A game that is too long to go on may still be drawn.
	full := len(s.Steps()) >= t.cfg.MaxSteps && s.Offered() == engine.Nobody
	if _, over := s.Result(); over || t.problem != "" || full {
		return nil, nil
	}
	for s.State().Actor() == engine.Chance {
		if _, err := s.Continue(context.Background()); err != nil {
			t.problem = err.Error()
			t.touch()
			return nil, nil
		}
		t.moved()
	}
	if _, over := s.Result(); over {
		return nil, nil
	}
	j := &thought{who: s.Asked(), epoch: t.epoch, steps: len(s.Steps())}
	switch {
	case !t.person(j.who):
		if j.kind = move; s.Offered() != engine.Nobody {
			j.kind = accept
		}
		if t.players[j.who.Other()] != nil && time.Since(t.seen) > t.cfg.Unwatched {
			return nil, nil // a look goes on with it
		}
		j.name = s.Seat(j.who).Name
	case s.Offered() == engine.Nobody && (t.ask || t.always && t.hint == nil):
		j.kind, j.name = advise, t.hints
	default:
		return nil, s.Think()
	}
	j.state, j.history = t.game.NewState(), t.game.NewHistory()
	j.state.CopyFrom(s.State())
	j.history.CopyFrom(s.History())
	return j, nil
}

// think has a player think and does what it says.
func (t *Table) think(ctx context.Context, j *thought) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	t.mu.Lock()
	if t.epoch != j.epoch {
		t.mu.Unlock()
		return
	}
	t.stop = stop
	if j.kind == advise {
		t.tick(ctx) // the person's clock, meanwhile
	}
	t.mu.Unlock()
	if t.cfg.Slots != nil {
		select {
		case t.cfg.Slots <- struct{}{}:
			defer func() { <-t.cfg.Slots }()
		case <-ctx.Done():
			return
		}
	}
	p, err := t.asked(ctx, j)
	t.mu.Lock()
	if t.epoch != j.epoch {
		t.mu.Unlock()
		return
	}
	t.thinker = j.name
	if err == nil && j.kind == move {
		t.tick(ctx)
	}
	bounds := t.session.Bounds(j.who)
	t.touch()
	t.mu.Unlock()

	var a *match.Analysis
	if err == nil {
		a, err = judge(ctx, p, j, bounds)
	}

	t.mu.Lock()
	defer t.mu.Unlock()
	t.thinker, t.stop = "", nil
	if t.epoch != j.epoch {
		t.touch()
		return
	}
	t.flag()
	switch {
	case t.epoch != j.epoch || ctx.Err() != nil:
		t.touch()
	case err != nil:
		if j.kind == accept { // the offer is off
			_ = t.session.Answer(false)
		}
		if f := (*match.Forfeit)(nil); j.kind == move && errors.As(err, &f) {
			t.session.Forfeit(f.Reason)
			t.moved()
		}
		t.problem = fmt.Sprintf("%s: %v", j.name, err)
		t.ask, t.always = false, false
		t.touch()
	default:
		t.done(j, a)
	}
}

// tick has the clock of who is to decide run, and breaks a thought off when the time
// is over; next then sees the flag. t.mu is held.
func (t *Table) tick(ctx context.Context) {
	if t.session.Think() == nil {
		return
	}
	timer := time.AfterFunc(t.session.TimeLeft(t.session.State().Actor()), t.stop)
	context.AfterFunc(ctx, func() { timer.Stop() })
}

// asked is the player of a thought. To make the one that gives hints may take a while,
// as where a network is loaded: t.mu is not held.
func (t *Table) asked(ctx context.Context, j *thought) (match.Player, error) {
	if j.kind != advise {
		return t.players[j.who], nil
	}
	if t.hinter == nil {
		h, err := t.cfg.New(t.hints, t.game)
		if err != nil {
			return nil, err
		}
		if err := h.NewGame(ctx, seed.Number(t.setup.Seed, "play hint", 0)); err != nil {
			match.Dismiss(h)
			return nil, err
		}
		t.hinter = h
	}
	return t.hinter, nil
}

// words are all decisions so far, as Setup.Moves. t.mu is held.
func (t *Table) words() string {
	var list []string
	for _, step := range t.session.Steps() {
		list = append(list, step.Word)
	}
	return strings.Join(list, " ")
}

// judge asks a player. One that has no choice decides at once.
func judge(ctx context.Context, p match.Player, j *thought, b match.Bounds) (*match.Analysis, error) {
	if j.kind == move {
		if legal := j.state.Legal(nil, j.history); len(legal) == 1 {
			return &match.Analysis{Choice: legal[0], Line: legal}, nil
		}
	}
	b.Analyze = true
	return p.Think(ctx, j.state, j.history, b)
}

// done does what a player said. t.mu is held.
func (t *Table) done(j *thought, a *match.Analysis) {
	actor := j.state.Actor()
	if a.Judged {
		value := a.Value
		if actor == engine.Second {
			value = -value
		}
		t.values[j.steps] = Judgement{Steps: j.steps, By: j.name, Value: short(value), Solved: a.Solved, Lead: a.Lead}
	}
	switch j.kind {
	case move:
		if _, err := t.session.Play(a.Choice); err != nil && !errors.Is(err, match.ErrFlagFell) {
			t.problem = fmt.Sprintf("%s: %v", j.name, err)
		}
		t.answer = ""
	case accept:
		// The value is that of who offers, who is to decide.
		accepted := a.Judged && -a.Value <= table.DrawMargin
		if t.answer = "declined"; accepted {
			t.answer = "accepted"
		}
		if err := t.session.Answer(accepted); err != nil {
			t.problem = err.Error()
		}
	case advise:
		t.hint, t.ask = t.advice(j, a), false
		t.touch()
		return
	}
	problem := t.problem
	t.moved()
	t.problem = problem
}

// NewSeed is a seed for a Setup that has none; it is never 0.
func NewSeed() uint64 { return rand.Uint64()>>11 | 1 }
