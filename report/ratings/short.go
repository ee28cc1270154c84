package ratings

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/ludozero/ludozero/match"
)

// Short is the file of the matches of networks up to a generation, without the moves
// and ends of their games: scores and ratings need no more. While it exceeds limit
// bytes, it leaves out every second of the generations measured during the run; matches
// at the end of the run stay.
func Short(matches []Match, generation, limit int) ([]byte, error) {
	list := slices.DeleteFunc(slices.Clone(matches), func(m Match) bool { return m.Generation > generation })
	for {
		var b bytes.Buffer
		for i := range list {
			l := line{Match: *list[i].short()}
			text, err := l.seal(true)
			if err != nil {
				return nil, fmt.Errorf("rating: %w", err)
			}
			b.Write(append(text, '\n'))
		}
		kept := everySecond(list)
		if b.Len() <= limit || len(kept) == len(list) {
			return b.Bytes(), nil
		}
		list = kept
	}
}

// short is the match without the moves and ends of its games.
func (m *Match) short() *Match {
	r := *m.Result
	r.Games = make([]match.Game, len(m.Result.Games))
	for i, g := range m.Result.Games {
		r.Games[i] = match.Game{Number: g.Number, Pair: g.Pair, AFirst: g.AFirst, Points: g.Points}
	}
	short := *m
	short.Version, short.Result = version, &r
	return &short
}

// everySecond leaves out every second of the generations measured during the run, but
// neither the newest nor the first, by which the origin of Elo is chosen.
func everySecond(list []Match) []Match {
	var generations []int
	for i := range list {
		if g := list[i].Generation; !list[i].Final && !slices.Contains(generations, g) {
			generations = append(generations, g)
		}
	}
	slices.Sort(generations)
	return slices.DeleteFunc(slices.Clone(list), func(m Match) bool {
		at := slices.Index(generations, m.Generation)
		return !m.Final && at > 0 && (len(generations)-1-at)%2 == 1
	})
}
