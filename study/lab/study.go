package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/study"
)

// Options are what a sheet is asked; Settings explains most of them.
type Options struct {
	study.Options
	// Game and Rules name the rules.
	Game, Rules string
	// Against are the rules that they are compared with, "" for none.
	Against string
	// Players are from weak to strong.
	Players []string
	// Judge and Effort are descriptions, too, "" for the usual ones.
	Judge, Effort string
	Config
}

// DefaultOptions lacks the game.
func DefaultOptions() Options { return Options{Config: DefaultConfig()} }

// Settings are the options that have flags, except for the game and its rules.
func (o *Options) Settings() []study.Setting {
	return []study.Setting{
		{Name: "against", Value: &o.Against, Help: "rules to compare with, in one word as --rules; none: a sheet of one ruleset"},
		{Name: "players", Value: &o.Players, Each: true, Help: "a player by its description, from weak to strong; repeated, up to 4 (default: by what the game has)"},
		{Name: "games", Value: &o.Games, Help: "games of each player with itself under each ruleset"},
		{Name: "judge", Value: &o.Judge, Help: "player who says how games stood (default: the strongest player's network, or alphabeta:depth=2)"},
		{Name: "judged", Value: &o.Judged, Help: "games of each player under each ruleset that the judge sees; 0: none"},
		{Name: "effort", Value: &o.Effort, Help: "player with the least effort, sims= or nodes=, for depth (default: the strongest player's network, or alphabeta)"},
		{Name: "doublings", Value: &o.Doublings, Help: "how often that effort is doubled"},
		{Name: "depth-pairs", Value: &o.DepthPairs, Help: "pairs of games of each effort against half of it under each ruleset; 0: no depth"},
		{Name: "sampled", Value: &o.Sampled, Help: "decisions that each player draws from its policy in a game once the start is settled"},
		{Name: "temperature", Value: &o.Temperature, Help: "temperature of drawing: parts of the policy to the power of 1/T"},
		{Name: "slips", Value: &o.Slips, Help: "share of the drawn decisions that are any legal action"},
		{Name: "max-turns", Value: &o.MaxTurns, Help: "turns after which a game is a draw; 0: no limit"},
		{Name: "seed", Value: &o.Seed, Help: "seed of players and dice"},
	}
}

// share is the games of one player under one ruleset.
type share struct {
	side, player int
	series       *match.Series
	games        []match.Game // up to the end of a round
	curves       []*Curve     // of the first games
}

// Study is a sheet that has been checked as far as that is possible before its first
// game.
type Study struct {
	// asked are the options with nothing left to defaults.
	asked    Options
	open     *open.Players
	progress archive.Progress
	rules    []engine.Game // one or two
	players  []study.Participant
	// note says why the default players are not the best there are; empty if they are, or
	// were named.
	note   string
	shares []share
	// judge says how games stood, dice what rolls were worth; nil if nobody does.
	judge, dice *player.Spec
	efforts     []*player.Spec // of rising effort; none without depth
	climbs      []Climb
	played      Config // sizes up to the end of a round
}

// New checks a sheet of g, a game of the family, and reports all that is wrong with it.
func New(o Options, family *engine.Family, g engine.Game, players *open.Players, p archive.Progress) (*Study, error) {
	s := &Study{asked: o, open: players, progress: p, rules: []engine.Game{g}}
	errs := []error{o.Config.Validate(), o.Options.Validate()}
	if o.Against != "" {
		other, err := family.Parse(o.Against)
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("--against: %w", err))
		case other.Rules() == g.Rules():
			errs = append(errs, fmt.Errorf("--against %s: the same rules as --rules: want others, or no --against", o.Against))
		default:
			s.rules = append(s.rules, other)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, study.Usage(err)
	}
	if err := s.readPlayers(); err != nil {
		return nil, study.Usage(err)
	}
	for side, g := range s.rules {
		for k := range s.players {
			series, err := s.asked.Series(g, s.players[k].Spec)
			if err != nil {
				return nil, fmt.Errorf("--players: %w", err)
			}
			series.Workers = o.Workers
			s.shares = append(s.shares, share{side: side, player: k, series: series})
		}
	}
	if err := errors.Join(s.readJudge(), s.readEffort()); err != nil {
		return nil, study.Usage(err)
	}
	return s, nil
}

// asked is what asked.json says.
type asked struct {
	Format      int            `json:"format"`
	Game        string         `json:"game"`
	GameVersion int            `json:"game_version"`
	Rules       []string       `json:"rules"`
	Players     []study.Player `json:"players"`
	Judge       []study.Player `json:"judge"`
	Efforts     []study.Player `json:"efforts"`
	Config
	Kernel   string        `json:"kernel,omitempty"`
	CoreTime time.Duration `json:"core_time_ns,omitempty"`
}

const askedFormat = 1

// Experiment is what the runner plays.
func (s *Study) Experiment() (*study.Experiment, error) {
	o, info := &s.asked, s.rules[0].Info()
	a := &asked{Format: askedFormat, Game: info.Name, GameVersion: info.Version, Config: o.Config, Kernel: study.Kernel(s.specs()...), CoreTime: o.CoreTime}
	for _, g := range s.rules {
		a.Rules = append(a.Rules, g.Rules())
	}
	var err error
	if a.Players, err = study.AskPlayers(study.Specs(s.players)...); err != nil {
		return nil, err
	}
	if s.judge != nil {
		if a.Judge, err = study.AskPlayers(s.judge); err != nil {
			return nil, err
		}
	}
	if a.Efforts, err = study.AskPlayers(s.efforts...); err != nil {
		return nil, err
	}
	return &study.Experiment{
		Options: &o.Options, Name: "lab", Asked: a, Result: &Result{}, Rounds: o.Games / 2, Sizes: study.Flags(o.Settings(), "games", "judged", "depth-pairs"),
		Same: s.same, Plan: s.plan, Play: s.play, Finish: s.finish,
	}, nil
}

// same refuses to change what all games depend on.
func (s *Study) same(before []byte) error {
	var was asked
	if err := json.Unmarshal(before, &was); err != nil {
		return fmt.Errorf("%s: %w", study.AskedFile, err)
	}
	if was.Format != askedFormat {
		return fmt.Errorf("%s: format %d: this program reads %d", study.AskedFile, was.Format, askedFormat)
	}
	if k := study.Kernel(s.specs()...); was.Kernel != "" && k != "" && was.Kernel != k {
		return fmt.Errorf("kernel %s there, %s now: want that, or a folder of its own", was.Kernel, k)
	}
	old := s.asked
	old.Config, old.Judge, old.Effort = was.Config, "", ""
	if len(was.Judge) > 0 {
		old.Judge = was.Judge[0].Player
	}
	if len(was.Efforts) > 0 {
		old.Effort = was.Efforts[0].Player
	}
	return study.Changed(old.Settings(), s.asked.Settings(), "games", "judge", "judged", "effort", "doublings", "depth-pairs", "sampled", "temperature", "slips", "max-turns", "seed")
}

// command repeats the sheet of these sizes elsewhere, with every value that figures depend
// on.
func (o *Options) command() string {
	text := "lab --game " + o.Game
	if o.Rules != "" {
		text += " --rules " + wording.Quoted(o.Rules)
	}
	return o.Call(text + " " + study.Flags(o.Settings()))
}

func (s *Study) finish(_ context.Context, stop *study.Stop) (study.Result, []sheet.CSV, error) {
	info := s.rules[0].Info()
	sizes := s.asked
	sizes.Config = s.played
	in := &Input{
		Game: info.Name, GameVersion: info.Version, Config: s.played, Command: sizes.command(), Stopped: stop, Note: s.note, Weights: map[string]string{},
		Judge: s.asked.Judge, Climbs: s.climbs, Kernel: study.Kernel(s.specs()...),
	}
	for _, g := range s.rules {
		in.Rules = append(in.Rules, g.Rules())
	}
	for i := range s.players {
		in.Players = append(in.Players, s.players[i].Spec.Text)
	}
	for _, spec := range s.specs() {
		id, err := spec.Identity()
		if err != nil {
			return nil, nil, err
		}
		if id != "" {
			in.Weights[spec.Text] = id
		}
	}
	for i := range s.shares {
		x := &s.shares[i]
		r := NewReader(s.rules[x.side])
		cell := Cell{Side: x.side, Player: x.player, Kinds: r.Kinds()}
		for j := range x.games {
			g, err := r.Read(&x.games[j])
			if err != nil {
				return nil, nil, fmt.Errorf("rules %s, %s: %w", s.rules[x.side].Rules(), s.players[x.player].Spec.Text, err)
			}
			if j < len(x.curves) {
				g.Curve = x.curves[j]
			}
			cell.Games = append(cell.Games, g)
		}
		in.Cells = append(in.Cells, cell)
	}
	r := Build(in)
	return r, r.CSV(), nil
}

// readPlayers makes participants of the players, or of those that the game has.
func (s *Study) readPlayers() error {
	o := &s.asked
	texts := o.Players
	var err error
	if len(texts) == 0 {
		if texts, s.note, err = Ladder(s.open, s.rules); err != nil {
			return err
		}
	}
	if len(texts) > MaxStrengths {
		return fmt.Errorf("--players: %d: want 1 to %d", len(texts), MaxStrengths)
	}
	if s.players, err = o.AddPlayers(s.open, nil, texts); err != nil {
		return err
	}
	o.Players = nil
	for _, p := range s.players {
		o.Players = append(o.Players, p.Spec.Text)
	}
	return nil
}

// names joins rules for people.
func names(rules []string) string { return strings.Join(rules, " against ") }
