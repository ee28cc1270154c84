package run

import (
	"maps"
	"slices"
)

// RulesEvent is what the games of one ruleset of a mix were like.
type RulesEvent struct {
	Rules string `json:"rules"`
	Games int    `json:"games"`
	Draws int    `json:"draws"`
	// MeanTurns is their length, FirstScore the first player's mean score.
	MeanTurns  float64 `json:"mean_turns"`
	FirstScore float64 `json:"first_score"`
}

// RarelyDecidedEvent tells that so few games of a ruleset are decided from now on
// that its positions teach little of who wins, or that this is over.
type RarelyDecidedEvent struct {
	Generation int    `json:"generation"`
	Rules      string `json:"rules"`
	// Games are its newest games, in whole generations, and Draws those of them
	// that were drawn.
	Games int  `json:"games"`
	Draws int  `json:"draws"`
	Over  bool `json:"over"`
}

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

func (t rulesTally) events() []RulesEvent {
	var all []RulesEvent
	for _, rules := range slices.Sorted(maps.Keys(t)) {
		s := t[rules]
		n := float64(s.games)
		all = append(all, RulesEvent{rules, s.games, s.draws, float64(s.turns) / n, s.firstPoints / n})
	}
	return all
}

// decided watches how often the games of each ruleset are decided.
type decided map[string]*decidedRules

type decidedRules struct {
	newest []RulesEvent // of generations, those that rareGames needs
	told   bool         // that it is rarely decided
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
func (d decided) add(generation int, events []RulesEvent) []RarelyDecidedEvent {
	var news []RarelyDecidedEvent
	for _, e := range events {
		of := d.of(e.Rules)
		games, draws := of.add(e)
		if rare := games >= rareGames && float64(draws) >= rareDraws*float64(games); rare != of.told {
			of.told = rare
			news = append(news, RarelyDecidedEvent{generation, e.Rules, games, draws, !rare})
		}
	}
	return news
}

// recall takes in what an earlier process has logged, and what it has told.
func (d decided) recall(e *Event) {
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
func (r *decidedRules) add(e RulesEvent) (games, draws int) {
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

// logSelfPlay reports and keeps the end of a generation's self-play, and which
// rulesets have come to be rarely decided or are not any more.
func (r *runner) logSelfPlay(e *SelfPlayEvent) error {
	if err := r.log(Event{SelfPlay: e}); err != nil {
		return err
	}
	for _, w := range r.decided.add(e.Generation, e.Rules) {
		if err := r.log(Event{RarelyDecided: &w}); err != nil {
			return err
		}
	}
	return nil
}
