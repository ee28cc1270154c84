// Package switches finds out which options of a player make it stronger, several at once.
//
// Each option has two levels. A row of a fractional factorial design (package
// stats/design) gives every option a level; the player with these levels meets its
// mirror image, which has the other level of every option. So every game tells of every
// option, and what depends on two options together cancels: it is the same for both
// sides. Against a fixed opponent the same precision takes four times the games.
package switches

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/open"
	"github.com/ludozero/ludozero/report/sheet"
	"github.com/ludozero/ludozero/stats/design"
	"github.com/ludozero/ludozero/study"
)

// Options are what a study is asked; Settings explains most of them.
type Options struct {
	study.Options
	// Player is the description that all players share.
	Player string
	// Factors are "NAME=LOW:HIGH".
	Factors      []string
	Runs         int
	Pairs        int
	OpeningTurns int
	MaxTurns     int
	Seed         uint64
}

// DefaultOptions lacks player and factors.
func DefaultOptions() Options {
	m := match.DefaultConfig()
	return Options{Runs: 16, Pairs: 20, OpeningTurns: m.OpeningTurns, MaxTurns: m.MaxTurns, Seed: 1}
}

// Settings are the options that have flags.
func (o *Options) Settings() []study.Setting {
	return []study.Setting{
		{Name: "factor", Value: &o.Factors, Each: true, Help: "an option of the player and its two levels, NAME=LOW:HIGH; several times"},
		{Name: "runs", Value: &o.Runs, Help: "rows of the design: 8, 16 or 32"},
		{Name: "pairs", Value: &o.Pairs, Help: "pairs of games of each row"},
		{Name: "opening-turns", Value: &o.OpeningTurns, Help: "turns drawn at random before the players take over"},
		{Name: "max-turns", Value: &o.MaxTurns, Help: "turns after which a game is a draw; 0: no limit"},
		{Name: "seed", Value: &o.Seed, Help: "seed of openings and players in the first row; the next row has the next number"},
	}
}

// Factor is an option with two levels.
type Factor struct {
	Name string `json:"name"`
	Low  string `json:"low"`
	High string `json:"high"`
}

// parseFactor reads "NAME=LOW:HIGH".
func parseFactor(word string) (f Factor, err error) {
	name, levels, named := strings.Cut(word, "=")
	low, high, two := strings.Cut(levels, ":")
	if !named || !two || name == "" || low == "" || high == "" || low == high {
		return f, fmt.Errorf("--factor %s: want NAME=LOW:HIGH with two levels that differ, such as contempt=0:0.1", word)
	}
	return Factor{name, low, high}, nil
}

// level is the factor as an option of a player.
func (f *Factor) level(high bool) string {
	if high {
		return f.Name + "=" + f.High
	}
	return f.Name + "=" + f.Low
}

// row is one player of the design and its mirror image.
type row struct {
	players  [2]*player.Spec
	openings *match.Openings
	result   *match.Result
}

// Study is a study that has been checked as far as that is possible before its first
// game.
type Study struct {
	asked    Options
	base     string // the player, its network by hash
	game     engine.Game
	progress archive.Progress
	factors  []Factor
	design   *design.Factorial
	rows     []row
}

// New checks a study by the rules of g and reports all that is wrong with it.
func New(ctx context.Context, o Options, g engine.Game, players *open.Players, p archive.Progress) (*Study, error) {
	s := &Study{asked: o, game: g, progress: p}
	c := s.config(0)
	errs := []error{c.Validate(), o.Validate()}
	for _, word := range o.Factors {
		f, err := parseFactor(word)
		if err == nil && slices.ContainsFunc(s.factors, func(x Factor) bool { return x.Name == f.Name }) {
			err = fmt.Errorf("--factor %s: the option has levels already", word)
		}
		s.factors, errs = append(s.factors, f), append(errs, err)
	}
	if len(o.Factors) == 0 {
		errs = append(errs, errors.New("--factor: want at least one"))
	} else {
		var err error
		s.design, err = design.New(o.Runs, len(s.factors))
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, study.Usage(err)
	}
	// The full text of a player without weights spells out defaults that factors replace.
	if s.base = players.ByHash(o.Player)[0]; !strings.Contains(s.base, "@") {
		s.base = o.Player
	}
	for r := range o.Runs {
		var x row
		for side := range x.players {
			levels := make([]string, len(s.factors))
			for i := range s.factors {
				levels[i] = s.factors[i].level(s.design.High(r, i) != (side == 1))
			}
			var err error
			if x.players[side], err = players.Parse(withOptions(s.base, levels)); err != nil {
				return nil, study.Usage(err)
			}
			one, err := x.players[side].New(g) // so that all that is wrong is known now
			if err != nil {
				return nil, err
			}
			match.Dismiss(one)
			if x.players[side].ByClock {
				return nil, study.Usage(fmt.Errorf("player %s: there are no clocks here, want a fixed time=100ms", o.Player))
			}
		}
		var err error
		if x.openings, err = match.RandomOpenings(ctx, g, o.Pairs, o.OpeningTurns, s.config(r).Seed); err != nil {
			return nil, err
		}
		s.rows = append(s.rows, x)
	}
	return s, nil
}

// withOptions adds options to the description of a player.
func withOptions(text string, options []string) string {
	separator := ","
	if !strings.ContainsAny(text, ":,") {
		separator = ":"
	}
	return text + separator + strings.Join(options, ",")
}

// config is how the games of a row are played.
func (s *Study) config(row int) match.Config {
	o := &s.asked
	return match.Config{Pairs: o.Pairs, OpeningTurns: o.OpeningTurns, MaxTurns: o.MaxTurns, Workers: o.Workers, Seed: o.Seed + uint64(row)}
}

// folder keeps the games of a row.
func (s *Study) folder(row int) string { return s.asked.Folder(fmt.Sprintf("row-%02d", row+1)) }

// asked is what asked.json says.
type asked struct {
	Format       int            `json:"format"`
	Game         string         `json:"game"`
	GameVersion  int            `json:"game_version"`
	Rules        string         `json:"rules"`
	Players      []study.Player `json:"players"`
	Factors      []Factor       `json:"factors"`
	Runs         int            `json:"runs"`
	Pairs        int            `json:"pairs"`
	OpeningTurns int            `json:"opening_turns"`
	MaxTurns     int            `json:"max_turns"`
	Seed         uint64         `json:"seed"`
	Kernel       string         `json:"kernel,omitempty"`
	CoreTime     time.Duration  `json:"core_time_ns,omitempty"`
}

// leastPairs is how many pairs of each row a round has: fewer would leave cores idle.
const leastPairs = 4

// Experiment is what the runner plays.
func (s *Study) Experiment() (*study.Experiment, error) {
	o := &s.asked
	a := &asked{
		Format: 1, Game: s.game.Info().Name, GameVersion: s.game.Info().Version, Rules: s.game.Rules(), Factors: s.factors, Runs: o.Runs, Pairs: o.Pairs,
		OpeningTurns: o.OpeningTurns, MaxTurns: o.MaxTurns, Seed: o.Seed, Kernel: study.Kernel(s.rows[0].players[:]...), CoreTime: o.CoreTime,
	}
	var err error
	if a.Players, err = study.AskPlayers(s.rows[0].players[:]...); err != nil { // the others have the same network
		return nil, err
	}
	return &study.Experiment{
		Options: &o.Options, Name: "switches", Asked: a, Result: &Result{}, Rounds: max(1, o.Pairs/leastPairs), Sizes: study.Flags(o.Settings(), "pairs"),
		Plan: s.plan, Play: s.play, Finish: s.finish,
	}, nil
}

// plan writes what will be played and how long that takes.
func (s *Study) plan(ctx context.Context, p *study.Plan) error {
	o := &s.asked
	p.Line("plan", "%s in %d rows, each player against its mirror image", wording.Count(len(s.factors), "option"), o.Runs)
	var folders []string
	for r := range s.rows {
		folders = append(folders, s.folder(r))
	}
	total := 2 * o.Runs * o.Pairs
	left, err := p.Games(total, folders, "%d, %d of each row", total, 2*o.Pairs)
	if err != nil || left == 0 {
		return err
	}
	work := 0.0
	for _, spec := range s.rows[0].players {
		x, err := p.Player(ctx, spec.Text, o.MaxTurns, study.Alone(s.game, spec, o.Seed, "switches pilot"))
		if err != nil {
			return err
		}
		work += x.Game() / 2
	}
	p.Time(time.Duration(left*float64(total)*work), o.Workers, "")
	return nil
}

// play plays the games of all rows that are missing up to the end of a round.
func (s *Study) play(ctx context.Context, round, rounds int) error {
	for i := range s.rows {
		x := &s.rows[i]
		m := study.Match{
			Kind: "switches", Dir: s.folder(i), Config: s.config(i), Pairs: max(1, s.asked.Pairs*round/rounds), Game: s.game, Players: x.players, Openings: x.openings,
			Standing: func(t match.Tally) string {
				return fmt.Sprintf("round %d of %d, row %d of %d: %v", round, rounds, i+1, len(s.rows), t)
			},
		}
		var err error
		if x.result, _, err = m.Play(ctx, s.progress); err != nil {
			return err
		}
	}
	return nil
}

func (s *Study) finish(_ context.Context, stop *study.Stop) (study.Result, []sheet.CSV, error) {
	o := s.asked
	o.Pairs = s.rows[0].result.Pairs.Pairs() // fewer where a limit ended it
	r := &Result{
		Game: s.game.Info().Name, GameVersion: s.game.Info().Version, Rules: s.game.Rules(), Player: s.base,
		OpeningTurns: o.OpeningTurns, MaxTurns: o.MaxTurns, Seed: o.Seed, Stopped: stop,
		Command: o.Call("sweep players " + wording.Quoted(s.base) + " --game " + s.game.Info().Name + " --rules " + wording.Quoted(s.game.Rules()) + " " + study.Flags(o.Settings())),
	}
	for i := range s.rows {
		x := s.rows[i].result
		row := Row{A: x.A, B: x.B, Tally: x.Tally, Score: x.Score}
		for f := range s.factors {
			row.High = append(row.High, s.design.High(i, f))
		}
		r.Rows = append(r.Rows, row)
		r.MeanTurns += x.MeanTurns / float64(len(s.rows))
	}
	if err := r.fit(s.design, s.factors); err != nil {
		return nil, nil, err
	}
	return r, r.CSV(), nil
}
