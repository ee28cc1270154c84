package replay

import (
	"math"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/selfplay/record"
)

// DecayRootValue replaces what the row's own search expected, in the targets of
// MixRootValue, by a decaying mean over the searches of its game from the row on,
//
//	T(i) = (1 - d(i)) · v(i) + d(i) · T(i+1),  d(i) = decay^(n(i) / mean of n)
//
// where v is win, draw and loss in the view of one player, n(i) the visits behind it, their
// mean that of the game, and T after the last row the result of the game (or what MixMargin
// makes of it). With equal visits that is (1-decay)·Σ decay^k·v(i+k), and the result has the
// weight that is left. A search of few visits counts by them. decay is in [0, 1); 0, in a
// new window: the row's own search alone. It is called before the first Refresh.
//
// It is the TD(λ) target of a game that was searched: later searches know what came of a
// position, and their errors are not all those of the first. Rows that nobody evaluated
// pass on what comes after them; all rows of a shard of format 2 keep the result.
func (w *Window) DecayRootValue(decay float64) { w.rootDecay = decay }

// decayRoots replaces l.roots as DecayRootValue says.
func (l *loadedShard) decayRoots(s *record.Shard, decay, marginShare float64) error {
	if l.roots == nil {
		return nil
	}
	visits, err := s.Visits()
	if err != nil {
		return err
	}
	players, err := s.Players(l.columns)
	if err != nil {
		return err
	}
	start := 0
	for _, end := range l.columns.GameEnd {
		l.decayGame(start, int(end), visits, players, decay, marginShare)
		start = int(end)
	}
	return nil
}

// decayGame does so for the rows of a game, from the last to the first.
func (l *loadedShard) decayGame(start, end int, visits []int32, players []int8, decay, marginShare float64) {
	mean := 0.0 // 0 in a teacher's game
	for _, n := range visits[start:end] {
		mean += float64(n) / float64(end-start)
	}
	later := inView(l.result(end-1, marginShare), players[end-1]) // in the first player's view
	for i := end - 1; i >= start; i-- {
		if l.roots[i].Known() {
			d := decay
			if mean > 0 {
				d = math.Pow(decay, float64(visits[i])/mean)
			}
			var own [3]float64
			own[0], own[1], own[2] = l.roots[i].Probs()
			own = inView(own, players[i])
			for k := range later {
				later[k] = (1-d)*own[k] + d*later[k]
			}
		}
		t := inView(later, players[i])
		l.roots[i] = record.RoundWDL(t[0], t[1], t[2])
	}
}

// inView converts win, draw and loss between the view of a player and the first's.
func inView(wdl [3]float64, player int8) [3]float64 {
	if engine.Player(player) == engine.Second {
		wdl[0], wdl[2] = wdl[2], wdl[0]
	}
	return wdl
}
