package lab

import (
	"slices"

	"github.com/ludozero/ludozero/stats/cluster"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/stats/resample"
	"github.com/ludozero/ludozero/study"
)

// Cell is the games of one player under one ruleset.
type Cell struct {
	// Side and Player are indices of Input.Rules and Input.Players.
	Side, Player int
	Games        []Game
	// Kinds are the names of Game.Kinds.
	Kinds []string
}

// Input is what a result is made of.
type Input struct {
	Game        string
	GameVersion int
	// Rules are one or two.
	Rules []string
	// Players are descriptions, from weak to strong.
	Players []string
	Config  Config
	// Cells are all players under the first rules, then under the second.
	Cells []Cell
	// Climbs are of each ruleset; none if depth was not asked for.
	Climbs []Climb
	Judge  string
	// Weights, Kernel, Command, Note and Stopped are as in Result.
	Weights map[string]string
	Kernel  string
	Command string
	Note    string
	Stopped *study.Stop
}

// Build makes the result of all games.
func Build(in *Input) *Result {
	r := &Result{
		Game: in.Game, GameVersion: in.GameVersion, Rules: in.Rules, Players: in.Players, Config: in.Config,
		Weights: in.Weights, Kernel: in.Kernel, Command: in.Command, Note: in.Note, Stopped: in.Stopped,
		Judge: in.Judge, Courses: in.courses(),
	}
	measures := measuresOf(in.Cells)
	figures := make([][]Figure, len(in.Cells))
	for i := range in.Cells {
		c := &in.Cells[i]
		for k := range measures {
			f := measures[k].value(c.Games)
			if f.Lacks != "" {
				f.Lacks = measures[k].Name + ": fewer than " + f.Lacks
			}
			figures[i] = append(figures[i], f)
		}
	}
	for k, m := range measures {
		if slices.ContainsFunc(figures, func(list []Figure) bool { return list[k].Games > 0 }) {
			r.Measures = append(r.Measures, m)
		}
	}
	for p, player := range in.Players {
		s := Strength{Player: player, Title: "Played by " + player}
		for side := range in.Rules {
			at := side*len(in.Players) + p
			s.Sides = append(s.Sides, sideOf(&in.Cells[at], figures[at]))
		}
		if len(in.Rules) == 2 {
			s.Differences = differences(figures[p], figures[len(in.Players)+p])
		}
		r.Strengths = append(r.Strengths, s)
	}
	if len(in.Climbs) > 0 {
		r.Measures = append(r.Measures, depthMeasures()...)
		r.Strengths = append(r.Strengths, in.climbed())
		r.Climbs = in.Climbs
	}
	correct(r.Strengths)
	r.Summary = r.summarise()
	return r
}

// measuresOf lists the measures of games that ended for these reasons and had these kinds
// of action.
func measuresOf(cells []Cell) []Measure {
	list := append(gameMeasures(), pooledMeasures()...)
	var reasons []string
	used := map[int]bool{}
	for i := range cells {
		for j := range cells[i].Games {
			g := &cells[i].Games[j]
			if !slices.Contains(reasons, g.Reason) {
				reasons = append(reasons, g.Reason)
			}
			for k, n := range g.Kinds {
				used[k] = used[k] || n > 0
			}
		}
	}
	slices.Sort(reasons)
	for _, reason := range reasons {
		list = append(list, endMeasure(reason))
	}
	list = append(list, curveMeasures()...)
	for k, name := range cells[0].Kinds {
		if used[k] {
			list = append(list, kindMeasure(name, k))
		}
	}
	return list
}

func sideOf(c *Cell, figures []Figure) Side {
	s := Side{Games: len(c.Games)}
	for i := range c.Games {
		if c.Games[i].Repeats {
			s.Repeated++
		}
	}
	s.take(figures)
	return s
}

// take enters the figures that say something, and what is lacking for others.
func (s *Side) take(figures []Figure) {
	for i := range figures {
		f := &figures[i]
		if f.Games > 0 {
			s.Figures = append(s.Figures, FigureResult{f.Measure, f.Games, f.Estimate()})
		}
		if f.Lacks != "" {
			s.Lacks = append(s.Lacks, f.Lacks)
		}
	}
}

// differences are of the figures that both sides have.
func differences(a, b []Figure) (list []Difference) {
	for i := range a {
		if x, y := &a[i], &b[i]; x.Games > 0 && y.Games > 0 {
			d := Difference{Measure: x.Measure}
			d.Value, d.P = cluster.Difference(&x.Value, &y.Value)
			list = append(list, d)
		}
	}
	return list
}

// correct corrects the tests of the whole sheet for being many.
func correct(strengths []Strength) {
	var all []*Difference
	var p []float64
	for i := range strengths {
		for j := range strengths[i].Differences {
			d := &strengths[i].Differences[j]
			all, p = append(all, d), append(p, d.P)
		}
	}
	for i, holm := range resample.Holm(p) {
		all[i].Holm, all[i].Found = holm, holm <= Significance
	}
}

// estimate is the figure of a measure on a side; ok is false if it says nothing.
func (s *Side) estimate(measure string) (e rating.Estimate, games int, ok bool) {
	for _, f := range s.Figures {
		if f.Measure == measure {
			return f.Value, f.Games, true
		}
	}
	return rating.Estimate{}, 0, false
}
