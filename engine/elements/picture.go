package elements

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/kit"
)

var (
	_ engine.Overlaid   = (*State)(nil)
	_ engine.Explainer  = (*State)(nil)
	_ engine.Classifier = (*State)(nil)
	_ engine.Pacer      = (*State)(nil)
	_ engine.Material   = (*State)(nil)
)

// layoutZone is where a zone stands in a Layout, whose first is the plain one. Zones
// without a colour take that of their place there: gold for the goal, grey for the
// neutral zone.
var layoutZone = [zones]int{1, 4, 5, 6, zoneWhite: 0, zoneNeutral: 3, zoneGoal: 2}

// zoneColors are the colours that the source gives the territories, and the goal.
var zoneColors = [zones]string{"green", "orange", "violet", "yellow", "", "", ""}

// newLayout is the board of a ruleset: row 0 is at the top.
func (g *Game) newLayout() *engine.Layout {
	l := kit.Grid(g.rows, g.cols)
	l.Zones, l.Labels, l.Sides, l.Beside, l.Shared = make([]engine.Zone, zones), nil, info.Sides, "in reserve", "draft area"
	for z := range zones {
		l.Zones[layoutZone[z]] = engine.Zone{Name: zoneNames[z], Sign: zoneSigns[z], Side: engine.NoSide, Color: zoneColors[z]}
	}
	l.Zones[0].Name, l.Zones[0].Sign = "", ""
	l.Kinds = kit.PieceKinds(kindNames[:], func(kind int, side uint8) string { return string(pieceOf(kind, side).letter()) })
	for i := range l.Cells {
		r, c, cell := i/g.cols, i%g.cols, &l.Cells[i]
		sq := size*r + c
		cell.Name, cell.Center.Y, cell.Zone, cell.Input = squareName(sq), float64(r)+.5, layoutZone[g.zoneOf(sq)], sq
		if r == 0 {
			l.Labels = append(l.Labels, engine.Label{Text: strconv.Itoa(c), At: engine.Point{X: cell.Center.X, Y: -.25}})
		}
		if c == 0 {
			l.Labels = append(l.Labels, engine.Label{Text: strconv.Itoa(r), At: engine.Point{X: -.25, Y: cell.Center.Y}})
		}
	}
	return l
}

// Layout implements engine.Pictured.
func (s *State) Layout() *engine.Layout { return s.game.layout }

// cell is the cell of a square in the layout.
func (s *State) cell(sq int) int { return s.game.cols*(sq/size) + sq%size }

// cells lists the squares of a set.
func (s *State) cells(b set) (list []int) {
	for ; !b.Empty(); b = b.Rest() {
		list = append(list, s.cell(b.First()))
	}
	return list
}

// AppendPieces implements engine.Pictured.
func (s *State) AppendPieces(dst []engine.Piece) []engine.Piece {
	add := func(p piece, cell int) {
		x := engine.Piece{Cell: cell, Kind: p.kind(), Side: engine.Side(p.side()), Count: 1}
		if p.copy() {
			x.Tags = []engine.Tag{{Short: "+", Text: "a copy"}}
		}
		dst = append(dst, x)
	}
	for b := s.of[0].Or(s.of[1]); !b.Empty(); b = b.Rest() {
		sq := b.First()
		if sq == s.game.goal && s.under != 0 {
			add(s.under, s.cell(sq))
		}
		add(s.at[sq], s.cell(sq))
	}
	for side := range uint8(2) {
		for w := s.reserve[side]; w != 0; w &= w - 1 {
			add(pieceOf(bits.TrailingZeros32(w), side), -1)
		}
	}
	for w := s.draft; w != 0; w &= w - 1 {
		dst = append(dst, engine.Piece{Cell: -1, Kind: bits.TrailingZeros32(w), Side: engine.NoSide, Count: 1})
	}
	return dst
}

// AppendOverlays implements engine.Overlaid: who controls which territory, whose turn it
// is, frozen and shielded pieces.
func (s *State) AppendOverlays(dst []engine.Overlay) []engine.Overlay {
	add := func(kind engine.OverlayKind, side engine.Side, name string, b set) {
		if !b.Empty() {
			dst = append(dst, engine.Overlay{Kind: kind, Side: side, Name: name, Cells: s.cells(b)})
		}
	}
	g := s.game
	if t := s.territory(); t >= 0 && !s.Outcome().Over {
		add(engine.OverlayTint, engine.Side(s.side), "turn of this territory", g.zone[t])
	}
	for side := range uint8(2) {
		held := set{}
		for t := range zoneWhite {
			if s.controls(side, t) {
				held = held.Or(g.zone[t])
			}
		}
		add(engine.OverlayHatch, engine.Side(side), "control", held)
		if s.owned(shield, side) && s.active(shield) {
			add(engine.OverlayRing, engine.Side(side), "shielded", s.of[side].And(beside[1][s.where[shield]]))
		}
	}
	add(engine.OverlayRing, engine.NoSide, "frozen", s.cold().And(s.of[0].Or(s.of[1])))
	return dst
}

// AppendMarks implements engine.Pictured.
func (s *State) AppendMarks(dst []engine.Mark, a engine.Action, after engine.State) []engine.Mark {
	t := after.(*State)
	side := engine.Side(s.side)
	mark := func(kind engine.MarkKind, on ...int) {
		m := engine.Mark{Kind: kind, Side: side}
		for _, sq := range on {
			m.Cells = append(m.Cells, s.cell(sq))
		}
		dst = append(dst, m)
	}
	from, to := s.ends(a)
	switch {
	case a >= firstPull && a < firstPush:
		mark(engine.MarkStrike, int(s.where[moon]), from)
		mark(engine.MarkMove, from, to)
	case a >= firstPush && a < firstTake:
		mark(engine.MarkStrike, int(s.where[power]), from)
		mark(engine.MarkMove, from, to)
	case a >= firstTake && a < actionStop:
		mark(engine.MarkStrike, from, to)
		mark(engine.MarkRemove, to)
	case a >= firstPlace && a < firstCopy:
		kind := int(a-firstPlace) / squares
		dst = append(dst, engine.Mark{Kind: engine.MarkPlace, Side: side, Cells: []int{s.cell(to)}, From: &engine.Entry{Side: side, Kind: kind}})
	case a >= firstDraft && a < firstShadow:
		dst = append(dst, engine.Mark{Kind: engine.MarkTake, Side: side, From: &engine.Entry{Side: engine.NoSide, Kind: int(a - firstDraft)}})
	case a >= firstCopy && a < firstDraft:
		mark(engine.MarkPlace, to)
	case a == actionStop || a == actionWind || a == actionLead:
	default:
		mark(engine.MarkMove, from, to)
		if a >= firstSwap && a < firstPull {
			mark(engine.MarkMove, to, from)
		}
		if b := s.of[1-s.side].Minus(t.of[1-s.side]); !b.Empty() && (a < firstSwap || a >= firstShadow) {
			mark(engine.MarkRemove, b.First())
		}
	}
	return dst
}

// AppendAsked implements engine.Explainer.
func (s *State) AppendAsked(dst []byte) []byte {
	dst = append(dst, tasks[s.phase]...)
	switch {
	case s.lead:
		dst = append(dst, " that Leadership leads"...)
	case s.phase == phaseDraft:
		dst = append(dst, ", up to "+strconv.Itoa(int(s.drafts))...)
	}
	if legal := s.Legal(nil, nil); len(legal) > 1 && slices.Contains(legal, actionStop) {
		dst = append(dst, ", or stop"...)
	}
	return dst
}

// AppendStatus implements engine.Explainer.
func (s *State) AppendStatus(dst []byte) []byte {
	var words []string
	for i, x := range s.game.cycle {
		word := slotName(x)
		if x < 2 {
			word = info.Sides[x]
		}
		for side := range uint8(2) {
			if x >= 2 && s.controls(side, int(x)-2) {
				word += " (" + info.Sides[side] + ")"
			}
		}
		if i == int(s.slot) {
			word = "[" + word + "]"
		}
		words = append(words, word)
	}
	dst = append(append(dst, "Order of turns: "...), strings.Join(words, ", ")...)
	return append(dst, "\nTurn "+strconv.Itoa(int(s.turn))+" of "+strconv.Itoa(s.game.maxTurns)+"\n"...)
}

// did are the kinds of actions, for reports.
var did = kit.Did{"draft", "place", "copy", "move", "swap", "leaf", "pull", "push", "remove", "wind", "carry", "lead", "fire step", "capture", "stop"}

// Kinds implements engine.Classifier.
func (s *State) Kinds() []string { return did }

// AppendKinds implements engine.Classifier.
func (s *State) AppendKinds(dst []int, a engine.Action, after engine.State) []int {
	v, _ := verbOf(a)
	kinds := []string{v.word}
	switch {
	case a < firstSwap && s.phase == phaseFire:
		kinds[0] = "fire step"
	case a < firstSwap && s.phase == phaseWind || a >= firstBring:
		kinds[0] = "carry"
	case v.word == "":
		kinds[0] = "move"
	}
	if after.(*State).of[1-s.side].Count() < s.of[1-s.side].Count() {
		kinds = append(kinds, "capture")
	}
	return did.Append(dst, kinds...)
}

// TurnsLeft implements engine.Pacer.
func (s *State) TurnsLeft() int { return max(1, min(20, s.game.maxTurns-int(s.turn))) }

// Material implements engine.Material: a piece in reserve counts half.
func (s *State) Material(p engine.Player) float32 {
	return float32(s.of[p].Count()) + .5*float32(bits.OnesCount32(s.reserve[p]))
}
