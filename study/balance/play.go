package balance

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/stats/resample"
	"github.com/ludozero/ludozero/study"
)

// tunedFolder begins the names of the folders of checks.
const tunedFolder = "tuned-"

// plan writes what will be played and how long that takes.
func (s *Study) plan(ctx context.Context, p *study.Plan) error {
	o := &s.asked
	total := 0
	var names, folders []string
	for i := range s.variants {
		total += len(s.players) * o.Total(&s.variants[i])
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
	head := "starts"
	for i := range s.variants {
		v := &s.variants[i]
		text := "one, with nothing to settle"
		if n := len(v.Starts.List); n > 1 {
			text = fmt.Sprintf("%d different ones, by %s", n, wording.Count(v.Starts.Lines, "line"))
		}
		p.Line(head, "%s: %s; %s of each by each player", v.Short, text, wording.Count(o.ofStart(v), "game"))
		head = ""
	}
	if err := s.planVerdicts(p); err != nil {
		return err
	}
	left, err := p.Games(total+checks, folders, "%d from all starts alike, %d against tuned networks", total, checks)
	if err != nil || left == 0 {
		return err
	}
	games := float64(total / len(s.players)) // of each player
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
	if checks > 0 {
		score := 0.5 + min(0.49, 1.96*0.5/math.Sqrt(float64(2*o.TunedPairs)))
		p.Line("precision", "Elo against a tuned network to about ±%.0f, and all of that has to be above %d", 400*math.Log10(score/(1-score)), -EloCondition)
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
	s.planPrecision(p)
	return nil
}

// planPrecision writes how well the games tell the score of each variant and the distance
// between the one with the most starts and the baseline, and what tells the one that
// matters.
func (s *Study) planPrecision(p *study.Plan) {
	c, networks := &s.asked.Config, max(1, len(s.asked.Networks))
	base := &s.variants[s.baseline]
	head, worst := "precision", base
	for i := range s.variants {
		v := &s.variants[i]
		games := networks * c.ofStart(v)
		half := 100 * min(0.5, reach(1/float64(games), 1, networks))
		text := fmt.Sprintf("±%.1f points", half)
		if len(v.Starts.List) > 1 {
			text += fmt.Sprintf(" if one start is clearly the best, by its %s", wording.Count(games, "game"))
			if alike, ok := c.alike(v, networks); ok {
				text = fmt.Sprintf("±%.1f points if all starts are alike, ", 100*min(0.5, alike)) + text
			}
		}
		p.Line(head, "%s: the first player's score to about %s", v.Short, text)
		if head = ""; i != s.baseline && (worst == base || len(v.Starts.List) > len(worst.Starts.List)) {
			worst = v
		}
	}
	p.Line("", "if nothing is drawn or repeated and all networks agree")
	if len(s.variants) == 1 {
		return
	}
	each := func(v *Variant) float64 { return 1 / float64(networks*c.ofStart(v)) }
	half := reach(each(base)+each(worst), len(s.variants)-1, networks)
	p.Line("", "%s against %s: differences of |δ| to about ±%.1f points if one start of each is clearly the best", worst.Short, base.Short, 100*min(0.5, half))
	if c.Matters > 0 && half > c.Matters {
		const many = 1e-6 // games; the width goes with the root of their number
		starts := float64(len(base.Starts.List) + len(worst.Starts.List))
		games := starts * math.Pow(reach(many, len(s.variants)-1, networks)/c.Matters, 2) / (many * float64(2*len(c.Temperatures)*networks))
		more, total := *c, 0
		more.Games = 2 * int(math.Ceil(games))
		for i := range s.variants {
			total += len(s.players) * more.Total(&s.variants[i])
		}
		p.Line("", "to tell ±%s then, for a verdict on variants that are equally fair, takes --games %d: %d games in all", difference(c.Matters), more.Games, total)
	}
}

// maxAlike is more games than are simulated for a plan.
const maxAlike = 200_000

// alike is half the width of the interval of a variant's score if all its starts are alike
// and games won and lost by halves: many starts are chosen then, and the games of all of them
// count. ok is false for more than maxAlike games.
func (c *Config) alike(v *Variant, networks int) (half float64, ok bool) {
	games := c.ofStart(v)
	if networks*games*len(v.Starts.List) > maxAlike {
		return 0, false
	}
	in, g := &VariantInput{Variant: *v}, &group{}
	rng := rand.New(seed.Stream(c.Seed, "balance plan", 0))
	for k := range networks {
		g.members = append(g.members, k)
		for start := range v.Starts.List {
			for n := range games {
				in.Played = append(in.Played, Played{Cell: Cell{Player: k, Start: start}, Number: n + 1, First: float64(rng.IntN(2))})
			}
		}
	}
	chosen := in.choose(g, c.Seed)
	e := resample.Sum(one(chosen.samples(in, true, first)), resample.Options{Replicates: countReplicates, Seed: c.Seed})
	return (e.High - e.Low) / 2, true
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
		x.series.Until = s.played.Total(&s.variants[x.variant])
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
	config := match.Config{Pairs: o.TunedPairs, MaxTurns: o.MaxTurns, Workers: o.Workers, Seed: seed.Number(o.Seed, "balance check "+v.Game.Rules(), 0)}
	if err := config.Validate(); err != nil {
		return Check{}, err
	}
	result, _, err := (&study.Match{
		Kind: "balance-check", Dir: o.Folder(tunedFolder + v.Name), Config: config, Pairs: pairs, Settings: s.precision(),
		Game: v.Game, Players: [2]*player.Spec{shared.Spec, t.spec}, Sampling: player.Sampling{Decisions: o.Sampled, Temperature: slices.Min(o.Temperatures)},
		Openings: &match.Openings{Source: "the start", List: []match.Opening{{}}},
	}).Play(ctx, s.progress)
	if err != nil {
		return Check{}, err
	}
	return NewCheck(v.Name, shared.Spec.Text, t.spec.Text, result), nil
}
