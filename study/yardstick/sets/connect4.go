// Package sets holds the positions of known value of the games of this module, each a
// part of the program: two sets for Connect Four, of which the fresh one was never used
// to choose anything, and one of Reforge races for Kon'reh. The command in the folder
// generate makes them and says how.
package sets

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/ludozero/ludozero/study/yardstick"
)

//go:generate go run ./generate -set connect4 -out testdata/connect4.jsonl
//go:generate go run ./generate -set connect4 -seed 20261123 -out testdata/connect4-fresh.jsonl
//go:generate go run ./generate -set races -out testdata/races.jsonl

var (
	//go:embed testdata/connect4.jsonl
	connect4 []byte
	//go:embed testdata/connect4-fresh.jsonl
	connect4Fresh []byte
)

// Connect4 are positions of Connect Four of which each is won or drawn.
func Connect4() (*yardstick.Set, error) { return readConnect4(connect4) }

// Connect4Fresh are positions of the same kind from a seed of their own. Networks, settings
// and code are never chosen by them, so that what they give is no best of many tries.
func Connect4Fresh() (*yardstick.Set, error) { return readConnect4(connect4Fresh) }

func readConnect4(file []byte) (*yardstick.Set, error) {
	return yardstick.Read(yardstick.Set{
		Game: "connect4", Rules: "standard", PerStage: 4,
		Counts: "Decisions that keep the game value", Of: "moves played",
		Kinds: []string{"won", "drawn"},
	}, file, column)
}

// connect4Row is a line of the set of Connect Four.
type connect4Row struct {
	Moves string `json:"moves"` // columns played, from 1
	// Values has a letter for each column: w, d or l for what the position is
	// worth to the player to move once a stone is in it, win, draw or loss, and a
	// dot for a full one.
	Values string `json:"values"`
}

// column makes a position of a line of Connect Four's.
func column(_ *yardstick.Set, r *connect4Row) (yardstick.Position, error) {
	p := yardstick.Position{Moves: r.Moves, Stage: len(r.Moves), Turns: len(r.Values) - strings.Count(r.Values, ".")}
	worth := byte('w')
	if strings.IndexByte(r.Values, worth) < 0 {
		worth, p.Kind = 'd', 1
	}
	for i, v := range []byte(r.Values) {
		if v == worth {
			p.Keeps = append(p.Keeps, string(byte('1'+i)))
		}
	}
	if len(p.Keeps) == 0 || len(p.Keeps) == p.Turns {
		return p, fmt.Errorf("%s: values %q leave no choice", r.Moves, r.Values)
	}
	return p, nil
}
