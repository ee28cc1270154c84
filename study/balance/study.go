package balance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/study"
)

// Options are what a comparison is asked; Settings explains most of them.
type Options struct {
	study.Options
	// Game and Rules name the rules before options are varied. Without Vary
	// engine.BalanceOption is varied, if the game has it and Rules do not set it.
	Game, Rules         string
	Vary                []string
	Baseline, Precision string
	// Networks, Players and Tuned are words; each of Tuned meets the first of Networks.
	Networks, Players, Tuned []string
	Sims                     []int
	TunedPairs               int
	Config
}

// DefaultOptions lacks the game.
func DefaultOptions() Options {
	return Options{Sims: []int{64}, Precision: precision.Default, TunedPairs: 200, Config: DefaultConfig()}
}

// Settings are the options that have flags, except for the game and its rules.
func (o *Options) Settings() []study.Setting {
	return []study.Setting{
		{Name: "vary", Value: &o.Vary, Each: true, Help: "OPTION=VALUE,VALUE: a variant for each value; repeated: each combination"},
		{Name: "baseline", Value: &o.Baseline, Help: "variant that the others are compared with, OPTION=VALUE (default: the first)"},
		{Name: "networks", Value: &o.Networks, Help: "networks, each a path or the name of a shipped one (default: the shipped one of the game)"},
		{Name: "sims", Value: &o.Sims, Help: "simulations a move of the networks; several: at each strength"},
		{Name: "precision", Value: &o.Precision, Help: "number format of the networks, one of " + strings.Join(precision.Names(), ", ")},
		{Name: "players", Value: &o.Players, Each: true, Help: "another player as a cross-check, by its description; may be repeated"},
		{Name: "tuned", Value: &o.Tuned, Each: true, Help: "VARIANT=NETWORK: a network that was trained further on that variant; may be repeated"},
		{Name: "tuned-pairs", Value: &o.TunedPairs, Help: "pairs of games against each tuned network"},
		{Name: "games", Value: &o.Games, Help: "games of each player in each variant at each temperature, at least; equally many from each start"},
		{Name: "sampled", Value: &o.Sampled, Help: "decisions that each player draws in a game once the start is settled"},
		{Name: "temperatures", Value: &o.Temperatures, Help: "temperatures of drawing: parts of the policy to the power of 1/T"},
		{Name: "matters", Value: &o.Matters, Help: "smallest difference of the distance from one half that matters, in points a game"},
		{Name: "max-turns", Value: &o.MaxTurns, Help: "turns after which a game is a draw; 0: no limit"},
		{Name: "seed", Value: &o.Seed, Help: "seed of players and intervals"},
	}
}

// Study is a comparison that has been checked as far as that is possible before its
// first game.
type Study struct {
	// asked are the options with nothing left to defaults.
	asked    Options
	open     *open.Players
	progress archive.Progress
	base     engine.Game // the rules before options are varied
	variants []Variant
	baseline int
	players  []study.Participant
	tuned    []tunedNetwork
	shares   []share

	// What was played up to the end of a round: its sizes, and the matches against
	// tuned networks.
	played Options
	checks []Check
}

// tunedNetwork is a network for one variant.
type tunedNetwork struct {
	variant int
	network string
	spec    *player.Spec
}

// New checks a comparison of variants of base, a game of the family, and reports all
// that is wrong with it. given tells whether an option was set by its flag.
func New(o Options, family *engine.Family, base engine.Game, players *open.Players, given func(name string) bool, p archive.Progress) (*Study, error) {
	s := &Study{asked: o, base: base, open: players, progress: p}
	var err error
	vary := &s.asked.Vary
	if at := slices.IndexFunc(family.Options, func(o engine.Option) bool { return o.Name == engine.BalanceOption }); len(*vary) == 0 && at >= 0 && !strings.Contains(o.Rules, engine.BalanceOption+"=") {
		*vary = []string{engine.BalanceOption + "=" + strings.Join(family.Options[at].Values, ",")}
	}
	if s.variants, err = Variants(family, o.Rules, *vary); err != nil {
		if len(o.Vary) > 0 {
			err = fmt.Errorf("--vary: %w", err)
		}
		return nil, study.Usage(err)
	}
	errs := []error{o.Config.Validate(), o.Options.Validate()}
	if o.Baseline != "" {
		s.baseline, err = s.variantOf(o.Baseline)
		errs = append(errs, err)
	}
	if s.asked.Baseline = ""; len(s.variants) > 1 {
		s.asked.Baseline = s.variants[s.baseline].Name
	}
	if o.TunedPairs < 1 {
		errs = append(errs, fmt.Errorf("tuned_pairs=%d: want 1 or more", o.TunedPairs))
	}
	errs = append(errs, s.readPlayers(given), s.readTuned())
	if err := errors.Join(errs...); err != nil {
		return nil, study.Usage(err)
	}
	all := slices.Clone(s.asked.Networks)
	for _, t := range s.tuned {
		all = append(all, t.network)
	}
	if _, err := study.Different(all); err != nil {
		return nil, study.Usage(err)
	}
	// Players are made once, so that all that is wrong with them is known now.
	if s.shares, err = s.newShares(); err != nil {
		return nil, err
	}
	for _, t := range s.tuned {
		v := &s.variants[t.variant]
		if _, err := t.spec.New(v.Game); err != nil {
			return nil, err
		}
		trained, err := players.TrainedOn(t.network, v.Game)
		if err != nil {
			return nil, err
		}
		if !trained {
			return nil, fmt.Errorf("--tuned %s=%s: the network was not trained on %s: its card has no such rules", v.Name, t.network, v.Game.Rules())
		}
	}
	return s, nil
}

// variantOf finds a variant by its name, or by its values alone.
func (s *Study) variantOf(name string) (int, error) {
	var names []string
	for i, v := range s.variants {
		if v.Name == name || v.Short == name {
			return i, nil
		}
		names = append(names, v.Name)
	}
	return 0, fmt.Errorf("no variant %q: want one of %s", name, strings.Join(names, "; "))
}

// readPlayers makes participants of networks and players.
func (s *Study) readPlayers(given func(string) bool) (err error) {
	o := &s.asked
	if len(o.Players) == 0 || len(o.Networks) > 0 {
		if o.Networks, err = o.NetworksOf(s.open, o.Networks, o.Game, "--players such as "+open.PlainOpponent); err != nil {
			return err
		}
	}
	if len(o.Networks) == 0 {
		if given("sims") || given("precision") || len(o.Tuned) > 0 {
			return errors.New("--sims, --precision and --tuned: they belong to --networks")
		}
		o.Sims, o.Precision = nil, ""
	}
	networks, nerr := study.Networks(s.open, o.Networks, o.Sims, o.Precision)
	s.players, err = o.AddPlayers(s.open, networks, o.Players)
	o.Players = nil
	for _, p := range s.players[len(networks):] {
		o.Players = append(o.Players, p.Spec.Text)
	}
	return errors.Join(nerr, err)
}

// strongest is the first network at its greatest strength, which meets the tuned
// ones; nil without networks.
func (s *Study) strongest() *study.Participant {
	var best *study.Participant
	for i := range s.players {
		p := &s.players[i]
		if p.Network != "" && p.Network == s.players[0].Network && (best == nil || p.Simulations > best.Simulations) {
			best = p
		}
	}
	return best
}

// readTuned reads VARIANT=NETWORK words; the name of a variant has "=" in it, too.
func (s *Study) readTuned() error {
	var errs []error
	shared := s.strongest()
	if shared == nil {
		return nil // readPlayers says so
	}
	s.asked.Tuned = slices.Clone(s.asked.Tuned)
	for i, word := range s.asked.Tuned {
		at, network := -1, ""
		for i, v := range s.variants {
			for _, name := range []string{v.Name, v.Short} {
				if rest, ok := strings.CutPrefix(word, name+"="); ok && at < 0 {
					at, network = i, rest
				}
			}
		}
		if at < 0 || network == "" {
			errs = append(errs, fmt.Errorf("--tuned %q: want VARIANT=NETWORK, where a variant is as %s", word, s.variants[0].Name))
			continue
		}
		if slices.ContainsFunc(s.tuned, func(t tunedNetwork) bool { return t.variant == at }) {
			errs = append(errs, fmt.Errorf("--tuned %q: %s has a network already", word, s.variants[at].Name))
			continue
		}
		named := s.asked.ByHash(network)[0]
		spec, err := s.open.Parse(study.NetText(named, shared.Simulations, s.asked.Precision))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		s.tuned = append(s.tuned, tunedNetwork{at, named, spec})
		s.asked.Tuned[i] = strings.TrimSuffix(word, network) + named
	}
	return errors.Join(errs...)
}

// asked is what asked.json says.
type asked struct {
	Format      int            `json:"format"`
	Game        string         `json:"game"`
	GameVersion int            `json:"game_version"`
	Rules       string         `json:"rules"`
	Variants    []string       `json:"variants"`
	Baseline    string         `json:"baseline"`
	Players     []study.Player `json:"players"`
	Precision   string         `json:"precision,omitempty"`
	Tuned       []study.Player `json:"tuned"`
	TunedPairs  int            `json:"tuned_pairs"`
	Config
	Kernel   string        `json:"kernel"`
	CoreTime time.Duration `json:"core_time_ns,omitempty"`
}

const askedFormat = 2

// Experiment is what the runner plays.
func (s *Study) Experiment() (*study.Experiment, error) {
	o, info := &s.asked, s.base.Info()
	a := &asked{
		Format: askedFormat, Game: info.Name, GameVersion: info.Version, Rules: s.base.Rules(), Baseline: s.variants[s.baseline].Name,
		Precision: o.Precision, TunedPairs: o.TunedPairs, Config: o.Config, Kernel: kernel.Arithmetic(), CoreTime: o.CoreTime,
	}
	for _, v := range s.variants {
		a.Variants = append(a.Variants, v.Name)
	}
	var err error
	if a.Players, err = study.AskPlayers(study.Specs(s.players)...); err != nil {
		return nil, err
	}
	for _, t := range s.tuned {
		one, err := study.AskPlayers(t.spec)
		if err != nil {
			return nil, err
		}
		one[0].Variant = s.variants[t.variant].Name
		a.Tuned = append(a.Tuned, one[0])
	}
	sizes := []string{"games"}
	if len(s.tuned) > 0 {
		sizes = append(sizes, "tuned-pairs")
	}
	return &study.Experiment{
		Options: &o.Options, Name: "balance", Asked: a, Result: &Result{}, Rounds: o.Games / 2, Sizes: study.Flags(o.Settings(), sizes...),
		Same: s.same, Plan: s.plan, Play: s.play, Finish: s.finish,
	}, nil
}

// same refuses to change the difference that matters, which was declared before the
// games, and what all games depend on.
func (s *Study) same(before []byte) error {
	var was asked
	if err := json.Unmarshal(before, &was); err != nil {
		return fmt.Errorf("%s: %w", study.AskedFile, err)
	}
	if was.Format == 1 {
		return fmt.Errorf("%s: format 1, of an earlier design, in which each player settled the start by its best play and a variant was judged by those games alone: its report.txt, report.html and balance.json say what it found; want a new folder for games from every start", study.AskedFile)
	}
	if was.Format != askedFormat {
		return fmt.Errorf("%s: format %d: this program reads %d", study.AskedFile, was.Format, askedFormat)
	}
	var matters error
	if was.Matters != s.asked.Matters {
		matters = fmt.Errorf("--matters %g: a difference of %g was declared before its games: want that, or a folder of its own", s.asked.Matters, was.Matters)
	}
	old := s.asked
	old.Config = was.Config
	return errors.Join(matters, study.Changed(old.Settings(), s.asked.Settings(), "games", "sampled", "temperatures", "max-turns", "seed"))
}

// command repeats the comparison of these sizes elsewhere, with every value that
// figures depend on.
func (o *Options) command() string {
	all := *o
	text := "balance --game " + o.Game
	if o.Rules != "" {
		text += " --rules " + wording.Quoted(o.Rules)
	}
	list := all.Settings()
	if len(o.Tuned) == 0 {
		list = slices.DeleteFunc(list, func(s study.Setting) bool { return s.Name == "tuned-pairs" })
	}
	return o.Call(text + " " + study.Flags(list))
}

// input makes the input of a result of what was played.
func (s *Study) input() (*Input, error) {
	info := s.base.Info()
	in := &Input{
		Game: info.Name, GameVersion: info.Version, Rules: s.base.Rules(), Config: s.played.Config, Players: s.players, Baseline: s.baseline,
		Command: s.played.command(), Weights: map[string]string{}, Checks: s.checks,
	}
	if s.asked.Precision != "" {
		in.Precision = s.asked.Precision + " on " + kernel.Arithmetic()
	}
	var err error
	for i := range s.players {
		if p := &s.players[i]; p.Network != "" {
			if in.Weights[p.Network], err = p.Spec.Identity(); err != nil {
				return nil, err
			}
		}
	}
	for i := range s.variants {
		v, err := s.readVariant(i)
		if err != nil {
			return nil, err
		}
		in.Variants = append(in.Variants, *v)
	}
	return in, nil
}

func (s *Study) finish(_ context.Context, stop *study.Stop) (study.Result, []sheet.CSV, error) {
	in, err := s.input()
	if err != nil {
		return nil, nil, err
	}
	in.Stopped = stop
	r := Build(in)
	return r, append(r.CSV(), in.Games()), nil
}

func (s *Study) readVariant(i int) (*VariantInput, error) {
	v := &s.variants[i]
	in := &VariantInput{Variant: *v}
	for n := range s.shares {
		x := &s.shares[n]
		if x.variant != i {
			continue
		}
		r := NewReader(v.Game, x.cells)
		in.KindNames, in.PieceNames = r.KindNames, r.PieceNames
		for k := range x.games {
			one, err := r.Read(&x.games[k])
			if err != nil {
				return nil, fmt.Errorf("%s by %s: %w", v.Name, s.players[x.player].Spec.Text, err)
			}
			in.Played = append(in.Played, one)
		}
	}
	for _, name := range s.asked.Networks {
		trained, err := s.open.TrainedOn(name, v.Game)
		if err != nil {
			return nil, err
		}
		if !trained && !slices.Contains(in.NotTrained, name) {
			in.NotTrained = append(in.NotTrained, name)
		}
	}
	return in, nil
}

// share is what one player plays of one variant. Each is a series with a folder of
// its own, so that more players and variants leave its games as they are.
type share struct {
	variant, player int
	series          *match.Series
	cells           []Cell
	games           []match.Game
}
