package heuristics

import (
	"errors"

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
	shards, err := newestInTurn(words)
	if err != nil {
		return nil, shell.Usage(err)
	}
	return func(visit func(*heuristics.Game) (bool, error)) error {
		l := census.NewLibrary(games)
		more := true
		for _, f := range shards {
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

// newestInTurn are the shards of all words, the newest of each first, then the next of
// each: no run is left out because another has enough.
func newestInTurn(words []string) (list []census.File, err error) {
	left := make([][]census.File, len(words))
	for i, word := range words {
		files, wrong := census.Find([]string{word})
		left[i], err = files, errors.Join(err, wrong)
	}
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for more := true; more; {
		more = false
		for i, files := range left {
			if len(files) == 0 {
				continue
			}
			f := files[len(files)-1]
			left[i], more = files[:len(files)-1], true
			if !seen[f.Path] {
				seen[f.Path] = true
				list = append(list, f)
			}
		}
	}
	return list, nil
}
