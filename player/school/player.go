package school

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/alphabeta"
)

// maxDepth keeps schools what they are for: cheap players of which thousands of
// games are played.
const maxDepth = 6

// KindName is what the kind is called in descriptions of players.
const KindName = "school"

// Kind is the alpha-beta engine with the doctrine of a school.
func Kind() player.Kind {
	return player.Kind{
		Doc:      "a school of Kon'reh: the engine of alphabeta with a doctrine from a YAML file; see ludozero schools list",
		Argument: "ID",
		Options: []player.Option{
			{Name: "depth", Doc: "player turns looked ahead", Default: "2", Min: 1, Max: maxDepth},
			{Name: "weight", Doc: "how much the doctrine counts, of what its file says; 0 is none", Default: "1", MaxReal: MaxWeight, Quiet: true},
		},
		Name: func(argument string) (string, error) {
			s, err := Find(argument)
			if err != nil {
				return "", err
			}
			if s.Shipped() {
				return s.ID, nil
			}
			return argument, nil
		},
		Make: func(v player.Values) (player.Factory, error) {
			s, err := Find(v.Argument)
			if err != nil {
				return nil, err
			}
			weight, _ := v.Real("weight")
			return func(g engine.Game) (match.Player, error) { return newPlayer(g, s, v.Int("depth"), weight) }, nil
		},
		Carry: func(argument string) (string, []byte, error) {
			s, err := Find(argument)
			if err != nil || s.Shipped() {
				return argument, nil, err
			}
			return "", []byte(s.Text), nil
		},
		Identify: func(v player.Values) (string, error) {
			s, err := Find(v.Argument)
			if err != nil {
				return "", err
			}
			return "school " + s.Digest(), nil
		},
	}
}

func newPlayer(g engine.Game, s *School, depth int, weight float64) (match.Player, error) {
	k, ok := g.(*konreh.Game)
	if !ok {
		return nil, fmt.Errorf("it plays konreh alone, not %s", g.Info().Name)
	}
	return player.NewAlphaBeta(k, alphabeta.NewGuided(k, s.Guide(weight)), depth), nil
}
