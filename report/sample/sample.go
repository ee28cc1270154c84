// Package sample chooses a few instructive games of a run and annotates them: the
// moves in notation for people, the results of the search, boards at the key moments
// and the curve of the value. It also lays out games from their moves alone, such as
// games of matches.
//
// A [Game] is data; text, HTML and the curve are written from it. The choice
// depends on the recorded games alone, not on chance or the clock.
package sample

import "github.com/ludozero/ludozero/engine"

// Game is an annotated game. Values are in the first player's view, in [-1, 1],
// +1 a win; players are "first" and "second", sides are named as in Sides.
type Game struct {
	// Why says why the game was chosen; empty for a game that was asked for.
	Why []string `json:"why,omitempty"`
	// Number is the number of the game in its run or match.
	Number int64 `json:"number"`
	// Run, Generation and Beginning are from the record of self-play. Without one Run
	// is empty, and the others mean nothing.
	Run        string `json:"run,omitempty"`
	Generation int    `json:"generation"`
	Beginning  string `json:"beginning,omitempty"`
	// Taught says that a teacher played both seats: no move has a search.
	Taught bool `json:"taught,omitempty"`

	Game  string    `json:"game"`
	Rules string    `json:"rules"`
	Sides [2]string `json:"sides"`
	// Players are the names of the first and second player, if the caller knows them.
	Players [2]string `json:"players"`

	// Winner is "first", "second" or "draw"; "" if the moves do not end the game.
	Winner string `json:"winner"`
	// WinnerSide is the side that the winner owned at the end.
	WinnerSide string `json:"winner_side,omitempty"`
	// Reason is a word of the rules, or record.ReasonResignation.
	Reason string `json:"reason"`
	// Turns is engine.State.Turn of the last position: the player turns finished,
	// which may be one less than the turn of the last move.
	Turns int    `json:"turns"`
	Moves []Move `json:"moves"`

	// Moments are in order of their moves; the last is the end of the game.
	Moments []Moment `json:"moments"`
	// Swing is the largest change of the root value from one search to the next;
	// nil if there are no two searches or it never changes.
	Swing *Swing `json:"swing,omitempty"`
	// Unlikely are the moves least visited by their own search, at most
	// maxUnlikely, the least first; indices in Moves.
	Unlikely []int `json:"unlikely,omitempty"`
	// Remarks say in sentences what is remarkable: the swing, unlikely moves, the
	// search that surprised the network most, the end.
	Remarks []string `json:"remarks"`
}

// Move is a decision or an outcome of chance.
type Move struct {
	// Turn is the player turn that it belongs to, from 1.
	Turn int `json:"turn"`
	// Side is the side it was made for, Player who made it: "first", "second" or
	// "chance".
	Side   string `json:"side"`
	Player string `json:"player"`
	Word   string `json:"word"`
	// Notation is the move in the game's notation for people; empty if it has none.
	Notation string `json:"notation,omitempty"`
	// Search is nil for moves without a recorded search.
	Search *Search `json:"search,omitempty"`
}

// Search is what the record says of the search before a move.
type Search struct {
	// Value is the root value, Network the network's own.
	Value   float64 `json:"value"`
	Network float64 `json:"network"`
	// Share is the share of the move in what ShareOf names, "visits" or "policy
	// target"; Best is the move with the largest share, BestShare. All are empty if the
	// record has neither.
	Share     float64 `json:"share"`
	ShareOf   string  `json:"share_of,omitempty"`
	Best      string  `json:"best,omitempty"`
	BestShare float64 `json:"best_share"`
	// Surprise is the surprise in the record, in nats; 0 without a policy target.
	Surprise float64 `json:"surprise"`
	// Full says that the search had its full budget.
	Full bool `json:"full"`
}

// Moment is a key position of the game.
type Moment struct {
	// Move counts the moves played before it.
	Move  int    `json:"move"`
	Title string `json:"title"`
	// Picture shows the position and its last turn; nil if the game has none.
	Picture *engine.Picture `json:"picture,omitempty"`
	// Text is the position as lines, as engine.State.Board draws it.
	Text string `json:"text"`
}

// Swing is a change of the root value.
type Swing struct {
	// Move is the index in Moves of the move after which the value changed; Until
	// the index of the next searched move.
	Move  int     `json:"move"`
	Until int     `json:"until"`
	From  float64 `json:"from"`
	To    float64 `json:"to"`
}

// name names a move: the word, with the notation if that says where a piece goes.
func (m *Move) name() string {
	if m.Notation == "" || m.Notation[0] == '[' {
		return m.Word
	}
	return m.Word + " (" + m.Notation + ")"
}
