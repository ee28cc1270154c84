// Package sample chooses a few telling games of a run and annotates them: the
// moves in notation for people, what the search thought of them, boards at the
// key moments and the curve of the value. It also lays out games of which only
// the moves are known, such as those of matches.
//
// A [Game] is data; text, HTML and the curve are written from it. The choice
// depends on the recorded games alone, not on chance or the clock.
package sample

import "github.com/ludozero/ludozero/engine"

// Game is an annotated game. Values are in the first player's view, in [-1, 1],
// +1 a win; players are "first" and "second", sides are named as in Sides.
type Game struct {
	// Why says why the game was chosen; empty if nobody chose.
	Why []string `json:"why,omitempty"`
	// Number is that of the game among others, where it has one.
	Number int64 `json:"number"`
	// Run, Generation and Beginning are those of the record; Run is empty and the
	// others mean nothing if the game was not recorded by self-play.
	Run        string `json:"run,omitempty"`
	Generation int    `json:"generation"`
	Beginning  string `json:"beginning,omitempty"`

	Game  string    `json:"game"`
	Rules string    `json:"rules"`
	Sides [2]string `json:"sides"`
	// Players names who played, first and second, where the caller knows it.
	Players [2]string `json:"players"`

	// Winner is "first", "second" or "draw"; "" if the moves do not end the game.
	Winner string `json:"winner"`
	// WinnerSide is the side that the winner owned at the end.
	WinnerSide string `json:"winner_side,omitempty"`
	// Reason is a word of the rules, or record.ReasonResignation.
	Reason string `json:"reason"`
	// Turns is engine.State.Turn of the last position: the player turns finished,
	// which may be one less than that of the last move.
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
	// Notation is that of the game for people; empty if it has none for it.
	Notation string `json:"notation,omitempty"`
	// Search is nil for moves without a recorded search.
	Search *Search `json:"search,omitempty"`
}

// Search is what the record says of the search before a move.
type Search struct {
	// Value is the root value, Network the network's own.
	Value   float64 `json:"value"`
	Network float64 `json:"network"`
	// Share is what the move got of what ShareOf names, "visits" or "policy
	// target"; Best is the word that got most, and BestShare how much. All are
	// empty if the record has neither.
	Share     float64 `json:"share"`
	ShareOf   string  `json:"share_of,omitempty"`
	Best      string  `json:"best,omitempty"`
	BestShare float64 `json:"best_share"`
	// Surprise is that of the record, in nats; 0 without a policy target.
	Surprise float64 `json:"surprise"`
	// Full says that the search had its full budget.
	Full bool `json:"full"`
}

// Moment is a position of the game worth a picture.
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
	// that of the next searched move.
	Move  int     `json:"move"`
	Until int     `json:"until"`
	From  float64 `json:"from"`
	To    float64 `json:"to"`
}

// name is how the game calls a move: its notation if it says where a piece goes,
// else the word.
func (m *Move) name() string {
	if m.Notation == "" || m.Notation[0] == '[' {
		return m.Word
	}
	return m.Word + " (" + m.Notation + ")"
}
