package table

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/guide"
	"github.com/ludozero/ludozero/report/rulebook"
)

// Catalog lists the games and the opponents.
type Catalog struct {
	Games   []Game  `json:"games"`
	Players []Offer `json:"players"`
}

// Game is a family of rulesets.
type Game struct {
	Name    string          `json:"name"`
	Doc     string          `json:"doc"`
	Sides   [2]string       `json:"sides"`
	Presets []engine.Preset `json:"presets"`
	Options []engine.Option `json:"options,omitempty"`
	// Chance says that dice are rolled, or something else is drawn.
	Chance bool `json:"chance,omitempty"`
	// Page says that there is a page of rules.
	Page bool `json:"page,omitempty"`
	// First is the ruleset of a first game; empty is the default.
	First string `json:"first,omitempty"`
	// Opponents are the guide's that can play here, the weakest first. Their
	// players may sit at a table besides those of the offers.
	Opponents []guide.Opponent `json:"opponents,omitempty"`
	Lessons   []LessonName     `json:"lessons,omitempty"`
}

// LessonName is a lesson in a list.
type LessonName struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Goal  string `json:"goal"`
}

// RulesPage is a game's page of rules as HTML elements for the body of a page, without
// scripts and styles. The paragraph about an option has the id "option-NAME".
type RulesPage struct {
	Game string `json:"game"`
	HTML string `json:"html"`
}

// RulesPage writes the page of rules of a game.
func (c *Config) RulesPage(game string) (*RulesPage, error) {
	family, err := c.Games.ByName(game)
	if err != nil {
		return nil, err
	}
	about := c.Guides[game]
	if about == nil || about.Rules == "" {
		return nil, fmt.Errorf("%s has no page of rules", game)
	}
	html, err := rulebook.HTML(family, about.Rules)
	return &RulesPage{game, html}, err
}

// Catalog lists what can be played.
func (c *Config) Catalog() *Catalog {
	list := &Catalog{Players: c.Offers}
	for _, f := range c.Games {
		g, err := f.Parse("")
		if err != nil {
			panic("BUG: default rules: " + err.Error())
		}
		game := Game{Name: f.Name, Doc: f.Doc, Sides: g.Info().Sides, Presets: f.Presets, Options: f.Options, Chance: g.Info().NumChance > 0}
		if about := c.Guides[f.Name]; about != nil {
			game.Page, game.First = about.Rules != "", about.First
			for _, o := range about.Opponents {
				if _, err := c.check(f.Name, o.Player); err == nil {
					game.Opponents = append(game.Opponents, o)
				}
			}
			for _, l := range about.Lessons {
				game.Lessons = append(game.Lessons, LessonName{l.Name, l.Title, l.Goal.Text})
			}
		}
		list.Games = append(list.Games, game)
	}
	return list
}
