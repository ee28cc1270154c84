package lab

import (
	"math"

	"github.com/ludozero/ludozero/stats/cluster"
)

// Measure is something of games that a sheet tells, the same for every game.
type Measure struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Unit is what Value counts.
	Unit string `json:"unit"`
	// Share says that 1 is written as 100 %.
	Share      bool   `json:"share,omitempty"`
	Definition string `json:"definition"`
	// Source is who measured this, or something like it, before.
	Source string `json:"source"`
	// Breaks says what it does where draws, chance or several decisions a turn would
	// break it; empty if they do not.
	Breaks string `json:"breaks,omitempty"`

	// count enters a game, which leaves the part as it is if the measure says nothing of
	// it; nil for a measure that is no mean over games or decisions.
	count func(g *Game, p *cluster.Part)
	// of estimates such a measure from the games of a cell, of which pairs is the number of
	// pairs; f.Games stays 0 if they say nothing of it.
	of func(games []Game, pairs int, f *Figure)
	// bounded says that every single number is from 0 to 1.
	bounded bool
	// signed says that it can be below 0, down to -1: all others cannot.
	signed bool
	// judged says that it is of the games that the judge has seen.
	judged bool
}

const (
	browne = "Browne 2008"
	ludii  = "Ludii metrics (Stephenson et al. 2021)"
	own    = "ludozero"
)

// each makes count of a number that every game has.
func each(of func(*Game) float64) func(*Game, *cluster.Part) {
	return func(g *Game, p *cluster.Part) { p.Add(of(g)) }
}

// ofDecisions makes count of a sum over the decisions of a game.
func ofDecisions(of func(*Game) int) func(*Game, *cluster.Part) {
	return func(g *Game, p *cluster.Part) {
		p.Sum += float64(of(g))
		p.Count += float64(g.Decisions)
	}
}

// gameMeasures are counted in all games. Ends and kinds of actions are more of them, which
// follow from the games.
func gameMeasures() []Measure {
	return []Measure{
		{
			ID: "first_score", Name: "first player's score", Unit: "points a game", Share: true, bounded: true,
			Definition: "mean points of the player who decides first: 1 for a win, ½ for a draw",
			Source:     browne + " (advantage)",
			Breaks:     "who may swap sides stays the player who decided first; where the start has to be settled, the players settle it as they like best (balance plays every way)",
			count:      each(func(g *Game) float64 { return g.First }),
		},
		{
			ID: "draws", Name: "draws", Unit: "share of games", Share: true, bounded: true,
			Definition: "games that nobody won, those at the limit of turns included",
			Source:     browne + " (completion)",
			count:      each(func(g *Game) float64 { return indicator(g.Drawn) }),
		},
		{
			ID: "completed", Name: "ended by the rules", Unit: "share of games", Share: true, bounded: true,
			Definition: "games that ended before the study's limit of turns",
			Source:     browne + " (completion)",
			count:      each(func(g *Game) float64 { return indicator(!g.Limited) }),
		},
		{
			ID: "turns", Name: "length in turns", Unit: "player turns a game",
			Definition: "turns of both players together",
			Source:     browne + " (duration)",
			Breaks:     "moves back and forth count as others do; a game at the limit of turns counts with it",
			count:      each(func(g *Game) float64 { return float64(g.Turns) }),
		},
		{
			ID: "decisions", Name: "length in decisions", Unit: "decisions a game",
			Definition: "decisions of both players together; rolls are none",
			Source:     ludii + " (duration)",
			count:      each(func(g *Game) float64 { return float64(g.Decisions) }),
		},
		{
			ID: "branching", Name: "branching", Unit: "legal actions a decision",
			Definition: "legal actions where a player decides, mean over all decisions",
			Source:     browne + " (branching factor)",
			Breaks:     "a turn of several decisions counts each by itself, a position that comes again counts again",
			count:      ofDecisions(func(g *Game) int { return g.Legal }),
		},
		{
			ID: "choices", Name: "real decisions", Unit: "share of decisions", Share: true,
			Definition: "decisions with more than one legal action",
			Source:     ludii + " (decision moves)",
			count:      ofDecisions(func(g *Game) int { return g.Choices }),
		},
		{
			ID: "board", Name: "coverage of the board", Unit: "share of cells", Share: true,
			Definition: "cells on which an action of the game had an effect",
			Source:     ludii + " (board coverage)",
			Breaks:     "not for games that do not describe their board",
			count: func(g *Game, p *cluster.Part) {
				if g.Cells >= 0 {
					p.Add(g.Cells)
				}
			},
		},
		{
			ID: "kinds", Name: "coverage of the rules", Unit: "kinds of action a game",
			Definition: "different kinds of action, in the game's own terms, that a game uses",
			Source:     own,
			Breaks:     "not for games that do not sort their actions",
			count: func(g *Game, p *cluster.Part) {
				if len(g.Kinds) > 0 {
					p.Add(float64(len(g.Kinds) - countOf(g.Kinds, 0)))
				}
			},
		},
	}
}

// useOf begins the names of measures of the use of a kind of action.
const useOf = "use: "

// endMeasure is the share of games that ended for a reason, kindMeasure the use of a kind of
// action.
func endMeasure(reason string) Measure {
	return Measure{
		ID: "end:" + reason, Name: "ends: " + reason, Unit: "share of games", Share: true, bounded: true,
		Definition: "games that ended so, in the game's own word", Source: ludii + " (outcome)",
		count: each(func(g *Game) float64 { return indicator(g.Reason == reason) }),
	}
}

func kindMeasure(name string, kind int) Measure {
	return Measure{
		ID: "kind:" + name, Name: useOf + name, Unit: "a game",
		Definition: "actions of this kind, of both players, in the game's own terms", Source: own,
		count: each(func(g *Game) float64 { return float64(g.Kinds[kind]) }),
	}
}

func indicator(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

func countOf(list []int, x int) (n int) {
	for _, v := range list {
		if v == x {
			n++
		}
	}
	return n
}

// value estimates a measure from the games of one cell.
func (m *Measure) value(games []Game) Figure {
	pairs := 0
	for i := range games {
		pairs = max(pairs, games[i].Pair)
	}
	f := Figure{Measure: m.ID}
	if m.of != nil {
		m.of(games, pairs, &f)
		return f
	}
	parts := make([]cluster.Part, pairs)
	fresh, seen := 0, 0
	for i := range games {
		g := &games[i]
		if m.judged && g.Curve == nil {
			continue
		}
		p := &parts[g.Pair-1]
		before := p.Count
		m.count(g, p)
		if p.Count > before {
			f.Games++
		}
		seen++
		if !g.Repeats {
			fresh++
		}
	}
	if f.Games == 0 {
		return f
	}
	f.Value = cluster.Mean(parts, float64(fresh)/float64(seen), m.bounded)
	f.Low, f.High = m.bounds()
	return f
}

// bounds are the least and the greatest that the measure can be.
func (m *Measure) bounds() (low, high float64) {
	switch {
	case m.signed:
		return -1, 1
	case m.Share:
		return 0, 1
	}
	return 0, math.Inf(1)
}

// Figure is a measure of the games of one player under one ruleset.
type Figure struct {
	Measure string
	// Games is how many it was counted in; 0: it says nothing here, since they lack what
	// Lacks says, if they could have it.
	Games int
	Lacks string
	cluster.Value
}
