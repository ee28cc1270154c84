package enginetest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/engine"
)

// Stats is what random games were like.
type Stats struct {
	Games int `json:"games"`
	// Decisions counts players' decisions and rolls, Rolls the chance
	// decisions among them.
	Decisions int `json:"decisions"`
	Rolls     int `json:"rolls"`
	// Turns and its bounds are over finished games.
	Turns    int `json:"turns"`
	MinTurns int `json:"min_turns"`
	MaxTurns int `json:"max_turns"`
	// Legal sums the legal actions over the players' decisions; MaxLegal is
	// the most at one of them; Forced counts those with a single one.
	Legal    int `json:"legal_actions"`
	MaxLegal int `json:"max_legal_actions"`
	Forced   int `json:"forced"`
	// LongestTurn is the most decisions of players in one turn.
	LongestTurn int `json:"longest_turn"`
	// Shared counts legal actions that had the logit of another one at a decision.
	Shared int `json:"shared_logits"`
	// FirstWins and SecondWins are by player, not by side.
	FirstWins  int `json:"first_wins"`
	SecondWins int `json:"second_wins"`
	Draws      int `json:"draws"`
	// Reasons counts the ends by Outcome.Reason.
	Reasons map[string]int `json:"reasons"`
}

// game is what one game adds to Stats.
type game struct {
	decisions, rolls, legal, maxLegal, forced int
	// turn counts the decisions of players in the turn under way, number at; longest is
	// the most in a turn.
	turn, at, longest int
}

func (n *game) observe(s engine.State, possible int) {
	n.decisions++
	if s.Actor() == engine.Chance {
		n.rolls++
		return
	}
	if s.Turn() != n.at {
		n.turn, n.at = 0, s.Turn()
	}
	n.turn++
	n.longest = max(n.longest, n.turn)
	n.legal += possible
	n.maxLegal = max(n.maxLegal, possible)
	if possible == 1 {
		n.forced++
	}
}

func (t *Stats) add(n *game, end engine.State) {
	turns, o := end.Turn(), end.Outcome()
	if t.Games == 0 {
		t.MinTurns = turns
		t.Reasons = map[string]int{}
	}
	t.Games++
	t.Decisions += n.decisions
	t.Rolls += n.rolls
	t.Turns += turns
	t.MinTurns, t.MaxTurns = min(t.MinTurns, turns), max(t.MaxTurns, turns)
	t.Legal += n.legal
	t.MaxLegal = max(t.MaxLegal, n.maxLegal)
	t.Forced += n.forced
	t.LongestTurn = max(t.LongestTurn, n.longest)
	switch o.Winner {
	case engine.First:
		t.FirstWins++
	case engine.Second:
		t.SecondWins++
	default:
		t.Draws++
	}
	t.Reasons[o.Reason]++
}

// MeanLegal is the mean number of legal actions of a player's decision.
func (t *Stats) MeanLegal() float64 {
	return float64(t.Legal) / float64(max(1, t.Decisions-t.Rolls))
}

// MeanTurns is the mean length of a game.
func (t *Stats) MeanTurns() float64 { return float64(t.Turns) / float64(max(1, t.Games)) }

// DrawRate is the share of drawn games.
func (t *Stats) DrawRate() float64 { return float64(t.Draws) / float64(max(1, t.Games)) }

// String is one line for people.
func (t *Stats) String() string {
	var reasons []string
	for r, n := range t.Reasons {
		reasons = append(reasons, fmt.Sprintf("%s %d", r, n))
	}
	slices.Sort(reasons)
	long := ""
	if t.LongestTurn > 1 {
		long = fmt.Sprintf(" of up to %d decisions", t.LongestTurn)
	}
	return fmt.Sprintf("%d random games: %.1f turns (%d to %d)%s, %.1f legal actions (at most %d), %d wins of first, %d of second, %d draws; %s",
		t.Games, t.MeanTurns(), t.MinTurns, t.MaxTurns, long, t.MeanLegal(), t.MaxLegal,
		t.FirstWins, t.SecondWins, t.Draws, strings.Join(reasons, ", "))
}
