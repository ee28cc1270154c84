package lab

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/study"
	"github.com/ludozero/ludozero/study/luck"
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
	games, matches := len(s.shares)*o.Games, len(s.rules)*2*o.DepthPairs*max(0, len(s.efforts)-1)
	if o.DepthPairs > 0 {
		folders = append(folders, s.climbFolders()...)
	}
	left, err := p.Games(games+matches, folders, "%d, %d of each player under each ruleset; %d of rising effort", games, o.Games, matches)
	if err != nil || left == 0 {
		return err
	}
	work, judged := 0.0, 0.0 // time, decisions
	for i := range s.players {
		x, err := s.pilot(ctx, p, "", s.players[i].Spec)
		if err != nil {
			return err
		}
		work += float64(len(s.rules)*o.Games) * x.Game()
		judged += float64(len(s.rules)*min(o.Judged, o.Games)) * x.Decisions
	}
	if s.judge != nil {
		x, err := s.pilot(ctx, p, "judge, ", s.judge)
		if err != nil {
			return err
		}
		dice, err := s.diceTime(ctx)
		if err != nil {
			return err
		}
		work += judged * ((1+stakeShare)*float64(x.Decision) + dice)
	}
	if n := len(s.efforts) - 1; n > 0 {
		least, err := s.pilot(ctx, p, "least effort, ", s.efforts[0])
		if err != nil {
			return err
		}
		greatest, err := s.pilot(ctx, p, "greatest effort, ", s.efforts[n])
		if err != nil {
			return err
		}
		step := math.Pow(greatest.Game()/max(1, least.Game()), 1/float64(n))
		for k := range n { // half of a game is by the weaker
			work += float64(matches/n) * least.Game() * math.Pow(step, float64(k)) * (1 + step) / 2
		}
	}
	p.Time(time.Duration(left*work), o.Workers, "")
	return nil
}

// pilot watches a player as it plays for the sheet; role is what else than a player of the
// sheet it is.
func (s *Study) pilot(ctx context.Context, p *study.Plan, role string, spec *player.Spec) (study.Pilot, error) {
	return p.Player(ctx, role+spec.Text, s.asked.MaxTurns, func(number int) (engine.Game, match.Contestant, uint64, error) {
		g := s.rules[number%len(s.rules)]
		contestant, err := spec.Sampled(g, s.asked.sampling())
		return g, contestant, seed.Number(s.asked.Seed, "lab pilot", uint64(number)), err
	})
}

// diceTime is how long judging the dice of a game takes a decision, by a random game; 0
// without dice.
func (s *Study) diceTime(ctx context.Context) (float64, error) {
	g := s.rules[0]
	if g.Info().NumChance == 0 {
		return 0, nil
	}
	p, err := s.dice.New(g)
	if err != nil {
		return 0, err
	}
	defer match.Dismiss(p)
	const most = 60 // decisions
	rng := rand.New(seed.Stream(s.asked.Seed, "lab pilot dice", 0))
	var words []string
	decisions := 0
	st, h := g.NewState(), g.NewHistory()
	st.Start(h)
	for st.Actor() != engine.Nobody && decisions < most {
		list := engine.AppendPossible(nil, new([]engine.Weighted), st, h)
		if st.Actor() != engine.Chance {
			decisions++
		}
		a := list[rng.IntN(len(list))]
		words = append(words, string(st.AppendAction(nil, a)))
		st.Apply(a, h)
	}
	began := time.Now()
	_, err = luck.NewJudge(g, p).Game(ctx, 1, luck.Moves{Words: words})
	return float64(time.Since(began)) / float64(max(1, decisions)), err
}

// planUntrained names networks that play rules that they have not learned.
func (s *Study) planUntrained(p *study.Plan) error {
	for i := range s.players {
		spec := s.players[i].Spec
		network := NetworkOf(spec.Text)
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
const sheetRows = 30

// planPower writes the smallest differences that the sheet will usually find.
func (s *Study) planPower(p *study.Plan) {
	games := float64(s.asked.Games)
	single := 1.96 / math.Sqrt(games)
	p.Line("precision", "shares of games and scores to about ±%.1f points at each strength, other figures to ±%.2f of their spread among games", min(50, 100*single/2), single)
	if len(s.rules) < 2 {
		return
	}
	found := detectable(games, sheetRows*len(s.players))
	share := fmt.Sprintf("a difference of %.1f points in a share near one half, or", 100*found/2)
	if found > 2 { // of a share from 0 to 100 %
		share = "no difference in a share, however large, but"
	}
	p.Line("finds", "in four of five sheets %s one of %.2f of the spread of another figure;", share, found)
	p.Line("", "that is after the correction for some %d tests, and if no games repeat others", sheetRows*len(s.players))
}

// detectable is the difference, in standard deviations of a game, that a test finds in four
// of five cases if it is the first of a number of tests by Holm's method, of games under
// each of two rulesets.
func detectable(games float64, tests int) float64 {
	z := distuv.UnitNormal.Quantile(1-Significance/2/float64(tests)) + distuv.UnitNormal.Quantile(0.8)
	return z * math.Sqrt(2/games)
}
