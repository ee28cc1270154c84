package player

import (
	"cmp"
	"context"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player/alphabeta"
)

// Values inside minimax, in the acting player's view: a win in t turns is
// 1 - t·turnCost, so that the quicker of two wins is preferred and the slower
// of two losses, and a judged position stays within ±maxJudged, below any win
// that a search can reach.
const (
	turnCost  = 1e-4
	maxJudged = 0.9
)

// nodesPerCheck is how many positions are searched between checks of the context.
const nodesPerCheck = 1 << 10

// minimax is alpha-beta search. Depth counts player turns: all decisions of a
// turn belong together, so that no position is judged in the middle of a
// turn, unless it is as long as a draft. Chance decisions count the mean of the results that
// their outcomes expect. Repetition counts as in the rules. Of equally good actions the seed picks one.
type minimax struct {
	turns  int // depth
	value  evaluation
	game   engine.Game
	rng    source
	hist   *engine.History
	levels []minimaxLevel
	root   []engine.Action
	last   int // the turn at whose start positions are judged
	start  int // the turn of the root
	nodes  int
	ctx    context.Context
}

type minimaxLevel struct {
	state   engine.State
	actions []engine.Action
	chance  []engine.Weighted
	course  alphabeta.Course // of the turn of state
	killer  engine.Action    // last action here that proved too good; -1 if none
}

func newMinimax(g engine.Game, turns int) *minimax {
	return &minimax{turns: turns, value: byMaterial, game: g, hist: g.NewHistory()}
}

func (m *minimax) NewGame(_ context.Context, seed uint64) error {
	m.rng.reseed(seed)
	return nil
}

// Think implements match.Player. In an analysis the value of every action is exact
// within the depth, which costs more than finding the best. The line ends with the
// choice.
func (m *minimax) Think(ctx context.Context, s engine.State, h *engine.History, b match.Bounds) (*match.Analysis, error) {
	var moves *[]match.Move
	a := &match.Analysis{}
	if b.Analyze {
		moves = &a.Moves
	}
	var err error
	if a.Choice, err = m.decide(ctx, s, h, moves); err != nil {
		return nil, err
	}
	if !b.Analyze {
		return a, nil
	}
	slices.SortFunc(a.Moves, func(x, y match.Move) int { return cmp.Compare(x.Action, y.Action) })
	shareBest(a.Moves)
	a.Value = a.Moves[slices.IndexFunc(a.Moves, func(x match.Move) bool { return x.Action == a.Choice })].Value
	a.Judged, a.Lead, a.Line = true, true, []engine.Action{a.Choice}
	return a, nil
}

// decide returns the best action. If moves is not nil, it receives every action
// with its value, in any order, and a single action is searched, too.
func (m *minimax) decide(ctx context.Context, s engine.State, h *engine.History, moves *[]match.Move) (engine.Action, error) {
	list, err := legal(m.root[:0], s, h)
	if err != nil {
		return 0, err
	}
	m.root = list
	if len(list) == 1 && moves == nil {
		return list[0], nil
	}
	// In random order the first of the best is any of them, and the others need
	// only be shown to be no better.
	m.rng.shuffle(list)
	m.hist.CopyFrom(h)
	m.start = s.Turn()
	m.last = m.start + m.turns
	m.nodes, m.ctx = 0, ctx
	for i := range m.levels {
		m.levels[i].killer = -1
	}
	m.grow(0)
	best, bestValue := engine.Action(0), float32(-2)
	actor, mark := s.Actor(), m.hist.Len()
	for _, a := range list {
		child := m.levels[0].state
		child.CopyFrom(s)
		child.Apply(a, m.hist)
		m.follow(0, s, len(list), alphabeta.Course{})
		alpha := bestValue
		if moves != nil {
			alpha = -2
		}
		v, err := m.search(child, actor, alpha, 2, 1)
		m.hist.Truncate(mark)
		if err != nil {
			return 0, err
		}
		if moves != nil {
			*moves = append(*moves, match.Move{Action: a, Value: float64(v), Judged: true})
		}
		if v > bestValue {
			best, bestValue = a, v
		}
	}
	return best, nil
}

// grow makes sure that level depth exists.
func (m *minimax) grow(depth int) {
	if depth == len(m.levels) {
		m.levels = append(m.levels, minimaxLevel{state: m.game.NewState(), killer: -1})
	}
}

// search returns the value of s in player's view, exact between alpha and beta
// and a bound outside. level is the index of the memory it may overwrite.
func (m *minimax) search(s engine.State, player engine.Player, alpha, beta float32, level int) (float32, error) {
	actor := s.Actor()
	if actor == engine.Nobody {
		v := s.Outcome().Value(player)
		return v * (1 - turnCost*float32(s.Turn()-m.start)), nil
	}
	if s.Turn() >= m.last && actor != engine.Chance || m.levels[level-1].course.Long() {
		return m.value(s, player), nil
	}
	if m.nodes++; m.nodes%nodesPerCheck == 0 && m.ctx.Err() != nil {
		return 0, context.Cause(m.ctx)
	}
	m.grow(level)
	switch actor {
	case engine.Chance:
		return m.mean(s, player, level)
	case player:
		return m.best(s, player, alpha, beta, level)
	}
	v, err := m.best(s, actor, -beta, -alpha, level)
	return -v, err
}

// best searches the choices of actor, who decides in s.
func (m *minimax) best(s engine.State, actor engine.Player, alpha, beta float32, level int) (float32, error) {
	l := m.levels[level] // deeper calls may move m.levels
	l.actions = s.Legal(l.actions[:0], m.hist)
	m.levels[level] = l
	for i, a := range l.actions {
		if a == l.killer {
			l.actions[0], l.actions[i] = l.actions[i], l.actions[0]
			break
		}
	}
	best, mark := float32(-2), m.hist.Len()
	for _, a := range l.actions {
		l.state.CopyFrom(s)
		l.state.Apply(a, m.hist)
		m.follow(level, s, len(l.actions), m.levels[level-1].course)
		v, err := m.search(l.state, actor, max(alpha, best), beta, level+1)
		m.hist.Truncate(mark)
		if err != nil {
			return 0, err
		}
		best = max(best, v)
		if best >= beta {
			m.levels[level].killer = a
			break
		}
	}
	return best, nil
}

// follow sets the course of the state of level, which one of that many choices in s led to.
func (m *minimax) follow(level int, s engine.State, choices int, before alphabeta.Course) {
	l := &m.levels[level]
	if l.course = before.Next(choices); l.state.Turn() != s.Turn() {
		l.course = alphabeta.Course{}
	}
}

// mean searches every outcome of a chance decision with an open window. A win or loss is
// forced only if it is by every outcome.
func (m *minimax) mean(s engine.State, player engine.Player, level int) (float32, error) {
	l := m.levels[level]
	l.chance = s.Chance(l.chance[:0])
	m.levels[level] = l
	mean, result, least, most, mark := 0.0, 0.0, float32(2), float32(-2), m.hist.Len()
	for _, w := range l.chance {
		l.state.CopyFrom(s)
		l.state.Apply(w.Code, m.hist)
		m.follow(level, s, 1, m.levels[level-1].course)
		v, err := m.search(l.state, player, -2, 2, level+1)
		m.hist.Truncate(mark)
		if err != nil {
			return 0, err
		}
		least, most = min(least, v), max(most, v)
		mean, result = mean+w.Prob*float64(v), result+w.Prob*expected(float64(v))
	}
	switch {
	case least == most:
		return least, nil
	case least > maxJudged || most < -maxJudged:
		return float32(mean), nil
	}
	return float32(unexpected(result)), nil
}
