package school

import (
	"slices"

	"github.com/ludozero/ludozero/engine/konreh"
)

// Event is something that an action does, which a rule waits for.
type Event struct {
	Name, Doc string
	of        func(*act) bool
}

// events are all of them in the order of the documentation.
var events = []Event{
	{"seed", "a Seed is made", func(a *act) bool { return a.kind("Seed") }},
	{"decline_seed", "a Seed is declined", func(a *act) bool { return a.kind("Seed declined") }},
	{"enter_cross", "Blue comes into the Cross", func(a *act) bool { return a.was.inCross(&a.was.own) == 0 && a.is.inCross(&a.is.own) == 1 }},
	{"stay_in_cross", "a turn ends with Blue still in the Cross", func(a *act) bool {
		return a.was.life(a.was.side).Stay > 0 && a.is.inCross(&a.is.own) == 1 && a.is.state.Turn() > a.was.state.Turn()
	}},
	{"leave_cross", "Blue leaves the Cross", func(a *act) bool { return a.was.inCross(&a.was.own) == 1 && a.is.inCross(&a.is.own) == 0 }},
	{"runner_enters_cross", "a runner moves into the Cross", func(a *act) bool {
		into := runners(&a.is.own) &^ runners(&a.was.own)
		return into&a.is.cross() != 0
	}},
	{"special", "Blue uses a special", (*act).special},
	{"last_special", "Blue uses the last special that it has", func(a *act) bool { return a.special() && a.is.specials(a.is.side, &a.is.own) == 0 }},
	{"capture", "a piece is captured", func(a *act) bool { return a.kind("capture") }},
	{"capture_blue", "their Blue is captured", func(a *act) bool { return a.kind("capture of Blue") }},
	{"advance", "a runner moves away from the own Home Apex", func(a *act) bool {
		return !a.kind("Seed") && steps(runners(&a.is.own)) > steps(runners(&a.was.own)) // a Seed adds one
	}},
	{"move_blue", "Blue moves", func(a *act) bool {
		return a.was.own[konreh.Blue] != 0 && a.is.own[konreh.Blue] != a.was.own[konreh.Blue]
	}},
	{"plant", "a runner plants", func(a *act) bool { return a.kind("plant") }},
	{"place_home", "Blue is placed on the own Home Apex", func(a *act) bool { return a.kind("placement at Home") }},
	{"place_sanctum", "Blue is placed on a Sanctum", func(a *act) bool { return a.kind("placement on a Sanctum") }},
	{"place_apex", "Blue is placed on the enemy Home Apex", func(a *act) bool { return a.kind("placement on the enemy Apex") }},
}

// Events lists what rules may wait for.
func Events() []Event { return slices.Clone(events) }

func eventNamed(name string) int {
	return slices.IndexFunc(events, func(e Event) bool { return e.Name == name })
}

// act is an action between two positions, both as its side sees them.
type act struct {
	was, is *view
	kinds   []int // of engine.Classifier
}

// kind tells whether the action is of that kind of the game.
func (a *act) kind(name string) bool {
	i, ok := kindNumbers[name]
	if !ok {
		panic("BUG: the game knows no actions of kind " + name)
	}
	return slices.Contains(a.kinds, i)
}

func (a *act) special() bool { return a.kind("Displacement") || a.kind("Hop") }

// kindNumbers are the kinds of actions by name.
var kindNumbers = func() map[string]int {
	m := map[string]int{}
	for i, name := range (*konreh.State)(nil).Kinds() {
		m[name] = i
	}
	return m
}()

// Extra is what a condition may bound besides features: something of the action.
type Extra struct {
	Name, Doc string
	// needs are events of which the rule must wait for one; any if empty.
	needs []string
	of    func(*act) int
}

var extras = []Extra{
	{"turn", "own turns of the side before this one", nil, func(a *act) int { return a.was.state.Turn() / 2 }},
	{"ssi", "SSI of the Sanctum that a Seed sows or would have sown", []string{"seed", "decline_seed"}, func(a *act) int { return a.ssi(true) }},
	{"blue_ssi", "SSI of the Sanctum that Blue stands on as it seeds or declines", []string{"seed", "decline_seed"}, func(a *act) int { return a.ssi(false) }},
	{"plant_gain", "by how much the action brings T* down", nil, func(a *act) int {
		return a.was.plantTurns(a.was.side) - a.is.plantTurns(a.is.side)
	}},
}

// Extras lists what conditions may bound besides features.
func Extras() []Extra { return slices.Clone(extras) }

func extraNamed(name string) int {
	return slices.IndexFunc(extras, func(e Extra) bool { return e.Name == name })
}

// ssi is the SSI of Blue's Sanctum, or of the one opposite.
func (a *act) ssi(opposite bool) int {
	for i, at := range a.is.game.Sanctums() {
		if a.is.own[konreh.Blue] == at {
			if opposite {
				at = a.is.game.Sanctums()[1-i]
			}
			return a.is.measures().SSI(a.is.side, squareOf(at))
		}
	}
	return 0
}
