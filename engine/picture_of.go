package engine

import "strings"

// PictureOf describes a position of g. ok is false if the game has no pictures.
func PictureOf(g Game, s State) (p *Picture, ok bool) {
	d, ok := s.(Pictured)
	if !ok {
		return nil, false
	}
	p = &Picture{
		Game: g.Info().Name, Rules: g.Rules(), Position: string(s.AppendPosition(nil)),
		Layout: d.Layout(), Pieces: d.AppendPieces(nil),
		Turn: s.Turn(), Mover: s.Side(), Actor: s.Actor().String(), FirstSide: s.SideOf(First),
	}
	if o := s.Outcome(); o.Over {
		p.Mover, p.End = NoSide, &PictureEnd{Winner: NoSide, Reason: o.Reason}
		if o.Winner != Nobody {
			p.End.Winner = s.SideOf(o.Winner)
		}
	}
	if o, ok := s.(Overlaid); ok {
		p.Overlays = o.AppendOverlays(nil)
	}
	if t, ok := s.(Explainer); ok {
		if p.End == nil {
			p.Asked = string(t.AppendAsked(nil))
		}
		if status := strings.TrimSuffix(string(t.AppendStatus(nil)), "\n"); status != "" {
			p.Status = strings.Split(status, "\n")
		}
	}
	return p, true
}

// Mark adds the marks of action a, played in before and leading to after,
// states of the game of the picture.
func (p *Picture) Mark(before State, a Action, after State) {
	if d, ok := before.(Pictured); ok {
		p.Marks = d.AppendMarks(p.Marks, a, after)
	}
}
