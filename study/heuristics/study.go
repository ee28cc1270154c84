package heuristics

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/study"
)

// Options are what a test is asked.
type Options struct {
	study.Options
	Rules string
	// Networks are two or more; the first is tested, the others have to agree.
	Networks []string
	// Runs name recorded games, of which Records at most are observed; without any the
	// games of the networks are. Recorded reads them.
	Runs     []string
	Records  int
	Recorded Recorded
	Config
}

// Recorded calls visit with recorded games, those of the newest shards first, until visit has enough.
type Recorded func(visit func(*Game) (more bool, err error)) error

// DefaultOptions lacks the networks.
func DefaultOptions() Options {
	return Options{Records: 2000, Config: Config{
		Pairs: 200, Depth: 2, Games: 100, Sims: 64, Sampled: 16, PerGame: 2, Most: 150, ChooseSims: 64, JudgeSims: 256, MaxTurns: 600, Seed: 1,
	}}
}

// Settings are the options that have flags.
func (o *Options) Settings() []study.Setting {
	return []study.Setting{
		{Name: "rules", Value: &o.Rules, Help: "rules of Kon'reh in one word, PRESET,OPTION=VALUE,...; see ludozero rules"},
		{Name: "networks", Value: &o.Networks, Help: "two networks or more, each a path or the name of a shipped one"},
		{Name: "pairs", Value: &o.Pairs, Help: "pairs of games of each rule against the player without it"},
		{Name: "depth", Value: &o.Depth, Help: "player turns that these look ahead"},
		{Name: "games", Value: &o.Games, Help: "games of the networks that choices are drawn from, even"},
		{Name: "sims", Value: &o.Sims, Help: "simulations a move in those games"},
		{Name: "sampled", Value: &o.Sampled, Help: "decisions that each player of those games draws from its policy"},
		{Name: "per-game", Value: &o.PerGame, Help: "choices of one kind and situation from a game"},
		{Name: "most", Value: &o.Most, Help: "choices of one kind and situation in all"},
		{Name: "choose-sims", Value: &o.ChooseSims, Help: "simulations of the search that chooses moves"},
		{Name: "judge-sims", Value: &o.JudgeSims, Help: "simulations of the search that judges what follows from a move"},
		{Name: "max-turns", Value: &o.MaxTurns, Help: "turns after which a game is a draw; 0: no limit"},
		{Name: "run", Value: &o.Runs, Each: true, Help: "observe recorded games of this run or these shards, the newest shards first, of several runs in turn, instead of the networks' games; may be repeated"},
		{Name: "records", Value: &o.Records, Help: "greatest number of recorded games"},
		{Name: "seed", Value: &o.Seed, Help: "seed of players, choices and intervals"},
	}
}

// maxNumber keeps numbers on the command line in the memory of one machine.
const maxNumber = 1_000_000

func (o *Options) validate() error {
	errs := []error{o.Validate()}
	from := map[string]int{
		"pairs": 1, "games": 2, "sims": 1, "sampled": 0, "per-game": 1, "most": 1, "choose-sims": 1, "judge-sims": 1, "max-turns": 0, "records": 1,
	}
	for _, s := range o.Settings() {
		least, bounded := from[s.Name]
		if n, ok := s.Value.(*int); ok && bounded && (*n < least || *n > maxNumber) {
			errs = append(errs, fmt.Errorf("--%s %d: want %d to %d", s.Name, *n, least, maxNumber))
		}
	}
	if o.Games%2 != 0 {
		errs = append(errs, fmt.Errorf("--games %d: want an even number", o.Games))
	}
	if len(o.Networks) < 2 {
		errs = append(errs, errors.New("--networks: want two or more, since no network judges the moves that it has chosen"))
	}
	return errors.Join(errs...)
}

// Study is a test that has been checked as far as that is possible before its first
// game.
type Study struct {
	o        Options
	game     *konreh.Game
	progress archive.Progress
	// A player, a chooser and a judge of each network.
	players, choosers, judges []*player.Spec
	hashes                    []string
	// schools are the players with each rule, and without any last.
	schools []*player.Spec
	asked   asked
	in      *Input // what was played and judged up to the end of a round
	games   []Game // of the networks, then of on and off
	own     int    // of the networks
}

// New checks a test by the rules of g and reports all that is wrong with it.
func New(o Options, g *konreh.Game, players *open.Players, p archive.Progress) (*Study, error) {
	s := &Study{o: o, game: g, progress: p}
	if err := o.validate(); err != nil {
		return nil, study.Usage(err)
	}
	var err error
	o.Networks = o.ByHash(o.Networks...)
	s.o.Networks = o.Networks
	for _, n := range o.Networks {
		for _, x := range []struct {
			list *[]*player.Spec
			sims int
		}{{&s.players, o.Sims}, {&s.choosers, o.ChooseSims}, {&s.judges, o.JudgeSims}} {
			spec, err := players.Parse(study.NetText(n, x.sims, ""))
			if err == nil {
				_, err = spec.New(g) // so that all that is wrong with it is known now
			}
			if err != nil {
				return nil, study.Usage(err)
			}
			*x.list = append(*x.list, spec)
		}
	}
	if s.hashes, err = study.Different(o.Networks); err != nil {
		return nil, study.Usage(err)
	}
	var ids []string
	for _, r := range rules {
		ids = append(ids, r.School())
	}
	for _, id := range append(ids, "none") {
		spec, err := players.Parse(fmt.Sprintf("school:%s,depth=%d", id, o.Depth))
		if err != nil {
			return nil, study.Usage(err)
		}
		s.schools = append(s.schools, spec)
	}
	return s, nil
}

// asked is what asked.json says. Recorded games are named, not described: a run may
// have added some since.
type asked struct {
	Format      int            `json:"format"`
	GameVersion int            `json:"game_version"`
	Rules       string         `json:"rules"`
	Networks    []study.Player `json:"networks"`
	Schools     []study.Player `json:"schools"`
	Config      Config         `json:"config"`
	Runs        []string       `json:"runs,omitempty"`
	Records     int            `json:"records,omitempty"`
	Kernel      string         `json:"kernel"`
	CoreTime    time.Duration  `json:"core_time_ns,omitempty"`
}

const askedFormat = 2

// Experiment is what the runner plays.
func (s *Study) Experiment() (*study.Experiment, error) {
	o := &s.o
	s.asked = asked{
		Format: askedFormat, GameVersion: s.game.Info().Version, Rules: s.game.Rules(), Config: o.Config, Runs: o.Runs, Kernel: kernel.Arithmetic(), CoreTime: o.CoreTime,
	}
	if len(o.Runs) > 0 {
		s.asked.Records = o.Records
	}
	for i, n := range o.Networks {
		s.asked.Networks = append(s.asked.Networks, study.Player{Player: n, Identity: s.hashes[i]})
	}
	var err error
	if s.asked.Schools, err = study.AskPlayers(s.schools...); err != nil {
		return nil, err
	}
	e := &study.Experiment{
		Options: &o.Options, Name: "heuristics", Asked: &s.asked, Result: &Result{},
		Rounds: 1, // as some choices of a round are none of the next
		Sizes:  study.Flags(o.Settings(), "pairs", "games", "most"),
		Same:   s.same, Plan: s.plan, Play: s.play, Finish: s.finish,
	}
	if o.CoreTime > 0 {
		e.Rounds = o.Pairs
	}
	return e, nil
}

// same refuses to resume anything but the same test with another limit of time.
func (s *Study) same(before []byte) error {
	var was asked
	if err := json.Unmarshal(before, &was); err != nil {
		return fmt.Errorf("%s: %w", study.AskedFile, err)
	}
	was.CoreTime = s.asked.CoreTime
	if reflect.DeepEqual(was, s.asked) {
		return nil
	}
	o := s.o
	if o.Config, o.Runs = was.Config, was.Runs; len(o.Runs) > 0 {
		o.Records = was.Records
	}
	var names []string
	for _, x := range o.Settings() {
		names = append(names, x.Name)
	}
	err := study.Changed(o.Settings(), s.o.Settings(), names...)
	if err == nil {
		err = fmt.Errorf("%s: want the same again, or a folder of its own", was.differs(&s.asked))
	}
	return fmt.Errorf("%s says that it was begun for something else: %w", study.AskedFile, err)
}

// differs says what no flag alone decides and differs now.
func (a *asked) differs(now *asked) string {
	for _, x := range []struct{ name, before, now string }{
		{"rules", a.Rules, now.Rules},
		{"networks", named(a.Networks), named(now.Networks)},
		{"schools", named(a.Schools), named(now.Schools)},
		{"kernel", a.Kernel, now.Kernel},
	} {
		if x.before != x.now {
			return fmt.Sprintf("%s %s there, %s now", x.name, x.before, x.now)
		}
	}
	return "by another version of the game or of this program"
}

// named are players with the beginnings of their hashes.
func named(list []study.Player) string {
	var words []string
	for _, p := range list {
		words = append(words, fmt.Sprintf("%s (%.15s)", p.Player, p.Identity))
	}
	return strings.Join(words, ", ")
}

// command repeats the test of these sizes, with every value that figures depend on.
func (s *Study) command(sizes Config) string {
	o := s.o
	o.Config = sizes
	list := o.Settings()
	if len(o.Runs) == 0 {
		list = slices.DeleteFunc(list, func(s study.Setting) bool { return s.Name == "records" })
	}
	return o.Call("heuristics test " + study.Flags(list))
}

// plan writes what will be done and how long that takes.
func (s *Study) plan(ctx context.Context, p *study.Plan) error {
	o := &s.o
	kinds := 0
	for _, q := range questions {
		kinds += len(q.Levels)
	}
	school, err := study.Watch(ctx, o.MaxTurns, study.Alone(s.game, s.schools[0], o.Seed, "heuristics pilot"))
	if err != nil {
		return err
	}
	network, err := study.Watch(ctx, o.MaxTurns, study.Alone(s.game, s.players[0], o.Seed, "heuristics pilot"))
	if err != nil {
		return err
	}
	search := float64(network.Decision) / float64(o.Sims) // a simulation
	choices := min(o.Most, o.PerGame*o.Games) * kinds
	simulations := float64(choices * len(s.judges) * (o.ChooseSims + 2*o.JudgeSims))
	total := float64(2*o.Pairs*len(rules))*school.Game() + float64(o.Games)*network.Game() + simulations*search
	p.Line("plan", "%s: %d games each on and off", wording.Count(len(rules), "rule"), 2*o.Pairs)
	p.Line("games", "%d of %s to draw choices from", o.Games, wording.Count(len(s.players), "network"))
	p.Line("choices", "at most %d of %d kinds, by %s: up to %s simulations", choices, kinds, wording.Count(len(s.judges), "network"), study.Rounded(simulations))
	if most := s.game.GreenCap(); most != 6 {
		p.Line("caution", "cap-lead is about a cap of six Greens, near with the fifth; these rules have %d", most)
	}
	p.Time(time.Duration(total), o.Workers, "if no choice is rare, by what two players did in a moment")
	return nil
}

// play does all that is missing up to the end of a round.
func (s *Study) play(ctx context.Context, round, rounds int) error {
	sizes := s.o.Until(round, rounds)
	s.in = &Input{
		GameVersion: s.game.Info().Version, Rules: s.game.Rules(), Networks: s.o.Networks, Weights: map[string]string{}, Config: sizes, Command: s.command(sizes),
	}
	for i, n := range s.o.Networks {
		s.in.Weights[n] = s.hashes[i]
	}
	more, err := s.onOff(ctx, sizes)
	if err != nil {
		return err
	}
	if s.games, err = s.ownGames(ctx, sizes.Games); err != nil {
		return err
	}
	s.own = len(s.games)
	s.games = append(s.games, more...)
	s.in.Asked = Ask(s.games, s.own, Limits{PerGame: sizes.PerGame, Most: sizes.Most}, sizes.Seed)
	s.in.Verdicts, err = s.judge(ctx)
	return err
}

// onOff plays the matches of each rule. All begin with the same openings. Of their games
// it returns some for choices that are rare in games of networks, three games in all for
// each that the networks play: the first of every rule, then the second of every rule, so
// that no rule has more than others.
func (s *Study) onOff(ctx context.Context, sizes Config) ([]Game, error) {
	cfg := match.Config{Pairs: s.o.Pairs, OpeningTurns: OpeningTurns, MaxTurns: s.o.MaxTurns, Workers: s.o.Workers, Seed: seed.Number(s.o.Seed, "heuristics matches", 0)}
	openings, err := match.RandomOpenings(ctx, s.game, cfg.Pairs, cfg.OpeningTurns, cfg.Seed)
	if err != nil {
		return nil, err
	}
	control := s.schools[len(rules)]
	each := min(2*sizes.Pairs, (3*sizes.Games+len(rules)-1)/len(rules))
	more := make([]Game, each*len(rules))
	for i := range rules {
		result, games, err := (&study.Match{
			Kind: "heuristics", Dir: s.o.Folder("only-" + rules[i].ID), Config: cfg, Pairs: sizes.Pairs, Openings: openings,
			Game: s.game, Players: [2]*player.Spec{s.schools[i], control},
			Standing: func(t match.Tally) string {
				return fmt.Sprintf("%d of %d: %s on and off, +%d =%d -%d", i+1, len(rules), rules[i].ID, t.Wins, t.Draws, t.Losses)
			},
		}).Play(ctx, s.progress)
		if err != nil {
			return nil, err
		}
		s.in.Matches = append(s.in.Matches, result)
		for k := range each {
			if more[k*len(rules)+i], err = FromSeries(s.game, &games[k]); err != nil {
				return nil, err
			}
		}
	}
	return more, nil
}

// ownGames has the networks play each other and themselves, in turn, from the start,
// with their first decisions drawn, and returns the given number of games.
func (s *Study) ownGames(ctx context.Context, until int) ([]Game, error) {
	series := &match.Series{
		Game: s.game, MaxTurns: s.o.MaxTurns, Workers: s.o.Workers, Seed: seed.Number(s.o.Seed, "heuristics games", 0), Until: until,
		Openings: &match.Openings{Source: "the start", List: []match.Opening{{}}},
	}
	work := &study.Series{Kind: "heuristics-games", Work: archive.Work{
		Dir: s.o.Folder("games"), Series: series, Quiet: s.games != nil,
		Standing: func() string { return "of the networks, to draw choices from" },
		Result: func(games []match.Game) (any, error) {
			return struct {
				Games int `json:"games"`
			}{len(games)}, nil
		},
	}}
	for _, p := range s.players {
		one, err := p.Sampled(s.game, player.Sampling{Decisions: s.o.Sampled, Temperature: 1})
		if err != nil {
			return nil, err
		}
		series.Contestants = append(series.Contestants, one, one) // none plays itself in a series
		work.Players = append(work.Players, p, p)
	}
	for len(series.Schedule) < s.o.Games/2 {
		for i := range s.players {
			for k := i; k < len(s.players) && len(series.Schedule) < s.o.Games/2; k++ {
				series.Schedule = append(series.Schedule, match.Pair{A: 2 * i, B: 2*k + 1})
			}
		}
	}
	played, err := work.Play(ctx, s.progress)
	if err != nil {
		return nil, err
	}
	list := make([]Game, until)
	for i := range list {
		if list[i], err = FromSeries(s.game, &played[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (s *Study) finish(ctx context.Context, stop *study.Stop) (study.Result, []sheet.CSV, error) {
	s.in.Stopped = stop
	if err := s.observe(ctx); err != nil {
		return nil, nil, err
	}
	r := Build(s.in)
	return r, append(r.CSV(), s.in.Choices(s.games)), nil
}

// observe looks at recorded games, or at those of the networks if none were asked for.
func (s *Study) observe(ctx context.Context) error {
	var scan Scanner
	if len(s.o.Runs) == 0 {
		s.in.Source = fmt.Sprintf("the networks at %d simulations a move", s.o.Sims)
		for i := range s.games[:s.own] {
			s.in.Observed = append(s.in.Observed, scan.Observe(&s.games[i]))
		}
		return ctx.Err()
	}
	s.in.Source = "recorded self-play"
	s.progress.Start(s.o.Records, "recorded games")
	defer s.progress.Stop()
	err := s.o.Recorded(func(g *Game) (bool, error) {
		// Rules may differ in the turns after which games end.
		same, err := konreh.Family.Alike(g.Rules.Rules(), s.game.Rules(), engine.LengthOption)
		if err != nil || !same {
			return true, errors.Join(err, ctx.Err())
		}
		s.in.Observed = append(s.in.Observed, scan.Observe(g))
		s.progress.Set(len(s.in.Observed), "observed")
		return len(s.in.Observed) < s.o.Records, ctx.Err()
	})
	if err == nil && len(s.in.Observed) == 0 {
		err = fmt.Errorf("--run: no games of konreh by rules %s in %s", s.game.Rules(), strings.Join(s.o.Runs, ", "))
	}
	return err
}
