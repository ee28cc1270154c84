package alphabeta

import "github.com/ludozero/ludozero/engine"

// Values are in hundredths of the smallest piece, in the view of the player named. A win t
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
	// TableMiB is the size of a table if nobody says, which has tableEntries.
	TableMiB     = 8
	tableEntries = TableMiB << 20 / entryBytes
	// NodesPerStop is how many positions are searched between two questions
	// whether to stop: some hundred microseconds.
	NodesPerStop = 64
	// contempt is by how much a draw is valued below an even position by the player
	// at the root.
	contempt = 20
)

// apply plays a, one of that many choices, on the state of l; turn is how far the turn had
// gone before.
func (e *Engine) apply(l *level, a engine.Action, choices int, turn Course) {
	l.state.Apply(a, e.hist)
	if l.turn = turn.Next(choices); l.state.BeginsTurn() {
		l.turn = Course{}
	}
}

// scout returns the value of s, which an action of player has led to, in player's
// view. If narrow, it is first asked only whether it exceeds alpha, reduce turns
// less deep.
func (e *Engine) scout(s position, player engine.Player, last, reduce int, alpha, beta int32, level int, narrow bool) int32 {
	if narrow && beta-alpha > 1 || reduce > 0 {
		v := e.after(s, player, last-reduce, alpha, alpha+1, level)
		if v <= alpha || e.out || reduce == 0 && v >= beta {
			return v
		}
	}
	return e.after(s, player, last, alpha, beta, level)
}

// after is scout without a question before.
func (e *Engine) after(s position, player engine.Player, last int, alpha, beta int32, level int) int32 {
	l := &e.levels[level]
	l.line = l.line[:0]
	switch actor := s.Actor(); {
	case actor == engine.Nobody:
		return e.final(s, player)
	case actor == engine.Chance && s.BeginsTurn() && last <= s.Turn():
		return e.rolled(s, player)
	case actor == engine.Chance:
		return e.expect(s, player, last, alpha, beta, level)
	case s.RepeatedSince(e.hist, e.since):
		// A position that the path has been through already will come again if
		// both want it: it counts as the draw that it leads to.
		return e.drawn(player)
	case actor == player:
		return e.search(s, last, alpha, beta, level)
	}
	return -e.search(s, last, -beta, -alpha, level)
}

// rolled is the value of a turn that begins with a roll, before it, in player's view. What
// is judged does not know the dice, so that the mean of all outcomes would be the same but
// for what quiescence finds, at the price of them all.
func (e *Engine) rolled(s position, player engine.Player) int32 {
	e.visit()
	value, _ := e.value(s)
	if s.SideOf(player) != s.Side() {
		return -value
	}
	return value
}

// final is the value of a finished game.
func (e *Engine) final(s position, player engine.Player) int32 {
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
func (e *Engine) search(s position, last int, alpha, beta int32, level int) int32 {
	begins := s.BeginsTurn()
	depth := max(0, last-s.Turn())
	turn := e.levels[level-1].turn
	if turn.Long() {
		if e.visit(); e.out {
			return 0
		}
		value, _ := e.value(s)
		return value
	}
	if begins && depth == 0 || level >= maxLevels-2 {
		return e.quiesce(s, alpha, beta, level, 0)
	}
	if e.visit(); e.out {
		return 0
	}
	actor, side, height := s.Actor(), s.Side(), int32(s.Turn()-e.start)
	key := e.key(s)
	first := engine.Action(-1)
	if t := e.table.find(key); t.bound() != none {
		first = t.action()
		if int(t.depth) >= depth {
			v := fromTable(t.value, height)
			switch b := t.bound(); {
			case b == exact, b == least && v >= beta, b == most && v <= alpha:
				return v
			}
		}
	}
	limit, bounded := int32(0), none
	if begins && beta-alpha == 1 {
		if limit, bounded = e.bounded(s, depth, alpha); bounded == least {
			return limit
		}
	}
	l := &e.levels[level]
	list := s.Legal(l.actions[:0], e.hist)
	guided := e.guided(s)
	if guided {
		list = e.permitted(s, list, level)
	}
	quietest := e.score(s, l, list, first)
	best, bestAction, mark := -infinity, engine.Action(-1), e.hist.Len()
	low := alpha
	for i := range list {
		a, rank := pick(list, l.scores, i)
		if bounded == most && i > 0 && rank < quietest {
			best = max(best, limit)
			break
		}
		l.state.CopyFrom(s)
		e.apply(l, a, len(list), turn)
		reduce := 0
		if !e.plain && depth >= 3 && i >= 3 && rank < quietest && l.state.BeginsTurn() {
			reduce = 1
			if depth >= 5 && i >= 10 {
				reduce = 2
			}
		}
		bonus := int32(0)
		if guided {
			bonus = e.bonus(s, l.state, a)
		}
		v := raised(e.scout(l.state, actor, last, reduce, raised(low, -bonus), raised(beta, -bonus), level+1, i > 0), bonus)
		e.hist.Truncate(mark)
		if e.out {
			return 0
		}
		if v > best {
			best, bestAction = v, a
		}
		if v > low && beta-alpha > 1 {
			l.line = follow(l.line, a, e.levels[level+1].line)
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

// key is the key of s in the table. The value of a draw depends on the player at the
// root.
func (e *Engine) key(s position) uint64 {
	key := s.SearchKey()
	if e.root != engine.First {
		key ^= 0x9e3779b97f4a7c15
	}
	if e.guided(s) {
		// Its value contains what the guide says of the rest of this turn, which a
		// search from another turn must not take over.
		key ^= uint64(e.start+1) * 0xd1342543de82ef95
	}
	return key
}

// visit counts a position and asks stop every NodesPerStop positions.
func (e *Engine) visit() {
	if e.nodes++; e.nodes%NodesPerStop == 0 && e.stop != nil && e.stop() {
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
