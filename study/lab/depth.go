package lab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"

	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/stats/cluster"
	"github.com/ludozero/ludozero/stats/rating"
	"github.com/ludozero/ludozero/study"
)

// Climb is how effort paid under one ruleset.
type Climb struct {
	Rules string `json:"rules"`
	Steps []Step `json:"steps"`
}

// Step is a match of a player with the same that has half of its effort.
type Step struct {
	Weaker   string `json:"weaker"`
	Stronger string `json:"stronger"`
	// Stronger's pairs by its half points in them, from 0 to 4; Repeated of them are the
	// same as an earlier one move by move.
	Pairs    rating.PairCounts `json:"pair_half_points"`
	Repeated int               `json:"repeated"`
	// Elo is the stronger's.
	Elo rating.Estimate `json:"elo"`
}

// rung is the score of a rung of skill, after Lantz et al. 2017.
const rung = 0.6

// maxDoublings keeps the greatest effort within reach of the least.
const maxDoublings = 16

func depthMeasures() []Measure {
	return []Measure{
		{
			ID: "depth", Name: "depth", Unit: "Elo a doubling of effort",
			Definition: "mean gain of a player that searches twice as much, against itself with half of that",
			Source:     "after Lantz et al. 2017 (strategic depth)",
			Breaks:     "where draws are many, Elo is small although mistakes are seen; it is about the efforts that were played",
		},
		{
			ID: "rungs", Name: "rungs of 60 %", Unit: "over all efforts",
			Definition: "players from the least to the greatest effort each of which scores 60 % against the one before",
			Source:     "Lantz et al. 2017 (skill ladder)",
			Breaks:     "as depth; more effort may climb further",
		},
	}
}

// effort finds what a description doubles.
var effort = regexp.MustCompile(`\b(sims|nodes)=([0-9]+)`)

// doubled describes the player with 2^n times its effort.
func doubled(description string, n int) (string, error) {
	at := effort.FindStringSubmatchIndex(description)
	if at == nil {
		return "", fmt.Errorf("--effort %s: want a player with sims= or nodes=, which are doubled", description)
	}
	x, err := strconv.Atoi(description[at[4]:at[5]])
	if err != nil || x > math.MaxInt32>>n {
		return "", fmt.Errorf("--effort %s: too much to be doubled %d times", description, n)
	}
	return description[:at[4]] + strconv.Itoa(x<<n) + description[at[5]:], nil
}

// Efforts of the least players, by default.
const (
	netEffort    = 4   // simulations
	searchEffort = 128 // positions looked at
)

// readEffort makes the players of rising effort, by default of the strongest player's
// network, or of a search where none plays.
func (s *Study) readEffort() error {
	o := &s.asked
	if o.DepthPairs == 0 {
		o.Effort = ""
		return nil
	}
	if o.Effort == "" {
		o.Effort = fmt.Sprintf("alphabeta:nodes=%d", searchEffort)
		if network := NetworkOf(s.strongest()); network != "" {
			o.Effort = player.NetText(network, netEffort)
		}
	}
	o.Effort = s.open.ByHash(o.Effort)[0]
	for n := range o.Doublings + 1 {
		text, err := doubled(o.Effort, n)
		if err != nil {
			return err
		}
		spec, err := s.open.Parse(text)
		if err != nil {
			return fmt.Errorf("--effort: %w", err)
		}
		if spec.ByTime {
			return errors.New("--effort: a player limited by time plays other games each time: want one with sims= or nodes= alone")
		}
		s.efforts = append(s.efforts, spec)
	}
	return nil
}

// climb plays the steps under the rules of that index up to the sizes of a round; said tells
// where the work stands.
func (s *Study) climb(ctx context.Context, side int, said string) (Climb, error) {
	g, o := s.rules[side], &s.asked
	c := Climb{Rules: g.Rules()}
	for n := 1; n < len(s.efforts); n++ {
		weaker, stronger := s.efforts[n-1], s.efforts[n]
		config := match.Config{Pairs: o.DepthPairs, MaxTurns: o.MaxTurns, Workers: o.Workers, Seed: seed.Number(o.Seed, "lab depth "+g.Rules(), uint64(n))}
		result, _, err := (&study.Match{
			Kind: "lab-depth", Dir: s.climbFolder(side, n), Config: config, Pairs: s.played.DepthPairs,
			Game: g, Players: [2]*player.Spec{stronger, weaker}, Sampling: o.sampling(),
			Openings: &match.Openings{Source: "the start", List: []match.Opening{{}}},
			Standing: func(t match.Tally) string {
				return fmt.Sprintf("%s: %s, %s against half of that %v", said, g.Rules(), stronger.Text, t)
			},
		}).Play(ctx, s.progress)
		if err != nil {
			return c, err
		}
		c.Steps = append(c.Steps, Step{weaker.Text, stronger.Text, result.Pairs, result.RepeatedPairs, result.Elo})
	}
	return c, nil
}

// climbFolder is where the match of the player of that effort with half of it is kept under
// the rules of an index, "" if nowhere.
func (s *Study) climbFolder(side, n int) string {
	return s.asked.Folder("depth", s.rules[side].Rules(), s.efforts[n].Text)
}

// climbFolders lists the folders of all matches of rising effort.
func (s *Study) climbFolders() (list []string) {
	for side := range s.rules {
		for n := 1; n < len(s.efforts); n++ {
			list = append(list, s.climbFolder(side, n))
		}
	}
	return list
}

// elo estimates the stronger's Elo with its standard error.
func (p *Step) elo() cluster.Value {
	n := p.Pairs.Pairs()
	var parts []cluster.Part
	for points, count := range p.Pairs {
		for range count {
			parts = append(parts, cluster.Part{Sum: float64(points) / 2, Count: 2})
		}
	}
	const scale = 400 / math.Ln10
	v := cluster.LogOdds(parts, float64(max(1, n-p.Repeated))/float64(n))
	return cluster.Value{Value: scale * v.Value, Error: scale * v.Error, Freedom: v.Freedom}
}

// figures are the depth and the rungs of a climb. Their error is not known if that of a step
// is not.
func (c *Climb) figures() []Figure {
	sum, variance, parts, games, known := 0.0, 0.0, 0.0, 0, true
	for i := range c.Steps {
		e := c.Steps[i].elo()
		v := e.Error * e.Error
		sum, variance, known = sum+e.Value, variance+v, known && e.Known()
		parts += v * v / e.Freedom
		games += 2 * c.Steps[i].Pairs.Pairs()
	}
	total := cluster.Value{Value: sum}
	if known {
		total.Error, total.Freedom = math.Sqrt(variance), variance*variance/parts // Satterthwaite 1946
	}
	scaled := func(id string, by float64) Figure {
		return Figure{Measure: id, Games: games, Value: cluster.Value{Value: total.Value * by, Error: total.Error * by, Freedom: total.Freedom}}
	}
	return []Figure{scaled("depth", 1/float64(len(c.Steps))), scaled("rungs", 1/rating.EloOf(rung))}
}

// climbed are the figures of all climbs, as those of a strength.
func (in *Input) climbed() Strength {
	steps := in.Climbs[0].Steps
	s := Strength{Title: fmt.Sprintf("Rising effort, %s to %s", steps[0].Weaker, steps[len(steps)-1].Stronger)}
	var sides [][]Figure
	for i := range in.Climbs {
		c := &in.Climbs[i]
		side := Side{}
		for j := range c.Steps {
			side.Games += 2 * c.Steps[j].Pairs.Pairs()
			side.Repeated += 2 * c.Steps[j].Repeated
		}
		list := c.figures()
		side.take(list)
		s.Sides, sides = append(s.Sides, side), append(sides, list)
	}
	if len(sides) == 2 {
		s.Differences = differences(sides[0], sides[1])
	}
	return s
}
