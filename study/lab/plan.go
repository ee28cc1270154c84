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
	unjudged, err := s.unjudged()
	if err != nil {
		return err
	}
	p.More = unjudged > 0
	left, err := p.Games(games+matches, folders, "%d, %d of each player under each ruleset; %d of rising effort", games, o.Games, matches)
	if err != nil || left+unjudged == 0 {
		return err
	}
	work, judging := 0.0, 0.0 // time
	var watched []study.Pilot
	for i := range s.players {
		x, err := s.pilot(ctx, p, "", s.players[i].Spec)
		if err != nil {
			return err
		}
		work += float64(len(s.rules)*o.Games) * x.Game()
		watched = append(watched, x)
	}
	if s.judge != nil {
		if judging, err = s.planJudge(ctx, p, watched); err != nil {
			return err
		}
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
	p.Time(time.Duration(left*work+unjudged*judging), o.Workers, "")
	return nil
}

// unjudged is the share of the games for the judge that it has not seen.
func (s *Study) unjudged() (float64, error) {
	total := len(s.shares) * min(s.asked.Judged, s.asked.Games)
	if s.judge == nil || total == 0 {
		return 0, nil
	}
	var files []string
	for i := range s.shares {
		if path := s.judgedFile(&s.shares[i]); path != "" {
			files = append(files, path)
		}
	}
	seen, err := study.Lines(files)
	return 1 - min(1, float64(seen)/float64(total)), err
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

// planJudge watches the judge in the games that players were watched in, writes what was
// seen, and returns how long judging takes.
func (s *Study) planJudge(ctx context.Context, p *study.Plan, watched []study.Pilot) (work float64, err error) {
	games := float64(len(s.rules) * min(s.asked.Judged, s.asked.Games))
	turns := 0.0
	for i := range watched {
		x := &watched[i]
		each, err := s.judgeTime(ctx, x)
		if err != nil {
			return 0, err
		}
		work += games * x.Turns * float64(each)
		turns += games * x.Turns
	}
	p.Line("", "judge, %s: %v a turn, in games of these players", s.judge.Text, study.Short(time.Duration(work/max(1, turns))))
	return work, nil
}

// The judge is watched in parts of a game of each player that are this many turns long, for
// this long, and no part for longer than the limit.
const (
	judgedTurns = 8
	judgePilot  = time.Second / 2
	judgeLimit  = 5 * time.Second
)

// judgeTime is how long the judge takes for a turn of the game that a player was watched
// in, all that is asked about it included.
func (s *Study) judgeTime(ctx context.Context, x *study.Pilot) (time.Duration, error) {
	j, dismiss, err := s.newJudge(x.Rules)
	if err != nil {
		return 0, err
	}
	defer dismiss()
	var parts []match.Game
	st, h := x.Rules.NewState(), x.Rules.NewHistory()
	st.Start(h)
	next := 0 // the turn that a part begins with
	for _, a := range x.Actions {
		if st.Actor() != engine.Chance && st.Turn() >= next {
			parts = append(parts, match.Game{Number: len(parts) + 1, AFirst: true, Start: string(st.AppendPosition(nil))})
			next = st.Turn() + judgedTurns
		}
		if len(parts) > 0 {
			parts[len(parts)-1].Moves += string(st.AppendAction(nil, a)) + " "
		}
		st.Apply(a, h)
	}
	rng := rand.New(seed.Stream(s.asked.Seed, "lab pilot judge", 0))
	rng.Shuffle(len(parts), func(i, k int) { parts[i], parts[k] = parts[k], parts[i] })
	limited, cancel := context.WithTimeout(ctx, judgeLimit)
	defer cancel()
	began, turns := time.Now(), 0
	for i := range parts {
		c, err := j.curve(limited, s.asked.Seed, &parts[i])
		if err != nil && limited.Err() == nil {
			return 0, err
		}
		if turns += max(0, len(c.Values)-1); err != nil || time.Since(began) > judgePilot {
			break
		}
	}
	return time.Since(began) / time.Duration(max(1, turns)), context.Cause(ctx)
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
