package ugi

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// NoMove is the bestmove of a go that cannot be answered with a move.
const NoMove = "(none)"

// search is one go.
type search struct {
	// state and history are the search's own, so that they can be asked about
	// meanwhile; line is its scratch.
	state, line engine.State
	history     *engine.History
	infinite    bool
	temperature float64
	most        int                // lines that info shows
	wdl         bool               // info has win, draw and loss
	verbose     bool               // info has the statistics of all moves
	stops       bool               // at once, by stop
	stop        context.CancelFunc // the search answers with what it knows
	abort       context.CancelFunc // nobody waits for an answer
	done        chan struct{}      // closed once analysis and err are there
	stopped     bool               // stop was said
	over        bool               // done was seen
	analysis    *match.Analysis
	err         error
}

// bounds returns the limits that were asked for, for the player who acts.
func (a *asked) bounds(o *options, actor engine.Player) (match.Bounds, error) {
	seats := map[engine.Player]string{engine.First: "p1", engine.Second: "p2"}
	seat := seats[actor]
	ms := func(word string) time.Duration { return time.Duration(a.numbers[word]) * time.Millisecond }
	b := match.Bounds{
		Simulations: least(a.numbers["nodes"], o.simulations),
		Depth:       a.numbers["depth"],
		Time:        time.Duration(least(a.numbers["movetime"], o.moveTime)) * time.Millisecond,
		Remaining:   ms(seat + "time"),
		Other:       ms(seats[actor.Other()] + "time"),
		Increment:   ms(seat + "inc"),
		ByClock:     true,
		Partial:     true,
		Every:       reportEvery,
	}
	if !a.infinite {
		b.Default = plainTime
	}
	if b.Remaining == 0 && a.numbers["p1time"]+a.numbers["p2time"]+a.numbers["p1inc"]+a.numbers["p2inc"] > 0 {
		return b, fmt.Errorf("%stime is missing: that player is to decide", seat)
	}
	return b, nil
}

// least is the smaller limit; 0 is none.
func least(x, y int) int {
	if x == 0 || y != 0 && y < x {
		return y
	}
	return x
}

// start is the command go.
func (s *server) start(ctx context.Context, words []string) error {
	a, err := parseGo(words)
	if err != nil {
		return err
	}
	if len(a.ignored) > 0 {
		s.say("info string go: ignored %s: the words are %s, %s and %s", oneLine(strings.Join(a.ignored, " ")), strings.Join(goWords, ", "), searchWord, infiniteWord)
	}
	switch o := s.state.Outcome(); {
	case o.Over:
		return fmt.Errorf("the game is over: %s", o.Reason)
	case s.state.Actor() > engine.Second:
		return errors.New("chance decides here, no player: want its outcome behind the moves of position; roll draws one")
	}
	b, err := a.bounds(&s.options, s.state.Actor())
	if err != nil {
		return err
	}
	if b.Only, err = a.only(s.state, s.history); err != nil {
		return err
	}
	if err := s.chooseFor(ctx, &b); err != nil {
		return err
	}
	strength, err := s.options.strength(s.player)
	if err != nil {
		return err
	}
	temperature := s.options.temperature
	if strength != nil {
		b.Simulations, temperature = least(b.Simulations, strength.Simulations), strength.Temperature
	}
	limited, stops := s.player.(player.Limited)
	if b.Depth > 0 && (!stops || !limited.CountsDepth()) {
		return errors.New("depth: this player counts none: want nodes, movetime, clocks or infinite")
	}
	if len(b.Only) > 0 && !stops {
		return errors.New(searchWord + ": this player considers all moves")
	}
	whole, abort := context.WithCancel(context.Background())
	bounded, stop := context.WithCancel(whole)
	q := &search{
		state: s.game.NewState(), line: s.game.NewState(), history: s.game.NewHistory(),
		infinite: a.infinite, temperature: temperature, stops: stops, stop: stop, abort: abort, done: make(chan struct{}),
		most: s.options.multiPV, wdl: s.options.showWDL, verbose: s.options.showMoves,
	}
	q.state.CopyFrom(s.state)
	q.history.CopyFrom(s.history)
	if b.Draws = q.wdl || q.verbose; q.most > 1 {
		b.Lines = q.most
	}
	b.Analyze = len(b.Only) == 1 // it is not asked what to play, but what that is worth
	b.Report = func(x *match.Analysis) { q.report(s.out, x) }
	if !stops {
		// It is not broken off by stop, which waits for its answer.
		bounded, b.Analyze = whole, true
		if len(a.numbers) > 0 || b.Simulations > 0 || b.Time > 0 {
			s.say("info string this player goes by its description alone")
		}
	}
	s.search = q
	p, began := s.player, time.Now()
	go func() {
		defer close(q.done)
		if q.analysis, q.err = p.Think(bounded, q.state, q.history, b); q.err == nil && !stops {
			q.analysis.Time = time.Since(began)
		}
	}()
	return nil
}

// ended is closed once a search has come to its end that nobody has seen yet.
func (s *server) ended() <-chan struct{} {
	if s.search == nil || s.search.over {
		return nil
	}
	return s.search.done
}

// stop is the command stop. A player that cannot be stopped answers when it has
// decided; commands are heard until then.
func (s *server) stop() {
	switch q := s.search; {
	case q == nil:
	case q.over:
		s.answer()
	default:
		q.infinite, q.stopped = false, true
		if q.stop(); q.stops {
			<-q.done
			s.answer()
		}
	}
}

// abort ends the search under way without waiting for more than it must.
func (s *server) abort() {
	if s.search != nil {
		s.search.abort()
		<-s.search.done
		s.answer()
	}
}

// answer says what a search has found out, which has ended.
func (s *server) answer() {
	q := s.search
	s.search = nil
	q.abort()
	if q.err != nil {
		s.complain("go", q.err)
		s.say("bestmove %s", NoMove)
		return
	}
	q.report(s.out, q.analysis)
	if q.analysis.Ending == match.EndFull && !q.infinite {
		s.say("info string %s", q.why())
	}
	choice := q.analysis.Choice
	if q.temperature > 0 && len(q.analysis.Moves) > 1 {
		choice = player.Draw(q.analysis, q.temperature, s.rng.Float64())
	}
	s.say("bestmove %s", q.state.AppendAction(nil, choice))
}

// why says why a search has ended by itself.
func (q *search) why() string {
	if q.err != nil {
		return "thinking has failed"
	}
	switch q.analysis.Ending {
	case match.EndFull:
		return fmt.Sprintf("thinking has ended after %d simulations: the tree has no room left", q.analysis.Simulations)
	case match.EndProven:
		return "thinking has ended: the result is proven"
	}
	return "thinking has ended: the player's limits are reached"
}
