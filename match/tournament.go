package match

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/stats/rating"
)

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
	// Dice is as in Result.
	Dice string `json:"dice,omitempty"`
	// RepeatedGames counts games that repeat an earlier one of the tournament move
	// by move, by any players. Pairs of the same two players that repeat are
	// counted in Ratings.Pairings.
	RepeatedGames int `json:"repeated_games"`

	// Clock is the time control, empty for none; Clocks are what the players did
	// with their time, by name.
	Clock  string               `json:"clock,omitempty"`
	Clocks map[string]*ClockUse `json:"clocks,omitempty"`
	// Efforts sum up the searches of players that are limited by time, by name;
	// their games are not reproducible.
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
		PlannedPairs: cfg.Pairs, Pairs: len(games) / 2, PlannedInAll: len(s.Schedule), Dice: diceOf(s.Game),
		Clocks: map[string]*ClockUse{}, Efforts: map[string]*Effort{},
	}
	sum := s.sum(games)
	r.DistinctOpenings, r.Reasons, r.MeanTurns = len(sum.openings), sum.reasons, sum.turns
	r.RepeatedGames = sum.counter.RepeatedGames()
	names := make([]string, len(s.Contestants))
	for i, c := range s.Contestants {
		names[i] = c.Name
		if sum.efforts[i] != nil {
			r.Efforts[names[i]] = r.Efforts[names[i]].plus(sum.efforts[i])
		}
	}
	r.Clock = s.Clock.String()
	for i, use := range ClockUses(s, games) {
		if use.Games > 0 {
			r.Clocks[names[i]] = &use
		}
	}
	table, err := rating.Fit(names, sum.counter.Pairings(), opt)
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
		kind = "gauntlet of " + wording.PlainName(r.Ratings.Players[0].Name)
	}
	line("game       %s, rules %s (version %d)", r.Game, r.Rules, r.GameVersion)
	line("played     %s of %d players, %s with seats exchanged of each two that meet, seed %d", kind, len(r.Ratings.Players), wording.Count(r.PlannedPairs, "pair"), r.Seed)
	if r.Pairs < r.PlannedInAll {
		line("           stopped early: %d of %d pairs were played", r.Pairs, r.PlannedInAll)
	}
	reuse := ""
	if r.Pairs == r.PlannedInAll {
		reuse = usedAgain(r.DistinctOpenings, r.PlannedPairs)
	}
	line("openings   %s (%d distinct), list %s%s%s", r.Openings, r.DistinctOpenings, r.OpeningList, r.OpeningNotes, reuse)
	if r.Dice == PairDice {
		line("dice       the same in both games of a pair")
	}
	line("ends       %s; %.1f turns a game", endsText(r.Reasons), r.MeanTurns)
	if r.Clock != "" {
		line("clock      %s", clockText(r.Clock))
	}
	for _, name := range slices.Sorted(maps.Keys(r.Clocks)) {
		line("           %s: %v", wording.PlainName(name), r.Clocks[name])
	}
	for _, name := range slices.Sorted(maps.Keys(r.Efforts)) {
		line("time       %s: %v", wording.PlainName(name), r.Efforts[name])
	}
	if r.Clock != "" || len(r.Efforts) > 0 {
		line("           limited by time: the same command plays other games")
	}
	if r.RepeatedGames > 0 {
		pairs := 0
		for i := range r.Ratings.Pairings {
			pairs += r.Ratings.Pairings[i].Repeated
		}
		line("repeated   %s equal to an earlier one, %s equal to an earlier pair of the same two, which is no evidence", wording.Count(r.RepeatedGames, "game"), wording.Count(pairs, "pair"))
	}
	line("")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	return r.Ratings.WriteText(w)
}

func endsText(reasons map[string]int) string {
	var ends []string
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		ends = append(ends, fmt.Sprintf("%s %d", reason, reasons[reason]))
	}
	return strings.Join(ends, ", ")
}
