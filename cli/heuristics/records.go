package heuristics

import (
	"slices"

	"github.com/ludozero/ludozero/cli/shell"
	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/konreh"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/selfplay/census"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/study/heuristics"
)

// recordsOf reads recorded games of Kon'reh for rules of thumb.
func recordsOf(games engine.Families, words []string) (heuristics.Recorded, error) {
	shards, err := census.Find(words)
	if err != nil {
		return nil, shell.Usage(err)
	}
	return func(visit func(*heuristics.Game) (bool, error)) error {
		l := census.NewLibrary(games)
		more := true
		for _, f := range slices.Backward(shards) { // the newest first
			if !more {
				break
			}
			s, _, err := l.Open(f.Path)
			if err != nil {
				return err
			}
			err = l.Each(s, func(g *census.Recorded) error {
				k, ok := g.Game.(*konreh.Game)
				if !ok || !more {
					return nil
				}
				played := heuristics.Game{Rules: k}
				if err := g.Replay(func(s *record.Step) { played.Actions = append(played.Actions, s.Action) }); err != nil {
					return err
				}
				played.First = match.Points(g.Replayer.Outcome(), true)
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
