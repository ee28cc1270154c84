package cli

import (
	"slices"

	studies "github.com/ludozero/ludozero/cli/heuristics"
	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/study/heuristics"
	"github.com/spf13/cobra"
)

func newHeuristics(env *shell.Env) *cobra.Command {
	return studies.New(env, func(words []string) (heuristics.Recorded, error) { return recordsOf(env.Families, words) })
}

// recordsOf reads recorded games of Kon'reh for rules of thumb.
func recordsOf(games engine.Families, words []string) (heuristics.Recorded, error) {
	shards, err := findShards(words)
	if err != nil {
		return nil, err
	}
	return func(visit func(*heuristics.Game) (bool, error)) error {
		l := newLibrary(games)
		more := true
		for _, f := range slices.Backward(shards) { // the newest first
			if !more {
				break
			}
			s, _, err := l.open(f.path)
			if err != nil {
				return err
			}
			err = l.eachGame(s, func(g *recordedGame) error {
				k, ok := g.game.(*konreh.Game)
				if !ok || !more {
					return nil
				}
				played := heuristics.Game{Rules: k}
				if err := g.replay(func(s *record.Step) { played.Actions = append(played.Actions, s.Action) }); err != nil {
					return err
				}
				played.First = match.Points(g.replayer.Outcome(), true)
				more, err = visit(&played)
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	}, nil
}
