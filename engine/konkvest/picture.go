package konkvest

import (
	"fmt"
	"sync"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

var (
	_ engine.Overlaid  = (*State)(nil)
	_ engine.Explainer = (*State)(nil)
	_ engine.Describer = (*State)(nil)
	_ engine.Pacer     = (*State)(nil)
	_ engine.Material  = (*State)(nil)
)

// Layout implements engine.Pictured.
func (s *State) Layout() *engine.Layout { return layout() }

var layout = sync.OnceValue(func() *engine.Layout {
	l := hex.Layout()
	l.Zones = []engine.Zone{
		{Side: engine.NoSide}, {Name: "divider", Side: engine.NoSide},
		{Name: "base of south", Sign: "^", Side: 0}, {Name: "base of north", Sign: "^", Side: 1},
	}
	l.Sides, l.Beside = info.Sides, "in reserve"
	l.Kinds = kit.PieceKinds(kindNames[:], func(kind int, side uint8) string { return string(appendLetters(nil, kind, side)) })
	for i := range l.Cells {
		switch {
		case i == cellOf(base):
			l.Cells[i].Zone = 2
		case i == cellOf(base^flip):
			l.Cells[i].Zone = 3
		case hex.Row(i) == divider:
			l.Cells[i].Zone = 1
		}
	}
	return l
})

// AppendPieces implements engine.Pictured.
func (s *State) AppendPieces(dst []engine.Piece) []engine.Piece {
	for i := range hexes {
		if kind, side := s.pieceAt(first + i); kind >= 0 {
			dst = append(dst, engine.Piece{Cell: i, Kind: kind, Side: engine.Side(side), Count: 1})
		}
	}
	for side := range s.reserve {
		for kind, n := range s.reserve[side] {
			if n > 0 {
				dst = append(dst, engine.Piece{Cell: -1, Kind: kind, Side: engine.Side(side), Count: int(n)})
			}
		}
	}
	return dst
}

// AppendOverlays implements engine.Overlaid.
func (s *State) AppendOverlays(dst []engine.Overlay) []engine.Overlay {
	add := func(kind engine.OverlayKind, side engine.Side, name string, on set) {
		var cells []int
		for ; !on.Empty(); on = on.Rest() {
			cells = append(cells, cellOf(on.First()))
		}
		if cells != nil {
			dst = append(dst, engine.Overlay{Kind: kind, Side: side, Name: name, Cells: cells})
		}
	}
	add(engine.OverlayTint, engine.NoSide, "no-man's land", s.wake[0].And(s.wake[1].Turned()))
	add(engine.OverlayTint, 0, "territory", s.captured(0))
	add(engine.OverlayTint, 1, "territory", s.captured(1).Turned())
	add(engine.OverlayHatch, 0, "promotional territory", s.promotional(0))
	add(engine.OverlayHatch, 1, "promotional territory", s.promotional(1).Turned())
	return dst
}

// AppendMarks implements engine.Pictured.
func (s *State) AppendMarks(dst []engine.Mark, a engine.Action, _ engine.State) []engine.Mark {
	side := engine.Side(s.side)
	from, to := ends(a)
	onto := cellOf(seen(s.side, to))
	if from == 0 || from == to {
		m := engine.Mark{Kind: engine.MarkPlace, Side: side, Cells: []int{onto}}
		if a >= firstSummon && a < firstPlace {
			m.From = &engine.Entry{Side: side, Kind: int(a-firstSummon) / hexes}
		}
		return append(dst, m)
	}
	dst = append(dst, engine.Mark{Kind: engine.MarkMove, Side: side, Cells: []int{cellOf(seen(s.side, from)), onto}})
	if s.of[1-s.side].Has(to ^ flip) {
		dst = append(dst, engine.Mark{Kind: engine.MarkRemove, Side: side, Cells: []int{onto}})
	}
	return dst
}

// AppendAsked implements engine.Explainer.
func (s *State) AppendAsked(dst []byte) []byte {
	if s.step < toPlace {
		return fmt.Appendf(dst, "a %s, to be placed on the two rows behind the pawns", kindNames[formation[s.step/4]])
	}
	return append(dst, "a move, a promotion or a summons"...)
}

// AppendStatus implements engine.Explainer.
func (s *State) AppendStatus(dst []byte) []byte {
	for side, name := range info.Sides {
		if s.pawns[side].Empty() {
			dst = fmt.Appendf(dst, "%s makes its last stand: without a pawn, all its territory is promotional\n", name)
		}
		if s.held[side] >= most {
			dst = fmt.Appendf(dst, "The reserve of %s is full\n", name)
		}
		if n := s.runs[side]; n > 0 {
			dst = fmt.Appendf(dst, "Attacks of %s on the Queen in a row: %d\n", name, n)
		}
	}
	return fmt.Appendf(dst, "Action %d of %d\n", s.ply, s.game.maxPlies)
}

// did are the kinds of actions, for reports.
var did = kit.Did{"place", "move", "leap", "capture", "promote", "summon", "attack on the Queen", "occupation", "topple"}

// Kinds implements engine.Classifier.
func (s *State) Kinds() []string { return did }

// AppendKinds implements engine.Classifier.
func (s *State) AppendKinds(dst []int, a engine.Action, after engine.State) []int {
	t := after.(*State)
	from, to := ends(a)
	var kinds []string
	add := func(kind string, on bool) {
		if on {
			kinds = append(kinds, kind)
		}
	}
	switch {
	case a >= firstPlace:
		return did.Append(dst, "place")
	case from == 0:
		kinds = append(kinds, "summon")
	case from != to:
		w := hex.Way(from-first, to-first)
		kinds = append(kinds, "move")
		add("leap", s.kindOf(s.side, from) == support && max(w.X, -w.X) > 1)
		add("capture", s.of[1-s.side].Has(to^flip))
	}
	add("promote", from != 0 && a&1 == 1)
	add("attack on the Queen", t.attacks(s.side))
	add("occupation", t.end == endOccupied)
	add("topple", t.end == endToppled)
	return did.Append(dst, kinds...)
}

// Describe implements engine.Describer: a promotion in place, for which a click is enough,
// is asked about, since it takes the whole turn.
func (s *State) Describe(a engine.Action, after engine.State) (d engine.Description) {
	kinds := s.AppendKinds(nil, a, after)
	d.Kind = did[kinds[len(kinds)-1]]
	from, to := ends(a)
	d.Sure = from == to
	return d
}

// TurnsLeft implements engine.Pacer: games between good players last some 80 turns after
// the formation.
func (s *State) TurnsLeft() int {
	left := s.game.maxPlies - int(s.ply)
	return toPlace - int(s.step) + max(1, min(left, max(30, 80-int(s.ply)/2)))
}

// values of the kinds in units of a pawn.
var values = [kinds]float32{1, 2, 2, 3, 3, 4, 40, 3, 3, 3, 5, 5}

// Material implements engine.Material: a piece in reserve counts in full.
func (s *State) Material(p engine.Player) (sum float32) {
	for of := s.of[p]; !of.Empty(); of = of.Rest() {
		sum += values[s.kindOf(uint8(p), of.First())]
	}
	for kind, n := range s.reserve[p] {
		sum += values[kind] * float32(n)
	}
	return sum
}
