package school

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
)

// Probe asks of single actions what rules of files ask of them, in the same words. It
// allocates nothing once it has grown: one goroutine, one Probe. The zero value is
// ready for Look.
type Probe struct {
	was, is view
	act     act
}

// Look sets p to action a, played in s and leading to next, as the side to act in s
// sees it. Both states must stay as they are while p is asked.
func (p *Probe) Look(s, next *konreh.State, a engine.Action) {
	p.was.set(s, s.Side())
	p.is.set(next, s.Side())
	p.act.was, p.act.is = &p.was, &p.is
	p.act.kinds = s.AppendKinds(p.act.kinds[:0], a, next)
}

// Event tells whether the action is the event of that name, which must be one of
// Events.
func (p *Probe) Event(name string) bool {
	i := eventNamed(name)
	if i < 0 {
		panic(fmt.Sprintf("BUG: no event %q", name))
	}
	return events[i].of(&p.act)
}

// Value is the feature or extra of that name after the action, as a condition bounds
// it. It must be one of Features or Extras.
func (p *Probe) Value(name string) int {
	if i := extraNamed(name); i >= 0 {
		return extras[i].of(&p.act)
	}
	i := featureNamed(name)
	if i < 0 {
		panic(fmt.Sprintf("BUG: no feature %q", name))
	}
	return features[i].of(p.act.is)
}
