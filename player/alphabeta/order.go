package alphabeta

import "github.com/ludozero/ludozero/engine"

// The order in which actions are tried: the table's, loud ones as the
// game ranks them, killers, then by history.
const (
	rankFirst   int32 = 1 << 30
	rankLoud    int32 = 1 << 28
	rankKiller  int32 = 1 << 27
	mostHistory int32 = 1 << 26
)

// score sets l.scores to the ranks of list and returns the least rank of actions
// that are not quiet.
func (e *Engine) score(s position, l *level, list []engine.Action, first engine.Action) int32 {
	scores := l.scores[:len(list)]
	history := e.history[s.Side()&1]
	for i, a := range list {
		rank, loud := s.Loudness(a)
		switch {
		case a == first:
			scores[i] = rankFirst
		case loud:
			scores[i] = rankLoud + rank
		case a == l.killers[0]:
			scores[i] = rankKiller + 1
		case a == l.killers[1]:
			scores[i] = rankKiller
		default:
			scores[i] = history[a]
		}
	}
	return rankKiller
}

// pick brings the action of the highest rank of those from i on to place i.
func pick(list []engine.Action, scores []int32, i int) (engine.Action, int32) {
	scores = scores[:len(list)]
	best := i
	for j := i + 1; j < len(list); j++ {
		if scores[j] > scores[best] {
			best = j
		}
	}
	list[i], list[best] = list[best], list[i]
	scores[i], scores[best] = scores[best], scores[i]
	return list[i], scores[i]
}

// refuted notes that a quiet action of side proved too good.
func (e *Engine) refuted(l *level, side int, a engine.Action, depth int) {
	if a != l.killers[0] {
		l.killers[1], l.killers[0] = l.killers[0], a
	}
	h := &e.history[side&1][a]
	*h = min(mostHistory, *h+int32(depth*depth))
}
