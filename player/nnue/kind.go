package nnue

import (
	"crypto/sha256"
	"fmt"
	"sync"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/alphabeta"
)

// KindName is the kind's name in descriptions of players.
const KindName = "nnue"

// usual is the limit of a description that gives none: some hundredths of a second a move.
const usual = "nodes=50000"

// Kind is the kind of players that search by alpha-beta with an evaluation from a file.
func Kind() player.Kind {
	return player.Kind{
		Doc:      "alpha-beta with an evaluation that fit-evaluation learned; PATH is its file",
		Argument: "PATH",
		Quotes:   true,
		OneOf:    player.AlphaBetaLimits(),
		Usual:    usual,
		Options:  player.AlphaBetaOptions(),
		Make: func(v player.Values) (player.Factory, error) {
			read := sync.OnceValues(func() (*Evaluation, error) { return Read(v.Argument) })
			return func(g engine.Game) (match.Player, error) {
				e, err := read()
				if err != nil {
					return nil, err
				}
				judge, err := e.Judge(g)
				if err != nil {
					return nil, err
				}
				return v.AlphaBeta(g, alphabeta.NewWith(g, judge)), nil
			}, nil
		},
		Carry: func(path string) (string, []byte, error) {
			data, err := input.Read(path, input.Large)
			return "", data, err
		},
		Identify: func(v player.Values) (string, error) { return Identify(v.Argument) },
	}
}

// Identify says which evaluation the file at path holds, by its contents.
func Identify(path string) (string, error) {
	data, err := input.Read(path, input.Large)
	return fmt.Sprintf("evaluation %.8x", sha256.Sum256(data)), err
}
