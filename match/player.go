package match

import (
	"context"
	"io"
	"time"

	"github.com/ludozero/ludozero/engine"
)

// Player decides in games, one game after another. Package player has some.
type Player interface {
	// NewGame forgets the last game; what follows is a function of seed. An error ends
	// the series.
	NewGame(ctx context.Context, seed uint64) error
	// Think searches s, where a player is to decide and whose past is h, within b and
	// the player's own limits: the search ends at the first limit that it reaches.
	// With the zero Bounds it returns the player's move, and whatever else it knows
	// without more work. h may be nil if nothing was played before.
	Think(ctx context.Context, s engine.State, h *engine.History, b Bounds) (*Analysis, error)
}

// Bounds are the limits of one decision besides those of the player's description,
// and what is asked of the answer. The zero value of a field is no limit. A player
// ignores what it has no use for: a search to a depth has no tree to be full, and a
// foreign program tells nothing but its move.
type Bounds struct {
	// Simulations bounds a tree search, or the positions that a search to a depth
	// looks at. A player without a limit of its own that is given this one alone
	// chooses as it does by a description with the same number.
	Simulations int
	// Depth is in player turns; only searches to a depth heed it.
	Depth int
	Time  time.Duration

	// Remaining, Other and Increment are what the clocks of the game show: the
	// player's own time, its opponent's, and what a finished turn adds; zero without
	// clocks. They limit a player whose description says that it goes by the clock,
	// and, if ByClock is set, every other that can divide its time.
	Remaining, Other, Increment time.Duration
	ByClock                     bool

	// Default is the time if there is no other limit, neither here nor in the
	// description.
	Default time.Duration
	// Partial makes the end of the context no error: what is known by then is the
	// answer, and something always is.
	Partial bool

	// Only are the actions that may be chosen: at least one, ascending and legal. Nil for
	// all. A player that cannot leave others aside ignores it.
	Only []engine.Action

	// Analyze asks for a judgement of the position and its moves, also where only
	// one is legal. The player draws the same random numbers and chooses the same move
	// as without, unless time limits it. It may take longer.
	Analyze bool
	// Play says that the move of an analysis is played: a player that analyses without
	// contempt has it then.
	Play bool
	// Lines asks for Move.Line of that many of the best moves at least, where the player
	// knows it. Alpha-beta searches once more for each after the first.
	Lines int
	// Draws asks for Analysis.Draw and Move.Draw.
	Draws bool
	// Report is told what is known, about once in every Every, from the goroutine
	// of Think; it may keep the value. Nil for not at all.
	Report func(*Analysis)
	Every  time.Duration

	// Record, if not nil, tells how the game came to s, for players that are other
	// programs: start is the position line that it began from, empty for the
	// game's start; moves are the words of all decisions since, with spaces between.
	Record func() (start, moves string)
}

// Analysis is a player's answer. Values are in [-1, 1], +1 a win, in the view of the
// player who acts in the position.
type Analysis struct {
	// Choice is what the player plays.
	Choice engine.Action
	// Value is the player's value of the position; meaningless unless Judged.
	Value  float64
	Judged bool
	// Lead says that values are a lead in what the player counts, mapped into [-1, 1]:
	// they are no expectation of the result.
	Lead bool
	// Draw is the probability of a draw that goes with Value, if HasDraw: a win then has
	// (1-Draw+Value)/2. Bounds.Draws asks for it; players that judge by a lead have none.
	Draw    float64
	HasDraw bool
	// Solved says that Value is certain, not an estimate.
	Solved bool
	// Moves are all legal actions, or those of Bounds.Only, in ascending order; empty if
	// the player does not judge them.
	Moves []Move
	// Line is how the player expects the game to go on, chance included. It
	// begins with Choice and may end there.
	Line []engine.Action

	// Simulations is as in Bounds; Depth is 0 where there is none.
	Simulations, Depth int
	Time               time.Duration
	// Limit is the time that the player allowed the decision, 0 if time was no limit or
	// a foreign program decides by the clock; ByClock says that the clock of the game
	// was the limit.
	Limit   time.Duration
	ByClock bool
	// Ending is why the search ended, empty if it goes on or if there was none.
	Ending Ending
}

// Move is what a player knows of one legal action.
type Move struct {
	Action engine.Action
	// Prob is the player's policy and sums to 1 over the moves: shares of the
	// visits, the improved policy of a Gumbel search, the network's policy if
	// only the root was evaluated; for players that search to a depth or to the
	// end, equal shares of the best moves.
	Prob float64
	// Visits are the simulations through the action, 0 with players that
	// simulate nothing.
	Visits int
	// Value is the value of the position after the action, in the view of the player
	// who takes it; meaningless unless Judged.
	Value  float64
	Judged bool
	// Prior is the probability that a network gave the action before the search, 0 of
	// players without one. Draw goes with Value as Analysis.Draw does.
	Prior, Draw float64
	// Line is how the player expects the game to go on after Action, which it
	// begins with, if Bounds.Lines asked for it and it is known.
	Line []engine.Action
}

// Ending is why a search has ended.
type Ending string

// Why searches end.
const (
	EndStopped Ending = "stopped" // its context has ended
	EndLimit   Ending = "limit"   // it reached a limit
	EndFull    Ending = "full"    // its tree has no room left
	EndProven  Ending = "proven"  // the result is known
	EndSettled Ending = "settled" // no time left could have changed the choice
	EndForced  Ending = "forced"  // there was one legal action only
)

// Analyze has p analyse s as the first position of a game with seed.
func Analyze(ctx context.Context, p Player, seed uint64, s engine.State, h *engine.History) (*Analysis, error) {
	if err := p.NewGame(ctx, seed); err != nil {
		return nil, err
	}
	return p.Think(ctx, s, h, Bounds{Analyze: true})
}

// Rester is a Player that holds much memory while a game lasts. A series of many
// players has those rest that do not play: Rest releases what NewGame would forget.
type Rester interface {
	Player
	Rest()
}

// Dismiss ends what a player holds and nobody else would end, such as a process:
// it may not be asked any more. Players that hold nothing, and nil, are left alone.
func Dismiss(p Player) {
	if c, ok := p.(io.Closer); ok {
		c.Close()
	}
}
