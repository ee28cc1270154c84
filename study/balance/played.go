package balance

import (
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
)

// Played is what one game came to.
type Played struct {
	Cell
	Number int
	// First is what the first player made: 1, 0.5 or 0; SideA what the owner of
	// side A at the end made.
	First, SideA float64
	// Swapped says that the players owned each other's sides at the end.
	Swapped bool
	Reason  string
	// Turns are player turns, Decisions those of players.
	Turns, Decisions int
	// Kinds counts the decisions of each kind (engine.Classifier), Pieces the moves
	// of each kind of piece (engine.Pictured), as far as the game tells.
	Kinds, Pieces []int
	// Opening is the first OpeningDecisions.
	Opening string
	// Repeats says that the same player had played the same game before.
	Repeats bool
}

// OpeningDecisions is how many decisions games are told apart by as openings.
const OpeningDecisions = 8

// Reader reads the games of a variant. Not safe for concurrent use.
type Reader struct {
	cells         []Cell
	state, before engine.State
	history       *engine.History
	// KindNames and PieceNames are what Played.Kinds and Pieces count; nil if the
	// game does not tell.
	KindNames, PieceNames []string

	seen   map[string]bool
	sorts  []int
	marks  []engine.Mark
	pieces []engine.Piece
}

// NewReader returns a reader of games of g whose pairs are these cells.
func NewReader(g engine.Game, cells []Cell) *Reader {
	r := &Reader{cells: cells, state: g.NewState(), before: g.NewState(), history: g.NewHistory(), seen: map[string]bool{}}
	if classifier, ok := r.state.(engine.Classifier); ok {
		r.KindNames = classifier.Kinds()
	}
	if pictured, ok := r.state.(engine.Pictured); ok {
		for _, k := range pictured.Layout().Kinds {
			r.PieceNames = append(r.PieceNames, k.Name)
		}
	}
	return r
}

// Read plays g, the next game in the order of the schedule, through.
func (r *Reader) Read(g *match.Game) (Played, error) {
	p := Played{
		Cell: r.cells[g.Pair-1], Number: g.Number, First: g.Points, Reason: g.Reason, Turns: g.Turns,
		Kinds: make([]int, len(r.KindNames)), Pieces: make([]int, len(r.PieceNames)),
	}
	if !g.AFirst {
		p.First = 1 - g.Points
	}
	r.state.Start(r.history)
	start := r.state.SideOf(engine.First)
	words := strings.Fields(g.Moves)
	for i, word := range words {
		a, err := r.state.ParseAction(word, r.history)
		if err != nil {
			return Played{}, fmt.Errorf("game %d: move %d, %q: %w", g.Number, i+1, word, err)
		}
		r.before.CopyFrom(r.state)
		r.state.Apply(a, r.history)
		if r.before.Actor() != engine.Chance {
			p.Decisions++
		}
		r.note(&p, a)
	}
	p.Opening = strings.Join(words[:min(len(words), OpeningDecisions)], " ")
	owner := r.state.SideOf(engine.First)
	p.Swapped = owner != start
	p.SideA = p.First
	if owner != 0 {
		p.SideA = 1 - p.First
	}
	key := fmt.Sprint(p.Player, " ", g.Moves)
	p.Repeats = r.seen[key]
	r.seen[key] = true
	return p, nil
}

// note counts action a, played in r.before, for p.
func (r *Reader) note(p *Played, a engine.Action) {
	if classifier, ok := r.before.(engine.Classifier); ok {
		r.sorts = classifier.AppendKinds(r.sorts[:0], a, r.state)
		for _, k := range r.sorts {
			p.Kinds[k]++
		}
	}
	pictured, ok := r.before.(engine.Pictured)
	if !ok {
		return
	}
	r.marks = pictured.AppendMarks(r.marks[:0], a, r.state)
	if len(r.marks) == 0 || r.marks[0].Kind != engine.MarkMove {
		return
	}
	r.pieces = pictured.AppendPieces(r.pieces[:0])
	for i := range r.pieces {
		if r.pieces[i].Cell == r.marks[0].Cells[0] {
			p.Pieces[r.pieces[i].Kind]++
			return
		}
	}
}

// decisive is 1 if the game was won.
func (p *Played) decisive() float64 {
	if p.First == 0.5 {
		return 0
	}
	return 1
}
