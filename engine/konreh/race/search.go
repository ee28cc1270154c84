package race

import (
	"context"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// nodesPerCheck is the number of positions between checks of the context: a few
// milliseconds.
const nodesPerCheck = 1 << 13

// decisions bounds the decisions of a turn: a slide, a special, a Seed; or a plant, its
// place, its Green.
const decisions = 3

// Solver solves races of one ruleset, one at a time. It is not safe for
// concurrent use.
type Solver struct {
	table    table
	near     near
	maxTurns int
	// stalemateLoses is the option stalemate=loss.
	stalemateLoses bool
	levels         []level
	history        [2][]int32 // by side and action: how often it decided a position

	hunter engine.Side
	slack  int // turns by which the countdown is taken to be shorter
	ctx    context.Context
	nodes  int64
	most   int64 // 0: no limit
	out    bool  // stopped: results mean nothing
}

type level struct {
	state   konreh.State
	actions []engine.Action
	scores  []int32
}

// New returns a solver for g whose table takes at most size bytes, or 96 if that
// is more.
func New(g *konreh.Game, size int) *Solver {
	v := &Solver{table: newTable(size), maxTurns: g.MaxTurns(), stalemateLoses: g.StalemateLoses(), levels: make([]level, decisions*2*(g.ReforgeTurns()+1))}
	v.near.init(g)
	for i := range v.levels {
		v.levels[i].actions = make([]engine.Action, 0, g.Info().MaxLegal)
		v.levels[i].scores = make([]int32, g.Info().MaxLegal)
	}
	for side := range v.history {
		v.history[side] = make([]int32, g.Info().NumActions)
	}
	return v
}

// Nodes is the number of positions searched for the last race.
func (v *Solver) Nodes() int64 { return v.nodes }

// begin clears what was learned, so that the number of positions does not depend on
// earlier races.
func (v *Solver) begin(ctx context.Context, nodes int64) {
	v.ctx, v.nodes, v.most, v.out = ctx, 0, nodes, false
	v.table.clear()
}

// ask sets the question: does hunter run out the other side's countdown if it is shorter
// by slack turns?
func (v *Solver) ask(hunter engine.Side, slack int) {
	v.hunter, v.slack = hunter, slack
	for side := range v.history {
		clear(v.history[side])
	}
}

// holds answers the question for s, the position after an action.
func (v *Solver) holds(s *konreh.State, depth int) bool {
	racer := 1 - v.hunter
	over := s.Actor() == engine.Nobody
	switch counter := s.Reforge(racer); {
	case counter == 0: // run out or stopped
		return over && s.Side() == racer
	case counter <= v.slack:
		return true
	case over: // a draw, or the hunter's own countdown
		return false
	}
	return v.search(s, depth)
}

// search answers it for a position in which a player is to decide and the racer's
// countdown runs.
func (v *Solver) search(s *konreh.State, depth int) bool {
	if v.nodes++; v.nodes%nodesPerCheck == 0 && v.ctx.Err() != nil || v.most > 0 && v.nodes > v.most {
		v.out = true
	}
	if v.out {
		return false
	}
	racer := 1 - v.hunter
	racing := s.Side() == racer
	begins := s.BeginsTurn()
	if racing && !begins {
		return false // a runner has planted, only where Blue goes is open
	}
	left := s.Reforge(racer) - v.slack
	e := entry{move: -1}
	if begins {
		if answer, known := v.near.settle(s, v.hunter, left); known {
			return answer
		}
		if racing && left == 1 {
			return !v.plants(s, depth)
		}
		e.key = s.Identity()
		if answer, known := v.table.find(&e, v.hunter, v.slack); known {
			return answer
		}
	}
	l := &v.levels[depth]
	list := s.Legal(l.actions[:0], nil)
	v.score(s, l, list, engine.Action(e.move))
	answer := racing // if no action decides
	for i := range list {
		a := pick(list, l.scores, i)
		l.state.CopyFrom(s)
		l.state.Apply(a, nil)
		if holds := v.holds(&l.state, depth+1); holds != racing {
			answer, e.move = holds, int16(a)
			v.history[s.Side()&1][a] += int32(left * left)
			break
		}
	}
	if begins && !v.out {
		v.table.store(&e, answer, v.hunter, v.slack, left)
	}
	return answer
}

// plants reports whether a turn of the side to act stops its countdown at once.
func (v *Solver) plants(s *konreh.State, depth int) bool {
	l := &v.levels[depth]
	for _, a := range s.Legal(l.actions[:0], nil) {
		if f := s.Effect(a); f.Plants {
			l.state.CopyFrom(s)
			if l.state.Apply(a, nil); !l.state.BeginsTurn() && l.state.Actor() == s.Actor() {
				return true
			}
		}
	}
	return false
}

// Actions are tried in this order: the table's, plants, captures by the piece taken and
// the piece that takes it, then actions that decided other positions.
const (
	scoreFirst   int32 = 1 << 30
	scorePlant   int32 = 1 << 29
	scoreCapture int32 = 1 << 24
	mostHistory  int32 = 1<<24 - 1
)

// pieceRank orders captured pieces: Red, Orange, Green, Blue. The hunter takes runners
// first.
var pieceRank = [4]int32{4, 6, 8, 1}

func (v *Solver) score(s *konreh.State, l *level, list []engine.Action, first engine.Action) {
	history := v.history[s.Side()&1]
	for i, a := range list {
		f := s.Effect(a)
		switch {
		case a == first:
			l.scores[i] = scoreFirst
		case f.Plants:
			l.scores[i] = scorePlant
		case f.Captured != konreh.NoPiece && s.Side() == v.hunter:
			l.scores[i] = scoreCapture*pieceRank[f.Captured&3] + min(mostHistory, history[a])
		default:
			l.scores[i] = min(mostHistory, history[a])
			if f.Captured != konreh.NoPiece {
				l.scores[i] += 1 << 10
			}
		}
	}
}

// pick moves the action with the highest score from index i on to i.
func pick(list []engine.Action, scores []int32, i int) engine.Action {
	scores = scores[:len(list)]
	best := i
	for j := i + 1; j < len(list); j++ {
		if scores[j] > scores[best] {
			best = j
		}
	}
	list[i], list[best] = list[best], list[i]
	scores[i], scores[best] = scores[best], scores[i]
	return list[i]
}
