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

// RarelyDecidedEvent warns of a ruleset of which so few games are decided that
// its positions teach little of who wins. It comes when that begins to hold.
type RarelyDecidedEvent struct {
	Generation int    `json:"generation"`
	Rules      string `json:"rules"`
	// Games are its newest games, in whole generations, and Draws those of them
	// that were drawn.
	Games int `json:"games"`
	Draws int `json:"draws"`
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
	rare   bool
}

// add takes the games of a generation and returns warnings of rulesets that have
// begun to be rarely decided.
func (d decided) add(generation int, events []RulesEvent) []RarelyDecidedEvent {
	var warnings []RarelyDecidedEvent
	for _, e := range events {
		of := d[e.Rules]
		if of == nil {
			of = &decidedRules{}
			d[e.Rules] = of
		}
		of.newest = append(of.newest, e)
		games, draws := 0, 0
		for i, e := range slices.Backward(of.newest) {
			games, draws = games+e.Games, draws+e.Draws
			if games >= rareGames {
				of.newest = of.newest[i:]
				break
			}
		}
		was := of.rare
		of.rare = games >= rareGames && float64(draws) >= rareDraws*float64(games)
		if of.rare && !was {
			warnings = append(warnings, RarelyDecidedEvent{generation, e.Rules, games, draws})
		}
	}
	return warnings
}

// logSelfPlay reports and keeps the end of a generation's self-play, and what
// there is to warn of.
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
