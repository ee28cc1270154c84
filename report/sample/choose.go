package sample

import (
	"context"
	"fmt"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
)

// maxShards is how many shards are read: with a few dozen games each the work of a
// second, and enough games to include rare ones.
const maxShards = 24

// Choice is the games chosen of a run.
type Choice struct {
	// Shards of Of were read, with Looked games to choose from.
	Shards int `json:"shards"`
	Of     int `json:"of"`
	Looked int `json:"looked"`
	// Games are in order of game number.
	Games []*Game `json:"games"`
	// Unreadable are the errors of shards and games that were left out.
	Unreadable []error `json:"-"`
}

// Choose reads some of the shards of a run, given in order of generation, and
// chooses and annotates up to six games:
//
//   - from the first, the middle and the last generation: the decisive game of
//     median length, or the drawn one if there are only draws;
//   - the newest game that was decided, and the newest that was drawn;
//   - the newest with the rarest kind of action, if the game has kinds and less than
//     half of the games read have this one.
//
// A game may be chosen for several reasons. Of many shards it reads some,
// spread evenly, the first and the last among them; the same shards give the same
// choice. A shard that cannot be read is left out and noted; Choose fails
// only if ctx ends.
func Choose(ctx context.Context, families engine.Families, paths []string) (*Choice, error) {
	return choose(ctx, families, paths, maxShards)
}

func choose(ctx context.Context, families engine.Families, paths []string, shards int) (*Choice, error) {
	c := &Choice{Of: len(paths)}
	l := &record.Library{Families: families}
	var all []summary
	for _, path := range spread(paths, shards) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		err := eachGame(l, path, func(g engine.Game, rows []record.Row) error {
			s, err := summarise(g, rows)
			if err == nil {
				s.path = path
				all = append(all, s)
			}
			return err
		})
		if err != nil {
			c.Unreadable = append(c.Unreadable, err)
			continue
		}
		c.Shards++
	}
	c.Looked = len(all)
	chosen := pick(all)
	for i := range chosen {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := &chosen[i]
		err := eachGame(l, s.path, func(g engine.Game, rows []record.Row) error {
			if rows[0].GameNumber != s.number {
				return nil
			}
			game, err := Annotate(g, rows)
			if err != nil {
				return err
			}
			game.Why = s.why
			c.Games = append(c.Games, game)
			return nil
		})
		if err != nil {
			c.Unreadable = append(c.Unreadable, err)
		}
	}
	return c, nil
}

// spread returns n entries of a list, evenly spaced, with the first and the last.
func spread(list []string, n int) []string {
	if len(list) <= n {
		return list
	}
	some := make([]string, n)
	for i := range some {
		some[i] = list[i*(len(list)-1)/(n-1)]
	}
	return some
}

// eachGame calls do with each game of a shard.
func eachGame(l *record.Library, path string, do func(engine.Game, []record.Row) error) error {
	s, err := record.OpenAny(path, l.Info)
	if err != nil {
		return err
	}
	rows, err := s.Rows()
	if err != nil {
		return err
	}
	for _, game := range record.Games(rows) {
		g, err := l.Game(game[0].Game, game[0].Rules)
		if err == nil {
			err = do(g, game)
		}
		if err != nil {
			return fmt.Errorf("shard %s: %w", path, err)
		}
	}
	return nil
}

// summary is what the choice needs to know of a game.
type summary struct {
	path       string
	number     int64
	generation int32
	turns      int
	drawn      bool
	// kinds counts its actions by kind, as engine.Classifier names them.
	kinds []bool
	names []string

	why []string
}

// summarise plays a game again.
func summarise(g engine.Game, rows []record.Row) (summary, error) {
	s := summary{number: rows[0].GameNumber, generation: rows[0].Generation}
	var found []int
	p := record.NewReplayer(g)
	problems := p.Play(rows, func(x *record.Step) {
		k, ok := x.State.(engine.Classifier)
		if !ok {
			return
		}
		if s.names == nil {
			s.names = k.Kinds()
			s.kinds = make([]bool, len(s.names))
		}
		found = k.AppendKinds(found[:0], x.Action, x.After)
		for _, kind := range found {
			s.kinds[kind] = true
		}
	})
	if len(problems) > 0 {
		r := &rows[problems[0].Row]
		return s, fmt.Errorf("game %d: ply %d: %w", r.GameNumber, r.Ply, problems[0].Err)
	}
	s.turns = p.State().Turn()
	s.drawn = p.Outcome().Winner == engine.Nobody
	return s, nil
}

// pick chooses among games, and returns them in order of their numbers.
func pick(all []summary) []summary {
	slices.SortFunc(all, func(a, b summary) int { return int(max(-1, min(1, a.number-b.number))) })
	chosen := map[int]bool{}
	choose := func(i int, why string) {
		chosen[i] = true
		all[i].why = append(all[i].why, why)
	}
	var generations []int32
	for i := range all {
		generations = append(generations, all[i].generation)
	}
	slices.Sort(generations)
	generations = slices.Compact(generations)
	n := len(generations)
	for _, c := range []struct {
		at   int
		name string
		need int // generations
	}{{0, "first generation", 1}, {n / 2, "middle generation", 3}, {n - 1, "last generation", 2}} {
		if n >= c.need {
			choose(typical(all, generations[c.at]), c.name)
		}
	}
	// newest chooses the newest game of a kind, preferring one that is chosen already.
	newest := func(why string, is func(*summary) bool) {
		best := -1
		for i := range all {
			if is(&all[i]) && (best < 0 || !chosen[best] || chosen[i]) {
				best = i
			}
		}
		if best >= 0 {
			choose(best, why)
		}
	}
	newest("decided", func(s *summary) bool { return !s.drawn })
	newest("drawn", func(s *summary) bool { return s.drawn })
	if kind, name, games := rarest(all); games > 0 {
		newest(fmt.Sprintf("%s, which %d of %d games have", name, games, len(all)),
			func(s *summary) bool { return kind < len(s.kinds) && s.kinds[kind] })
	}
	var list []summary
	for i := range all {
		if chosen[i] {
			list = append(list, all[i])
		}
	}
	return list
}

// typical is the decided game of median length of a generation, or the drawn one if
// there are only draws.
func typical(all []summary, generation int32) int {
	var of []int
	for _, drawn := range []bool{false, true} {
		for i := range all {
			if all[i].generation == generation && all[i].drawn == drawn {
				of = append(of, i)
			}
		}
		if len(of) > 0 {
			break
		}
	}
	slices.SortStableFunc(of, func(i, j int) int { return all[i].turns - all[j].turns })
	return of[(len(of)-1)/2]
}

// rarest is the kind of action that the fewest games have, of those that some but less
// than half have; games is 0 if there is none.
func rarest(all []summary) (kind int, name string, games int) {
	var counts []int
	var names []string
	for i := range all {
		if len(all[i].names) > len(names) {
			names = all[i].names
		}
		for k, has := range all[i].kinds {
			for len(counts) <= k {
				counts = append(counts, 0)
			}
			if has {
				counts[k]++
			}
		}
	}
	for k, n := range counts {
		if n > 0 && 2*n < len(all) && (games == 0 || n < games) {
			kind, name, games = k, names[k], n
		}
	}
	return kind, name, games
}
