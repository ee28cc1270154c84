package study

import (
	"context"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/match/archive"
	"github.com/ludozero/ludozero/model/kernel"
	"github.com/ludozero/ludozero/player"
)

// Series is a series of games between players of a study, kept as archive.Work keeps
// it.
type Series struct {
	archive.Work
	// Kind names the series in its folder, Players are its contestants, and Settings
	// what its games depend on besides; see archive.Asked.
	Kind     string
	Players  []*player.Spec
	Settings map[string]string
}

// Play plays what is missing of the series and returns all its games.
func (s *Series) Play(ctx context.Context, p archive.Progress) ([]match.Game, error) {
	if s.Dir != "" {
		var identities []string
		for _, p := range s.Players {
			id, err := p.Identity()
			if err != nil {
				return nil, err
			}
			identities = append(identities, id)
		}
		s.Asked = archive.Ask(s.Kind, s.Series, identities, Kernel(s.Players...), s.Settings)
	}
	return s.Work.Play(ctx, p)
}

// Player describes a player in asked.json: what its description does not say is its
// identity.
type Player struct {
	Variant  string `json:"variant,omitempty"`
	Player   string `json:"player"`
	Identity string `json:"identity,omitempty"`
}

// Kernel is the arithmetic of the networks among players, "" without any.
func Kernel(specs ...*player.Spec) string {
	if slices.ContainsFunc(specs, func(s *player.Spec) bool { return s.ByNetwork }) {
		return kernel.Arithmetic()
	}
	return ""
}

// AskPlayers describes players.
func AskPlayers(specs ...*player.Spec) ([]Player, error) {
	var list []Player
	for _, s := range specs {
		id, err := s.Identity()
		if err != nil {
			return nil, err
		}
		list = append(list, Player{Player: s.Text, Identity: id})
	}
	return list, nil
}

// Match is a match between two players, Pairs pairs of the Config.Pairs that were asked
// for, kept in Dir.
type Match struct {
	Kind, Dir string
	Config    match.Config
	Pairs     int
	Game      engine.Game
	Players   [2]*player.Spec
	Sampling  player.Sampling // of both players; the zero value: none
	Openings  *match.Openings
	Settings  map[string]string // see archive.Asked
	// Standing, if not nil, says how the match stands.
	Standing func(match.Tally) string
}

// Play plays what is missing and returns the result, without games, and the games.
func (m *Match) Play(ctx context.Context, p archive.Progress) (*match.Result, []match.Game, error) {
	contestants := []match.Contestant{m.Players[0].Contestant(m.Game), m.Players[1].Contestant(m.Game)}
	for i := range contestants {
		if m.Sampling.Temperature > 0 {
			var err error
			if contestants[i], err = m.Players[i].Sampled(m.Game, m.Sampling); err != nil {
				return nil, nil, err
			}
		}
	}
	series, err := match.NewSeries(m.Config, m.Game, contestants, false, m.Openings)
	if err != nil {
		return nil, nil, err
	}
	series.Until = 2 * m.Pairs
	sizes := m.Config
	sizes.Pairs = m.Pairs
	summary := func(games []match.Game) *match.Result {
		r := match.Summarise(sizes, series, games)
		r.Games = nil // they have files of their own
		return r
	}
	work := &Series{Kind: m.Kind, Players: m.Players[:], Settings: m.Settings, Work: archive.Work{
		Dir: m.Dir, Series: series, Quiet: true, // rounds are no resumptions
		Result: func(games []match.Game) (any, error) { return summary(games), nil },
	}}
	if m.Standing != nil {
		var tally match.Tally
		work.Counted = func(g *match.Game) bool { tally.Add(g.Points); return true }
		work.Standing = func() string { return m.Standing(tally) }
	}
	games, err := work.Play(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	return summary(games[:series.Until]), games[:series.Until], nil
}
