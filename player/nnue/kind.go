package nnue

import (
	"sync"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
)

// KindName is the kind's name in descriptions of players.
const KindName = "nnue"

// Usual is the limit of a description that gives none: some hundredths of a second a move.
const Usual = "nodes=50000"

// Kind is the kind of players that search by alpha-beta with an evaluation, which find reads
// for the word that names it. carry is [player.Kind.Carry].
func Kind(find func(word string) (*Evaluation, error), carry func(word string) (string, []byte, error)) player.Kind {
	return player.Kind{
		Doc:      "alpha-beta with an evaluation that fit-evaluation learned; PATH is its file, or the name of a shipped one",
		Argument: "PATH",
		Quotes:   true,
		OneOf:    player.AlphaBetaLimits(),
		Usual:    Usual,
		Options:  player.AlphaBetaOptions(),
		Make: func(v player.Values) (player.Factory, error) {
			read := sync.OnceValues(func() (*Evaluation, error) { return find(v.Argument) })
			return func(g engine.Game) (match.Player, error) {
				e, err := read()
				if err != nil {
					return nil, err
				}
				open, err := e.Engines(g)
				if err != nil {
					return nil, err
				}
				return v.AlphaBeta(g, open), nil
			}, nil
		},
		Carry: carry,
		Identify: func(v player.Values) (string, error) {
			e, err := find(v.Argument)
			if err != nil {
				return "", err
			}
			return e.Identity, nil
		},
	}
}
