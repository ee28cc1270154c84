// Package table is a game at one table as a page plays it: requests and views
// that are plain JSON data, so that a page can show a view and send a word without
// knowing the rules. It knows no network, no files and no page; a server gives it a
// goroutine, and a browser runs it as WebAssembly in a worker.
//
// [New] makes a [Table] from a [Setup]. [Table.Do] carries out a [Request] of the
// people at it, and [Table.View] describes its state. Neither waits for players:
// they think in [Table.Run], one decision at a time, and [Table.Next] waits for the
// next change.
package table

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/guide"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player/table"
)

// Config holds what the tables of a program share.
type Config struct {
	// Games can be played at a table.
	Games engine.Families
	// Guides are the guides of those that have one.
	Guides guide.Guides
	// Offers are the players to choose from; any other is refused.
	Offers []Offer
	// New makes the player that a description of the offers names.
	New func(text string, g engine.Game) (match.Player, error)
	// Slots bounds how many players think at the same time: each holds a place in
	// it meanwhile. Nil is no bound.
	Slots chan struct{}
	// MaxSteps is how many decisions a game may have; then it stops.
	MaxSteps int
	// Unwatched is how long a game between two players continues after the last
	// request for its view.
	Unwatched time.Duration
}

var (
	// ErrStale refuses a request that was made for an older view of the table.
	ErrStale = errors.New("the table has changed meanwhile")
)

// Table is a game under way. It is safe for concurrent use.
type Table struct {
	cfg   Config
	setup Setup
	game  engine.Game
	study *lesson // nil for a game
	notes []string
	hints string // who gives hints

	advisor string // the same with room for a longer search
	// Simulations or positions of a hint, a look and an analysis that goes on, 0 where something else limits them.
	hintMax, lookMax, deepMax int

	players [2]match.Player // nil for people; used by Run alone
	nodes   [2]int          // positions that a decision of theirs may look at besides their own limit; 0: no bound
	hinter  match.Player    // made when first asked; used by Run alone
	wake    chan struct{}   // tells Run to look for a task

	mu      sync.Mutex
	session *table.Session
	version int
	changed chan struct{} // closed when version changes
	epoch   int           // changes with the position or an offer, which ends the task under way
	stop    context.CancelFunc
	thinker string            // the player who is thinking
	values  map[int]Judgement // by the number of decisions before
	hint    *Hint             // of the present position
	why     *Why              // of the present position
	ask     bool              // a hint is asked for
	always  bool              // analyse whenever a person is to decide
	done    bool              // the present position is analysed
	review  *review           // nil until somebody asks
	answer  string            // to the last draw offer, until the next decision
	problem string            // why the game has stopped
	seen    time.Time
}

// New sets up a table. Its errors are for people.
func New(setup Setup, cfg Config) (*Table, error) {
	study, err := setup.begin(&cfg)
	if err != nil {
		return nil, err
	}
	seats, offered, hints, err := setup.seats(&cfg)
	if err != nil {
		return nil, err
	}
	session, err := setup.session(cfg.Games, seats, cfg.MaxSteps)
	if err != nil {
		return nil, err
	}
	t := &Table{
		cfg: cfg, setup: setup, study: study, game: session.Game(), hints: hints, session: session,
		wake: make(chan struct{}, 1), changed: make(chan struct{}), values: map[int]Judgement{}, seen: time.Now(),
	}
	study.judge(session)
	t.advisor, t.hintMax, t.lookMax, t.deepMax = cfg.advisor(setup.Game, hints)
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
		t.nodes[i] = offered[i].nodes(seat.Name)
		if note := offered[i].note(t.game); note != "" {
			t.notes = append(t.notes, note)
		}
	}
	return t, nil
}

// person reports whether a person decides for First or Second.
func (t *Table) person(p engine.Player) bool { return p <= engine.Second && t.players[p] == nil }

// Changed returns a channel that is closed once the version is another.
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

// Seen is the time of the last request or view.
func (t *Table) Seen() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.seen
}

// touch counts a change and wakes all who wait for one. t.mu is held.
func (t *Table) touch() {
	t.version++
	close(t.changed)
	t.changed = make(chan struct{})
	t.rouse()
}

// rouse wakes Run.
func (t *Table) rouse() {
	select {
	case t.wake <- struct{}{}:
	default: // it is awake
	}
}

// moved cancels the task under way after a change of the position. t.mu is held.
func (t *Table) moved() {
	t.epoch++
	if t.stop != nil {
		t.stop()
	}
	t.hint, t.why, t.ask, t.done, t.problem = nil, nil, false, false, ""
	t.study.judge(t.session)
	steps := len(t.session.Steps())
	for n := range t.values {
		if n > steps {
			delete(t.values, n)
		}
	}
	if t.review != nil {
		maps.DeleteFunc(t.review.found, func(n int, _ finding) bool { return n > steps })
	}
	t.touch()
}

// task is a question to a player.
type task struct {
	kind    taskKind
	who     engine.Player // the player to ask; for a hint, who is to decide
	name    string
	epoch   int
	steps   int
	deep    bool // an analysis that goes on
	state   engine.State
	history *engine.History
}

type taskKind int

const (
	move   taskKind = iota // decide
	accept                 // answer a draw offer
	advise                 // give a hint
	look                   // evaluate a position for the review
)

// dismiss releases what the players hold.
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
		j, runsOut := t.nextTask()
		if j != nil {
			t.carryOut(ctx, j)
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

// nextTask returns the next question to a player or, if there is none, a channel that
// tells when the clock of the person to decide runs out.
func (t *Table) nextTask() (*task, <-chan time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.session
	t.flag()
	// A game that is too long to go on may still be drawn.
	full := len(s.Steps()) >= t.cfg.MaxSteps && s.Offered() == engine.Nobody
	if _, over := s.Result(); over || t.study.over() {
		return t.nextReviewed(), nil
	}
	if t.problem != "" || full {
		return nil, nil
	}
	if s.Entering() {
		return t.nextReviewed(), nil
	}
	for s.State().Actor() == engine.Chance {
		if _, err := s.Continue(context.Background()); err != nil {
			t.problem = err.Error()
			t.touch()
			return nil, nil
		}
		t.moved()
	}
	if _, over := s.Result(); over || t.study.over() {
		return t.nextReviewed(), nil
	}
	j := &task{who: s.Asked(), epoch: t.epoch, steps: len(s.Steps())}
	switch {
	case !t.person(j.who):
		if j.kind = move; s.Offered() != engine.Nobody {
			j.kind = accept
		}
		if t.players[j.who.Other()] != nil && time.Since(t.seen) > t.cfg.Unwatched {
			return nil, nil // the next view continues it
		}
		j.name = s.Seat(j.who).Name
	case s.Offered() == engine.Nobody && (t.ask || t.always && !t.done):
		j.kind, j.name, j.deep = advise, t.hints, t.always
	default:
		if j := t.nextReviewed(); j != nil {
			return j, nil
		}
		return nil, s.Think()
	}
	j.state, j.history = t.game.NewState(), t.game.NewHistory()
	j.state.CopyFrom(s.State())
	j.history.CopyFrom(s.History())
	return j, nil
}

// carryOut asks a player and does what it answers.
func (t *Table) carryOut(ctx context.Context, j *task) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	t.mu.Lock()
	if t.epoch != j.epoch {
		t.mu.Unlock()
		return
	}
	t.stop = stop
	if j.kind >= advise {
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
	p, err := t.playerOf(ctx, j)
	t.mu.Lock()
	if t.epoch != j.epoch {
		t.mu.Unlock()
		return
	}
	if err == nil && j.kind == move {
		t.tick(ctx)
	}
	bounds := t.bounds(j)
	if j.kind != look {
		t.thinker = j.name
		t.touch()
	}
	t.mu.Unlock()

	var a *match.Analysis
	if err == nil {
		a, err = t.analyze(ctx, p, j, bounds)
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
		if problem := fmt.Sprintf("%s: %v", j.name, err); j.kind == look {
			t.review.problem = problem
		} else {
			t.problem = problem
		}
		t.ask, t.always = false, false
		t.touch()
	default:
		t.finish(j, a)
	}
}

// tick starts the clock of who is to decide, and stops the task under way when the
// time is over; nextTask then sees the flag. t.mu is held.
func (t *Table) tick(ctx context.Context) {
	if t.session.Think() == nil {
		return
	}
	timer := time.AfterFunc(t.session.TimeLeft(t.session.State().Actor()), t.stop)
	context.AfterFunc(ctx, func() { timer.Stop() })
}

// playerOf returns the player to ask. Making the one for hints may take a while, to
// load a network: t.mu is not held.
func (t *Table) playerOf(ctx context.Context, j *task) (match.Player, error) {
	if j.kind < advise {
		return t.players[j.who], nil
	}
	if t.hinter == nil {
		h, err := t.cfg.New(t.advisor, t.game)
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

// bounds are the bounds of a task. t.mu is held.
func (t *Table) bounds(j *task) match.Bounds {
	switch {
	case j.kind < advise:
		b := t.session.Bounds(j.who)
		b.Simulations = t.nodes[j.who]
		return b
	case j.kind == look:
		return match.Bounds{Simulations: t.lookMax}
	case !j.deep:
		return match.Bounds{Simulations: t.hintMax, Lines: hintLines}
	}
	return match.Bounds{Simulations: t.deepMax, Lines: hintLines, Every: reportEvery, Report: func(a *match.Analysis) {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.epoch == j.epoch {
			t.hint = t.advice(j, a)
			t.touch()
		}
	}}
}

// analyze asks a player. With one legal move it need not think.
func (t *Table) analyze(ctx context.Context, p match.Player, j *task, b match.Bounds) (*match.Analysis, error) {
	if j.kind == move {
		if legal := j.state.Legal(nil, j.history); len(legal) == 1 {
			return &match.Analysis{Choice: legal[0], Line: legal}, nil
		}
	}
	b.Analyze, b.Play = true, j.kind == move
	return think(ctx, p, t.game, j.state, j.history, b)
}

// finish applies a player's answer. t.mu is held.
func (t *Table) finish(j *task, a *match.Analysis) {
	if j.kind == look {
		t.looked(j, a)
		return
	}
	if a.Judged {
		t.values[j.steps] = judgement(j, a)
	}
	switch j.kind {
	case move:
		if _, err := t.session.Play(a.Choice); err != nil && !errors.Is(err, match.ErrFlagFell) {
			t.problem = fmt.Sprintf("%s: %v", j.name, err)
		}
		t.answer = ""
	case accept:
		// The value is in the view of the player who offers, who is to decide.
		accepted := a.Judged && -a.Value <= table.DrawMargin
		if t.answer = "declined"; accepted {
			t.answer = "accepted"
		}
		if err := t.session.Answer(accepted); err != nil {
			t.problem = err.Error()
		}
	case advise:
		t.hint, t.ask, t.done = t.advice(j, a), false, j.deep
		t.touch()
		return
	}
	problem := t.problem
	t.moved()
	t.problem = problem
}

// NewSeed draws a seed for a Setup that has none; it is never 0.
func NewSeed() uint64 { return rand.Uint64()>>11 | 1 }
