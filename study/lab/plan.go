package lab

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/study"
	"gonum.org/v1/gonum/stat/distuv"
)

// plan writes what will be played, how long that takes and what it can tell.
func (s *Study) plan(ctx context.Context, p *study.Plan) error {
	o := &s.asked
	var rules, folders []string
	for _, g := range s.rules {
		rules = append(rules, g.Rules())
	}
	for i := range s.shares {
		folders = append(folders, s.folder(&s.shares[i]))
	}
	p.Line("plan", "%s: %s, by %s", s.rules[0].Info().Name, names(rules), wording.Count(len(s.players), "player"))
	if s.note != "" {
		p.Line("", "%s", s.note)
	}
	if err := s.planUntrained(p); err != nil {
		return err
	}
	s.planPower(p)
	total := len(s.shares) * o.Games
	left, err := p.Games(total, folders, "%d, %d of each player under each ruleset", total, o.Games)
	if err != nil || left == 0 {
		return err
	}
	var work time.Duration
	for i := range s.players {
		spec := s.players[i].Spec
		x, err := p.Player(ctx, spec.Text, o.MaxTurns, func(number int) (engine.Game, match.Contestant, uint64, error) {
			g := s.rules[number%len(s.rules)]
			contestant, err := spec.Sampled(g, o.sampling())
			return g, contestant, seed.Number(o.Seed, "lab pilot", uint64(number)), err
		})
		if err != nil {
			return err
		}
		work += time.Duration(float64(len(s.rules)*o.Games) * x.Game())
	}
	p.Time(time.Duration(left*float64(work)), o.Workers, "")
	return nil
}

// planUntrained names networks that play rules that they have not learned.
func (s *Study) planUntrained(p *study.Plan) error {
	for i := range s.players {
		spec := s.players[i].Spec
		network := networkOf(spec.Text)
		if network == "" {
			continue
		}
		for _, g := range s.rules {
			trained, err := s.open.TrainedOn(network, g)
			if err != nil {
				return err
			}
			if !trained {
				p.Line("", "%s was never trained on %s", spec.Text, g.Rules())
			}
		}
	}
	return nil
}

// sheetRows is about how many rows a table of a sheet has.
const sheetRows = 25

// planPower writes the smallest differences that the sheet will usually find.
func (s *Study) planPower(p *study.Plan) {
	games := float64(s.asked.Games)
	single := 1.96 / math.Sqrt(games)
	p.Line("precision", "shares of games and scores to about ±%.1f points at each strength, other figures to ±%.2f of their spread among games", 100*single/2, single)
	if len(s.rules) < 2 {
		return
	}
	found := detectable(games, sheetRows*len(s.players))
	p.Line("finds", "in four of five sheets a difference of %.1f points in a share near one half, or of %.2f of the spread of another figure;", 100*found/2, found)
	p.Line("", "that is after the correction for some %d tests, and if no games repeat others", sheetRows*len(s.players))
}

// detectable is the difference, in standard deviations of a game, that a test finds in four
// of five cases if it is the first of a number of tests by Holm's method, of games under
// each of two rulesets.
func detectable(games float64, tests int) float64 {
	z := distuv.UnitNormal.Quantile(1-Significance/2/float64(tests)) + distuv.UnitNormal.Quantile(0.8)
	return z * math.Sqrt(2/games)
}

// number writes a number of a table with about three digits.
func number(x float64) string {
	switch a := math.Abs(x); {
	case a >= 100:
		return fmt.Sprintf("%.0f", x)
	case a >= 10:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}
