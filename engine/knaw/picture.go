package knaw

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

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

// The kinds of pieces in a picture: those of players, then a die for each number.
var kindNames = [pieces / 2]string{"bard", "fool", "herald"}

// Layout implements engine.Pictured: the cells are numbered as the spaces are.
func (s *State) Layout() *engine.Layout { return layout() }

var layout = sync.OnceValue(func() *engine.Layout {
	const (
		scale  = 9
		beyond = .45 // from the rim to the names of its spaces, and more for long ones at the sides
	)
	var frame []engine.Point
	var patches []kit.Patch
	var labels []engine.Label
	for x := range spaces {
		q := &quarterSpaces[x%quarter]
		p := kit.Patch{Name: names[x], Input: int(cellOf[x])}
		if q.black {
			p.Shade = 1
		}
		for _, c := range q.corners {
			for range x / quarter { // a quarter turn clockwise
				c = engine.Point{X: c.Y, Y: -c.X}
			}
			p.Corners = append(p.Corners, c)
			if math.Hypot(c.X, c.Y) > .999 && !slices.Contains(frame, c) {
				frame = append(frame, c)
			}
		}
		p.Center = kit.Centroid(p.Corners)
		if tier[rim].has(x) && !tier[first].has(x) {
			r := math.Hypot(p.Center.X, p.Center.Y)
			out := (1 + (beyond+.2*float64(len(names[x])-2)*math.Abs(p.Center.X)/r)/scale) / r
			at := engine.Point{X: scale * (1 + out*p.Center.X), Y: scale * (1 - out*p.Center.Y)}
			at.X = max(-beyond, min(at.X, 2*scale+beyond))
			labels = append(labels, engine.Label{Text: names[x], At: at})
		}
		patches = append(patches, p)
	}
	slices.SortFunc(frame, func(p, q engine.Point) int { return cmp.Compare(math.Atan2(p.X, p.Y), math.Atan2(q.X, q.Y)) })
	l := kit.Patchwork(scale, frame, patches)
	l.Width, l.Height = 2*scale, 2*scale
	l.Labels = labels
	l.Sides = info.Sides
	l.Shared = "dice"
	l.Kinds = kit.PieceKinds(kindNames[:], func(kind int, side uint8) string { return letters(2*kind, int(side))[:1] })
	for n := range 6 {
		l.Kinds = append(l.Kinds, engine.PieceKind{Name: fmt.Sprintf("die %d", n+1), Letters: [sides]string{fmt.Sprint(n + 1)}, Pips: n + 1})
	}
	return l
})

// AppendPieces implements engine.Pictured.
func (s *State) AppendPieces(dst []engine.Piece) []engine.Piece {
	begin := len(dst)
	for side := range s.at {
		for piece, x := range s.at[side] {
			letter := "ab"[piece&1 : piece&1+1]
			p := engine.Piece{Cell: int(x), Kind: piece / 2, Side: engine.Side(side), Count: 1, Tags: []engine.Tag{{Short: letter, Text: letter}}}
			if side == int(s.side) && piece == int(s.barred) {
				p.Tags = append(p.Tags, engine.Tag{Short: "!", Text: "has lost its errand"})
			}
			dst = append(dst, p)
		}
	}
	slices.SortFunc(dst[begin:], func(p, q engine.Piece) int { return p.Cell - q.Cell })
	for _, n := range [...]uint8{s.dice[0], s.dice[1], s.carried} {
		if n != 0 {
			dst = append(dst, engine.Piece{Cell: -1, Kind: len(kindNames) + int(n) - 1, Side: engine.NoSide, Count: 1})
		}
	}
	return dst
}

// AppendOverlays implements engine.Overlaid.
func (s *State) AppendOverlays(dst []engine.Overlay) []engine.Overlay {
	add := func(kind engine.OverlayKind, side engine.Side, name string, cells ...int) {
		if len(cells) > 0 {
			dst = append(dst, engine.Overlay{Kind: kind, Side: side, Name: name, Cells: cells})
		}
	}
	for side := range engine.Side(sides) {
		add(engine.OverlayTint, side, "influence", members(s.influence[side].minus(s.contention()))...)
	}
	add(engine.OverlayHatch, engine.NoSide, "contention", members(s.contention())...)
	for side := range uint8(sides) {
		for piece := 0; piece < pieces; piece += 2 {
			if a, b := int(s.at[side][piece]), int(s.at[side][piece+1]); s.connected(side, piece) {
				add(engine.OverlayLink, engine.Side(side), "connected", min(a, b), max(a, b))
			}
		}
	}
	if s.piece != noPiece {
		add(engine.OverlayRing, engine.Side(s.side), "on its way", int(s.at[s.side][s.piece]))
	}
	if s.onPath() {
		add(engine.OverlayRing, engine.NoSide, "challenged", int(s.space))
	}
	return dst
}

func members(b set) (list []int) {
	for ; !b.empty(); b = b.rest() {
		list = append(list, b.first())
	}
	return list
}

// AppendMarks implements engine.Pictured.
func (s *State) AppendMarks(dst []engine.Mark, a engine.Action, _ engine.State) []engine.Mark {
	if s.Actor() == engine.Chance {
		return dst
	}
	d := s.decode(a)
	from := int(s.at[s.side][d.piece])
	switch d.kind {
	case doMove:
		return append(dst, engine.Mark{Kind: engine.MarkMove, Side: engine.Side(s.side), Cells: []int{from, d.space}})
	case doPath:
		return append(dst, engine.Mark{Kind: engine.MarkStrike, Side: engine.Side(s.side), Cells: []int{from, d.space}})
	case doErrand:
		return append(dst, engine.Mark{Kind: engine.MarkLine, Side: engine.Side(s.side), Cells: []int{from}})
	}
	return dst
}

// AppendAsked implements engine.Explainer.
func (s *State) AppendAsked(dst []byte) []byte {
	own, enemy := info.Sides[s.side], info.Sides[1-s.side]
	switch s.phase {
	case phaseRoll:
		if s.game.symmetric {
			return append(append(dst, own...), " rolls two dice"...)
		}
		return append(append(dst, own...), " rolls a die"...)
	case phaseErrandRoll:
		return fmt.Appendf(dst, "%s rolls a die against the errand of %s, which %s has a %d for", enemy, pieceNames[s.piece], own, s.dice[s.die])
	case phasePathRoll:
		return fmt.Appendf(dst, "%s rolls for the Path of %s, then %s against it", own, pieceNames[s.piece], enemy)
	case phasePostRoll:
		return append(append(dst, own...), " rolls a die for a connection"...)
	case phaseDeclare:
		return append(dst, "go to roll, or a Path to a matured point of contention"...)
	case phaseMove:
		return fmt.Appendf(dst, "a move of %s", diceWords(s.dice))
	case phaseSecond:
		return fmt.Appendf(dst, "a second move, of %d", s.dice[0])
	case phaseErrand:
		return fmt.Appendf(dst, "the errand of %s, of %d", pieceNames[s.piece], s.dice[s.die])
	case phasePath:
		return fmt.Appendf(dst, "the Path of %s through %s, of %d", pieceNames[s.piece], names[s.space], s.dice[0])
	}
	dst = fmt.Appendf(dst, "a connection by a move of %d", s.dice[0])
	if slices.Contains(s.Legal(nil, nil), actionGo) {
		dst = append(dst, ", or go"...)
	}
	return dst
}

func diceWords(dice [2]uint8) string {
	if dice[1] == 0 || dice[1] == dice[0] {
		return fmt.Sprint(dice[0])
	}
	return fmt.Sprintf("%d or %d", dice[0], dice[1])
}

// AppendStatus implements engine.Explainer.
func (s *State) AppendStatus(dst []byte) []byte {
	if s.dice[0] != 0 {
		dst = fmt.Appendf(dst, "Dice: %s\n", diceText(s.dice))
	}
	if s.carried != 0 {
		dst = fmt.Appendf(dst, "Kept from a Path: %d\n", s.carried)
	}
	if b := s.matured(); !b.empty() {
		dst = fmt.Appendf(dst, "Matured points of contention: %s\n", setText(b))
	}
	if s.phase == phasePathRoll {
		dst = fmt.Appendf(dst, "Tallies for the Path: %s %d, %s %d\n", info.Sides[s.side], s.tally(s.side), info.Sides[1-s.side], s.tally(1-s.side))
	}
	if s.resolver >= 0 {
		dst = fmt.Appendf(dst, "%s has resolved\n", info.Sides[s.resolver])
	}
	dst = fmt.Appendf(dst, "Score: %s %d, %s %d\n", info.Sides[0], s.score(0), info.Sides[1], s.score(1))
	return fmt.Appendf(dst, "Turn %d of %d\n", s.turn, s.game.maxTurns)
}

// did are the kinds of actions, for reports.
var did = kit.Did{"go", "move", "path", "errand", "connection", "connection given up", "resolution"}

// Kinds implements engine.Classifier.
func (s *State) Kinds() []string { return did }

// AppendKinds implements engine.Classifier: the move of an errand or a Path is a move too.
func (s *State) AppendKinds(dst []int, a engine.Action, after engine.State) []int {
	if s.Actor() == engine.Chance {
		return dst
	}
	d := s.decode(a)
	if d.kind != doMove {
		return did.Append(dst, map[doing]string{doGo: "go", doErrand: "errand", doPath: "path"}[d.kind])
	}
	t, kinds := after.(*State), []string{"move"}
	add := func(kind string, on bool) {
		if on {
			kinds = append(kinds, kind)
		}
	}
	add("path", s.phase == phasePath)
	add("errand", s.phase == phaseErrand)
	add("connection", t.connected(s.side, d.piece))
	add("connection given up", s.connected(s.side, d.piece))
	add("resolution", t.resolver >= 0 && s.resolver < 0)
	return did.Append(dst, kinds...)
}

// TurnsLeft implements engine.Pacer: games between players that connect last some 57
// turns, and 31 with two dice.
func (s *State) TurnsLeft() int {
	typical := 57
	if s.game.symmetric {
		typical = 31
	}
	return max(1, min(s.game.maxTurns-int(s.turn), max(typical/4, typical-int(s.turn))))
}

// Material implements engine.Material: the score in units of a resolution's default bonus,
// and one for each connection.
func (s *State) Material(p engine.Player) float32 {
	return float32(s.score(uint8(p)))/6 + float32(s.connections(uint8(p)))
}
