package balance

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/study"
)

// tunedFolder begins the names of the folders of checks.
const tunedFolder = "tuned-"

// plan writes what will be played and how long that takes.
func (s *Study) plan(ctx context.Context, p *study.Plan) error {
	o := &s.asked
	free, forced := 0, 0
	var names, folders []string
	for i := range s.variants {
		n := len(s.players) * len(o.Temperatures) * o.Games
		free += n
		forced += len(s.players)*o.Total(s.variants[i].Game) - n
		names = append(names, s.variants[i].Short)
	}
	for i := range s.shares {
		folders = append(folders, s.folder(&s.shares[i]))
	}
	for _, t := range s.tuned {
		folders = append(folders, s.asked.Folder(tunedFolder+s.variants[t.variant].Name))
	}
	checks := 2 * o.TunedPairs * len(s.tuned)
	p.Line("plan", "%s: %s; baseline %s", wording.Count(len(names), "variant"), strings.Join(names, ", "), s.variants[s.baseline].Name)
	if err := s.planVerdicts(p); err != nil {
		return err
	}
	left, err := p.Games(free+forced+checks, folders, "%d from the start, %d after forced first decisions, %d against tuned networks", free, forced, checks)
	if err != nil || left == 0 {
		return err
	}
	games := float64((free + forced) / len(s.players)) // of each player
	work, simulations := time.Duration(0), 0.0
	for i := range s.players {
		one := &s.players[i]
		x, err := p.Player(ctx, one.Spec.Text, o.MaxTurns, func(number int) (engine.Game, match.Contestant, uint64, error) {
			g := s.variants[number%len(s.variants)].Game
			contestant, err := one.Spec.Sampled(g, player.Sampling{Decisions: o.Sampled, Temperature: o.Temperatures[number%len(o.Temperatures)]})
			return g, contestant, seed.Number(o.Seed, "balance pilot", uint64(number)), err
		})
		if err != nil {
			return err
		}
		n := games
		if one == s.strongest() {
			n += float64(checks)
		}
		work += time.Duration(n * x.Game())
		simulations += n * x.Decisions * float64(one.Simulations)
	}
	if simulations > 0 {
		p.Line("work", "about %s simulations of networks in all, each with at most one evaluation", study.Rounded(simulations))
	}
	p.Time(time.Duration(left*float64(work)), o.Workers, "")
	half := 1.96 * 0.5 / math.Sqrt(float64(o.Games*len(o.Temperatures)))
	p.Line("precision", "the first player's score of one player in one variant to about ±%.1f points, if nothing is drawn or repeated", 100*half)
	if checks > 0 {
		score := 0.5 + min(0.49, 1.96*0.5/math.Sqrt(float64(2*o.TunedPairs)))
		p.Line("", "Elo against a tuned network to about ±%.0f, and all of that has to be above %d", 400*math.Log10(score/(1-score)), -EloCondition)
	}
	return nil
}

// planVerdicts writes whether verdicts can come out, what they lack, and how many games
// they take.
func (s *Study) planVerdicts(p *study.Plan) error {
	var missing, possible, untrained []string
	baseline := false // can be compared
	for i := range s.variants {
		v := &s.variants[i]
		tuned := len(s.asked.Networks) == 0 || slices.ContainsFunc(s.tuned, func(t tunedNetwork) bool { return t.variant == i })
		switch {
		case !tuned:
			missing = append(missing, v.Name)
		case i == s.baseline:
			baseline = true
		default:
			possible = append(possible, v.Name)
		}
		for _, network := range s.asked.Networks {
			trained, err := s.open.TrainedOn(network, v.Game)
			if err != nil {
				return err
			}
			if !trained {
				untrained = append(untrained, network+" on "+v.Name)
			}
		}
	}
	if len(s.variants) > 1 {
		switch {
		case !baseline || len(possible) == 0:
			p.Line("verdict", "none can come out of these games")
		case len(s.asked.Networks) == 0:
			p.Line("verdict", "can come out for every variant")
		default:
			p.Line("verdict", "can come out for %s, if no tuned network is %d Elo stronger or more", strings.Join(possible, ", "), EloCondition)
		}
		if len(missing) > 0 {
			p.Line("", "missing: --tuned networks, trained further on %s", strings.Join(missing, ", "))
		}
	}
	if len(untrained) > 0 {
		p.Line("", "never trained: %s", strings.Join(untrained, ", "))
	}
	if len(s.variants) == 1 {
		return nil
	}
	c, networks := &s.asked.Config, max(1, len(s.asked.Networks))
	planned := c.Games * len(c.Temperatures) * networks
	half := reach(planned, len(s.variants)-1, networks)
	p.Line("", "%d games a variant tell differences of |δ| to about ±%.1f points, if nothing is drawn or repeated", planned, 100*min(0.5, half))
	if c.Matters > 0 && half > c.Matters {
		const many = 1_000_000 // the width goes with the root of the number
		games := many * math.Pow(reach(many, len(s.variants)-1, networks)/c.Matters, 2)
		p.Line("", "to tell ±%s, for a verdict on variants that are equally fair, takes at least --games %.0f", difference(c.Matters), 2*math.Ceil(games/float64(2*len(c.Temperatures)*networks)))
	}
	return nil
}

// newShares makes the shares of all players, variant by variant.
func (s *Study) newShares() ([]share, error) {
	var list []share
	for i := range s.variants {
		for k := range s.players {
			series, cells, err := s.asked.Series(&s.variants[i], s.players, k)
			if err != nil {
				return nil, err
			}
			series.Workers = s.asked.Workers
			list = append(list, share{variant: i, player: k, series: series, cells: cells})
		}
	}
	return list, nil
}

// folder is where the games of x are kept, "" if nowhere.
func (s *Study) folder(x *share) string {
	return s.asked.Folder(s.variants[x.variant].Name, s.players[x.player].Spec.Text)
}

// play plays all games up to the sizes of a round.
func (s *Study) play(ctx context.Context, round, rounds int) (err error) {
	s.played = s.asked
	s.played.Config = s.asked.Until(round, rounds)
	s.played.TunedPairs = match.Share(s.asked.TunedPairs, round, rounds)
	for i := range s.shares {
		x := &s.shares[i]
		x.series.Until = s.played.Total(s.variants[x.variant].Game)
		if err := s.playShare(ctx, x, fmt.Sprintf("round %d of %d, %d of %d", round, rounds, i+1, len(s.shares))); err != nil {
			return err
		}
	}
	s.checks = make([]Check, len(s.tuned))
	for i := range s.tuned {
		if s.checks[i], err = s.check(ctx, &s.tuned[i], s.played.TunedPairs); err != nil {
			return err
		}
	}
	return nil
}

// playShare plays the games of x up to x.series.Until; said tells where the work
// stands.
func (s *Study) playShare(ctx context.Context, x *share, said string) (err error) {
	v, p := &s.variants[x.variant], &s.players[x.player]
	var first match.Tally
	work := &study.Series{Kind: "balance", Work: archive.Work{
		Dir: s.folder(x), Series: x.series, Quiet: true,
		Counted: func(g *match.Game) bool {
			if g.AFirst {
				first.Add(g.Points)
			} else {
				first.Add(1 - g.Points)
			}
			return true
		},
		Standing: func() string {
			return fmt.Sprintf("%s: %s by %s, first player +%d =%d -%d", said, v.Name, p.Spec.Text, first.Wins, first.Draws, first.Losses)
		},
		Result: func(games []match.Game) (any, error) {
			return struct {
				Variant string      `json:"variant"`
				Player  string      `json:"player"`
				Games   int         `json:"games"`
				First   match.Tally `json:"first"`
			}{v.Name, p.Spec.Text, len(games), first}, nil
		},
	}}
	work.Players = slices.Repeat([]*player.Spec{p.Spec}, len(x.series.Contestants))
	if p.Network != "" {
		work.Settings = s.precision()
	}
	games, err := work.Play(ctx, s.progress)
	if err == nil {
		x.games = games[:x.series.Until]
	}
	return err
}

// precision is what the description of a network's player leaves out if it is the
// default, which another program may have otherwise.
func (s *Study) precision() map[string]string {
	return map[string]string{"precision": s.asked.Precision}
}

// check plays the first network against one that was trained on a variant, from the
// start, both drawing their first decisions at the lowest temperature.
func (s *Study) check(ctx context.Context, t *tunedNetwork, pairs int) (Check, error) {
	o, v, shared := &s.asked, &s.variants[t.variant], s.strongest()
	sampling := player.Sampling{Decisions: o.Sampled, Temperature: slices.Min(o.Temperatures)}
	a, err := shared.Spec.Sampled(v.Game, sampling)
	if err != nil {
		return Check{}, err
	}
	b, err := t.spec.Sampled(v.Game, sampling)
	if err != nil {
		return Check{}, err
	}
	config := match.Config{Pairs: o.TunedPairs, MaxTurns: o.MaxTurns, Workers: o.Workers, Seed: seed.Number(o.Seed, "balance check "+v.Game.Rules(), 0)}
	if err := config.Validate(); err != nil {
		return Check{}, err
	}
	result, _, err := (&study.Match{
		Kind: "balance-check", Dir: o.Folder(tunedFolder + v.Name), Config: config, Pairs: pairs, Settings: s.precision(),
		Game: v.Game, Players: [2]*player.Spec{shared.Spec, t.spec}, Contestants: [2]match.Contestant{a, b},
		Openings: &match.Openings{Source: "the start", List: []match.Opening{{}}},
	}).Play(ctx, s.progress)
	if err != nil {
		return Check{}, err
	}
	return NewCheck(v.Name, shared.Spec.Text, t.spec.Text, result), nil
}
