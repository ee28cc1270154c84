package sample

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
)

// Annotate lays out a recorded game of g, all of whose rows these are. The error
// is the first fault that playing it again finds.
func Annotate(g engine.Game, rows []record.Row) (*Game, error) {
	w, err := NewWalk(g, rows)
	if err != nil {
		return nil, err
	}
	return w.Game, nil
}

// FromMoves lays out a game from the words of all its moves, including chance, played
// from a position line or, if that is empty, the start. If the rules do not end the
// game there, as after a loss on time, end says how it ended; an end that is not over
// means that the moves break off.
func FromMoves(g engine.Game, line string, words []string, end engine.Outcome) (*Game, error) {
	s, h, before := g.NewState(), g.NewHistory(), g.NewState()
	if err := engine.SetUp(s, h, line); err != nil {
		return nil, err
	}
	w := begin(g, s)
	for i, word := range words {
		a, err := s.ParseAction(word, h)
		if err != nil {
			return nil, fmt.Errorf("move %d, %q: %w", i+1, word, err)
		}
		before.CopyFrom(s)
		s.Apply(a, h)
		w.add(before, a, s, nil)
	}
	if o := s.Outcome(); o.Over {
		end = o
	}
	if end.Over {
		w.end(end)
	}
	return w.finish().Game, nil
}

// searchOf reads the search in s from row r.
func searchOf(s engine.State, r *record.Row) *Search {
	first := func(v float32) float64 { // of the acting player's value
		if engine.Player(r.Player) == engine.Second {
			v = -v
		}
		return float64(v) + 0 // no negative zero
	}
	x := &Search{Value: first(r.RootValue), Network: first(r.NetworkValue), Surprise: float64(r.Surprise), Full: r.Full}
	played := slices.Index(r.Legal, r.Action)
	total := 0
	var of func(i int) int
	switch {
	case len(r.Visits) > 0:
		x.ShareOf, of = "visits", func(i int) int { return int(r.Visits[i]) }
	case len(r.Policy) > 0:
		x.ShareOf, of = "policy target", func(i int) int { return int(r.Policy[i]) }
	default:
		return x
	}
	best := 0
	for i := range r.Legal {
		total += of(i)
		if of(i) > of(best) {
			best = i
		}
	}
	if total == 0 {
		x.ShareOf = ""
		return x
	}
	x.Share, x.BestShare = float64(of(played))/float64(total), float64(of(best))/float64(total)
	if x.Share == x.BestShare {
		best = played
	}
	x.Best = string(s.AppendAction(nil, r.Legal[best]))
	return x
}

// end notes how the game ended in the last position.
func (w *Walk) end(o engine.Outcome) {
	w.Reason, w.Winner = o.Reason, "draw"
	if o.Winner != engine.Nobody {
		w.Winner = o.Winner.String()
		w.WinnerSide = w.Sides[w.states[len(w.states)-1].SideOf(o.Winner)]
	}
}

// finish finds what is remarkable, once all moves are known.
func (w *Walk) finish() *Walk {
	w.Turns = w.states[len(w.states)-1].Turn()
	w.Swing = largestSwing(w.Moves)
	w.Unlikely = unlikely(w.Moves)
	w.moments()
	w.Remarks = w.remarks()
	return w
}

// middleShare is the part of a game's turns that counts as its opening.
const middleShare = 0.25

// moments chooses the positions for pictures: the start of the middle game, the largest
// swing and the end. A position for several reasons has one picture.
func (w *Walk) moments() {
	add := func(move int, title string) {
		if n := len(w.Moments); n > 0 && w.Moments[n-1].Move == move {
			w.Moments[n-1].Title += ", " + title
			return
		}
		w.Moments = append(w.Moments, w.moment(move, title))
	}
	type candidate struct {
		move  int
		title string
	}
	list := []candidate{}
	begin := w.states[0].Turn()
	for i := range w.Moves {
		if i > 0 && w.Moves[i].Turn > begin+int(middleShare*float64(w.Turns-begin)) && w.Moves[i].Turn != w.Moves[i-1].Turn {
			list = append(list, candidate{i, "start of the middle game"})
			break
		}
	}
	if w.Swing != nil {
		list = append(list, candidate{w.Swing.Move + 1, "largest swing"})
	}
	list = append(list, candidate{len(w.Moves), "last position"})
	slices.SortStableFunc(list, func(x, y candidate) int { return x.move - y.move })
	for _, c := range list {
		add(c.move, c.title)
	}
}

// moment pictures the position after a number of moves, with the marks of the turn
// before.
func (w *Walk) moment(move int, title string) Moment {
	s := w.states[move]
	m := Moment{Move: move, Title: title, Text: strings.TrimRight(engine.BoardText(s, false), "\n")}
	p, ok := engine.PictureOf(w.rules, s)
	if !ok {
		return m
	}
	from := move
	for from > 0 && w.Moves[from-1].Turn == w.Moves[move-1].Turn {
		from--
	}
	for i := from; i < move; i++ {
		p.Mark(w.states[i], w.actions[i], w.states[i+1])
	}
	m.Picture = p
	return m
}

// largestSwing finds the largest change from one search to the next, the first of
// equals.
func largestSwing(moves []Move) *Swing {
	var best *Swing
	last := -1
	for i := range moves {
		if moves[i].Search == nil {
			continue
		}
		if last >= 0 {
			x := Swing{last, i, moves[last].Search.Value, moves[i].Search.Value}
			if x.size() > 0 && (best == nil || x.size() > best.size()) {
				best = &x
			}
		}
		last = i
	}
	return best
}

func (s *Swing) size() float64 { return max(s.To-s.From, s.From-s.To) }

const (
	// maxUnlikely is how many unlikely moves are listed.
	maxUnlikely = 3
	// unlikelyShare is the share of visits below which a move is unlikely, if
	// another had clearMargin times that and more than clearShare. If all moves are
	// alike to a search, none is unlikely.
	unlikelyShare = 0.05
	clearMargin   = 5
	clearShare    = 0.2
)

// unlikely lists the moves that their search hardly visited.
func unlikely(moves []Move) []int {
	var list []int
	for i := range moves {
		s := moves[i].Search
		if s != nil && s.ShareOf != "" && s.Share < unlikelyShare && s.BestShare > max(clearShare, clearMargin*s.Share) {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(i, j int) int {
		a, b := moves[i].Search, moves[j].Search
		switch {
		case a.Share < b.Share:
			return -1
		case a.Share > b.Share:
			return 1
		}
		return 0
	})
	return list[:min(len(list), maxUnlikely)]
}
