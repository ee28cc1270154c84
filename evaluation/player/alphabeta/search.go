package alphabeta

import (
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// Values are in hundredths of a Red, in the view of the player named. A win t
// turns away is win-t, so that the quicker of two wins is preferred and the
// slower of two losses; what is judged stays within ±judged.
const (
	win      int32 = 1_000_000
	judged   int32 = 900_000
	infinity int32 = 2 * win
)

const (
	// MaxDepth is the greatest depth of a search, in player turns.
	MaxDepth = 64
	// maxLevels bounds the decisions on a path: those of MaxDepth turns, of which
	// few have more than one, and of the quiescence behind.
	maxLevels = 4 * MaxDepth
	// tableEntries makes a table of 8 MiB.
	tableEntries = 1 << 19
	// nodesPerStop is how many positions are searched between two questions
	// whether to stop: some hundred microseconds.
	nodesPerStop = 64
	// contempt is what a draw is worth less than an even position to the player
	// who chooses.
	contempt = 20
)

// Engine chooses in games of one ruleset. It owns its memory, some 10 MiB, and is
// used by one goroutine at a time.
type Engine struct {
	weights Weights
	judge   judge
	plain   bool // no reductions and no aspiration: the value of minimax
	table   table
	hist    *engine.History
	levels  []level
	list    []engine.Action // of the root
	// history counts, for each side and action, how often it refuted something.
	history [2][]int32

	root  engine.Player
	start int // turn of the root
	since int // entries of hist before the root's
	nodes int64
	stop  func() bool
	out   bool // time is up
}

type level struct {
	state   konreh.State
	actions []engine.Action
	scores  []int32
	killers [2]engine.Action
}

// New returns an engine for g that judges by Fitted.
func New(g *konreh.Game) *Engine { return NewWith(g, Fitted) }

// NewWith returns an engine for g that judges by w.
func NewWith(g *konreh.Game, w Weights) *Engine {
	e := &Engine{weights: w, table: newTable(tableEntries), hist: g.NewHistory(), levels: make([]level, maxLevels)}
	e.judge.init(g)
	room := g.Info().MaxLegal
	actions, scores := make([]engine.Action, maxLevels*room), make([]int32, maxLevels*room)
	for i := range e.levels {
		e.levels[i].actions = actions[i*room : i*room : (i+1)*room]
		e.levels[i].scores = scores[i*room : (i+1)*room]
	}
	e.list = make([]engine.Action, 0, room)
	for side := range e.history {
		e.history[side] = make([]int32, g.Info().NumActions)
	}
	return e
}

// NewGame forgets what was learned in the games before.
func (e *Engine) NewGame() {
	e.table.clear()
	for side := range e.history {
		clear(e.history[side])
	}
}

// Result is what a search found.
type Result struct {
	Action engine.Action
	// Value is in hundredths of a Red in the view of the player who decides; more
	// than 900,000 is a win and 1,000,000 less its distance in player turns.
	Value int32
	// Depth is the last one that was searched in full, in player turns; 0 with one
	// legal action.
	Depth int
	// Nodes is the number of positions looked at.
	Nodes int64
}

// Proven tells whether a value is that of a forced win or loss.
func Proven(value int32) bool { return value > judged || value < -judged }

// Search looks depth player turns ahead, at most MaxDepth, or less far if stop,
// which may be nil, says so or the result is certain earlier. s must be a
// player's decision and h what was played before, nil for nothing; list, its
// legal actions, decides by its order between actions that look alike. The
// result is a function of the arguments and of the searches since NewGame, if
// stop never says so. It does not allocate in steady state.
func (e *Engine) Search(s *konreh.State, h *engine.History, list []engine.Action, depth int, stop func() bool) Result {
	e.list = append(e.list[:0], list...)
	if len(list) == 1 {
		return Result{Action: list[0]}
	}
	if h == nil {
		e.hist.Clear()
	} else {
		e.hist.CopyFrom(h)
	}
	e.since = max(0, e.hist.Len()-1)
	e.root, e.start = s.Actor(), s.Turn()
	e.nodes, e.stop, e.out = 0, stop, false
	e.table.next()
	for i := range e.levels {
		e.levels[i].killers = [2]engine.Action{-1, -1}
	}
	for side := range e.history {
		for i := range e.history[side] {
			e.history[side][i] /= 8
		}
	}
	r := Result{Action: list[0]}
	e.sortRoot(s)
	for d := 1; d <= min(depth, MaxDepth); d++ {
		value, done := e.deepen(s, d, r.Value)
		if done || value > -infinity {
			r.Action, r.Value = e.list[0], value
		}
		if !done {
			break
		}
		r.Depth = d
		if Proven(value) && win-max(value, -value) <= int32(d) {
			break
		}
	}
	r.Nodes = e.nodes
	return r
}

// sortRoot puts the loudest actions first, keeping the order of equals.
func (e *Engine) sortRoot(s *konreh.State) {
	l := &e.levels[0]
	e.score(s, l, e.list, -1)
	for i := 1; i < len(e.list); i++ {
		for j := i; j > 0 && l.scores[j] > l.scores[j-1]; j-- {
			l.scores[j], l.scores[j-1] = l.scores[j-1], l.scores[j]
			e.list[j], e.list[j-1] = e.list[j-1], e.list[j]
		}
	}
}

// deepen searches the root to depth d, first in a window around the value of the
// depth before, and leaves the best action first in e.list. done is false if it
// was stopped; the value is then that of the best action so far, or -infinity.
func (e *Engine) deepen(s *konreh.State, d int, guess int32) (value int32, done bool) {
	alpha, beta := -infinity, infinity
	width := int32(60)
	if d >= 4 && !e.plain && !Proven(guess) {
		alpha, beta = guess-width, guess+width
	}
	for {
		value = e.searchRoot(s, e.start+d, alpha, beta)
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

func (e *Engine) searchRoot(s *konreh.State, last int, alpha, beta int32) int32 {
	l := &e.levels[0]
	best, mark := -infinity, e.hist.Len()
	for i, a := range e.list {
		l.state.CopyFrom(s)
		l.state.Apply(a, e.hist)
		low := max(alpha, best)
		v := e.scout(&l.state, e.root, last, 0, low, beta, 1, i > 0)
		e.hist.Truncate(mark)
		if e.out {
			return best
		}
		if v > best {
			best = v
			if v > alpha {
				copy(e.list[1:i+1], e.list[:i])
				e.list[0] = a
			}
		}
		if best >= beta {
			break
		}
	}
	return best
}

// scout returns the value of s, which an action of player has led to, in player's
// view. If narrow, it is first asked only whether it exceeds alpha, reduce turns
// less deep.
func (e *Engine) scout(s *konreh.State, player engine.Player, last, reduce int, alpha, beta int32, level int, narrow bool) int32 {
	if narrow && beta-alpha > 1 || reduce > 0 {
		v := e.after(s, player, last-reduce, alpha, alpha+1, level)
		if v <= alpha || e.out || reduce == 0 && v >= beta {
			return v
		}
	}
	return e.after(s, player, last, alpha, beta, level)
}

// after is scout without a question before.
func (e *Engine) after(s *konreh.State, player engine.Player, last int, alpha, beta int32, level int) int32 {
	switch actor := s.Actor(); {
	case actor == engine.Nobody:
		return e.final(s, player)
	case s.RepeatedSince(e.hist, e.since):
		// A position that the path has been through already will come again if
		// both want it: it counts as the draw that it leads to.
		return e.drawn(player)
	case actor == player:
		return e.search(s, last, alpha, beta, level)
	}
	return -e.search(s, last, -beta, -alpha, level)
}

// final is the value of a finished game.
func (e *Engine) final(s *konreh.State, player engine.Player) int32 {
	switch o := s.Outcome(); o.Winner {
	case engine.Nobody:
		return e.drawn(player)
	case player:
		return win - int32(s.Turn()-e.start)
	}
	return int32(s.Turn()-e.start) - win
}

func (e *Engine) drawn(player engine.Player) int32 {
	if player == e.root {
		return -contempt
	}
	return contempt
}

// search returns the value of s in the view of the player who decides, exact
// between alpha and beta and a bound outside. Positions are judged from turn
// last on. level is the index of the memory that it may overwrite.
func (e *Engine) search(s *konreh.State, last int, alpha, beta int32, level int) int32 {
	begins := s.BeginsTurn()
	depth := max(0, last-s.Turn())
	if begins && depth == 0 || level >= maxLevels-2 {
		return e.quiesce(s, alpha, beta, level, 0)
	}
	if e.visit(); e.out {
		return 0
	}
	actor, side, height := s.Actor(), s.Side(), int32(s.Turn()-e.start)
	key := s.SearchKey()
	if e.root != engine.First {
		key ^= 0x9e3779b97f4a7c15 // draws are worth something else
	}
	first := engine.Action(-1)
	if t := e.table.find(key); t != nil {
		first = engine.Action(t.move)
		if int(t.depth) >= depth {
			v := fromTable(t.value, height)
			switch b := t.bound(); {
			case b == exact, b == least && v >= beta, b == most && v <= alpha:
				return v
			}
		}
	}
	l := &e.levels[level]
	list := s.Legal(l.actions[:0], e.hist)
	quietest := e.score(s, l, list, first)
	best, bestAction, mark := -infinity, engine.Action(-1), e.hist.Len()
	low := alpha
	for i := range list {
		a, rank := pick(list, l.scores, i)
		l.state.CopyFrom(s)
		l.state.Apply(a, e.hist)
		reduce := 0
		if !e.plain && depth >= 3 && i >= 3 && rank < quietest && l.state.BeginsTurn() {
			reduce = 1
			if depth >= 5 && i >= 10 {
				reduce = 2
			}
		}
		v := e.scout(&l.state, actor, last, reduce, low, beta, level+1, i > 0)
		e.hist.Truncate(mark)
		if e.out {
			return 0
		}
		if v > best {
			best, bestAction = v, a
		}
		if low = max(low, best); low >= beta {
			if rank < quietest {
				e.refuted(l, int(side), a, depth)
			}
			break
		}
	}
	b := exact
	switch {
	case best >= beta:
		b = least
	case best <= alpha:
		b = most
	}
	e.table.store(key, toTable(best, height), bestAction, depth, b)
	return best
}

// visit counts a position and looks at the clock now and then.
func (e *Engine) visit() {
	if e.nodes++; e.nodes%nodesPerStop == 0 && e.stop != nil && e.stop() {
		e.out = true
	}
}

// Wins count from the root in a search and from the position in the table.

func toTable(v, height int32) int32 {
	switch {
	case v > judged:
		return v + height
	case v < -judged:
		return v - height
	}
	return v
}

func fromTable(v, height int32) int32 {
	switch {
	case v > judged:
		return v - height
	case v < -judged:
		return v + height
	}
	return v
}
