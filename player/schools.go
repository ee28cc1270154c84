package player

import (
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/player/alphabeta"
	"github.com/ludozero/ludozero/player/school"
)

// maxSchoolDepth keeps schools what they are for: cheap players of which thousands of
// games are played.
const maxSchoolDepth = 6

// schoolKind is the alpha-beta engine with the doctrine of a school.
func schoolKind() Kind {
	return Kind{
		Doc:      "a school of Kon'reh: the engine of alphabeta with a doctrine from a YAML file; see ludozero schools list",
		Argument: "ID",
		Options: []Option{
			{Name: "depth", Doc: "player turns looked ahead", Default: "2", Min: 1, Max: maxSchoolDepth},
			{Name: "weight", Doc: "how much the doctrine counts, of what its file says; 0 is none", Default: "1", MaxReal: school.MaxWeight, Quiet: true},
		},
		Name: func(argument string) (string, error) {
			s, err := school.Find(argument)
			if err != nil {
				return "", err
			}
			if s.Shipped() {
				return s.ID, nil
			}
			return argument, nil
		},
		Make: func(v Values) (Factory, error) {
			s, err := school.Find(v.Argument)
			if err != nil {
				return nil, err
			}
			weight, _ := v.Real("weight")
			return func(g engine.Game) (match.Player, error) { return newSchool(g, s, v.Int("depth"), weight) }, nil
		},
		Identify: func(v Values) (string, error) {
			s, err := school.Find(v.Argument)
			if err != nil {
				return "", err
			}
			return "school " + s.Digest(), nil
		},
	}
}

// newSchool returns a player of that depth with the doctrine of s at that weight.
func newSchool(g engine.Game, s *school.School, depth int, weight float64) (match.Player, error) {
	k, ok := g.(*konreh.Game)
	if !ok {
		return nil, fmt.Errorf("it plays konreh alone, not %s", g.Info().Name)
	}
	return alphaBetaOf(k, alphabeta.NewGuided(k, s.Guide(weight)), depth, pace{}), nil
}
