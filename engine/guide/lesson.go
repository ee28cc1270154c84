package guide

import (
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// Lesson is a position to play from towards a goal. The player to move is the learner.
type Lesson struct {
	// Name is a word for commands and addresses, Title is for people, Text explains
	// what the lesson is about.
	Name  string `json:"name"`
	Title string `json:"title"`
	Text  string `json:"text"`
	// Rules and Position set it up; both empty are the default rules and the start.
	Rules    string `json:"rules,omitempty"`
	Position string `json:"position,omitempty"`
	// Opponent describes the player who replies. Its replies depend on its seed alone,
	// which lessons set to [Seed].
	Opponent string `json:"opponent"`
	Goal     Goal   `json:"goal"`
	// Turns is the most turns of the learner, at least 1.
	Turns int    `json:"turns"`
	Hint  string `json:"hint"`
	// Solution are the learner's decisions that reach the goal, as words separated by
	// spaces; Wrong are some that do not.
	Solution string `json:"solution"`
	Wrong    string `json:"wrong"`
}

// Seed is the seed of the games of lessons.
const Seed = 1

// Goal is reached when all conditions of All hold at once and none of Never has held.
type Goal struct {
	// Text says it in a few words.
	Text  string      `json:"text"`
	All   []Condition `json:"all"`
	Never []Condition `json:"never,omitempty"`
	// Reply counts the goal as reached only where the opponent has replied, or the game
	// is over.
	Reply bool `json:"reply,omitempty"`
}

// Condition is a question about a lesson so far that the rules answer. Exactly one of
// End, Plays, Piece and After is set.
type Condition struct {
	// End asks whether the game is over with a "win", "draw" or "loss" of the learner,
	// for that Reason unless it is empty.
	End    string `json:"end,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Plays asks whether the learner has played an action of a kind, in the words of
	// [engine.Classifier].
	Plays string `json:"plays,omitempty"`
	// Piece asks whether a piece of that kind of the layout stands on the board: of the
	// learner or, with Other, of the opponent; on the cell On, in a zone of name Zone,
	// with a tag that contains Tag, where these are set. Missing asks for the contrary.
	Piece   string `json:"piece,omitempty"`
	Other   bool   `json:"other,omitempty"`
	On      string `json:"on,omitempty"`
	Zone    string `json:"zone,omitempty"`
	Tag     string `json:"tag,omitempty"`
	Missing bool   `json:"missing,omitempty"`
	// After asks whether the learner has finished that many turns.
	After int `json:"after,omitempty"`
}

// Verdict is how a lesson stands. At most one of Done and Failed is set; then the
// lesson is over, with the first Steps decisions.
type Verdict struct {
	Done, Failed bool
	Steps        int
	// Turns counts the turns that the learner has finished.
	Turns int
}

// Judge says how the lesson stands after decisions from its position, start.
func (l *Lesson) Judge(g engine.Game, start engine.State, decisions []engine.Action) Verdict {
	before, now := g.NewState(), g.NewState()
	now.CopyFrom(start)
	h := g.NewHistory()
	now.Begin(h)
	j := judge{learner: start.Actor(), state: now}
	var v Verdict
	for _, a := range decisions {
		before.CopyFrom(now)
		now.Apply(a, h)
		v.Steps++
		if before.Actor() == j.learner {
			j.note(before, a, now)
			if now.Actor() != j.learner || now.Turn() != before.Turn() {
				j.turns++
			}
		}
		v.Turns = j.turns
		over := now.Outcome().Over
		waits := now.Actor() == j.learner && now.Turn() != start.Turn() && (before.Actor() != j.learner || now.Turn() != before.Turn())
		v.Failed = slices.ContainsFunc(l.Goal.Never, j.holds)
		v.Done = !v.Failed && (over || waits || !l.Goal.Reply) && !slices.ContainsFunc(l.Goal.All, func(c Condition) bool { return !j.holds(c) })
		v.Failed = v.Failed || !v.Done && (over || waits && v.Turns >= l.Turns)
		if v.Done || v.Failed {
			break
		}
	}
	return v
}

// judge answers conditions.
type judge struct {
	learner engine.Player
	state   engine.State
	played  []string // kinds of the learner's decisions
	turns   int      // finished by the learner
}

// note notes the kinds of a decision of the learner.
func (j *judge) note(before engine.State, a engine.Action, after engine.State) {
	if c, ok := before.(engine.Classifier); ok {
		for _, k := range c.AppendKinds(nil, a, after) {
			j.played = append(j.played, c.Kinds()[k])
		}
	}
}

func (j *judge) holds(c Condition) bool {
	switch {
	case c.End != "":
		o := j.state.Outcome()
		end := map[float32]string{1: "win", 0: "draw", -1: "loss"}[o.Value(j.learner)]
		return o.Over && end == c.End && (c.Reason == "" || c.Reason == o.Reason)
	case c.Plays != "":
		return slices.Contains(j.played, c.Plays)
	case c.After > 0:
		return j.turns >= c.After
	}
	return j.stands(c) != c.Missing
}

// stands reports whether a piece stands on the board as c describes it.
func (j *judge) stands(c Condition) bool {
	d, ok := j.state.(engine.Pictured)
	if !ok {
		return false
	}
	who := j.learner
	if c.Other {
		who = who.Other()
	}
	l, side := d.Layout(), j.state.SideOf(who)
	return slices.ContainsFunc(d.AppendPieces(nil), func(p engine.Piece) bool {
		return p.Cell >= 0 && p.Side == side && l.Kinds[p.Kind].Name == c.Piece &&
			(c.On == "" || c.On == l.Cells[p.Cell].Name) &&
			(c.Zone == "" || c.Zone == l.Zones[l.Cells[p.Cell].Zone].Name) &&
			(c.Tag == "" || slices.ContainsFunc(p.Tags, func(t engine.Tag) bool { return strings.Contains(t.Text, c.Tag) }))
	})
}

// Set sets the lesson up.
func (l *Lesson) Set(f *engine.Family) (engine.Game, engine.State, error) {
	g, s, _, err := set(f, l.Rules, l.Position)
	return g, s, err
}
