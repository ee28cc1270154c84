package match

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/stats/rating"
)

// TournamentSeries is the series in which contestants meet in cfg.Pairs rounds. In
// each round every two of them play one pair of games, or, in a gauntlet, the
// first plays one with each of the others. All pairs of a round have the same
// opening, so that no player's opponents had easier ones. A tournament of more
// rounds begins with the games of the shorter one.
func TournamentSeries(cfg Config, g engine.Game, contestants []Contestant, gauntlet bool, openings *Openings) (*Series, error) {
	if len(contestants) < 2 {
		return nil, fmt.Errorf("tournament of %d players: want at least 2", len(contestants))
	}
	hosts, meetings := len(contestants), len(contestants)*(len(contestants)-1)/2
	if gauntlet {
		hosts, meetings = 1, len(contestants)-1
	}
	if most := maxPairs / meetings; cfg.Pairs > most {
		return nil, fmt.Errorf("pairs=%d of each two players that meet: want at most %d where %d pairs of players do", cfg.Pairs, most, meetings)
	}
	// What a match asks for besides, all its pairs ask for here.
	s := MatchSeries(cfg, g, contestants[0], contestants[1], openings)
	s.Contestants, s.Schedule = contestants, nil
	for round := range cfg.Pairs {
		for a := range hosts {
			for b := a + 1; b < len(contestants); b++ {
				s.Schedule = append(s.Schedule, Pair{A: a, B: b, Opening: round % max(1, len(openings.List))})
			}
		}
	}
	return s, nil
}

// Standing is the result of a tournament that has been played, wholly or in part.
type Standing struct {
	Game        string `json:"game"`
	GameVersion int    `json:"game_version"`
	Rules       string `json:"rules"`
	Gauntlet    bool   `json:"gauntlet"`

	Seed     uint64 `json:"seed"`
	MaxTurns int    `json:"max_turns"`
	// Openings, OpeningList and OpeningNotes are as in Result.
	Openings         string `json:"openings"`
	OpeningList      string `json:"opening_list"`
	OpeningNotes     string `json:"opening_notes,omitempty"`
	DistinctOpenings int    `json:"distinct_openings"`

	// PlannedPairs is the number of pairs of each two players that meet, Pairs
	// the number of all pairs that have been played of PlannedInAll.
	PlannedPairs int `json:"planned_pairs"`
	Pairs        int `json:"pairs"`
	PlannedInAll int `json:"planned_pairs_in_all"`
	// RepeatedGames counts games that repeat an earlier one of the tournament move
	// by move, whoever played it. Pairs of the same two players that repeat are
	// counted in Ratings.Pairings.
	RepeatedGames int `json:"repeated_games"`

	// Clock is the time control, empty for none; Clocks are what the players did
	// with their time, by name.
	Clock  string               `json:"clock,omitempty"`
	Clocks map[string]*ClockUse `json:"clocks,omitempty"`
	// Efforts are what the searches of players took that are limited by time, by
	// name; the games of those are not reproducible.
	Efforts map[string]*Effort `json:"efforts,omitempty"`
	// Reasons counts how games ended.
	Reasons   map[string]int `json:"reasons"`
	MeanTurns float64        `json:"mean_turns"`

	Ratings *rating.Table `json:"ratings"`
}

// Rank rates the contestants of s, whose names must differ, by the whole pairs
// among games, which must be the first ones of its schedule in order, as Run
// returns them; at least one.
func Rank(cfg Config, s *Series, gauntlet bool, games []Game, opt rating.Options) (*Standing, error) {
	games = games[:len(games)/2*2]
	if len(games) == 0 {
		return nil, errors.New("no whole pair of games to rate players by")
	}
	r := &Standing{
		Game: s.Game.Info().Name, GameVersion: s.Game.Info().Version, Rules: s.Game.Rules(), Gauntlet: gauntlet,
		Seed: s.Seed, MaxTurns: s.MaxTurns,
		Openings: s.Openings.Source, OpeningList: s.Openings.Hash(), OpeningNotes: s.Openings.Notes(),
		PlannedPairs: cfg.Pairs, Pairs: len(games) / 2, PlannedInAll: len(s.Schedule),
		Clocks: map[string]*ClockUse{}, Efforts: map[string]*Effort{}, Reasons: map[string]int{},
	}
	names := make([]string, len(s.Contestants))
	for i, c := range s.Contestants {
		names[i] = c.Name
	}
	c := NewCounter(s)
	used := map[int]bool{}
	turns := 0
	for i := range games {
		g := &games[i]
		pair := s.Schedule[g.Pair-1]
		c.Add(g)
		used[pair.Opening] = true
		for player, effort := range map[int]*Effort{pair.A: g.AEffort, pair.B: g.BEffort} {
			if effort != nil {
				r.Efforts[names[player]] = r.Efforts[names[player]].plus(effort)
			}
		}
		r.Reasons[g.Reason]++
		turns += g.Turns
	}
	r.Clock = s.Clock.String()
	for i, use := range ClockUses(s, games) {
		if use.Games > 0 {
			r.Clocks[names[i]] = &use
		}
	}
	r.DistinctOpenings, r.RepeatedGames, r.MeanTurns = len(used), c.RepeatedGames(), float64(turns)/float64(len(games))
	table, err := rating.Fit(names, c.Pairings(), opt)
	if err != nil {
		return nil, err
	}
	r.Ratings = table
	return r, nil
}

// WriteText writes the conditions of the tournament and the tables of
// rating.Table.WriteText for people.
func (r *Standing) WriteText(w io.Writer) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	kind := "round robin"
	if r.Gauntlet {
		kind = "gauntlet of " + r.Ratings.Players[0].Name
	}
	line("game       %s, rules %s (version %d)", r.Game, r.Rules, r.GameVersion)
	line("played     %s of %d players, %d pairs with seats exchanged of each two that meet, seed %d", kind, len(r.Ratings.Players), r.PlannedPairs, r.Seed)
	if r.Pairs < r.PlannedInAll {
		line("           stopped early: %d of %d pairs were played", r.Pairs, r.PlannedInAll)
	}
	reuse := ""
	if r.Pairs == r.PlannedInAll {
		reuse = usedAgain(r.DistinctOpenings, r.PlannedPairs)
	}
	line("openings   %s (%d distinct), list %s%s%s", r.Openings, r.DistinctOpenings, r.OpeningList, r.OpeningNotes, reuse)
	line("ends       %s; %.1f turns a game", endsText(r.Reasons), r.MeanTurns)
	if r.Clock != "" {
		line("clock      %s", clockText(r.Clock))
	}
	for _, name := range slices.Sorted(maps.Keys(r.Clocks)) {
		line("           %s: %v", name, r.Clocks[name])
	}
	for _, name := range slices.Sorted(maps.Keys(r.Efforts)) {
		line("time       %s: %v", name, r.Efforts[name])
	}
	if r.Clock != "" || len(r.Efforts) > 0 {
		line("           limited by time: the same command plays other games")
	}
	if r.RepeatedGames > 0 {
		pairs := 0
		for i := range r.Ratings.Pairings {
			pairs += r.Ratings.Pairings[i].Repeated
		}
		line("repeated   %d games repeat an earlier one, %d pairs an earlier pair of the same two, which is no evidence", r.RepeatedGames, pairs)
	}
	line("")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	return r.Ratings.WriteText(w)
}

// endsText lists how games ended.
func endsText(reasons map[string]int) string {
	var ends []string
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		ends = append(ends, fmt.Sprintf("%s %d", reason, reasons[reason]))
	}
	return strings.Join(ends, ", ")
}
