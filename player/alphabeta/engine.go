package alphabeta

import (
	"slices"
	"sync/atomic"

	"github.com/ludozero/ludozero/engine"
)

// Engine chooses in games of one ruleset. It owns its memory, some 10 MiB, and is
// used by one goroutine at a time. Its helpers search beside it: see [Engine.Help].
type Engine struct {
	judge      engine.Judge
	judgements []judgement // nil: it neither remembers them nor prunes; see NewPruning
	plain      bool        // no reductions and no aspiration: the value of minimax
	whole      bool        // all outcomes of chance are searched to the end
	probed     int         // as probedReplies
	table      *table      // that of the engine that it helps, if it does
	helpers    []*Engine
	beside     atomic.Int64 // positions that helpers have looked at
	guide      Guide        // nil for the engine as it is
	hist       *engine.History
	levels     []level
	list       []engine.Action                   // of the root
	lines      map[engine.Action][]engine.Action // of the latest search, what follows its best actions
	// history counts, for each side and action, how often it refuted something.
	history [2][]int32

	root  engine.Player
	start int // turn of the root
	since int // entries of hist before the root's
	nodes int64
	stop  func() bool
	told  func(Result)
	out   bool    // time is up
	best  []Rated // as Best returns them
	most  int     // as Several says
}

type level struct {
	state   position
	actions []engine.Action
	scores  []int32
	// turn is how far the turn of state has gone before it.
	turn Course
	// outcomes is what a chance decision may bring, spans what is known of their values, and
	// replies the best action after each, by code, when it came up last.
	outcomes []engine.Weighted
	spans    []span
	replies  []engine.Action
	killers  [2]engine.Action
	// line is how play is expected to go on from the position searched here, as far as it was
	// searched in a full window.
	line []engine.Action
}

// New returns an engine for g that judges by what the game brings ([engine.Judged]), by
// [engine.Material] if it brings nothing, else by the ends of games alone.
func New(g engine.Game) *Engine {
	if j, ok := g.(engine.Judged); ok {
		return NewWith(g, j.NewJudge())
	}
	return NewPlain(g)
}

// NewPlain returns an engine for g that judges as New does for a game that is not
// engine.Judged.
func NewPlain(g engine.Game) *Engine { return NewWith(g, material{}) }

// material judges by what the players own.
type material struct{}

// Judge implements engine.Judge.
func (material) Judge(s engine.State, extra int32) (value int32, danger bool) {
	if m, ok := s.(engine.Material); ok {
		p := engine.First // the player whose side is to move, or to roll
		if s.SideOf(p) != s.Side() {
			p = engine.Second
		}
		extra += int32(100 * (m.Material(p) - m.Material(p.Other())))
	}
	return max(-judged, min(judged, extra)), false
}

// NewWith returns an engine for g that judges by judge, which it owns from then on.
func NewWith(g engine.Game, judge engine.Judge) *Engine {
	e := &Engine{judge: judge, probed: probedReplies, table: new(table), hist: g.NewHistory(), levels: make([]level, maxLevels)}
	room := g.Info().MaxLegal
	actions, scores := make([]engine.Action, maxLevels*room), make([]int32, maxLevels*room)
	chances := g.Info().NumChance
	replies, lines := make([]engine.Action, maxLevels*chances), make([]engine.Action, maxLevels*MaxDepth)
	for i := range e.levels {
		e.levels[i].state = positionOf(g.NewState())
		e.levels[i].actions = actions[i*room : i*room : (i+1)*room]
		e.levels[i].scores = scores[i*room : (i+1)*room]
		e.levels[i].replies = replies[i*chances : (i+1)*chances]
		e.levels[i].line = lines[i*MaxDepth : i*MaxDepth : (i+1)*MaxDepth]
	}
	e.list, e.best, e.most = make([]engine.Action, 0, room), make([]Rated, 0, room), 1
	e.lines = make(map[engine.Action][]engine.Action)
	for side := range e.history {
		e.history[side] = make([]int32, g.Info().NumActions)
	}
	return e
}

// Calm tells whether a position where a turn begins is worth what the judge says: no
// loud action changes it.
func (e *Engine) Calm(state engine.State) bool {
	s := positionOf(state)
	e.hist.Clear()
	e.root, e.start, e.stop, e.out = s.Actor(), s.Turn(), nil, false
	value, _ := e.value(s)
	return e.quiesce(s, -infinity, infinity, 0, 0) == value
}

// NewGuided returns an engine for g that also judges by guide, which it owns from then
// on.
func NewGuided(g engine.Game, guide Guide) *Engine {
	e := New(g)
	e.guide = guide
	return e
}

// NewGame forgets what was learned in the games before.
func (e *Engine) NewGame() {
	e.table.clear()
	e.forget()
	for _, h := range e.helpers {
		h.forget()
	}
}

// forget forgets what is not in the table.
func (e *Engine) forget() {
	clear(e.judgements)
	for side := range e.history {
		clear(e.history[side])
	}
}

// Rest releases most of the memory until the next search, which knows nothing of the
// ones before.
func (e *Engine) Rest() { e.table.give() }

// Result is what a search found.
type Result struct {
	Action engine.Action
	// Value is in hundredths of the smallest piece in the view of the player who decides; more
	// than 900,000 is a win and 1,000,000 less its distance in player turns.
	Value int32
	// Depth is the last one that was searched in full, in player turns.
	Depth int
	// Nodes is the number of positions looked at.
	Nodes int64
}

// Rated is an action with its value, as Result.Value.
type Rated struct {
	Action engine.Action
	Value  int32
}

// Proven tells whether a value says that a win or loss is forced.
func Proven(value int32) bool { return value > judged || value < -judged }

// Tell has each depth of the searches from now on told as it is done, but the last; nil ends
// that.
func (e *Engine) Tell(told func(Result)) { e.told = told }

// Several has the searches from now on look for that many of the best actions, at least
// one: each depth once more for every further one, without those that are better. What
// a search plays may then differ, since it remembers more.
func (e *Engine) Several(most int) { e.most = most }

// Best returns the choice of the latest search and the actions that Several asked for
// after it, the best first: of the depth under way when it was stopped, as far as it got,
// then of the one before, with at most the value of the one above. They are overwritten
// by the next depth.
func (e *Engine) Best() []Rated { return e.best }

// Search looks depth player turns ahead, at most MaxDepth, or less far if stop,
// which may be nil, says so or the result is certain earlier. state must be a
// player's decision and h what was played before, nil for nothing; list, its
// legal actions, decides by its order between actions that look alike. The
// result is a function of the arguments and of the searches since NewGame, if
// stop never says so and nobody helps. It does not allocate in steady state without helpers.
func (e *Engine) Search(state engine.State, h *engine.History, list []engine.Action, depth int, stop func() bool) Result {
	e.table.take()
	e.table.next()
	end := e.helped(state, h, list, depth)
	r := e.deepening(state, h, list, 1, depth, stop)
	end()
	r.Nodes = e.Looked()
	return r
}

// deepening is Search from depth first on, in a table that is ready.
func (e *Engine) deepening(state engine.State, h *engine.History, list []engine.Action, first, depth int, stop func() bool) Result {
	s := positionOf(state)
	e.list = append(e.list[:0], list...)
	e.hist.CopyFrom(h)
	e.since = max(0, e.hist.Len()-1)
	e.root, e.start = s.Actor(), s.Turn()
	e.nodes, e.stop, e.out = 0, stop, false
	for i := range e.levels {
		e.levels[i].killers = [2]engine.Action{-1, -1}
		for code := range e.levels[i].replies {
			e.levels[i].replies[code] = -1
		}
	}
	for side := range e.history {
		for i := range e.history[side] {
			e.history[side][i] /= 8
		}
	}
	e.list = e.permitted(s, e.list, 0)
	e.best = e.best[:0]
	for a, line := range e.lines {
		e.lines[a] = line[:0]
	}
	e.sortRoot(s)
	r := Result{Action: e.list[0]}
	for d := first; d <= min(depth, MaxDepth); d++ {
		done := true
		for i := 0; done && i < min(e.most, len(e.list)); i++ {
			done = e.rank(s, d, i)
		}
		if len(e.best) > 0 {
			r.Action, r.Value = e.best[0].Action, e.best[0].Value
		}
		if !done {
			// What is left of the depth before was worth more there, but not beside the best
			// of this one.
			for i := 1; i < len(e.best); i++ {
				e.best[i].Value = min(e.best[i].Value, e.best[i-1].Value)
			}
			break
		}
		r.Depth = d
		if Proven(r.Value) && win-max(r.Value, -r.Value) <= int32(d) {
			break
		}
		if e.told != nil && d < min(depth, MaxDepth) {
			r.Nodes = e.Looked()
			e.told(r)
		}
	}
	r.Nodes = e.nodes
	return r
}

// sortRoot puts the loudest actions first, keeping the order of equals.
func (e *Engine) sortRoot(s position) {
	l := &e.levels[0]
	e.score(s, l, e.list, -1)
	for i := 1; i < len(e.list); i++ {
		for j := i; j > 0 && l.scores[j] > l.scores[j-1]; j-- {
			l.scores[j], l.scores[j-1] = l.scores[j-1], l.scores[j]
			e.list[j], e.list[j-1] = e.list[j-1], e.list[j]
		}
	}
}

// rank searches the root to depth d without the i best actions, which are the first of
// e.list, and puts the best of the others behind them there and in e.best. done is false
// if it was stopped.
func (e *Engine) rank(s position, d, i int) (done bool) {
	guess := infinity
	if i < len(e.best) {
		guess = e.best[i].Value
	}
	value, done := e.deepen(s, e.list[i:], d, guess)
	if !done && value == -infinity {
		return false
	}
	x := Rated{e.list[i], value}
	if i > 0 {
		x.Value = min(value, e.best[i-1].Value)
	}
	if at := slices.IndexFunc(e.best, func(b Rated) bool { return b.Action == x.Action }); at >= 0 {
		e.best = slices.Delete(e.best, at, at+1)
	}
	e.best = slices.Insert(e.best, i, x)
	e.best = e.best[:min(e.most, len(e.best))]
	return done
}

// deepen searches the actions of list at the root to depth d, first in a window around
// guess, unless it is proven, and leaves the best first in list. done is false if it
// was stopped; the value is then that of the best action so far, or -infinity.
func (e *Engine) deepen(s position, list []engine.Action, d int, guess int32) (value int32, done bool) {
	alpha, beta := -infinity, infinity
	width := int32(60)
	if d >= 4 && !e.plain && !Proven(guess) {
		alpha, beta = guess-width, guess+width
	}
	for {
		value = e.searchRoot(s, list, e.start+d, alpha, beta)
		switch {
		case e.out:
			return value, false
		case value <= alpha && alpha > -infinity:
			alpha = -infinity
		case value >= beta && beta < infinity:
			beta = infinity
		default:
			return value, true
		}
	}
}

func (e *Engine) searchRoot(s position, list []engine.Action, last int, alpha, beta int32) int32 {
	l := &e.levels[0]
	best, mark := -infinity, e.hist.Len()
	for i, a := range list {
		l.state.CopyFrom(s)
		e.apply(l, a, len(e.list), Course{})
		bonus := e.bonus(s, l.state, a)
		low := max(alpha, best)
		v := raised(e.scout(l.state, e.root, last, 0, raised(low, -bonus), raised(beta, -bonus), 1, i > 0), bonus)
		e.hist.Truncate(mark)
		if e.out {
			return best
		}
		if v > best {
			best = v
			if v > alpha {
				copy(list[1:i+1], list[:i])
				list[0] = a
				e.lines[a] = append(e.lines[a][:0], e.levels[1].line...)
			}
		}
		if best >= beta {
			break
		}
	}
	return best
}
