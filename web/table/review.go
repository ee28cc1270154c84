package table

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
)

// How much the player who gives hints searches, where simulations or positions limit it.
const (
	reviewSims = 100 // simulations for each position of a review
	deepTimes  = 16  // times as much as for a hint, for an analysis that goes on
	// reportEvery is how often an analysis that goes on shows what it has found.
	reportEvery = 400 * time.Millisecond
)

// Losses of expected score from which a decision is named.
const (
	inaccuracy = .08
	mistake    = .15
	blunder    = .30
)

// Review is the evaluation of every position of the game, as far as it has come: before a
// roll the mean over its outcomes. Values are in the first player's view.
type Review struct {
	By    string `json:"by"`
	Done  int    `json:"done"`
	Total int    `json:"total"`
	// Lead is as in [Judgement].
	Lead   bool        `json:"lead,omitempty"`
	Values []Judgement `json:"values,omitempty"`
	Flaws  []Flaw      `json:"flaws,omitempty"`
	// Luck is what the rolls of the first and of the second player's turns were worth to
	// that player, as far as the review has come: the value after a roll less the mean over
	// its outcomes, in sum. Nil in games without dice.
	Luck *[2]float64 `json:"luck,omitempty"`
	// Problem says why there is no review.
	Problem string `json:"problem,omitempty"`
}

// Flaw is a decision that lost expected score.
type Flaw struct {
	// Steps is how many decisions came before it.
	Steps int    `json:"steps"`
	Own   string `json:"own"`   // who made it
	Grade string `json:"grade"` // "inaccuracy", "mistake" or "blunder"
	Word  string `json:"word"`
	// Best is what was better, Line how the player expected the game to continue then.
	Best   string   `json:"best"`
	Line   []string `json:"line,omitempty"`
	Before float64  `json:"before"`
	After  float64  `json:"after"`
}

// review holds what was found at each position, by the number of decisions before.
type review struct {
	found   map[int]finding
	problem string
}

type finding struct {
	Judgement
	line []string // the first is the best decision; empty at the end of the game
}

// advisor is the player who gives hints, as it is made: with room for an analysis that
// goes on. hint, look and deep are what bounds a hint, a look at a position of a review and an
// analysis that goes on, in simulations or positions; 0 where something else does.
func (c *Config) advisor(game, hints string) (text string, hint, look, deep int) {
	o, err := c.check(game, hints)
	if err != nil {
		return hints, 0, 0, 0
	}
	for i := range o.Limits {
		l := &o.Limits[i]
		number, ok := strings.CutPrefix(hints, o.Name+o.separator()+l.Option+"=")
		n, err := strconv.Atoi(number)
		switch {
		case !ok || err != nil: // it has other options too
		case l.Option == "sims":
			return o.Text(l, min(l.Max, deepTimes*n)), n, min(n, reviewSims), 0
		case l.Option == "nodes":
			return o.Text(l, min(l.Max, deepTimes*n)), n, n, 0
		}
	}
	n := o.nodes(hints)
	return hints, n, n, n
}

// nextReviewed returns the next position to evaluate, nil if there is none. t.mu is held.
func (t *Table) nextReviewed() *task {
	if t.review == nil || t.review.problem != "" {
		return nil
	}
	steps := t.session.Steps()
	state, history := t.game.NewState(), t.game.NewHistory()
	t.session.Before(state, 0)
	state.Begin(history)
	for n := range len(steps) + 1 {
		if _, known := t.review.found[n]; !known {
			if o := state.Outcome(); o.Over {
				t.review.found[n] = finding{Judgement: Judgement{Steps: n, By: t.hints, Value: resultValue(o.Winner), Solved: true}}
				t.touch()
				return nil
			}
			return &task{kind: look, who: state.Actor(), name: t.hints, epoch: t.epoch, steps: n, state: state, history: history}
		}
		if n < len(steps) {
			state.Apply(steps[n].Action, history)
		}
	}
	return nil
}

// resultValue is the value of a result for the first player.
func resultValue(winner engine.Player) float64 {
	switch winner {
	case engine.First:
		return 1
	case engine.Second:
		return -1
	}
	return 0
}

// looked notes the evaluation of a position. t.mu is held.
func (t *Table) looked(j *task, a *match.Analysis) {
	if !a.Judged {
		t.review.problem = fmt.Sprintf("%s does not evaluate positions: choose another player for hints", j.name)
	} else {
		t.review.found[j.steps] = finding{judgement(j, a), wordsOf(t.game, j.state, a.Line)}
	}
	t.touch()
}

// expectation is the mean over what chance may decide in s of what p thinks of it, in the
// first player's view; it is not Judged if p judges nothing.
func expectation(ctx context.Context, p match.Player, g engine.Game, s engine.State, h *engine.History, b match.Bounds) (*match.Analysis, error) {
	mean := &match.Analysis{Judged: true}
	after, past := g.NewState(), g.NewHistory()
	for _, w := range s.Chance(nil) {
		after.CopyFrom(s)
		past.CopyFrom(h)
		after.Apply(w.Code, past)
		value := float64(after.Outcome().Value(engine.First))
		if !after.Outcome().Over {
			a, err := think(ctx, p, g, after, past, b)
			if err != nil || !a.Judged {
				return a, err
			}
			value, mean.Lead = firstView(after, a.Value), a.Lead
		}
		mean.Value += w.Prob * value
	}
	return mean, nil
}

// think asks p about a position, or what it expects of a roll.
func think(ctx context.Context, p match.Player, g engine.Game, s engine.State, h *engine.History, b match.Bounds) (*match.Analysis, error) {
	if s.Actor() == engine.Chance {
		return expectation(ctx, p, g, s, h, b)
	}
	return p.Think(ctx, s, h, b)
}

// firstView is a value of who decides in s, or of chance, in the first player's view.
func firstView(s engine.State, value float64) float64 {
	if s.Actor() == engine.Second {
		return -value
	}
	return value
}

// judgement is the evaluation of an analysis in the first player's view.
func judgement(j *task, a *match.Analysis) Judgement {
	return Judgement{Steps: j.steps, By: j.name, Value: short(firstView(j.state, a.Value)), Solved: a.Solved, Lead: a.Lead}
}

// view describes the review; nil if nobody has asked for one. t.mu is held.
func (r *review) view(t *Table) *Review {
	if r == nil {
		return nil
	}
	steps := t.session.Steps()
	v := &Review{By: t.hints, Done: len(r.found), Total: len(steps) + 1, Problem: r.problem}
	for _, f := range r.found {
		v.Lead = v.Lead || f.Lead
		v.Values = append(v.Values, f.Judgement)
	}
	slices.SortFunc(v.Values, func(a, b Judgement) int { return cmp.Compare(a.Steps, b.Steps) })
	for n, step := range steps {
		before, known := r.found[n]
		after, next := r.found[n+1]
		if !known || !next || len(before.line) == 0 || before.line[0] == step.Word || step.Actor > engine.Second {
			continue
		}
		loss := (before.Value - after.Value) / 2
		if step.Actor == engine.Second {
			loss = -loss
		}
		if grade := gradeOf(loss); grade != "" {
			v.Flaws = append(v.Flaws, Flaw{n, step.Actor.String(), grade, step.Word, before.line[0], before.line, before.Value, after.Value})
		}
	}
	if t.game.Info().NumChance > 0 {
		v.Luck = r.luck(t)
	}
	return v
}

// luck sums up what the rolls so far were worth, for each player. t.mu is held.
func (r *review) luck(t *Table) *[2]float64 {
	var sums [2]float64
	state := t.game.NewState()
	t.session.Before(state, 0)
	for n, step := range t.session.Steps() {
		before, known := r.found[n]
		after, next := r.found[n+1]
		if step.Actor == engine.Chance && known && next {
			if worth := after.Value - before.Value; state.SideOf(engine.Second) == state.Side() {
				sums[engine.Second] -= worth
			} else {
				sums[engine.First] += worth
			}
		}
		state.Apply(step.Action, nil)
	}
	for p := range sums {
		sums[p] = short(sums[p])
	}
	return &sums
}

func gradeOf(loss float64) string {
	switch {
	case loss >= blunder:
		return "blunder"
	case loss >= mistake:
		return "mistake"
	case loss >= inaccuracy:
		return "inaccuracy"
	}
	return ""
}

// wordsOf writes the beginning of a line of decisions from a state.
func wordsOf(g engine.Game, from engine.State, line []engine.Action) []string {
	s := g.NewState()
	s.CopyFrom(from)
	words := []string{}
	for _, x := range line[:min(hintLine, len(line))] {
		words = append(words, string(s.AppendAction(nil, x)))
		s.Apply(x, nil)
	}
	return words
}
