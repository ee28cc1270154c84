package player

import (
	"crypto/sha256"
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player/alphabeta"
)

// ownTerms is the word for the weights that the game brings.
const ownTerms = "own"

func alphaBetaKind() Kind {
	return Kind{
		Doc:   "a search written by hand: alpha-beta with quiescence, by the terms that the game brings",
		OneOf: []string{"depth", "time"},
		Options: []Option{
			{Name: "depth", Doc: "player turns looked ahead", Min: 1, Max: alphabeta.MaxDepth},
			TimeOption(),
			{Name: "terms", Doc: "weights to judge by: the game's own, or a file of fit-terms", Default: ownTerms, Text: ownTerms + "|FILE", Quiet: true},
		},
		Make: func(v Values) (Factory, error) {
			text := []byte(nil)
			if file := v.Values["terms"]; file != ownTerms {
				var err error
				if text, err = input.Read(file, input.Small); err != nil {
					return nil, err
				}
			}
			return func(g engine.Game) (match.Player, error) {
				e := alphabeta.New(g)
				if text != nil {
					t := alphabeta.TermsOf(g)
					w, err := engine.ParseWeights(t.Names, string(text))
					if err != nil {
						return nil, fmt.Errorf("terms=%s: %w", v.Values["terms"], err)
					}
					e = alphabeta.NewWith(g, t.Judge(w))
				}
				if p, ok := v.pace(); ok {
					return alphaBetaOf(g, e, alphabeta.MaxDepth, p), nil
				}
				return alphaBetaOf(g, e, v.Int("depth"), pace{}), nil
			}, nil
		},
		Identify: func(v Values) (string, error) {
			if v.Values["terms"] == ownTerms {
				return "", nil
			}
			text, err := input.Read(v.Values["terms"], input.Small)
			return fmt.Sprintf("terms %.8x", sha256.Sum256(text)), err
		},
	}
}
