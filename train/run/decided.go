package run

import (
	"maps"
	"slices"

	"github.com/ludozero/ludozero/train/rundir"
)

// A ruleset is rarely decided if of its newest rareGames games or more, as many
// generations as it takes, at least rareDraws were drawn. Fifty games tell 90 %
// from 75 %; design has presets above 90 % wait.
const (
	rareGames = 50
	rareDraws = 0.9
)

// rulesTally sums up finished games by rules word.
type rulesTally map[string]*rulesSum

type rulesSum struct {
	games, draws, turns int
	firstPoints         float64
}

// add takes a game of that many turns with its result for the first player as
// +1, 0 or -1.
func (t rulesTally) add(rules string, turns int, firstOutcome float64) {
	s := t[rules]
	if s == nil {
		s = &rulesSum{}
		t[rules] = s
	}
	s.games++
	if firstOutcome == 0 {
		s.draws++
	}
	s.turns += turns
	s.firstPoints += (1 + firstOutcome) / 2
}

func (t rulesTally) events() []rundir.RulesEvent {
	var all []rundir.RulesEvent
	for _, rules := range slices.Sorted(maps.Keys(t)) {
		s := t[rules]
		n := float64(s.games)
		all = append(all, rundir.RulesEvent{Rules: rules, Games: s.games, Draws: s.draws, MeanTurns: float64(s.turns) / n, FirstScore: s.firstPoints / n})
	}
	return all
}

// decided watches how often the games of each ruleset are decided.
type decided map[string]*decidedRules

type decidedRules struct {
	newest []rundir.RulesEvent // of generations, those that rareGames needs
	told   bool                // that it is rarely decided
}

func (d decided) of(rules string) *decidedRules {
	of := d[rules]
	if of == nil {
		of = &decidedRules{}
		d[rules] = of
	}
	return of
}

// add takes the games of a generation and returns what there is to tell: of
// rulesets that have begun to be rarely decided, and that are not any more.
func (d decided) add(generation int, events []rundir.RulesEvent) []rundir.RarelyDecidedEvent {
	var news []rundir.RarelyDecidedEvent
	for _, e := range events {
		of := d.of(e.Rules)
		games, draws := of.add(e)
		if rare := games >= rareGames && float64(draws) >= rareDraws*float64(games); rare != of.told {
			of.told = rare
			news = append(news, rundir.RarelyDecidedEvent{Generation: generation, Rules: e.Rules, Games: games, Draws: draws, Over: !rare})
		}
	}
	return news
}

// recall takes in what an earlier process has logged, and what it has told.
func (d decided) recall(e *rundir.Event) {
	if s := e.SelfPlay; s != nil && s.Done {
		for _, rules := range s.Rules {
			d.of(rules.Rules).add(rules)
		}
	}
	if w := e.RarelyDecided; w != nil {
		d.of(w.Rules).told = !w.Over
	}
}

// add takes the games of a generation and returns how many of the newest there
// are, and how many of them were drawn.
func (r *decidedRules) add(e rundir.RulesEvent) (games, draws int) {
	r.newest = append(r.newest, e)
	for i, e := range slices.Backward(r.newest) {
		games, draws = games+e.Games, draws+e.Draws
		if games >= rareGames {
			r.newest = r.newest[i:]
			break
		}
	}
	return games, draws
}
