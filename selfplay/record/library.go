package record

import "github.com/ludozero/ludozero/engine"

// Library finds the rules of recorded games and parses each ruleset once. It is not
// safe for concurrent use.
type Library struct {
	// Families are the games it knows.
	Families engine.Families

	games map[[2]string]engine.Game
}

// maxRulesets bounds what a Library keeps, whatever shards name.
const maxRulesets = 1000

// Game returns the ruleset of a game; rules "" is the default.
func (l *Library) Game(name, rules string) (engine.Game, error) {
	key := [2]string{name, rules}
	if g := l.games[key]; g != nil {
		return g, nil
	}
	g, err := l.Families.Open(name, rules)
	if err != nil {
		return nil, err
	}
	if l.games == nil || len(l.games) >= maxRulesets {
		l.games = map[[2]string]engine.Game{}
	}
	l.games[key] = g
	return g, nil
}

// Info describes a game, as [OpenAny] and [ParseAny] ask for it.
func (l *Library) Info(name string) (*engine.Info, error) {
	g, err := l.Game(name, "")
	if err != nil {
		return nil, err
	}
	return g.Info(), nil
}
