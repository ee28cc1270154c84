package lab

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
)

// Game is what is counted in one game.
type Game struct {
	// Pair counts from 1.
	Pair int
	// First is what the first player made: 1, 0.5 or 0.
	First float64
	// Drawn: nobody won. Limited: the study's limit of turns ended it.
	Drawn, Limited bool
	Reason         string
	// Turns are player turns, Decisions those of players, Choices those of them with more
	// than one legal action, Legal the legal actions of all.
	Turns, Decisions, Choices, Legal int
	// Cells is the share of the board's cells that actions had an effect on; below 0 if the
	// game does not describe its board.
	Cells float64
	// Kinds counts actions by kind, nil if the game does not sort them.
	Kinds []int
	// Opening are the decisions of the first turn of each player once the start is settled:
	// what comes before players do not draw, but choose as they like best.
	Opening string
	// Repeats says that an earlier game was the same move by move, in a game without dice:
	// where dice fall, an equal game is a new one that fell alike.
	Repeats bool
	// Curve is how the game stood turn by turn; nil if the judge has not seen it.
	Curve *Curve
}

// openingTurns is how many player turns games are told apart by as openings: one of each
// player.
const openingTurns = 2

// Reader reads games of one ruleset. Not safe for concurrent use.
type Reader struct {
	state, before engine.State
	history       *engine.History
	kinds         []string
	cells         int
	dice          bool
	seen          map[string]bool

	touched map[int]bool
	legal   []engine.Action
	sorts   []int
	marks   []engine.Mark
}

// NewReader returns a reader of games of g.
func NewReader(g engine.Game) *Reader {
	r := &Reader{state: g.NewState(), before: g.NewState(), history: g.NewHistory(), dice: g.Info().NumChance > 0, seen: map[string]bool{}, touched: map[int]bool{}}
	if c, ok := r.state.(engine.Classifier); ok {
		r.kinds = c.Kinds()
	}
	if p, ok := r.state.(engine.Pictured); ok {
		r.cells = len(p.Layout().Cells)
	}
	return r
}

// Kinds are the names of what Game.Kinds counts.
func (r *Reader) Kinds() []string { return r.kinds }

// Read plays m, the next game in the order of the schedule, through.
func (r *Reader) Read(m *match.Game) (Game, error) {
	g := Game{
		Pair: m.Pair, First: m.Points, Drawn: m.Points == 0.5, Limited: m.Reason == match.TurnLimit,
		Reason: m.Reason, Turns: m.Turns, Cells: -1, Repeats: !r.dice && r.seen[m.Moves],
	}
	r.seen[m.Moves] = true
	if !m.AFirst {
		g.First = 1 - m.Points
	}
	if r.kinds != nil {
		g.Kinds = make([]int, len(r.kinds))
	}
	clear(r.touched)
	var opening strings.Builder
	if err := engine.SetUp(r.state, r.history, m.Start); err != nil {
		return Game{}, fmt.Errorf("game %d: %w", m.Number, err)
	}
	opened := -1 // the turn with which the opening ends
	for i, word := range strings.Fields(m.Moves) {
		a, err := r.state.ParseAction(word, r.history)
		if err != nil {
			return Game{}, fmt.Errorf("game %d: move %d, %q: %w", m.Number, i+1, word, err)
		}
		player := r.state.Actor() != engine.Chance
		if player {
			r.legal = r.state.Legal(r.legal[:0], r.history)
			g.Decisions++
			g.Legal += len(r.legal)
			if len(r.legal) > 1 {
				g.Choices++
			}
			if opened < 0 && engine.Settled(r.state) {
				opened = r.state.Turn() + openingTurns
			}
			if r.state.Turn() < opened {
				opening.WriteString(word + " ")
			}
		}
		r.before.CopyFrom(r.state)
		r.state.Apply(a, r.history)
		r.note(&g, a, player)
	}
	g.Opening = opening.String()
	if r.cells > 0 {
		g.Cells = float64(len(r.touched)) / float64(r.cells)
	}
	return g, nil
}

// note counts action a, played in r.before.
func (r *Reader) note(g *Game, a engine.Action, player bool) {
	if c, ok := r.before.(engine.Classifier); ok && player {
		r.sorts = c.AppendKinds(r.sorts[:0], a, r.state)
		for _, k := range r.sorts {
			g.Kinds[k]++
		}
	}
	if p, ok := r.before.(engine.Pictured); ok {
		r.marks = p.AppendMarks(r.marks[:0], a, r.state)
		for i := range r.marks {
			if r.marks[i].Kind == engine.MarkLine {
				continue // it shows what earlier actions did
			}
			for _, cell := range r.marks[i].Cells {
				r.touched[cell] = true
			}
		}
	}
}
