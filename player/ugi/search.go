package ugi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
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
	stops       bool               // at once, by stop
	stop        context.CancelFunc // the search answers with what it knows
	abort       context.CancelFunc // nobody waits for an answer
	done        chan struct{}      // closed once analysis and err are there
	over        bool               // done was seen
	analysis    *match.Analysis
	err         error
}

// asked is what the words of a go say.
type asked struct {
	numbers  map[string]int
	infinite bool
}

// goWords take a number each.
var goWords = []string{"p1time", "p2time", "p1inc", "p2inc", "movetime", "depth", "nodes"}

func parseGo(words []string) (asked, error) {
	a := asked{numbers: map[string]int{}}
	for i := 0; i < len(words); i++ {
		word := words[i]
		_, twice := a.numbers[word]
		switch {
		case word == "infinite":
			a.infinite = true
			continue
		case !slices.Contains(goWords, word):
			return a, fmt.Errorf("no word %q: want %s or infinite", word, strings.Join(goWords, ", "))
		case twice:
			return a, fmt.Errorf("%s is there twice", word)
		case i == len(words)-1:
			return a, fmt.Errorf("%s has no number", word)
		}
		i++
		n, err := strconv.Atoi(words[i])
		clock := strings.HasSuffix(word, "time") && word != "movetime"
		if clock && err == nil && n < 1 {
			n = 1 // a clock that has run out, in the eyes of some programs
		}
		least := 1
		if strings.HasSuffix(word, "inc") {
			least = 0
		}
		if err != nil || n < least || n > math.MaxInt32 {
			return a, fmt.Errorf("%s %q: want a whole number from %d to %d", word, words[i], least, math.MaxInt32)
		}
		a.numbers[word] = n
	}
	return a, nil
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
func (s *server) start(words []string) error {
	a, err := parseGo(words)
	if err != nil {
		return err
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
	whole, abort := context.WithCancel(context.Background())
	ctx, stop := context.WithCancel(whole)
	q := &search{
		state: s.game.NewState(), line: s.game.NewState(), history: s.game.NewHistory(),
		infinite: a.infinite, temperature: temperature, stops: stops, stop: stop, abort: abort, done: make(chan struct{}),
	}
	q.state.CopyFrom(s.state)
	q.history.CopyFrom(s.history)
	most := s.options.multiPV
	b.Lines = most > 1
	b.Report = func(x *match.Analysis) { q.report(s.out, x, most) }
	if !stops {
		// It is not broken off by stop, which waits for its answer.
		ctx, b.Analyze = whole, true
		if len(a.numbers) > 0 || b.Simulations > 0 || b.Time > 0 {
			s.say("info string this player goes by its description alone")
		}
	}
	s.search = q
	p, began := s.player, time.Now()
	go func() {
		defer close(q.done)
		if q.analysis, q.err = p.Think(ctx, q.state, q.history, b); q.err == nil && !stops {
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
		q.infinite = false
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
	q.report(s.out, q.analysis, s.options.multiPV)
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

// report says what t knows: a line for each of the best moves, most at most.
func (q *search) report(out *output, t *match.Analysis, most int) {
	ms := t.Time.Milliseconds()
	head := fmt.Sprintf("time %d nodes %d nps %d", ms, t.Simulations, int64(float64(t.Simulations)/max(t.Time.Seconds(), 1e-3)))
	if t.Depth > 0 {
		head = fmt.Sprintf("depth %d ", t.Depth) + head
	}
	score := func(v float64, judged bool) string {
		if !judged {
			return ""
		}
		return fmt.Sprintf(" score cp %d", int(math.Round(100*v)))
	}
	moves := ranked(t)
	for i, m := range moves[:min(most, len(moves))] {
		value, judged, line := m.Value, m.Judged, m.Line
		if i == 0 { // the search may know more of its choice
			value, judged, line = t.Value, t.Judged, t.Line
		}
		if len(line) == 0 {
			line = []engine.Action{m.Action}
		}
		rank := ""
		if most > 1 {
			rank = fmt.Sprintf(" multipv %d", i+1)
		}
		out.line("info " + head + rank + score(value, judged) + " pv " + q.words(line))
	}
}

// ranked are the moves of t that it knows something of, the choice first, then by
// their share of the search.
func ranked(t *match.Analysis) []match.Move {
	choice := match.Move{Action: t.Choice}
	var rest []match.Move
	for _, m := range t.Moves {
		switch {
		case m.Action == t.Choice:
			choice = m
		case m.Judged:
			rest = append(rest, m)
		}
	}
	slices.SortStableFunc(rest, func(x, y match.Move) int {
		return cmp.Or(cmp.Compare(y.Prob, x.Prob), cmp.Compare(y.Value, x.Value))
	})
	return append([]match.Move{choice}, rest...)
}

// words writes a line from the position that is searched.
func (q *search) words(line []engine.Action) string {
	q.line.CopyFrom(q.state)
	var text []byte
	for i, a := range line {
		if i > 0 {
			text = append(text, ' ')
		}
		text = q.line.AppendAction(text, a)
		q.line.Apply(a, nil)
	}
	return string(text)
}
