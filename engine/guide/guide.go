// Package guide is what a game brings for people who are new to it, as data: a page of
// rules, lessons to play, and opponents by name. Programs show it in their own ways;
// every claim about a position is checked against the rules by [Guide.Check].
package guide

import (
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/strictjson"
)

// Guide teaches one game. The zero value teaches nothing.
type Guide struct {
	// Rules is the page of rules in the Markdown that [ParsePage] reads.
	Rules string `json:"-"`
	// First is the ruleset of a first game; empty is the default.
	First string `json:"first,omitempty"`
	// Players are kinds of players made for this game, such as "solver", to be offered
	// besides those that play every game.
	Players []string `json:"players,omitempty"`
	// Opponents are from the weakest to the strongest.
	Opponents []Opponent `json:"opponents,omitempty"`
	Lessons   []Lesson   `json:"lessons,omitempty"`
}

// Guides are guides by the name of their game.
type Guides map[string]*Guide

// Opponent is a player with a name for people.
type Opponent struct {
	Name string `json:"name"`
	// Doc says in a sentence how it plays.
	Doc string `json:"doc"`
	// Player describes the player, with a limit that does not depend on the machine.
	Player string `json:"player"`
	// Elo was measured, with its 95 % interval, under Rules, where random play has 0;
	// Source says by which games.
	Elo    float64 `json:"elo"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Rules  string  `json:"rules"`
	Source string  `json:"source"`
	// Default is set for the opponent of a first game.
	Default bool `json:"default,omitempty"`
}

// Parse reads a guide: the page of rules, and the other fields as JSON.
func Parse(rules string, data []byte) (*Guide, error) {
	g := &Guide{Rules: rules}
	if err := strictjson.Decode(data, g); err != nil {
		return nil, fmt.Errorf("guide: %w", err)
	}
	return g, nil
}

// Must is Parse of files in the binary, which a test has checked.
func Must(rules string, data []byte) *Guide {
	g, err := Parse(rules, data)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return g
}

// In returns a function that reads the guide in files when it is first called: the page of
// rules in guide/rules.md, the other fields in guide/guide.json.
func In(files embed.FS) func() *Guide {
	return sync.OnceValue(func() *Guide {
		rules, err := files.ReadFile("guide/rules.md")
		data, missing := files.ReadFile("guide/guide.json")
		if err := errors.Join(err, missing); err != nil {
			panic("BUG: " + err.Error())
		}
		return Must(string(rules), data)
	})
}

// Lesson returns the lesson of that name.
func (g *Guide) Lesson(name string) (*Lesson, error) {
	if g != nil {
		for i := range g.Lessons {
			if g.Lessons[i].Name == name {
				return &g.Lessons[i], nil
			}
		}
	}
	return nil, fmt.Errorf("there is no lesson %q", name)
}

// After is the name of the lesson after l, empty for the last.
func (g *Guide) After(l *Lesson) string {
	for i := range g.Lessons[1:] {
		if g.Lessons[i].Name == l.Name {
			return g.Lessons[i+1].Name
		}
	}
	return ""
}

// Names reports whether player describes an opponent, or the one of a lesson.
func (g *Guide) Names(player string) bool {
	return g != nil && (slices.ContainsFunc(g.Opponents, func(o Opponent) bool { return o.Player == player }) ||
		slices.ContainsFunc(g.Lessons, func(l Lesson) bool { return l.Opponent == player }))
}

// set sets up a position and plays words from it. line empty is the start.
func set(f *engine.Family, rules, line string) (engine.Game, engine.State, *engine.History, error) {
	g, err := f.Parse(rules)
	if err != nil {
		return nil, nil, nil, err
	}
	s, h := g.NewState(), g.NewHistory()
	return g, s, h, engine.SetUp(s, h, line)
}

// PlayerOf is the player of the opponent of that name, or name itself if there is none.
func (g *Guide) PlayerOf(name string) string {
	if g != nil {
		for _, o := range g.Opponents {
			if strings.EqualFold(o.Name, name) {
				return o.Player
			}
		}
	}
	return name
}

// Having lists the games that a kind of players is made for. It is never nil.
func (gs Guides) Having(kind string) []string {
	list := []string{}
	for name, g := range gs {
		if slices.Contains(g.Players, kind) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}
