package schools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/player/school"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/study"
)

// Options are what a comparison is asked; Settings explains most of them.
type Options struct {
	study.Options
	// Schools are IDs, names or paths; all schools of the book if there are none.
	Schools   []string
	Depth     int
	Networks  []string
	Sims      []int
	Precision string
	Config
}

// DefaultOptions compares the schools of the book.
func DefaultOptions() Options {
	return Options{Depth: 2, Sims: []int{4, 16, 64}, Precision: precision.Default, Config: DefaultConfig()}
}

// Settings are the options that have flags.
func (o *Options) Settings() []study.Setting {
	return []study.Setting{
		{Name: "depth", Value: &o.Depth, Help: "player turns that schools look ahead"},
		{Name: "weights", Value: &o.Weights, Help: "weights of the doctrine against school:none, 1 among them"},
		{Name: "rounds", Value: &o.Rounds, Help: "pairs of games of every two schools; 0: no round robin"},
		{Name: "pairs", Value: &o.Pairs, Help: "pairs of games of each school against school:none at weight 1"},
		{Name: "other-pairs", Value: &o.OtherPairs, Help: "the same at each other weight, at most --pairs"},
		{Name: "networks", Value: &o.Networks, Help: "networks, each a path or the name of a shipped one (default: the shipped one of Kon'reh)"},
		{Name: "sims", Value: &o.Sims, Help: "simulations a move of the networks; several: at each strength"},
		{Name: "precision", Value: &o.Precision, Help: "number format of the networks, one of " + strings.Join(precision.Names(), ", ")},
		{Name: "network-pairs", Value: &o.NetworkPairs, Help: "pairs of games of each school against each network at each strength; 0: none"},
		{Name: "opening-turns", Value: &o.OpeningTurns, Help: "turns drawn at random before the players take over, even"},
		{Name: "max-turns", Value: &o.MaxTurns, Help: "turns after which a game is a draw; 0: no limit"},
		{Name: "seed", Value: &o.Seed, Help: "seed of openings, players and tests"},
	}
}

// Study is a comparison that has been checked as far as that is possible before its
// first game.
type Study struct {
	// asked are the options with nothing left to defaults.
	asked    Options
	game     engine.Game
	open     *open.Players
	progress archive.Progress
	field    Field
	parts    []Part
	in       *Input // what was played up to the end of a round
}

// New checks a comparison by the rules of g and reports all that is wrong with it.
// given tells whether an option was set by its flag.
func New(ctx context.Context, o Options, g engine.Game, players *open.Players, given func(name string) bool, p archive.Progress) (*Study, error) {
	s := &Study{asked: o, game: g, open: players, progress: p}
	errs := []error{o.Config.Validate(), o.Options.Validate()}
	if len(o.Schools) == 0 {
		for _, x := range school.Shipped() {
			if x.ID != school.None {
				s.asked.Schools = append(s.asked.Schools, x.ID)
			}
		}
	}
	var err error
	if s.field.Control, err = s.spec(school.None, 1); err != nil {
		return nil, study.Usage(errors.Join(append(errs, err)...))
	}
	for _, word := range s.asked.Schools {
		errs = append(errs, s.enter(word))
	}
	if o.NetworkPairs > 0 {
		errs = append(errs, s.readNetworks())
	} else {
		if given("networks") || given("sims") || given("precision") {
			errs = append(errs, errors.New("--networks, --sims and --precision: they belong to --network-pairs of 1 or more"))
		}
		s.asked.Networks, s.asked.Sims, s.asked.Precision = nil, nil, ""
	}
	if err := errors.Join(errs...); err != nil {
		return nil, study.Usage(err)
	}
	// Players are made once, so that all that is wrong with them is known now.
	for _, spec := range s.specs() {
		if _, err := spec.New(g); err != nil {
			return nil, err
		}
	}
	s.parts, err = s.newParts(ctx, &o.Config)
	return s, err
}

func (s *Study) specs() []*player.Spec {
	list := []*player.Spec{s.field.Control}
	for _, x := range s.field.Schools {
		list = append(list, x.Specs...)
	}
	return append(list, study.Specs(s.field.Strengths)...)
}

func (s *Study) spec(word string, weight float64) (*player.Spec, error) {
	return s.open.Parse(fmt.Sprintf("school:%s,depth=%d,weight=%s", word, s.asked.Depth, strconv.FormatFloat(weight, 'g', -1, 64)))
}

// enter adds the school that word means.
func (s *Study) enter(word string) error {
	found, err := school.Find(word)
	if err != nil {
		return err
	}
	if found.ID == school.None && found.Shipped() {
		return errors.New("school none: it is what the others are compared with, and takes part anyway")
	}
	x := School{Name: found.Name, Word: word}
	if found.Shipped() {
		x.ID, x.Word = found.ID, found.ID
	}
	for _, other := range s.field.Schools {
		if other.Name == x.Name || x.Name == Control {
			return fmt.Errorf("school %s: another one is called %s, too: want names that differ", word, x.Name)
		}
	}
	for _, weight := range s.asked.Weights {
		spec, err := s.spec(x.Word, weight)
		if err != nil {
			return err
		}
		x.Specs = append(x.Specs, spec)
	}
	s.field.Schools = append(s.field.Schools, x)
	return nil
}

// readNetworks adds the networks at their strengths.
func (s *Study) readNetworks() (err error) {
	o := &s.asked
	if o.Networks, err = o.NetworksOf(s.open, o.Networks, "konreh", "--network-pairs 0"); err != nil {
		return err
	}
	s.field.Strengths, err = study.Networks(s.open, o.Networks, o.Sims, o.Precision)
	return err
}

// asked is what asked.json says.
type asked struct {
	Format      int            `json:"format"`
	GameVersion int            `json:"game_version"`
	Rules       string         `json:"rules"`
	Players     []study.Player `json:"players"`
	// Weights stand before the rest of Config, whose own are hidden by these.
	Weights []float64 `json:"weights"`
	Config
	Kernel   string        `json:"kernel,omitempty"`
	CoreTime time.Duration `json:"core_time_ns,omitempty"`
}

const askedFormat = 1

// Experiment is what the runner plays.
func (s *Study) Experiment() (*study.Experiment, error) {
	o := &s.asked
	a := &asked{
		Format: askedFormat, GameVersion: s.game.Info().Version, Rules: s.game.Rules(), Weights: o.Weights, Config: o.Config,
		Kernel: study.Kernel(s.specs()...), CoreTime: o.CoreTime,
	}
	var err error
	if a.Players, err = study.AskPlayers(s.specs()...); err != nil {
		return nil, err
	}
	return &study.Experiment{
		Options: &o.Options, Name: "schools", Asked: a, Result: &Result{}, Rounds: max(o.Rounds, o.Pairs, o.NetworkPairs),
		Sizes: study.Flags(o.Settings(), "rounds", "pairs", "other-pairs", "network-pairs"),
		Plan:  s.plan, Play: s.play, Finish: s.finish,
	}, nil
}

// plan writes what will be played and how long that takes.
func (s *Study) plan(ctx context.Context, p *study.Plan) error {
	o := &s.asked
	games := o.Plan(&s.field)
	p.Line("plan", "%s against each other and against none at weights %s", wording.Count(len(s.field.Schools), "school"), study.Joined(o.Weights))
	left, err := p.Games(games.RoundRobin+games.Doctrines+games.Networks, []string{o.Folder(RoundRobin), o.Folder(Doctrines), o.Folder(Networks)},
		"%d of the round robin, %d against none, %d against networks", games.RoundRobin, games.Doctrines, games.Networks)
	if err != nil || left == 0 {
		return err
	}
	look := func(spec *player.Spec) (float64, error) {
		x, err := p.Player(ctx, spec.Text, o.MaxTurns, study.Alone(s.game, spec, o.Seed, "schools pilot"))
		return x.Game(), err
	}
	school, err := look(s.field.Control)
	if err != nil {
		return err
	}
	work := float64(games.RoundRobin+games.Doctrines) * school
	for _, strength := range s.field.Strengths {
		network, err := look(strength.Spec)
		if err != nil {
			return err
		}
		work += float64(games.Networks) / float64(len(s.field.Strengths)) * (school + network) / 2
	}
	p.Time(time.Duration(left*work), o.Workers, "")
	return nil
}

// newParts are the series of these sizes, with their openings.
func (s *Study) newParts(ctx context.Context, c *Config) (list []Part, err error) {
	for _, name := range []string{RoundRobin, Doctrines, Networks} {
		if c.rounds(name) == 0 {
			continue
		}
		openings, err := match.RandomOpenings(ctx, s.game, c.rounds(name), c.OpeningTurns, c.SeedOf(name))
		if err != nil {
			return nil, err
		}
		part, err := c.Part(name, s.game, &s.field, openings)
		if err != nil {
			return nil, err
		}
		part.Series.Workers = s.asked.Workers
		list = append(list, *part)
	}
	return list, nil
}

// play plays the games of all parts that are missing up to the end of a round.
func (s *Study) play(ctx context.Context, round, rounds int) error {
	sizes := s.asked
	sizes.Config = s.asked.Until(round, rounds)
	s.in = &Input{Config: sizes.Config, Field: &s.field, Command: sizes.command(s.game.Rules()), Identity: map[string]string{}, Played: map[string]*Played{}}
	until, err := s.newParts(ctx, &sizes.Config) // the beginnings of s.parts
	if err != nil {
		return err
	}
	for _, spec := range s.specs() {
		id, err := spec.Identity()
		if err != nil {
			return err
		}
		if !s.shipped(spec) { // what shipped schools are, the program says
			s.in.Identity[spec.Text] = id
		}
	}
	for i := range s.parts {
		p := &s.parts[i]
		p.Series.Until = until[i].Series.Games()
		drawn := 0
		work := &study.Series{Kind: "schools-" + p.Name, Players: p.Players, Work: archive.Work{
			Dir: s.asked.Folder(p.Name), Series: p.Series, Quiet: true,
			Counted: func(g *match.Game) bool {
				if g.Points == 0.5 {
					drawn++
				}
				return true
			},
			Standing: func() string {
				return fmt.Sprintf("round %d of %d, %d of %d: %s, %d drawn", round, rounds, i+1, len(s.parts), p.Name, drawn)
			},
			Result: func(games []match.Game) (any, error) {
				return struct {
					Part  string `json:"part"`
					Games int    `json:"games"`
					Drawn int    `json:"drawn"`
				}{p.Name, len(games), drawn}, nil
			},
		}}
		games, err := work.Play(ctx, s.progress)
		if err != nil {
			return err
		}
		s.in.Played[p.Name] = &Played{Part: &until[i], Games: games[:p.Series.Until]}
	}
	return nil
}

func (s *Study) finish(_ context.Context, stop *study.Stop) (study.Result, []sheet.CSV, error) {
	s.in.Stopped = stop
	r, err := Build(s.in)
	if err != nil {
		return nil, nil, err
	}
	return r, r.CSV(), nil
}

// shipped tells whether spec is a school that is part of the program.
func (s *Study) shipped(spec *player.Spec) bool {
	return spec == s.field.Control || slices.ContainsFunc(s.field.Schools, func(x School) bool { return x.ID != "" && slices.Contains(x.Specs, spec) })
}

// command repeats the comparison elsewhere, with every value that figures depend on.
func (o Options) command(rules string) string {
	text := "schools compare"
	for _, word := range o.Schools {
		text += " " + wording.Quoted(word)
	}
	return o.Call(text + " --rules " + wording.Quoted(rules) + " " + study.Flags(o.Settings()))
}
