// Package restricted measures what a part of the rules is worth to who may use it: a
// player that never takes an action of a kind (engine.Classifier) where it has another
// meets itself without that restriction.
//
// The idea is of Jaffe, Miller, Andersen, Liu, Karlin and Popović (Evaluating competitive
// game balance with restricted play, AIIDE 2012), who solve their games; here players
// search, so that a loss is one for this player at this strength. The restricted player
// knows of its restriction and searches with it (player.Spec.Without). Its opponent does
// not know and searches as always, so that a loss is, if anything, too small.
package restricted

import (
	"context"
	"errors"
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
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/study"
	"github.com/ludozero/ludozero/study/lab"
)

// All stands for every kind of the game.
const All = "all"

// Options are what a study is asked; Settings explains most of them, and others of
// lab.Options have no use. Games are those of each player without each kind; without
// Players the shipped network plays.
type Options struct {
	lab.Options
	// Without are kinds of actions, each left out on its own, or All.
	Without []string
}

// Setting is the flag of Options.Without.
func Setting(without *[]string) study.Setting {
	return study.Setting{Name: "without", Value: without, Each: true,
		Help: "instead of a sheet: what a player loses that never takes an action of this kind, or of each for " + All + "; may be repeated"}
}

// Settings are the options that have flags, except for the game and its rules.
func (o *Options) Settings() []study.Setting {
	return append([]study.Setting{Setting(&o.Without)}, study.Named(o.Options.Settings(), "players", "games", "sampled", "temperature", "slips", "max-turns", "seed")...)
}

// sampling is how games vary.
func (o *Options) sampling() player.Sampling {
	return player.Sampling{Decisions: o.Sampled, Temperature: o.Temperature, Slips: o.Slips}
}

// Study is a study that has been checked as far as that is possible before its first
// game.
type Study struct {
	asked    Options
	game     engine.Game
	progress archive.Progress
	shares   []share
}

// share is a match of a player without a kind against itself.
type share struct {
	kind    string
	players [2]*player.Spec // restricted, and not
	result  *match.Result
	games   []match.Game
}

// New checks a study by the rules of g and reports all that is wrong with it.
func New(o Options, g engine.Game, players *open.Players, p archive.Progress) (*Study, error) {
	s := &Study{asked: o, game: g, progress: p}
	kinds, _, err := player.KindsOf(g)
	if err != nil {
		return nil, study.Usage(err)
	}
	if slices.Contains(o.Without, All) {
		s.asked.Without = kinds
	}
	_, _, err = player.KindsOf(g, s.asked.Without...)
	for i, kind := range s.asked.Without {
		if err == nil && slices.Contains(s.asked.Without[:i], kind) { // one test would count as two
			err = fmt.Errorf("kind %q: it is there twice", kind)
		}
	}
	if err != nil {
		err = fmt.Errorf("--without: %w", err)
	}
	if err := errors.Join(err, o.Config.Validate(), o.Options.Options.Validate()); err != nil {
		return nil, study.Usage(err)
	}
	if len(o.Players) == 0 {
		networks, err := o.NetworksOf(players, nil, o.Game, "--players such as "+open.PlainOpponent)
		if err != nil {
			return nil, study.Usage(err)
		}
		s.asked.Players = []string{player.NetText(networks[0], strength)}
	}
	list, err := o.AddPlayers(players, nil, s.asked.Players)
	if err != nil {
		return nil, study.Usage(err)
	}
	s.asked.Players = nil
	for _, x := range list {
		s.asked.Players = append(s.asked.Players, x.Spec.Text)
		for _, kind := range s.asked.Without {
			without, err := x.Spec.Without(kind)
			if err != nil {
				return nil, study.Usage(err)
			}
			one := share{kind: kind, players: [2]*player.Spec{without, x.Spec}}
			if _, err := without.Sampled(g, o.sampling()); err != nil { // so that all that is wrong is known now
				return nil, study.Usage(err)
			}
			s.shares = append(s.shares, one)
		}
	}
	return s, nil
}

// strength is how many simulations the shipped network has if no player is named.
const strength = 64

// config is how the games of a share are played. Players with other restrictions have the
// same seeds, so that they differ by nothing else.
func (s *Study) config() match.Config {
	o := &s.asked
	return match.Config{Pairs: o.Games / 2, MaxTurns: o.MaxTurns, Workers: o.Workers, Seed: seed.Number(o.Seed, "restricted "+s.game.Rules(), 0)}
}

// folder keeps the games of a share.
func (s *Study) folder(x *share) string { return s.asked.Folder(x.kind, x.players[1].Text) }

// asked is what asked.json says.
type asked struct {
	Format      int            `json:"format"`
	Game        string         `json:"game"`
	GameVersion int            `json:"game_version"`
	Rules       string         `json:"rules"`
	Without     []string       `json:"without"`
	Players     []study.Player `json:"players"`
	lab.Config
	Kernel   string        `json:"kernel,omitempty"`
	CoreTime time.Duration `json:"core_time_ns,omitempty"`
}

// Experiment is what the runner plays.
func (s *Study) Experiment() (*study.Experiment, error) {
	o := &s.asked
	a := &asked{Format: 1, Game: s.game.Info().Name, GameVersion: s.game.Info().Version, Rules: s.game.Rules(), Without: o.Without, Config: o.Config, CoreTime: o.CoreTime}
	var players []*player.Spec
	for i := range s.shares {
		if x := &s.shares[i]; x.kind == o.Without[0] {
			players = append(players, x.players[1])
		}
	}
	a.Kernel = study.Kernel(players...)
	var err error
	if a.Players, err = study.AskPlayers(players...); err != nil {
		return nil, err
	}
	return &study.Experiment{
		Options: &o.Options.Options, Name: "restricted", Asked: a, Result: &Result{}, Rounds: o.Games / 2, Sizes: study.Flags(o.Settings(), "games"),
		Plan: s.plan, Play: s.play, Finish: s.finish,
	}, nil
}

// plan writes what will be played, how long that takes and what it can tell.
func (s *Study) plan(ctx context.Context, p *study.Plan) error {
	o := &s.asked
	p.Line("plan", "%s, %s: %s without %s, each against itself with all of them", s.game.Info().Name, s.game.Rules(), wording.Count(len(o.Players), "player"), strings.Join(o.Without, "; "))
	p.Line("precision", "a loss to about ±%.1f points if nothing is drawn or repeated", 100*0.98/math.Sqrt(float64(o.Games)))
	var folders []string
	for i := range s.shares {
		folders = append(folders, s.folder(&s.shares[i]))
	}
	total := len(s.shares) * o.Games
	left, err := p.Games(total, folders, "%d, %d of each", total, o.Games)
	if err != nil || left == 0 {
		return err
	}
	work := 0.0
	for i := range s.shares {
		if x := &s.shares[i]; x.kind == o.Without[0] {
			seen, err := p.Player(ctx, x.players[1].Text, o.MaxTurns, study.Alone(s.game, x.players[1], o.Seed, "restricted pilot"))
			if err != nil {
				return err
			}
			work += float64(len(o.Without)*o.Games) * seen.Game()
		}
	}
	p.Time(time.Duration(left*work), o.Workers, "")
	return nil
}

// play plays the games of all shares that are missing up to the end of a round.
func (s *Study) play(ctx context.Context, round, rounds int) error {
	for i := range s.shares {
		x := &s.shares[i]
		m := study.Match{
			Kind: "restricted", Dir: s.folder(x), Config: s.config(), Pairs: match.Share(s.asked.Games/2, round, rounds), Game: s.game,
			Players: x.players, Sampling: s.asked.sampling(), Openings: &match.Openings{Source: "the start", List: []match.Opening{{}}},
			Standing: func(t match.Tally) string {
				return fmt.Sprintf("round %d of %d, %d of %d: without %s %v", round, rounds, i+1, len(s.shares), x.kind, t)
			},
		}
		var err error
		if x.result, x.games, err = m.Play(ctx, s.progress); err != nil {
			return err
		}
	}
	return nil
}

func (s *Study) finish(_ context.Context, stop *study.Stop) (study.Result, []sheet.CSV, error) {
	o := s.asked
	if len(s.shares) > 0 {
		o.Games = len(s.shares[0].games)
	}
	r := &Result{Game: s.game.Info().Name, GameVersion: s.game.Info().Version, Rules: s.game.Rules(), Config: o.Config, Sampling: o.sampling().String(), Stopped: stop}
	r.Command = o.Call("lab --game " + r.Game + " --rules " + wording.Quoted(r.Rules) + " " + study.Flags(o.Settings()))
	for i := range s.shares {
		x := &s.shares[i]
		row := Row{
			Player: x.players[1].Text, Kind: x.kind, Tally: x.result.Tally, Score: x.result.Score, Elo: x.result.Elo,
			Repeated: x.result.RepeatedGames, Turns: x.result.MeanTurns,
		}
		reader, err := newReader(s.game, x.kind)
		if err != nil {
			return nil, nil, err
		}
		for j := range x.games {
			if err := reader.read(&x.games[j]); err != nil {
				return nil, nil, fmt.Errorf("without %s: %w", x.kind, err)
			}
		}
		row.Use = reader.use
		r.Rows = append(r.Rows, row)
	}
	r.test()
	return r, r.CSV(), nil
}
