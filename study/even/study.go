// Package even searches among settings of the rules for those in which the game is the
// most even for the two players.
//
// In each setting players play themselves, equally often from every way to settle the
// start, as package balance has it, and a setting is judged by the first player's score at
// the start that is chosen. Games go where they tell most: after each stage the half of the
// settings that they speak against most gets no more of them (stages).
//
// Who goes on depends on the games, so that an interval that takes no notice would claim
// too much. A setting's games end after one of a few stages, and its interval is as wide as
// holds for all of these at once (Bonferroni), whichever it was.
package even

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
	"github.com/ludozero/ludozero/study/balance"
	"github.com/ludozero/ludozero/study/lab"
)

// Options are what a study is asked; Settings explains most of them, and others of
// lab.Options have no use. Games are those of each player in each setting on average;
// without Players the shipped network plays.
type Options struct {
	lab.Options
	// Over are options with alternatives, "balance=pie|single,cross_stay=2|3".
	Over string
}

// Setting is the flag of Options.Over.
func Setting(over *string) study.Setting {
	return study.Setting{Name: "over", Value: over,
		Help: "instead of a sheet: which setting of the rules is the most even; options with alternatives, such as balance=pie|single,cross_stay=2|3"}
}

// Settings are the options that have flags, except for the game and its rules.
func (o *Options) Settings() []study.Setting {
	return append([]study.Setting{Setting(&o.Over)}, study.Named(o.Options.Settings(), "players", "games", "sampled", "temperature", "max-turns", "seed")...)
}

// sizes are the games of settings that have reached a stage.
func (o *Options) sizes(games int) *balance.Config {
	return &balance.Config{Games: games, Sampled: o.Sampled, Temperatures: []float64{o.Temperature}, MaxTurns: o.MaxTurns, Seed: o.Seed}
}

// strength is how many simulations the shipped network has if no player is named.
const strength = 64

// Study is a study that has been checked as far as that is possible before its first
// game.
type Study struct {
	asked     Options
	base      engine.Game
	progress  archive.Progress
	settings  []balance.Variant
	players   []study.Participant
	stages    []stage
	untrained []string // what networks never learned

	// What was played up to the end of a stage, counted from 1: left are the settings that
	// are in the next, found what is known of each.
	played int
	left   []int
	found  []Row
}

// New checks a study of rules of the family of base and reports all that is wrong with it.
func New(o Options, family *engine.Family, base engine.Game, players *open.Players, p archive.Progress) (*Study, error) {
	s := &Study{asked: o, base: base, progress: p}
	var err error
	if s.settings, err = balance.Variants(family, o.Rules, strings.Split(o.Over, ",")); err != nil {
		err = fmt.Errorf("--over: %w", err)
	} else if len(s.settings) < 2 {
		err = fmt.Errorf("--over %s: one setting: want alternatives, such as balance=pie|single", o.Over)
	}
	errs := []error{err, o.Config.Validate(), o.Options.Options.Validate()}
	if err := errors.Join(errs...); err != nil {
		return nil, study.Usage(err)
	}
	if err := s.readPlayers(players); err != nil {
		return nil, err
	}
	s.stages = stages(len(s.settings), o.Games)
	for i := range s.settings {
		s.left = append(s.left, i)
		s.found = append(s.found, Row{Setting: s.settings[i].Name, Rules: s.settings[i].Game.Rules()})
	}
	return s, nil
}

// readPlayers makes participants and notes what networks never learned.
func (s *Study) readPlayers(players *open.Players) error {
	o := &s.asked
	if len(o.Players) == 0 {
		networks, err := o.NetworksOf(players, nil, o.Game, "--players such as "+open.PlainOpponent)
		if err != nil {
			return study.Usage(err)
		}
		o.Players = []string{player.NetText(networks[0], strength)}
	}
	list, err := o.AddPlayers(players, nil, o.Players)
	if err != nil {
		return study.Usage(err)
	}
	o.Players = nil
	var networks []string
	for i := range list {
		x := &list[i]
		if !x.Spec.ByNetwork && len(list) > 1 {
			return study.Usage(fmt.Errorf("player %s: want one player, or several of which each has a network of its own", x.Spec.Text))
		}
		o.Players = append(o.Players, x.Spec.Text)
		network := lab.NetworkOf(x.Spec.Text)
		if network == "" {
			continue
		}
		x.Network = network // so that they count as one group
		networks = append(networks, network)
		for j := range s.settings {
			trained, err := players.TrainedOn(network, s.settings[j].Game)
			if err != nil {
				return err
			}
			if !trained {
				s.untrained = append(s.untrained, network+" on "+s.settings[j].Name)
			}
		}
	}
	if _, err := study.Different(networks); err != nil {
		return study.Usage(err)
	}
	for j := range s.settings { // so that all that is wrong with players is known now
		for k := range list {
			if _, _, err := o.sizes(2).Series(&s.settings[j], list, k); err != nil {
				return study.Usage(err)
			}
		}
	}
	s.players = list
	return nil
}

// asked is what asked.json says.
type asked struct {
	Format      int            `json:"format"`
	Game        string         `json:"game"`
	GameVersion int            `json:"game_version"`
	Rules       string         `json:"rules"`
	Over        string         `json:"over"`
	Stages      []stage        `json:"stages"`
	Players     []study.Player `json:"players"`
	lab.Config
	Kernel   string        `json:"kernel,omitempty"`
	CoreTime time.Duration `json:"core_time_ns,omitempty"`
}

// Experiment is what the runner plays: a round is a stage.
func (s *Study) Experiment() (*study.Experiment, error) {
	o := &s.asked
	a := &asked{Format: 1, Game: s.base.Info().Name, GameVersion: s.base.Info().Version, Rules: s.base.Rules(), Over: o.Over, Stages: s.stages, Config: o.Config, Kernel: study.Kernel(study.Specs(s.players)...), CoreTime: o.CoreTime}
	var err error
	if a.Players, err = study.AskPlayers(study.Specs(s.players)...); err != nil {
		return nil, err
	}
	return &study.Experiment{
		Options: &o.Options.Options, Name: "even", Asked: a, Result: &Result{}, Rounds: len(s.stages), Sizes: study.Flags(o.Settings(), "games"),
		Plan: s.plan, Play: s.play, Finish: s.finish,
	}, nil
}

// plan writes what will be played, how long that takes and what it can tell.
func (s *Study) plan(ctx context.Context, p *study.Plan) error {
	o := &s.asked
	p.Line("plan", "%s: %s by %s", s.base.Info().Name, wording.Count(len(s.settings), "setting"), wording.Count(len(s.players), "player"))
	most, least := 0, 0 // games, by who goes on
	for i, st := range s.stages {
		before := 0
		if i > 0 {
			before = s.stages[i-1].Games
		}
		var each []int
		for j := range s.settings {
			each = append(each, o.sizes(st.Games).Total(&s.settings[j]))
			if before > 0 {
				each[j] -= o.sizes(before).Total(&s.settings[j])
			}
		}
		slices.Sort(each)
		for j := range st.Settings {
			least += each[j] * len(s.players)
			most += each[len(each)-1-j] * len(s.players)
		}
		p.Line("", "stage %d: %s, %d games or more of each by each player by its end", i+1, wording.Count(st.Settings, "setting"), st.Games)
	}
	widest := &s.settings[0] // the setting with the most starts
	for j := range s.settings {
		if len(s.settings[j].Starts.List) > len(widest.Starts.List) {
			widest = &s.settings[j]
		}
	}
	if starts := len(widest.Starts.List); starts > 1 {
		each := o.sizes(s.stages[len(s.stages)-1].Games).Total(widest) / starts
		p.Line("", "up to %d ways to settle the start, %d games of each by each player: where these are few, nothing will be known of the score", starts, each)
	}
	if len(s.untrained) > 0 {
		p.Line("", "never trained: %s", strings.Join(s.untrained, ", "))
	}
	last := s.stages[len(s.stages)-1].Games * len(s.players)
	p.Line("precision", "the first player's score to about ±%.1f points in settings of the last stage, ±%.1f in those that end first, where nothing is drawn and the start needs no settling",
		100*s.widen(1)*0.98/math.Sqrt(float64(last)), 100*s.widen(1)*0.98/math.Sqrt(float64(s.stages[0].Games*len(s.players))))
	games := wording.Count(most, "game")
	if least < most {
		games = fmt.Sprintf("%d to %s, by which settings go on", least, games)
	}
	var folders []string
	for j := range s.settings {
		for k := range s.players {
			folders = append(folders, s.folder(j, k))
		}
	}
	left, err := p.Games(most, folders, "%s", games)
	if err != nil || left == 0 {
		return err
	}
	work := 0.0
	for k := range s.players {
		spec := s.players[k].Spec
		x, err := p.Player(ctx, spec.Text, o.MaxTurns, func(number int) (engine.Game, match.Contestant, uint64, error) {
			g := s.settings[number%len(s.settings)].Game
			one, err := spec.Sampled(g, player.Sampling{Decisions: o.Sampled, Temperature: o.Temperature})
			return g, one, seed.Number(o.Seed, "even pilot", uint64(number)), err
		})
		if err != nil {
			return err
		}
		work += x.Game() / float64(len(s.players))
	}
	p.Time(time.Duration(left*float64(most)*work), o.Workers, "")
	return nil
}

// folder keeps the games of a player in a setting.
func (s *Study) folder(setting, player int) string {
	return s.asked.Folder(s.settings[setting].Name, s.players[player].Spec.Text)
}

// play plays what is missing up to the end of a round.
func (s *Study) play(ctx context.Context, round, rounds int) error {
	for s.played < (round*len(s.stages)+rounds-1)/rounds {
		st := s.stages[s.played]
		if s.played > 0 {
			s.left = best(s.left, st.Settings, func(i int) float64 { return against(s.found[i].Score) })
		}
		for n, i := range s.left {
			said := fmt.Sprintf("stage %d of %d, setting %d of %d", s.played+1, len(s.stages), n+1, len(s.left))
			if err := s.playSetting(ctx, i, st.Games, said); err != nil {
				return err
			}
			s.found[i].Stage = s.played + 1
		}
		s.played++
	}
	return nil
}

// playSetting plays what is missing of a setting up to a number of games by each player
// and notes what is known of it.
func (s *Study) playSetting(ctx context.Context, i, games int, said string) error {
	o, v := &s.asked, &s.settings[i]
	all := o.sizes(s.stages[len(s.stages)-1].Games)
	in := balance.VariantInput{Variant: *v}
	for k := range s.players {
		series, cells, err := all.Series(v, s.players, k)
		if err != nil {
			return err
		}
		series.Workers, series.Until = o.Workers, o.sizes(games).Total(v)
		work := &study.Series{Kind: "even", Players: slices.Repeat([]*player.Spec{s.players[k].Spec}, len(series.Contestants)), Work: archive.Work{
			Dir: s.folder(i, k), Series: series, Quiet: true,
			Standing: func() string { return said + ": " + v.Name },
			Result: func(games []match.Game) (any, error) {
				return struct {
					Setting string `json:"setting"`
					Games   int    `json:"games"`
				}{v.Name, len(games)}, nil
			},
		}}
		played, err := work.Play(ctx, s.progress)
		if err != nil {
			return err
		}
		r := balance.NewReader(v.Game, cells)
		in.KindNames, in.PieceNames = r.KindNames, r.PieceNames
		for j := range played[:series.Until] {
			one, err := r.Read(&played[j])
			if err != nil {
				return fmt.Errorf("%s by %s: %w", v.Name, s.players[k].Spec.Text, err)
			}
			in.Played = append(in.Played, one)
		}
	}
	s.found[i].read(balance.Build(&balance.Input{
		Game: s.base.Info().Name, Config: *all, Players: s.players, Variants: []balance.VariantInput{in},
	}))
	return nil
}

func (s *Study) finish(_ context.Context, stop *study.Stop) (study.Result, []sheet.CSV, error) {
	o := &s.asked
	r := &Result{
		Game: s.base.Info().Name, GameVersion: s.base.Info().Version, Rules: s.base.Rules(), Over: o.Over, Players: o.Players, Config: o.Config,
		Stages: s.stages, Played: s.played, NotTrained: s.untrained, Stopped: stop,
		Command: o.Call("lab --game " + o.Game + " --rules " + wording.Quoted(s.base.Rules()) + " " + study.Flags(o.Settings())),
	}
	r.Slips = 0
	r.rank(s.found, s.widen(1), s.widen(len(s.settings)))
	return r, r.CSV(), nil
}
