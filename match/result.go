package match

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/ludozero/ludozero/internal/wording"
	"github.com/ludozero/ludozero/match/opening"
)

// TurnLimit is the reason of a game that Config.MaxTurns ended.
const TurnLimit = "turn-limit"

// Game is one finished game of a match.
type Game struct {
	// Number and Pair count from 1.
	Number int `json:"number"`
	Pair   int `json:"pair"`
	// AFirst says that A was engine.First.
	AFirst bool `json:"a_first"`
	// Points is what A made: 1, 0.5 or 0.
	Points float64 `json:"points"`
	Reason string  `json:"reason"`
	// Turns is the length in player turns, the opening included.
	Turns int `json:"turns"`
	// Opening is how many of the moves are the opening.
	Opening int `json:"opening"`
	// Start is the position line that the game began from; empty for the start.
	Start string `json:"start,omitempty"`
	// Moves is every decision from there, chance included, in the game's words
	// with spaces between.
	Moves string `json:"moves"`
	// Note says what a player did that forfeited the game, for people; empty
	// otherwise.
	Note string `json:"note,omitempty"`

	// Clock is what the clocks said at the end; nil if there were none.
	Clock *GameClock `json:"clock,omitempty"`
	// AEffort and BEffort sum up the searches of players that are limited by time;
	// nil for others. Late is the largest of all their searches so far.
	AEffort *Effort `json:"a_effort,omitempty"`
	BEffort *Effort `json:"b_effort,omitempty"`
}

// Tally counts results.
type Tally struct {
	Wins   int `json:"wins"`
	Draws  int `json:"draws"`
	Losses int `json:"losses"`
}

// Add counts a game in which A made points.
func (t *Tally) Add(points float64) {
	switch points {
	case 1:
		t.Wins++
	case 0:
		t.Losses++
	default:
		t.Draws++
	}
}

// Games is the number of results.
func (t Tally) Games() int { return t.Wins + t.Draws + t.Losses }

func (t Tally) String() string { return fmt.Sprintf("%d-%d-%d", t.Wins, t.Draws, t.Losses) }

// Result is a match that has been played, wholly or in part, in A's view.
type Result struct {
	Game        string `json:"game"`
	GameVersion int    `json:"game_version"`
	Rules       string `json:"rules"`
	A           string `json:"a"`
	B           string `json:"b"`

	Seed uint64 `json:"seed"`
	// OpeningTurns is the length of random openings, counted from the start of
	// the game; 0 where there are others.
	OpeningTurns int `json:"opening_turns"`
	// Openings says what openings were asked for, as opening.Set.Source does;
	// OpeningList is their hash, OpeningNotes are opening.Set.Notes.
	// Empty in results of programs that knew random openings only.
	Openings     string `json:"openings,omitempty"`
	OpeningList  string `json:"opening_list,omitempty"`
	OpeningNotes string `json:"opening_notes,omitempty"`
	MaxTurns     int    `json:"max_turns"`
	// Clock is the time control, empty for none.
	Clock        string `json:"clock,omitempty"`
	PlannedPairs int    `json:"planned_pairs"`
	// Dice is PairDice for games in which chance decides, else empty. PairCorrelation
	// is rating.Pairing.Correlation: what openings and dice do to the interval; nil where
	// too few pairs tell, and in results of earlier programs.
	Dice            string    `json:"dice,omitempty"`
	PairCorrelation *Estimate `json:"pair_correlation,omitempty"`

	// DistinctOpenings is less than the pairs played if the game has no more.
	DistinctOpenings int `json:"distinct_openings"`
	// RepeatedGames counts games that repeat an earlier one move by move,
	// RepeatedPairs pairs that repeat an earlier pair: they are in the score
	// but do not make its interval narrower.
	RepeatedGames int `json:"repeated_games"`
	RepeatedPairs int `json:"repeated_pairs"`

	Tally
	// AsFirst and AsSecond divide the tally by A's seat.
	AsFirst  Tally `json:"as_first"`
	AsSecond Tally `json:"as_second"`
	// Pairs counts pairs by A's half points in them, from 0 to 4.
	Pairs PairCounts `json:"pair_half_points"`
	// Score is A's points per game, Elo the difference that it means.
	Score Estimate `json:"score"`
	Elo   Estimate `json:"elo"`

	// AClock and BClock are what the players did with their time; nil without a
	// clock. Games with one are not reproducible.
	AClock *ClockUse `json:"a_clock,omitempty"`
	BClock *ClockUse `json:"b_clock,omitempty"`
	// AEffort and BEffort sum up the searches of players that are limited by time,
	// whose games are not reproducible; nil for others.
	AEffort *Effort `json:"a_effort,omitempty"`
	BEffort *Effort `json:"b_effort,omitempty"`

	// Reasons counts how games ended.
	Reasons map[string]int `json:"reasons"`
	// MeanTurns is the mean length in player turns.
	MeanTurns float64 `json:"mean_turns"`
	Games     []Game  `json:"games"`
}

// Summarise counts the whole pairs among games, which must be the first ones of
// the match s in order, as Run returns them. It returns nil if there is none.
func Summarise(cfg Config, s *Series, games []Game) *Result {
	games = games[:len(games)/2*2]
	if len(games) == 0 {
		return nil
	}
	r := &Result{
		Game: s.Game.Info().Name, GameVersion: s.Game.Info().Version, Rules: s.Game.Rules(),
		A: s.Contestants[0].Name, B: s.Contestants[1].Name,
		Seed: cfg.Seed, MaxTurns: cfg.MaxTurns, Clock: s.Clock.String(), PlannedPairs: cfg.Pairs,
		Openings: s.Openings.Source, OpeningList: s.Openings.Hash(), OpeningNotes: s.Openings.Notes(),
		DistinctOpenings: min(len(s.Openings.List), len(games)/2),
		Dice:             diceOf(s.Game),
		Games:            games,
	}
	if spec := s.Openings.Spec; spec.Kind == opening.Random && !spec.FromSettled {
		r.OpeningTurns = spec.Turns
	}
	r.count(s)
	return r
}

// count fills in what follows from the games of r, whole pairs of the match s.
func (r *Result) count(s *Series) {
	games := r.Games
	sum := s.sum(games)
	r.Reasons, r.MeanTurns, r.AEffort, r.BEffort = sum.reasons, sum.turns, sum.efforts[0], sum.efforts[1]
	for i := range games {
		game := &games[i]
		r.Add(game.Points)
		if game.AFirst {
			r.AsFirst.Add(game.Points)
		} else {
			r.AsSecond.Add(game.Points)
		}
	}
	if uses := ClockUses(s, games); uses != nil {
		r.AClock, r.BClock = &uses[0], &uses[1]
	}
	p := &sum.counter.Pairings()[0]
	r.Pairs, r.RepeatedPairs, r.RepeatedGames = p.PairCounts(), p.Repeated, sum.counter.RepeatedGames()
	r.Score = r.Pairs.Score(r.Pairs.Pairs() - r.RepeatedPairs)
	r.Elo = r.Score.Elo()
	if c, ok := p.Correlation(); ok {
		r.PairCorrelation = &c
	}
}

// openings says for people what openings were asked for.
func (r *Result) openings() string {
	if r.Openings == "" || r.Openings == (opening.Spec{Kind: opening.Random, Turns: r.OpeningTurns}).String() {
		return fmt.Sprintf("openings of %d random turns", r.OpeningTurns)
	}
	return "openings " + r.Openings
}

// usedAgain says, behind a list of openings, that they were fewer than the pairs; 0
// is a number that an old result does not have.
func usedAgain(openings, pairs int) string {
	if openings == 0 || pairs <= openings {
		return ""
	}
	return fmt.Sprintf("; used again in order, %d for %d pairs", openings, pairs)
}

// WriteText writes the result for people: the numbers with their intervals and
// the conditions they hold under.
func (r *Result) WriteText(w io.Writer) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	pairs := r.Pairs.Pairs()
	line("A          %s", wording.PlainName(r.A))
	line("B          %s", wording.PlainName(r.B))
	line("game       %s, rules %s (version %d)", r.Game, r.Rules, r.GameVersion)
	line("games      %d in %s with seats exchanged, %s (%d distinct), seed %d",
		r.Tally.Games(), wording.Count(pairs, "pair"), r.openings(), r.DistinctOpenings, r.Seed)
	if r.OpeningList != "" {
		line("openings   list %s%s%s", r.OpeningList, r.OpeningNotes, usedAgain(r.DistinctOpenings, pairs))
	}
	if pairs < r.PlannedPairs {
		line("           stopped early: %d pairs were planned", r.PlannedPairs)
	}
	line("A's games  %d won, %d drawn, %d lost; moving first %s, second %s", r.Wins, r.Draws, r.Losses, r.AsFirst, r.AsSecond)
	line("A's pairs  0: %d, ½: %d, 1: %d, 1½: %d, 2 points: %d", r.Pairs[0], r.Pairs[1], r.Pairs[2], r.Pairs[3], r.Pairs[4])
	line("A's score  %.1f %% (95 %%: %.1f to %.1f)", 100*r.Score.Value, 100*r.Score.Low, 100*r.Score.High)
	line("Elo A - B  %s", eloText(r.Elo))
	switch c := r.PairCorrelation; {
	case r.Dice != PairDice:
	case c == nil:
		line("dice       the same in both games of a pair")
	default:
		line("dice       the same in both games of a pair; its games correlate by %+.2f (95 %%: %+.2f to %+.2f), by which the", c.Value, c.Low, c.High)
		line("           interval is %.2f times as wide as that of as many games without a partner", math.Sqrt(1+c.Value))
	}
	line("ends       %s; %.1f turns a game", endsText(r.Reasons), r.MeanTurns)
	if r.Clock != "" {
		line("clock      %s", clockText(r.Clock))
	}
	for _, p := range []struct {
		name   string
		clock  *ClockUse
		effort *Effort
	}{{"A", r.AClock, r.AEffort}, {"B", r.BClock, r.BEffort}} {
		if p.clock != nil {
			line("%s's clock  %v", p.name, p.clock)
		}
		if p.effort != nil {
			line("%s's time   %v", p.name, p.effort)
		}
	}
	if r.Clock != "" || r.AEffort != nil || r.BEffort != nil {
		line("           limited by time: the same command plays other games")
	}
	if r.RepeatedGames > 0 {
		text := ""
		if r.RepeatedPairs > 0 {
			text = fmt.Sprintf(": all pairs count for as much evidence as %d", pairs-r.RepeatedPairs)
		}
		line("repeated   %s equal to an earlier one, %s equal to an earlier pair%s", wording.Count(r.RepeatedGames, "game"), wording.Count(r.RepeatedPairs, "pair"), text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
