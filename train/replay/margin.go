package replay

import (
	"fmt"
	"math"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
)

// marginUnknown stands for the margin of a game that was resigned.
const marginUnknown = 2

// MixMargin replaces the outcome in value targets by the mixture
//
//	(1-share) · outcome + share · margin
//
// where x = tanh(engine.Margined.Margin) of the finished game stands for a win with
// probability max(x, 0), a loss with max(-x, 0), and a draw else, so that its value is x
// and an even draw stays one. share is in [0, 1] and 0 in a new window. It is called
// before the first Refresh, for games whose states are engine.Margined. Resigned games,
// which have no last count, keep the outcome.
//
// Margins are not in shards but follow from them: the position of a game's last row, its
// action, and what came after it.
func (w *Window) MixMargin(share float64) { w.marginShare = share }

// result is the outcome of row i as win, draw and loss, with a share of the margin.
func (l *loadedShard) result(i int, marginShare float64) (wdl [3]float64) {
	outcome := 1 - int(l.columns.Outcome[i])
	wdl[outcome] = 1
	if marginShare == 0 || l.margins == nil || l.margins[i] == marginUnknown {
		return wdl
	}
	x := float64(l.margins[i])
	wdl[outcome] = 1 - marginShare
	wdl[0] += marginShare * max(x, 0)
	wdl[1] += marginShare * (1 - math.Abs(x))
	wdl[2] += marginShare * max(-x, 0)
	return wdl
}

// marginsOf plays the games of a shard to their ends and returns the squashed margin for
// each row.
func marginsOf(shard *record.Shard, l *loadedShard) ([]float32, error) {
	c := l.columns
	endings, err := shard.Endings(c)
	if err != nil {
		return nil, err
	}
	margins := make([]float32, c.Rows)
	states := make([]engine.State, len(l.games))
	start := 0
	for game, end := range c.GameEnd {
		last := int(end) - 1
		margin := float32(marginUnknown)
		if c.TurnsLeft[last] != record.TurnsUnknown {
			of := c.RulesOf[last]
			if states[of] == nil {
				states[of] = l.games[of].NewState()
			}
			if err := playOn(states[of], c.PackedOf(last), endings.Played[game]); err != nil {
				return nil, fmt.Errorf("shard %s: %w: row %d: %w", shard.Name, record.ErrCorrupt, last, err)
			}
			margin = float32(math.Tanh(float64(states[of].(engine.Margined).Margin(engine.First))))
		}
		for i := start; i <= last; i++ {
			margins[i] = margin
			if margin != marginUnknown && engine.Player(endings.Player[i]) == engine.Second {
				margins[i] = -margin
			}
		}
		start = int(end)
	}
	return margins, nil
}

// playOn sets s to the packed position and applies what was played from there. Repetition
// is left out of account: it ends games, but counts nothing.
func playOn(s engine.State, packed []byte, played []uint16) error {
	if err := s.Unpack(packed); err != nil {
		return err
	}
	var possible []engine.Action
	var chances []engine.Weighted
	for _, code := range played {
		a := engine.Action(code)
		possible = engine.AppendPossible(possible[:0], &chances, s, nil)
		if _, ok := slices.BinarySearch(possible, a); !ok {
			return fmt.Errorf("%d is not possible when %s acts: the game cannot have ended so", a, s.Actor())
		}
		s.Apply(a, nil)
	}
	return nil
}
